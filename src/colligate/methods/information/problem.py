"""The problem of the information methods: the sides and links of every type, and the information there is."""

from __future__ import annotations

from collections import deque
from dataclasses import dataclass, field
from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np

from colligate.kernels import Rows
from colligate.methods.directions import latent_directions, word_directions
from colligate.methods.information.energies import link_cost
from colligate.methods.information.sides import make_sides
from colligate.methods.information.tables import information, masses, x_log_x
from colligate.methods.problem import Problem
from colligate.network import DOCUMENTS

if TYPE_CHECKING:
    from collections.abc import Mapping

    from numpy.typing import NDArray
    from scipy.sparse import csr_array

    from colligate.methods.directions import Directions
    from colligate.methods.information.links import SideLinks
    from colligate.methods.information.sides import Side
    from colligate.methods.state import Labels
    from colligate.network import Relation

    Floats = NDArray[np.float64]


@dataclass(frozen=True, eq=False)
class Position:
    """Labels with what follows from them: the cluster tables of each relation, and the objective."""

    labels: Mapping[str, Labels]
    tables: list[Floats]
    objective: float


@dataclass(frozen=True, eq=False)
class InformationProblem(Problem):
    """Adds to a problem what every sweep needs again: `links` per type that has any."""

    links: dict[str, SideLinks] = field(default_factory=dict)
    printed_step: bool = False
    _evaluated: deque[Position] = field(default_factory=lambda: deque(maxlen=2), repr=False)

    def evaluate(self, labels: Mapping[str, Labels]) -> Position:
        """Tables and objective of labels; the last two are remembered, since a sweep begins where one ended.

        Label arrays are never changed once they are in a state, so that the same array means equal labels.
        """
        for known in self._evaluated:
            if all(known.labels[kind] is own for kind, own in labels.items()):
                return known
        tables = masses(self, labels)
        kept = sum(r.weight * information(t) for r, t in zip(self.network.relations, tables, strict=True))
        broken = sum(link_cost(links, labels[kind][links.where]) for kind, links in self.links.items())
        position = Position(labels, tables, self.available - kept + broken)
        self._evaluated.append(position)
        return position

    @cached_property
    def sides(self) -> dict[str, Side]:
        """Every type's relations by rows."""
        return make_sides(self.network)

    @property
    def counts(self) -> csr_array:
        """The documents × words relation."""
        return self.sides[DOCUMENTS].matrix()

    @cached_property
    def worded(self) -> tuple[Directions, Directions]:
        """Documents and words as directions of tf-idf itself, which all restarts share."""
        return word_directions(self.counts)

    @cached_property
    def latent(self) -> tuple[Directions, Directions]:
        """Documents and words in the leading directions of tf-idf, which all restarts share."""
        return latent_directions(self.counts)

    def rows_of(self, relation: Relation) -> Rows:
        """A relation by rows; the side's own arrays where the relation is all there is to it."""
        side = self.sides[relation.rows]
        return side.rows if len(side.pieces) == 1 else Rows.of(relation.matrix)

    @cached_property
    def available(self) -> float:
        """Σ_r weight_r·I of the relations before clustering: what a perfect clustering would keep."""
        return sum(_weighted_information(relation) for relation in self.network.relations)


def _weighted_information(relation: Relation) -> float:
    data = relation.matrix.data.astype(np.float64)
    total = data.sum()
    if total <= 0:
        return 0.0
    rows = np.asarray(relation.matrix.sum(axis=1, dtype=np.float64)).ravel()
    columns = np.asarray(relation.matrix.sum(axis=0, dtype=np.float64)).ravel()
    return float(
        relation.weight * ((x_log_x(data) - x_log_x(rows) - x_log_x(columns)) / total + np.log(total))
    )
