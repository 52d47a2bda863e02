"""Outsiders that are no documents of the run: counted over its terms, for methods that take them."""

from __future__ import annotations

import warnings
from itertools import pairwise
from typing import TYPE_CHECKING

import numpy as np
from scipy import sparse

from colligate.errors import InputError, KnowledgeWarning

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from colligate.corpus import Corpus
    from colligate.network import Network

NAMED = 3


def outside_counts(
    network: Network, corpora: Sequence[Corpus], marked: NDArray[np.int64]
) -> sparse.csr_array:
    """The documents of some corpora as counts over the terms of a network, in one matrix.

    `marked` are the documents of the network that are outsiders as well. If others have the very counts of
    an outsider, a warning says which: they cannot be in a group and in none.
    """
    found = sparse.csr_array(sparse.vstack([_counted(network, corpus) for corpus in corpora], format="csr"))
    names = [name for corpus in corpora for name in corpus.ids]
    _warn_of_twins(network, found, names, marked)
    return found


def _counted(network: Network, corpus: Corpus) -> sparse.csr_array:
    if network.corpus is not None:
        return corpus.counted_like(network.corpus)
    terms = network.terms
    words = range(0) if terms in (None, network.centre) else network.types[terms].names
    if isinstance(words, range):
        raise InputError(
            "outside documents are counted by their words, and this run knows its words only by position; "
            "fit on a corpus, or mark documents of the run by position"
        )
    return corpus.counts_over(words)


def _warn_of_twins(
    network: Network, outside: sparse.csr_array, names: Sequence[str], marked: NDArray[np.int64]
) -> None:
    """Warn if documents to be grouped have the same counts as outsiders; empty ones say nothing."""
    inside = np.setdiff1d(np.flatnonzero(np.diff(network.counts.indptr)), marked)
    filled = np.flatnonzero(np.diff(outside.indptr))
    first = {key: place for place, key in zip(inside.tolist(), _rows(network.counts, inside), strict=True)}
    twins = [
        (first[key], place)
        for place, key in zip(filled.tolist(), _rows(outside, filled), strict=True)
        if key in first
    ]
    if not twins:
        return
    own = network.names[network.centre]
    told = ", ".join(f"{names[other]} like {own[place]}" for place, other in twins[:NAMED])
    more = f" and {len(twins) - NAMED:,} more" if len(twins) > NAMED else ""
    warnings.warn(
        f"{len(twins):,} of the {len(names):,} outsiders hold the very words of {network.centre} to be "
        f"grouped ({told}{more}); take them out of one side, or borders are drawn "
        f"through these {network.centre}",
        KnowledgeWarning,
        stacklevel=5,
    )


def _rows(counts: sparse.csr_array, places: NDArray[np.int64]) -> list[bytes]:
    """Rows as keys: equal where the columns and the counts in them are."""
    rows = sparse.csr_array(counts[places])
    rows.sort_indices()
    columns, values = rows.indices.astype(np.int64), rows.data.astype(np.float64)
    ends = rows.indptr.tolist()
    return [columns[start:stop].tobytes() + values[start:stop].tobytes() for start, stop in pairwise(ends)]
