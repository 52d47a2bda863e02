"""Types of objects and the relations between them."""

from colligate.network.network import Network, ObjectType, Relation

__all__ = ["Network", "ObjectType", "Relation"]
