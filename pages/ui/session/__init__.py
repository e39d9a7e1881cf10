"""The choices of this browser tab: settings, data, the path and its tree. Used by the pages; uses the shell."""
