"""What was found in all documents, as columns of numbers."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

if TYPE_CHECKING:
    from collections.abc import Iterable

    from colligate.world.mentions.gazetteer import Hit

IntArray = NDArray[np.int64]
DOCUMENT, NAME, START, END, TELLING, ALONE, LED, PLACED = range(8)
WIDTH = 8


@dataclass(frozen=True, eq=False)
class Found:
    """Mentions in the order of the documents and of their places; `small` counts names in small letters.

    `hits` has a row for each mention: document, name, start, end, and whether it is telling, alone, led,
    placed. `small` has rows of a name and how often it occurs in small letters.
    """

    hits: IntArray
    small: IntArray

    @classmethod
    def of(cls, hits: Iterable[tuple[int, Hit]]) -> Found:
        """Take in hits with the numbers of their documents."""
        named: list[tuple[int, ...]] = []
        small: dict[int, int] = {}
        for document, hit in hits:
            if hit.small:
                small[hit.name] = small.get(hit.name, 0) + 1
            else:
                tells = hit.telling, hit.alone, hit.led, hit.placed
                named.append((document, hit.name, hit.start, hit.end, *tells))
        return cls(
            np.array(named, dtype=np.int64).reshape(-1, WIDTH),
            np.array(sorted(small.items()), dtype=np.int64).reshape(-1, 2),
        )

    @classmethod
    def joined(cls, parts: Iterable[Found]) -> Found:
        """Put parts together in their order."""
        listed = [cls.of(()), *parts]
        return cls(
            np.concatenate([part.hits for part in listed]), np.concatenate([part.small for part in listed])
        )

    def __len__(self) -> int:
        return len(self.hits)

    @property
    def document(self) -> IntArray:
        """The document of each mention."""
        return self.hits[:, DOCUMENT]

    @property
    def name(self) -> IntArray:
        """The name of each mention."""
        return self.hits[:, NAME]

    @property
    def start(self) -> IntArray:
        """Where each mention begins in its text."""
        return self.hits[:, START]

    @property
    def end(self) -> IntArray:
        """Where each mention ends in its text."""
        return self.hits[:, END]

    def where(self, keep: NDArray[np.bool_]) -> Found:
        """Some of the mentions."""
        return Found(self.hits[keep], self.small)
