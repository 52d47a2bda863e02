"""The problem of the information methods: the sides and links of every type, and the information there is.

A side: all relations of one type next to each other, so that one product updates its labels.

The columns of a side are the objects of the other types, relation after relation. Their labels are shifted so
that every relation has column clusters of its own.

The order in which the information methods update the types of a network.
"""

from __future__ import annotations

from collections import deque
from dataclasses import dataclass, field
from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np
from scipy import sparse

from colligate._array import mutual_information
from colligate.kernels import SparseRows
from colligate.methods.information.links import link_cost
from colligate.methods.information.start import make_latent_space, make_tfidf_space
from colligate.methods.information.step import sum_blocks
from colligate.methods.loop import Problem
from colligate.methods.schema import related_types

if TYPE_CHECKING:
    from collections.abc import Mapping

    from numpy.typing import NDArray

    from colligate.methods.information.links import SideLinks
    from colligate.methods.loop import Labels
    from colligate.methods.outsiders import AllowedClusters, OutsiderGroups
    from colligate.methods.spherical import Directions
    from colligate.network import Network, Relation

    Floats = NDArray[np.float64]


@dataclass(frozen=True, eq=False)
class Evaluation:
    """Labels with what follows from them: the cluster tables of each relation, and the objective."""

    labels: Mapping[str, Labels]
    tables: list[Floats]
    objective: float


@dataclass(frozen=True, eq=False)
class InformationProblem(Problem):
    """Adds to a problem what every sweep needs again: `links` per type that has any.

    The relations of its network have the weights that the objective gives them.
    """

    links: dict[str, SideLinks] = field(default_factory=dict)
    printed_step: bool = False
    outside: OutsiderGroups | None = None
    _evaluated: deque[Evaluation] = field(default_factory=lambda: deque(maxlen=2), repr=False)

    def evaluate(self, labels: Mapping[str, Labels]) -> Evaluation:
        """Tables and objective of labels; the last two are remembered, since a sweep begins where one ended.

        Label arrays are never changed once they are in a state, so that the same array means equal labels.
        """
        for known in self._evaluated:
            if all(known.labels[kind] is own for kind, own in labels.items()):
                return known
        tables = sum_blocks(self, labels)
        kept = sum(w * mutual_information(t) for w, t in zip(self.weights, tables, strict=True))
        broken = sum(link_cost(links, labels[kind][links.where]) for kind, links in self.links.items())
        position = Evaluation(labels, tables, self.available - kept + broken)
        self._evaluated.append(position)
        return position

    @property
    def user_network(self) -> Network:
        """The user's own network, with weights but without outsiders from elsewhere."""
        return self.network if self.outside is None else self.outside.user_network

    def n_inside(self, kind: str) -> int:
        """The number of clusters of a type that are not for outsiders."""
        if self.outside is None or kind != self.network.centre:
            return self.sizes[kind]
        return self.outside.n_inside

    @cached_property
    def places(self) -> dict[str, tuple[AllowedClusters, ...]]:
        """For each type the objects to which only some clusters are open."""
        if self.outside is None:
            return {}
        return {self.network.centre: self.outside.places(self.sides[self.network.centre])}

    @property
    def weights(self) -> list[float]:
        """What each relation counts in the objective."""
        return [relation.effective_weight for relation in self.network.relations]

    @cached_property
    def sides(self) -> dict[str, TypeView]:
        """Every type's relations by rows."""
        return make_views(self.network)

    @cached_property
    def worded(self) -> dict[str, Directions]:
        """Every type as directions of tf-idf itself, which all restarts share."""
        return make_tfidf_space(self.network)

    @cached_property
    def latent(self) -> dict[str, Directions]:
        """Every type in the leading directions of the centre's tf-idf, which all restarts share."""
        return make_latent_space(self.network)

    @cached_property
    def rows(self) -> list[SparseRows]:
        """Every relation by its rows; the side's own arrays where the relation is all there is to it."""
        return [self._rows_of(relation) for relation in self.network.relations]

    @cached_property
    def available(self) -> float:
        """Σ_r weight_r·I of the relations before clustering: what a perfect clustering would keep."""
        relations = zip(self.weights, self.network.relations, strict=True)
        return sum(weight * mutual_information(relation.matrix) for weight, relation in relations)

    def _rows_of(self, relation: Relation) -> SparseRows:
        side = self.sides[relation.rows]
        return side.rows if len(side.pieces) == 1 else SparseRows.of(relation.matrix)


