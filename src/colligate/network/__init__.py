"""Types of objects and the relations between them."""

from colligate.network.neighbourhood import Neighbourhood, Part, by_rows, description, parts_of
from colligate.network.network import Network
from colligate.network.objects import DOCUMENTS, WORDS, ObjectType, Relation
from colligate.network.subtypes import subtype_knowledge

__all__ = [
    "DOCUMENTS",
    "WORDS",
    "Neighbourhood",
    "Network",
    "ObjectType",
    "Part",
    "Relation",
    "by_rows",
    "description",
    "parts_of",
    "subtype_knowledge",
]
