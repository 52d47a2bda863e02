"""Word categories as a partition of the words, for the baselines `fc` and `fe`."""

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
    """Return the strongest category of each word, the first of equals, -1 for none."""
    term_guidance = guidance.get(str(network.terms))
    if term_guidance is None or term_guidance.seeds is None:
        raise KnowledgeError(
            f"{name} needs categories of {network.terms}, but the knowledge has none; add some, as in "
            "Knowledge().category(name, words=[…]), or choose kmeans"
        )
    seeds = term_guidance.seeds.matrix
    seeded = np.flatnonzero(np.diff(seeds.indptr))
    categories = np.full(seeds.shape[0], -1, dtype=np.int64)
    categories[seeded] = np.asarray(seeds.todense())[seeded].argmax(axis=1)
    return categories


def category_basis(categories: Ints) -> sparse.csr_array:
    """Return the orthonormal A, words × (categories and free words), with 1/√size in a category's column.

    Replacing each word of a row x by the mean of its category gives x·A·Aᵀ; distances between such rows are
    those between the shorter rows x·A.
    """
    free = np.flatnonzero(categories < 0)
    n_categories = int(categories.max(initial=-1)) + 1
    column = categories.copy()
    column[free] = n_categories + np.arange(len(free))
    sizes = np.maximum(np.bincount(column, minlength=n_categories + len(free)), 1)
    entries = (np.arange(len(categories)), column)
    return sparse.csr_array((1.0 / np.sqrt(sizes)[column], entries), shape=(len(categories), len(sizes)))
