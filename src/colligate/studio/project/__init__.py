"""A project of the studio: a folder with the documents, the journal of statements, and the runs."""

from colligate.studio.project.folder import Project, Settings
from colligate.studio.project.journal import ConflictError, Entry, Journal

__all__ = ["ConflictError", "Entry", "Journal", "Project", "Settings"]
