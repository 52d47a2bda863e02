"""GSDMM: collapsed Gibbs sampling for the Dirichlet multinomial mixture.

J. Yin and J. Wang, A Dirichlet multinomial mixture model-based approach for short text clustering, KDD 2014.
One document has one group. A document is taken out of its group and put into one that is drawn by equation 4
of the paper; the draw of the last iteration is the result.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
from numba import njit
from scipy.sparse import csr_array

if TYPE_CHECKING:
    from numpy.typing import NDArray

ALPHA, BETA, ITERATIONS = 0.1, 0.1, 30


def run_gsdmm(counts: Any, n_groups: int, seed: int) -> NDArray[np.int64]:
    """The group of each document; groups may end up empty."""
    matrix = csr_array(counts)
    rng = np.random.default_rng(seed)
    groups = rng.integers(n_groups, size=matrix.shape[0])
    in_group = np.zeros((matrix.shape[1], n_groups))
    for group in range(n_groups):
        in_group[:, group] = matrix[groups == group].sum(axis=0)
    sizes = np.bincount(groups, minlength=n_groups).astype(np.float64)
    for _ in range(ITERATIONS):
        draws = rng.random(matrix.shape[0])
        _sample(matrix.indptr, matrix.indices, matrix.data.astype(np.float64), groups, in_group, sizes, draws)
    return groups


@njit
def _sample(indptr, words, counts, groups, in_group, sizes, draws):  # type: ignore[no-untyped-def]
    """Draw the group of every document once, with the words of all others."""
    n_words, n_groups = in_group.shape
    totals = in_group.sum(axis=0)
    for document in range(len(groups)):
        start, stop = indptr[document], indptr[document + 1]
        old = groups[document]
        sizes[old] -= 1.0
        for place in range(start, stop):
            in_group[words[place], old] -= counts[place]
            totals[old] -= counts[place]
        scores = np.log(sizes + ALPHA)
        position = 0.0
        for place in range(start, stop):
            for copy in range(int(counts[place])):
                for group in range(n_groups):
                    scores[group] += np.log(
                        (in_group[words[place], group] + BETA + copy)
                        / (totals[group] + n_words * BETA + position)
                    )
                position += 1.0
        shares = np.cumsum(np.exp(scores - scores.max()))
        new = min(np.searchsorted(shares, draws[document] * shares[-1], side="right"), n_groups - 1)
        groups[document] = new
        sizes[new] += 1.0
        for place in range(start, stop):
            in_group[words[place], new] += counts[place]
            totals[new] += counts[place]
