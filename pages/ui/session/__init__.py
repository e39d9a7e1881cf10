"""What this browser tab has chosen: settings, data, the path and its tree. Below the pages, above the shell."""
