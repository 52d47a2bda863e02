"""The version of Colligate."""

__version__ = "0.1.0"
