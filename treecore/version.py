"""Version of this program, which written files contain."""

VERSION = "0.1.0"