@dataclass(frozen=True)
class RelationView:
    """One relation as seen from a side.

    It is `flipped` if the side's type is its columns; `scale` turns its counts to mass.
    """

    relation: int
    other: str
    flipped: bool
    scale: float


@dataclass(frozen=True, eq=False)
class TypeView:
    """The relations of one type by rows, with the counts and the share of the whole mass of each row.

    Piece p has `widths[p]` columns. A relation of the type with itself makes two pieces.
    """

    kind: str
    rows: SparseRows
    pieces: tuple[RelationView, ...]
    widths: tuple[int, ...]
    counts: NDArray[np.float64]
    mass: NDArray[np.float64]

    @property
    def reflexive(self) -> bool:
        """Whether the columns' labels are the rows' own, so that they change with them."""
        return any(piece.other == self.kind for piece in self.pieces)

    def columns(self, labels: Mapping[str, Labels], sizes: Mapping[str, int]) -> Labels:
        """The labels of all columns, each relation's shifted past the one before."""
        shifted, offset = [], 0
        for piece in self.pieces:
            own = labels[piece.other]
            shifted.append(np.where(own >= 0, own + offset, -1).astype(np.int32))
            offset += sizes[piece.other]
        return np.concatenate(shifted)

    def blocks(self, sizes: Mapping[str, int]) -> NDArray[np.int64]:
        """Where each relation's column clusters start, and where the last end."""
        return np.cumsum([0, *(sizes[piece.other] for piece in self.pieces)])

    def scales(self, sizes: Mapping[str, int]) -> NDArray[np.float64]:
        """The scale of every column cluster."""
        return np.repeat([piece.scale for piece in self.pieces], np.diff(self.blocks(sizes)))

    def matrix(self) -> sparse.csr_array:
        """The side as a SciPy matrix (the arrays are shared)."""
        x = self.rows
        return sparse.csr_array((x.data, x.indices, x.indptr), shape=(len(x), x.n_columns))


def make_views(network: Network) -> dict[str, TypeView]:
    """Lay out every type that takes part in a relation, by rows."""
    scales = [relation.per_occurrence for relation in network.relations]
    return {kind: _side(network, kind, scales) for kind in related_types(network)}


def _side(network: Network, kind: str, scales: list[float]) -> TypeView:
    around = network.neighbourhood(kind)
    pieces = tuple(RelationView(p.relation, p.other, p.flipped, scales[p.relation]) for p in around.parts)
    widths = tuple(part.stop - part.start for part in around.parts)
    sums = [np.asarray(around.cut(part).sum(axis=1, dtype=np.float64)).ravel() for part in around.parts]
    mass = sum((p.scale * s for p, s in zip(pieces, sums, strict=True)), start=np.zeros(len(sums[0])))
    return TypeView(kind, SparseRows.of(around.matrix), pieces, widths, np.sum(sums, axis=0), mass)


def sweep_order(network: Network) -> tuple[str, ...]:
    """The order of one sweep: the centre, every further type, the centre again, its terms."""
    centre, terms = network.centre, network.terms
    further = [kind for kind in related_types(network) if kind not in (centre, terms)]
    last = [terms] if terms is not None and terms != centre else []
    if not further:
        return (centre, *last)
    return (centre, *further, centre, *last) if last else (centre, *further)
