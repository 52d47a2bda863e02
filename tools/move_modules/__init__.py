"""Moves, merges and renames modules of the package by a table."""
