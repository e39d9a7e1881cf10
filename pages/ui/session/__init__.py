"""The choices of this browser tab: settings, data, the path and its tree.

Pages use this package, and it uses the shell.
"""
