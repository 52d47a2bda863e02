"""Colligate groups documents with the help of what people already know."""

from colligate import errors
from colligate.corpus import Analyser, Corpus
from colligate.knowledge import Knowledge
from colligate.network import Network, ObjectType, Relation
from colligate.registry import make, methods
from colligate.result import Result
from colligate.version import __version__

__all__ = [
    "Analyser",
    "Corpus",
    "Knowledge",
    "Network",
    "ObjectType",
    "Relation",
    "Result",
    "__version__",
    "errors",
    "make",
    "methods",
]
