"""The knowledge base: embedded or behind a SPARQL endpoint, with the same answers from both."""

from colligate.errors import EndpointError, KnowledgeBaseError
from colligate.world.base.building import build
from colligate.world.base.cache import Cache
from colligate.world.base.embedded import EmbeddedBase
from colligate.world.base.endpoint import EndpointBase
from colligate.world.base.hierarchy import Hierarchy
from colligate.world.base.interface import Info, KnowledgeBase, Table
from colligate.world.base.manners import Manners
from colligate.world.base.opening import open_base
from colligate.world.base.vocabulary import WIKIDATA, Vocabulary

__all__ = [
    "WIKIDATA",
    "Cache",
    "EmbeddedBase",
    "EndpointBase",
    "EndpointError",
    "Hierarchy",
    "Info",
    "KnowledgeBase",
    "KnowledgeBaseError",
    "Manners",
    "Table",
    "Vocabulary",
    "build",
    "open_base",
]
