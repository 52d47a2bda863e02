"""FBSF: the type that a name is met with most often in the sentences of its document.

DFBSF: the type that a name is met with in the most documents.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from colligate.entities.types.cases import choose_best

if TYPE_CHECKING:
    from colligate.entities.types.cases import Cases, Choice, FloatArray


class Frequency:
    """Frequency-based: a mention counts for the types of all its candidates, a backed one for its type."""

    name = "fbsf"

    def choose(self, cases: Cases) -> Choice:
        """Decide each document by itself."""
        return choose_best(cases, cases.frequency)


class DocumentFrequency:
    """Document-frequency-based: what a name stands for in most documents it stands for in all."""

    name = "dfbsf"

    def choose(self, cases: Cases) -> Choice:
        """Decide each name once."""
        return choose_best(cases, document_frequency(cases))


def document_frequency(cases: Cases) -> FloatArray:
    """Count, for each row, the documents in which its name has this candidate, shared by frequency."""
    total = np.bincount(cases.row_case, weights=cases.frequency, minlength=len(cases))
    share = cases.frequency / total[cases.row_case]
    many = np.array([len(found) for found in cases.candidates], dtype=np.int64)
    starts = np.concatenate([[0], np.cumsum(many)[:-1]])
    own = np.arange(len(cases.row_case)) - cases.borders[cases.row_case]
    slot = starts[cases.name[cases.row_case]] + own
    return np.asarray(np.bincount(slot, weights=share)[slot])
