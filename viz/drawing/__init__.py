"""Canvas and labels that all figures use; they do not depend on trees or charts."""
