"""Version of this program, which saved files contain."""

VERSION = "0.1.0"
