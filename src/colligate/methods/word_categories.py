"""Categories as a division of the words, for the baselines that work by classes of words."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
from scipy import sparse

from colligate.errors import KnowledgeError

if TYPE_CHECKING:
    from collections.abc import Mapping

    from numpy.typing import NDArray

    from colligate.knowledge import Guidance
    from colligate.network import Network

    Ints = NDArray[np.int64]
    Floats = NDArray[np.float64]


def assign_word_categories(name: str, network: Network, guidance: Mapping[str, Guidance]) -> Ints:
    """The category each word leans to most, the first of equals; -1 for none. `name` is the method's."""
    known = guidance.get(str(network.terms))
    if known is None or known.seeds is None:
        raise KnowledgeError(
            f"{name} needs categories of {network.terms} and knows none; give it some, as in "
            "Knowledge().category(name, words=[…]), or choose kmeans"
        )
    matrix = known.seeds.matrix
    told = np.flatnonzero(np.diff(matrix.indptr))
    found = np.full(matrix.shape[0], -1, dtype=np.int64)
    found[told] = np.asarray(matrix.todense())[told].argmax(axis=1)
    return found


def category_basis(classes: Ints) -> sparse.csr_array:
    """Words × (categories and free words), orthonormal: a row times it has its words' category centroids.

    Replacing each word of a row x by the mean of its category gives x·A·Aᵀ, and distances between such rows
    are those between rows x·A.
    """
    free = np.flatnonzero(classes < 0)
    column = classes.copy()
    n_classes = int(classes.max(initial=-1)) + 1
    column[free] = n_classes + np.arange(len(free))
    sizes = np.maximum(np.bincount(column, minlength=n_classes + len(free)), 1)
    places = (np.arange(len(classes)), column)
    return sparse.csr_array((1.0 / np.sqrt(sizes)[column], places), shape=(len(classes), len(sizes)))
