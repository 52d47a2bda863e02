"""FBSF and DFBSF: the type that a name has most often in its document, or in the most documents."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from colligate.entities.types.cases import choose_best

if TYPE_CHECKING:
    from colligate.entities.types.cases import Cases, Choice, FloatArray


class Frequency:
    """Frequency-based: each mention counts for all candidates alike, and backing for one of them."""

    name = "fbsf"

    def choose(self, cases: Cases) -> Choice:
        """Decide each document by itself."""
        return choose_best(cases, cases.frequency)


class DocumentFrequency:
    """Document-frequency-based: the meaning of a name in most documents is its meaning in all."""

    name = "dfbsf"

    def choose(self, cases: Cases) -> Choice:
        """Decide each name once."""
        return choose_best(cases, count_documents(cases))


def count_documents(cases: Cases) -> FloatArray:
    """Count, for each row, the documents in which its name has its candidate, shared by frequency."""
    share = cases.frequency / cases.sum_rows(cases.frequency)[cases.row_case]
    sizes = np.array([len(listed) for listed in cases.candidates], dtype=np.int64)
    starts = np.concatenate([[0], np.cumsum(sizes)[:-1]])
    rank = np.arange(len(cases.row_case)) - cases.borders[cases.row_case]
    slot = starts[cases.name[cases.row_case]] + rank
    return np.asarray(np.bincount(slot, weights=share)[slot])
