"""All relations of one type next to each other, as one matrix with the objects of that type in its rows."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from scipy import sparse

from colligate.network.objects import WORDS

if TYPE_CHECKING:
    from colligate.network.network import Network


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


def find_description(network: Network) -> Part | None:
    """The relation that describes the centre: to words, else the one with the largest sum to another type.

    A relation of the centre with itself serves where there is no other; None where there is none at all.
    """
    parts = list_parts(network, network.centre)
    sums = [network.relations[part.relation].total for part in parts]
    ranks = [
        (part.other == WORDS, part.other != network.centre, total)
        for part, total in zip(parts, sums, strict=True)
    ]
    return parts[max(range(len(parts)), key=ranks.__getitem__)] if parts else None


def list_parts(network: Network, kind: str) -> tuple[Part, ...]:
    """The relations of a type in the order of the network, with the columns each has in its neighbourhood."""
    parts: list[Part] = []
    for number, relation in enumerate(network.relations):
        for own, other, flipped in (
            (relation.rows, relation.columns, False),
            (relation.columns, relation.rows, True),
        ):
            if own == kind:
                start = parts[-1].stop if parts else 0
                parts.append(Part(number, other, flipped, start, start + len(network.types[other])))
    return tuple(parts)


def orient_matrix(network: Network, part: Part) -> sparse.csr_array:
    """The matrix of one part alone, by the objects of the type it is a part of."""
    matrix = network.relations[part.relation].matrix
    return sparse.csr_array(matrix.T.tocsr()) if part.flipped else matrix


def build_neighbourhood(network: Network, kind: str) -> Neighbourhood:
    """Lay the relations of a type out by its objects; a type in no relation has no columns."""
    parts = list_parts(network, kind)
    blocks = [orient_matrix(network, part) for part in parts]
    if not blocks:
        return Neighbourhood(kind, sparse.csr_array((len(network.types[kind]), 0)), ())
    matrix = blocks[0] if len(blocks) == 1 else sparse.csr_array(sparse.hstack(blocks, format="csr"))
    return Neighbourhood(kind, matrix, parts)
