"""Statistics of nodes, each declared once for all tables, files, figures and the stage."""
