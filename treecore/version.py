"""Define the version of this program, which is stored in saved files."""

VERSION = "0.1.0"
