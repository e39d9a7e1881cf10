"""Statistics of nodes, declared once for all tables, files, figures and the stage."""
