"""Networks: types of objects and the relations between them."""

from colligate.network.neighbourhood import Neighbourhood, Part, find_description, list_parts, orient_matrix
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
    "find_description",
    "list_parts",
    "orient_matrix",
    "subtype_knowledge",
]
