"""Word categories from what others have ordered: taxonomies, WordNet and knowledge bases."""

from colligate.knowledge.sources.taxonomy import Taxonomy

__all__ = ["Taxonomy"]
