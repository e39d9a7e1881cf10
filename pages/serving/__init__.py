"""Access, quotas and limits of the app as a server."""
