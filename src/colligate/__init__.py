"""Colligate groups documents with the help of what people already know."""

from importlib import import_module
from typing import TYPE_CHECKING, Any

from colligate import errors
from colligate.version import __version__

if TYPE_CHECKING:
    from colligate.corpus import Analyser, Corpus
    from colligate.knowledge import Knowledge
    from colligate.knowledge.sources import Taxonomy
    from colligate.methods.named_vectorizer import NamedVectorizer
    from colligate.methods.suggestion import suggest_clusters
    from colligate.network import Network, ObjectType, Relation, subtype_knowledge
    from colligate.registry import make, methods
    from colligate.result import Result

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
    "Analyser": "colligate.corpus",
    "Corpus": "colligate.corpus",
    "Knowledge": "colligate.knowledge",
    "NamedVectorizer": "colligate.methods.named_vectorizer",
    "Network": "colligate.network",
    "ObjectType": "colligate.network",
    "Relation": "colligate.network",
    "Result": "colligate.result",
    "Taxonomy": "colligate.knowledge.sources",
    "make": "colligate.registry",
    "subtype_knowledge": "colligate.network",
    "suggest_clusters": "colligate.methods.suggestion",
}


def __getattr__(name: str) -> Any:
    """Import a name when it is first used, so that the command line need not wait for NumPy and SciPy."""
    if name == "methods":
        # the package of the methods, which can be called to list them
        return import_module("colligate.methods")
    if name not in LAZY:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    value = globals()[name] = getattr(import_module(LAZY[name]), name)
    return value


def __dir__() -> list[str]:
    """List the public names, and not the modules that they come from."""
    return __all__
