"""Types of objects and the relations between them."""

from colligate.network.network import Network
from colligate.network.objects import DOCUMENTS, WORDS, ObjectType
from colligate.network.relation import Relation
from colligate.network.subtypes import subtype_knowledge

__all__ = ["DOCUMENTS", "WORDS", "Network", "ObjectType", "Relation", "subtype_knowledge"]
