"""Links between documents that share names: two that speak of enough of the same entities belong together."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import pairwise
from typing import TYPE_CHECKING, Any

import numpy as np
from scipy import sparse

from colligate.errors import InputError, ParameterError
from colligate.knowledge import Knowledge

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from numpy.typing import NDArray

    IntArray = NDArray[np.int64]

SOURCE = "shared names"
STRONGEST = 4.0
_MOST_SHARE = 0.05
_MOST_AT_LEAST = 50
_ENTRIES = 20_000_000
"""About so many candidate pairs are held at once."""


@dataclass(frozen=True, eq=False)
class SharedNames:
    """Pairs of documents by position, each once, with how many names they share (`shared`)."""

    ids: Sequence[str]
    pairs: IntArray
    shared: IntArray
    min_shared: int

    def __len__(self) -> int:
        return len(self.pairs)

    def knowledge(self) -> Knowledge:
        """The pairs as links. The strength grows with the overlap: 1 for the least, and 4 at most."""
        knowledge = Knowledge()
        if not len(self):
            return knowledge
        strength = np.minimum(self.shared / self.min_shared, STRONGEST)
        return knowledge.together(documents=self.pairs, strength=strength, source=SOURCE)


def shared_names(
    ids: Sequence[str], mentions: Mapping[str, Any], *, min_shared: int = 5, max_documents: int | None = None
) -> SharedNames:
    """Pairs of documents that share at least so many entities, from a table of document, name and type.

    Names in more than `max_documents` (a twentieth of all, and never fewer than 50) tell documents apart as
    little as stop words do, and are not counted. Pairs are found by the documents of each name, a few at a
    time: memory follows the pairs that share a name, never all pairs.
    """
    if min_shared < 1:
        raise ParameterError(f"min_shared must be 1 or more in shared_names; got {min_shared}")
    incidence = _incidence(ids, mentions, max_documents)
    parts = [_enough(incidence, rows, min_shared) for rows in _blocks(incidence)]
    pairs = np.concatenate([np.empty((0, 2), dtype=np.int64), *(pairs for pairs, _ in parts)])
    shared = np.concatenate([np.empty(0, dtype=np.int64), *(shared for _, shared in parts)])
    return SharedNames(ids, pairs, shared, min_shared)


def name_groups(
    ids: Sequence[str], mentions: Mapping[str, Any], *, max_documents: int | None = None
) -> Knowledge:
    """Documents that share a single name, as a group for each name, whose pairs are implied, never listed."""
    by_name = _incidence(ids, mentions, max_documents).tocsc()
    borders = by_name.indptr.tolist()
    groups = [by_name.indices[a:b].tolist() for a, b in pairwise(borders) if b - a > 1]
    return Knowledge().together(documents=groups, source=SOURCE) if groups else Knowledge()


def _incidence(ids: Sequence[str], mentions: Mapping[str, Any], most: int | None) -> sparse.csr_array:
    """Documents × names, 1 where a document has a name; names of too many documents are left out."""
    if most is None:
        most = max(_MOST_AT_LEAST, int(_MOST_SHARE * len(ids)))
    places = {name: at for at, name in enumerate(ids)}
    numbers: dict[tuple[str, str], int] = {}
    found = set()
    for document, kind, name in zip(mentions["document"], mentions["type"], mentions["name"], strict=True):
        if document not in places:
            raise InputError(f"the mentions speak of a document {document!r:.60} that is not there")
        found.add((places[document], numbers.setdefault((kind, name), len(numbers))))
    row, column = np.array(sorted(found), dtype=np.int64).reshape(-1, 2).T
    ones = np.ones(len(row), dtype=np.int32)
    matrix = sparse.csr_array((ones, (row, column)), shape=(len(ids), len(numbers)))
    return matrix[:, np.flatnonzero(np.bincount(column, minlength=len(numbers)) <= most)]


def _blocks(incidence: sparse.csr_array) -> Iterator[tuple[int, int]]:
    """Documents by their borders, such that those of a block share names with few enough others."""
    met = incidence @ np.bincount(incidence.indices, minlength=incidence.shape[1])
    start, held = 0, 0
    for at, more in enumerate(map(int, met)):
        if held + more > _ENTRIES and at > start:
            yield start, at
            start, held = at, 0
        held += more
    yield start, len(met)


def _enough(incidence: sparse.csr_array, rows: tuple[int, int], min_shared: int) -> tuple[IntArray, IntArray]:
    """The pairs of a block with later documents that share enough names."""
    met = (incidence[rows[0] : rows[1]] @ incidence.T).tocoo()
    left = met.row.astype(np.int64) + rows[0]
    right = met.col.astype(np.int64)
    keep = (right > left) & (met.data >= min_shared)
    order = np.lexsort((right[keep], left[keep]))
    return np.column_stack([left[keep], right[keep]])[order], met.data[keep][order].astype(np.int64)
