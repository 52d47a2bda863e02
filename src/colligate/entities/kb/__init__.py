"""Knowledge bases: in an embedded RDF store or behind a SPARQL endpoint, with the same answers from both."""

from colligate.entities.kb.base import Hierarchy, Info, KnowledgeBase, QueryResult
from colligate.entities.kb.endpoint import Cache, EndpointBase, RequestPolicy
from colligate.entities.kb.sparql import WIKIDATA, Vocabulary
from colligate.entities.kb.store import EmbeddedBase, build, open_base
from colligate.errors import EndpointError, KnowledgeBaseError

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
    "QueryResult",
    "RequestPolicy",
    "Vocabulary",
    "build",
    "open_base",
]
