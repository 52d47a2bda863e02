"""Word categories from what others have ordered: taxonomies and WordNet."""

from colligate.knowledge.sources.taxonomy import Taxonomy

__all__ = ["Taxonomy"]
