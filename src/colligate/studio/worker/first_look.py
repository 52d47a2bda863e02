"""A first look: rough groups by spherical k-means on tf-idf, shown until the first run is done."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
from scipy.sparse import csr_array

from colligate.kernels import make_kernels
from colligate.methods.spherical import Directions, spherical_kmeans, tfidf

if TYPE_CHECKING:
    from colligate.network import Network

TOP_WORDS = 6
MAX_DOCUMENTS = 3_000
"""Rough groups are found on a sample of so many documents; the others join the nearest one."""


def find_first_groups(network: Network, n_clusters: int) -> list[dict[str, Any]]:
    """Find rough groups, the largest first, each with its size and its words; none without words."""
    if network.terms is None:
        return []
    counts = network.counts
    filled = np.diff(counts.indptr) > 0
    if n_clusters > np.count_nonzero(filled):
        return []
    # not the fast kernels, whose loading alone takes longer than all of this
    unit, kernels, rng = tfidf(counts), make_kernels("reference"), np.random.default_rng(0)
    drawn = np.sort(rng.permutation(np.flatnonzero(filled))[: max(MAX_DOCUMENTS, n_clusters)])
    sample = Directions(csr_array(unit[drawn]), np.ones(len(drawn), dtype=bool))
    centres = sample.means(spherical_kmeans(kernels, sample, n_clusters, rng), n_clusters)
    nearest = Directions(unit, filled).cosines(kernels, centres).argmax(axis=1)
    sizes = np.bincount(nearest[filled], minlength=n_clusters)
    # words that a group has more than others: a word of all groups names none
    excess, names = centres - centres.mean(axis=1, keepdims=True), network.types[network.terms].names
    return [
        {
            "size": int(sizes[group]),
            "words": [
                str(names[word])
                for word in np.argsort(-excess[:, group], kind="stable")[:TOP_WORDS].tolist()
                if centres[word, group] > 0
            ],
        }
        for group in np.argsort(-sizes, kind="stable").tolist()
        if sizes[group]
    ]
