"""Old names of what now is in `experiments.corpora.triplets`."""

from experiments.corpora.triplets import (
    MOST_WORDS,
    NAMES,
    category_matrix,
    super_groups,
    told_documents,
    triplet,
)

__all__ = ["MOST_WORDS", "NAMES", "category_matrix", "super_groups", "told_documents", "triplet"]
