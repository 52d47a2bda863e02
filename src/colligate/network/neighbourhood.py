"""All relations of one type next to each other, as one matrix with the objects of that type in its rows."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from scipy import sparse

from colligate.network.objects import WORDS

if TYPE_CHECKING:
    from collections.abc import Iterator

    from colligate.network.network import Network
    from colligate.network.relation import Relation


@dataclass(frozen=True)
class Part:
    """The columns from `start` to `stop`: one relation, whose `other` type they count.

    It is `flipped` if the rows here are the relation's columns. A relation of a type with itself makes two
    parts, one for each direction.
    """

    relation: int
    other: str
    flipped: bool
    start: int
    stop: int


@dataclass(frozen=True, eq=False)
class Neighbourhood:
    """What the objects of a type are related to: a matrix, and which of its columns are what."""

    kind: str
    matrix: sparse.csr_array
    parts: tuple[Part, ...]

    def cut(self, part: Part) -> sparse.csr_array:
        """The columns of one part alone."""
        if len(self.parts) == 1:
            return self.matrix
        return sparse.csr_array(self.matrix[:, part.start : part.stop])


def description(network: Network) -> Part | None:
    """The relation that describes the centre: to words, else the one with the largest sum to another type.

    A relation of the centre with itself serves where there is no other; None where there is none at all.
    """
    parts = network.around(network.centre).parts
    sums = [network.relations[part.relation].total for part in parts]
    ranks = [
        (part.other == WORDS, part.other != network.centre, total)
        for part, total in zip(parts, sums, strict=True)
    ]
    return parts[max(range(len(parts)), key=ranks.__getitem__)] if parts else None


def neighbourhood(network: Network, kind: str) -> Neighbourhood:
    """Lay the relations of a type out by its objects; a type in no relation has no columns."""
    blocks: list[sparse.csr_array] = []
    parts: list[Part] = []
    start = 0
    for number, relation, flipped in _directions(network, kind):
        blocks.append(_by_rows(relation, flipped))
        stop = start + int(blocks[-1].shape[1])
        parts.append(Part(number, relation.rows if flipped else relation.columns, flipped, start, stop))
        start = stop
    if not blocks:
        return Neighbourhood(kind, sparse.csr_array((len(network.types[kind]), 0)), ())
    matrix = blocks[0] if len(blocks) == 1 else sparse.csr_array(sparse.hstack(blocks, format="csr"))
    return Neighbourhood(kind, matrix, tuple(parts))


def _directions(network: Network, kind: str) -> Iterator[tuple[int, Relation, bool]]:
    for number, relation in enumerate(network.relations):
        if relation.rows == kind:
            yield number, relation, False
        if relation.columns == kind:
            yield number, relation, True


def _by_rows(relation: Relation, flipped: bool) -> sparse.csr_array:
    return sparse.csr_array(relation.matrix.T.tocsr()) if flipped else relation.matrix
