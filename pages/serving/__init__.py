"""The app as a server: access, quotas and limits."""
