"""Links between documents that share names: documents with enough entities in common belong together."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import pairwise
from typing import TYPE_CHECKING, Any

import numpy as np
from scipy import sparse

from colligate.errors import InputError, Parameter, ParameterError
from colligate.knowledge import Knowledge

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from numpy.typing import NDArray

    IntArray = NDArray[np.int64]

SOURCE = "shared names"
MAX_STRENGTH = 4.0
MAX_TOTAL = 10.0
"""The links of a document count together about as much as so many of strength 1. Without a bound, many links
from a single shared name, a tenth of them wrong, join all documents. Of 1, 3 and 10 tried on two newsgroups,
10 is the largest and leaves links from five names as they are."""
_MAX_SHARE, _MAX_AT_LEAST = 0.05, 50
_BLOCK_PAIRS = 20_000_000
"""The approximate number of candidate pairs in memory at once."""


@dataclass(frozen=True, eq=False)
class SharedNames:
    """Pairs of documents by position, each once, with the number of names they share (`shared`)."""

    ids: Sequence[str]
    pairs: IntArray
    shared: IntArray
    min_shared: int

    def __len__(self) -> int:
        return len(self.pairs)

    def knowledge(self) -> Knowledge:
        """Return the pairs as must-links, whose strength grows with the overlap from 1 to at most 4.

        Links of documents that have many are weaker: each is multiplied by min(1, 10/√(s·t)), with s and t
        the summed strengths of the links of its two documents.
        """
        knowledge = Knowledge()
        if not len(self):
            return knowledge
        strength = np.minimum(self.shared / self.min_shared, MAX_STRENGTH)
        left, right = self.pairs.T
        total = np.bincount(self.pairs.ravel(), np.repeat(strength, 2), minlength=len(self.ids))
        strength = strength * np.minimum(1.0, MAX_TOTAL / np.sqrt(total[left] * total[right]))
        return knowledge.together(documents=self.pairs, strength=strength, source=SOURCE)


def shared_names(
    ids: Sequence[str], mentions: Mapping[str, Any], *, min_shared: int = 5, max_documents: int | None = None
) -> SharedNames:
    """Find the pairs of documents that share enough entities.

    Parameters
    ----------
    ids
        The documents.
    mentions
        A table with the columns document, name and type.
    min_shared
        The least number of entities that a pair shares.
    max_documents
        Names in more documents are not counted: like stop words, they do not distinguish documents. By
        default a twentieth of all documents, and at least 50.

    Notes
    -----
    Pairs are found by the documents of each name, in blocks: memory grows with the pairs that share a name,
    not with all pairs.
    """
    if min_shared < 1:
        raise ParameterError(
            Parameter("min_shared"),
            f" must be 1 or more in shared_names; got {min_shared}",
            parameter="min_shared",
        )
    incidence = _incidence_matrix(ids, mentions, max_documents)
    parts = [_find_pairs(incidence, *rows, min_shared) for rows in _split_blocks(incidence)]
    pairs = np.concatenate([np.empty((0, 2), dtype=np.int64), *(pairs for pairs, _ in parts)])
    shared = np.concatenate([np.empty(0, dtype=np.int64), *(shared for _, shared in parts)])
    return SharedNames(ids, pairs, shared, min_shared)


def name_groups(
    ids: Sequence[str], mentions: Mapping[str, Any], *, max_documents: int | None = None
) -> Knowledge:
    """Return a group of documents for each name; its pairs are implied and never listed."""
    by_name = _incidence_matrix(ids, mentions, max_documents).tocsc()
    borders = by_name.indptr.tolist()
    groups = [by_name.indices[a:b].tolist() for a, b in pairwise(borders) if b - a > 1]
    return Knowledge().together(documents=groups, source=SOURCE) if groups else Knowledge()


def _incidence_matrix(
    ids: Sequence[str], mentions: Mapping[str, Any], max_documents: int | None
) -> sparse.csr_array:
    """Return documents × names, 1 where a document has a name, without names in too many documents."""
    if max_documents is None:
        max_documents = max(_MAX_AT_LEAST, int(_MAX_SHARE * len(ids)))
    positions = {name: position for position, name in enumerate(ids)}
    numbers: dict[tuple[str, str], int] = {}
    entries = set()
    for document, kind, name in zip(mentions["document"], mentions["type"], mentions["name"], strict=True):
        if document not in positions:
            raise InputError(
                f"the mentions refer to document {document!r:.60}, which is not in the corpus; pass "
                "the corpus in which the mentions were found"
            )
        entries.add((positions[document], numbers.setdefault((kind, name), len(numbers))))
    row, column = np.array(sorted(entries), dtype=np.int64).reshape(-1, 2).T
    ones = np.ones(len(row), dtype=np.int32)
    matrix = sparse.csr_array((ones, (row, column)), shape=(len(ids), len(numbers)))
    return matrix[:, np.flatnonzero(np.bincount(column, minlength=len(numbers)) <= max_documents)]


def _split_blocks(incidence: sparse.csr_array) -> Iterator[tuple[int, int]]:
    """Yield ranges of documents with a bounded number of candidate pairs."""
    n_pairs = incidence @ np.bincount(incidence.indices, minlength=incidence.shape[1])
    start, size = 0, 0
    for document, added in enumerate(map(int, n_pairs)):
        if size + added > _BLOCK_PAIRS and document > start:
            yield start, document
            start, size = document, 0
        size += added
    yield start, len(n_pairs)


def _find_pairs(
    incidence: sparse.csr_array, start: int, stop: int, min_shared: int
) -> tuple[IntArray, IntArray]:
    """Return the pairs of a block's documents with later ones that share enough names."""
    product = (incidence[start:stop] @ incidence.T).tocoo()
    left = product.row.astype(np.int64) + start
    right = product.col.astype(np.int64)
    keep = (right > left) & (product.data >= min_shared)
    order = np.lexsort((right[keep], left[keep]))
    return np.column_stack([left[keep], right[keep]])[order], product.data[keep][order].astype(np.int64)
