"""Colligate groups documents with the help of what people already know."""

from importlib import import_module
from typing import TYPE_CHECKING, Any

from colligate import errors
from colligate.corpus import Analyser, Corpus
from colligate.knowledge import Knowledge
from colligate.knowledge.sources import Taxonomy
from colligate.network import Network, ObjectType, Relation, subtype_knowledge
from colligate.registry import make
from colligate.result import Result
from colligate.version import __version__

if TYPE_CHECKING:
    from colligate.methods.named_vectorizer import NamedVectorizer
    from colligate.methods.suggestion import suggest_clusters
    from colligate.registry import methods
else:
    # the package of the methods, which can be called to list them
    from colligate import methods

__all__ = [
    "Analyser",
    "Corpus",
    "Knowledge",
    "NamedVectorizer",
    "Network",
    "ObjectType",
    "Relation",
    "Result",
    "Taxonomy",
    "__version__",
    "errors",
    "make",
    "methods",
    "subtype_knowledge",
    "suggest_clusters",
]

LAZY = {
    "NamedVectorizer": "colligate.methods.named_vectorizer",
    "suggest_clusters": "colligate.methods.suggestion",
}


def __getattr__(name: str) -> Any:
    """Import names whose modules are heavy when they are first used."""
    if name in LAZY:
        return getattr(import_module(LAZY[name]), name)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")


def __dir__() -> list[str]:
    """List the public names, and not the modules that they come from."""
    return __all__
