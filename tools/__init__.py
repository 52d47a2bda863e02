"""Tools for those who work on Colligate; no part of the package."""
