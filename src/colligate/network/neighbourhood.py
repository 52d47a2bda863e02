"""All relations of one type side by side, as one matrix with the objects of that type in its rows."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from scipy import sparse

from colligate.network.objects import WORDS
from colligate.shards.matrix import ShardedMatrix

if TYPE_CHECKING:
    from colligate.network.network import Network


@dataclass(frozen=True)
class Part:
    """The columns from `start` to `stop`: one relation to the type `other`.

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
    """The relations of a type: a matrix, and the parts of its columns."""

    kind: str
    matrix: sparse.csr_array
    parts: tuple[Part, ...]

    def cut(self, part: Part) -> sparse.csr_array:
        """Return the columns of one part."""
        if len(self.parts) == 1:
            return self.matrix
        return sparse.csr_array(self.matrix[:, part.start : part.stop])


def build_neighbourhood(network: Network, kind: str) -> Neighbourhood:
    """Put the relations of a type side by side; a type without relations has no columns."""
    parts = list_parts(network, kind)
    blocks = [orient_matrix(network, part) for part in parts]
    if not blocks:
        return Neighbourhood(kind, sparse.csr_array((len(network.types[kind]), 0)), ())
    matrix = blocks[0] if len(blocks) == 1 else sparse.csr_array(sparse.hstack(blocks, format="csr"))
    return Neighbourhood(kind, matrix, parts)


def list_parts(network: Network, kind: str) -> tuple[Part, ...]:
    """List the relations of a type in the order of the network, with their columns in its neighbourhood."""
    parts: list[Part] = []
    for number, relation in enumerate(network.relations):
        sides = ((relation.rows, relation.columns, False), (relation.columns, relation.rows, True))
        for side, other, flipped in sides:
            if side == kind:
                start = parts[-1].stop if parts else 0
                parts.append(Part(number, other, flipped, start, start + len(network.types[other])))
    return tuple(parts)


def orient_matrix(network: Network, part: Part) -> sparse.csr_array:
    """Return the matrix of one part with the objects of its type in the rows."""
    matrix = network.relations[part.relation].matrix
    if isinstance(matrix, ShardedMatrix):
        return matrix.T if part.flipped else matrix
    return sparse.csr_array(matrix.T.tocsr()) if part.flipped else matrix


def find_description(network: Network) -> Part | None:
    """Find the relation that describes the centre: to words, else the largest sum to another type.

    A relation of the centre with itself is the last choice; None if the centre has no relation.
    """
    parts = list_parts(network, network.centre)
    ranks = [
        (part.other == WORDS, part.other != network.centre, network.relations[part.relation].total)
        for part in parts
    ]
    return parts[max(range(len(parts)), key=ranks.__getitem__)] if parts else None
