"""The problem of the information methods: the sides and links of every type, and the information there is."""

from __future__ import annotations

from collections import deque
from dataclasses import dataclass, field
from functools import cached_property
from typing import TYPE_CHECKING

from colligate.kernels import Rows
from colligate.methods.information.energies import link_cost
from colligate.methods.information.sides import make_sides
from colligate.methods.information.spaces import latent_space, worded_space
from colligate.methods.information.tables import masses
from colligate.methods.problem import Problem
from colligate.network.information import information

if TYPE_CHECKING:
    from collections.abc import Mapping

    import numpy as np
    from numpy.typing import NDArray

    from colligate.methods.directions import Directions
    from colligate.methods.information.links import SideLinks
    from colligate.methods.information.sides import Side
    from colligate.methods.outside_groups import Outside, Places
    from colligate.methods.state import Labels
    from colligate.network import Network, Relation

    Floats = NDArray[np.float64]


@dataclass(frozen=True, eq=False)
class Position:
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
    outside: Outside | None = None
    _evaluated: deque[Position] = field(default_factory=lambda: deque(maxlen=2), repr=False)

    def evaluate(self, labels: Mapping[str, Labels]) -> Position:
        """Tables and objective of labels; the last two are remembered, since a sweep begins where one ended.

        Label arrays are never changed once they are in a state, so that the same array means equal labels.
        """
        for known in self._evaluated:
            if all(known.labels[kind] is own for kind, own in labels.items()):
                return known
        tables = masses(self, labels)
        kept = sum(w * information(t) for w, t in zip(self.weights, tables, strict=True))
        broken = sum(link_cost(links, labels[kind][links.where]) for kind, links in self.links.items())
        position = Position(labels, tables, self.available - kept + broken)
        self._evaluated.append(position)
        return position

    @property
    def given(self) -> Network:
        """The user's own network, with weights but without outsiders from elsewhere."""
        return self.network if self.outside is None else self.outside.given

    def n_inside(self, kind: str) -> int:
        """The number of clusters of a type that are not for outsiders."""
        if self.outside is None or kind != self.network.centre:
            return self.sizes[kind]
        return self.outside.n_inside

    @cached_property
    def places(self) -> dict[str, tuple[Places, ...]]:
        """For each type the objects to which only some clusters are open."""
        if self.outside is None:
            return {}
        return {self.network.centre: self.outside.places(self.sides[self.network.centre])}

    @property
    def weights(self) -> list[float]:
        """What each relation counts in the objective."""
        return [relation.effective_weight for relation in self.network.relations]

    @cached_property
    def sides(self) -> dict[str, Side]:
        """Every type's relations by rows."""
        return make_sides(self.network)

    @cached_property
    def worded(self) -> dict[str, Directions]:
        """Every type as directions of tf-idf itself, which all restarts share."""
        return worded_space(self.network)

    @cached_property
    def latent(self) -> dict[str, Directions]:
        """Every type in the leading directions of the centre's tf-idf, which all restarts share."""
        return latent_space(self.network)

    @cached_property
    def rows(self) -> list[Rows]:
        """Every relation by its rows; the side's own arrays where the relation is all there is to it."""
        return [self._rows_of(relation) for relation in self.network.relations]

    @cached_property
    def available(self) -> float:
        """Σ_r weight_r·I of the relations before clustering: what a perfect clustering would keep."""
        relations = zip(self.weights, self.network.relations, strict=True)
        return sum(weight * information(relation.matrix) for weight, relation in relations)

    def _rows_of(self, relation: Relation) -> Rows:
        side = self.sides[relation.rows]
        return side.rows if len(side.pieces) == 1 else Rows.of(relation.matrix)
