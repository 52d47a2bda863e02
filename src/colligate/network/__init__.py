"""Types of objects and the relations between them."""

from colligate.network.network import DOCUMENTS, WORDS, Network, ObjectType, Relation

__all__ = ["DOCUMENTS", "WORDS", "Network", "ObjectType", "Relation"]
