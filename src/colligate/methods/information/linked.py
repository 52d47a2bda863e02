"""The information methods that knowledge guides: links on any type, with labels and categories as links."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import TYPE_CHECKING, ClassVar

import numpy as np

from colligate.errors import ParameterError
from colligate.methods import domains
from colligate.methods.information.coclustering import CoClustering
from colligate.methods.information.links import make_links
from colligate.methods.outside_groups import extended, find_outside, inside_labels

if TYPE_CHECKING:
    from colligate.knowledge import Guidance
    from colligate.methods.domains import Domain
    from colligate.methods.information.problem import InformationProblem
    from colligate.methods.state import Labels, State
    from colligate.network import Network


class LinkedCoClustering(CoClustering):
    """Adds links: their weights by type, in units of 1/√n for n objects of the type.

    `entity_link_weight` is a parameter of the method that takes more than two types.
    """

    domains: ClassVar[Mapping[str, Domain]] = {
        **CoClustering.domains,
        "link_weight": domains.Real(0.0),
        "word_link_weight": domains.Real(0.0),
        "n_outside_clusters": domains.Integer(1, none=True),
        "reading": domains.Choice(("objective", "printed")),
    }

    link_weight: float
    word_link_weight: float
    n_outside_clusters: int | None
    reading: str
    entity_link_weight: float | Mapping[str, float] = 10.0

    def problem(self, network: Network, guidance: Mapping[str, Guidance]) -> InformationProblem:
        """Prepare the sides and compile every type's links; labels and categories become implied links."""
        problem = replace(
            self._with_outsiders(super().problem(network, guidance)), printed_step=self.reading == "printed"
        )
        weights = self._weights(network)
        for kind, own in problem.guidance.items():
            linked = own.with_groups(own.label_groups(), *own.leaning_groups())
            weight = self._weight(weights[kind], own.size)
            links = make_links(problem.sides[kind], linked, weight, problem.kernels)
            if links is not None:
                problem.links[kind] = links
        return problem

    def labels(self, state: State) -> Mapping[str, Labels]:
        """The labels of the user's own objects; outsiders, told or found, are in no group."""
        return inside_labels(state)

    def start(self, problem: InformationProblem, rng: np.random.Generator) -> State:
        """As without knowledge; a run with outsiders carries what its labels need to be read."""
        state = super().start(problem, rng)
        if problem.outside is None:
            return state
        centre = problem.network.centre
        inside = np.array([len(problem.given.types[centre]), problem.outside.n_inside])
        return replace(state, numbers={**state.numbers, f"inside/{centre}": inside})

    def _with_outsiders(self, problem: InformationProblem) -> InformationProblem:
        centre, n_inside = problem.network.centre, problem.sizes[problem.network.centre]
        outside = find_outside(problem.network, problem.guidance, n_inside, self.n_outside_clusters)
        if outside is None:
            return problem
        network, guidance = extended(problem.network, problem.guidance)
        sizes = {**problem.sizes, centre: n_inside + outside.n_groups}
        return replace(problem, network=network, guidance=guidance, sizes=sizes, outside=outside)

    def _weights(self, network: Network) -> dict[str, float]:
        """The weight of links on each type; types that a mapping leaves out have that of the centre."""
        roles = {network.terms: self.word_link_weight, network.centre: self.link_weight}
        further = [kind for kind in network.types if kind not in roles]
        given = self.entity_link_weight
        if not isinstance(given, Mapping):
            given = dict.fromkeys(further, given)
        for kind in given:
            if kind not in further:
                known = ", ".join(further) or "none"
                raise ParameterError(
                    f"entity_link_weight speaks of {kind}; the types it may speak of are {known}"
                )
        return {kind: roles.get(kind, given.get(kind, self.link_weight)) for kind in network.types}

    def _weight(self, given: float, size: int) -> float:
        weight = given / np.sqrt(size)
        return float(weight if self.reading == "printed" else weight / size)
