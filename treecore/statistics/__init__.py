"""Statistics of nodes: one declaration each, from which all tables, files, figures and the stage follow."""
