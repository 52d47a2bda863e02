"""What the mixture works on: evidence, directions, the names of groups, and who may be in which group.

From a network and its guidance to the problem of the mixture.
"""

from __future__ import annotations

import warnings
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import TYPE_CHECKING, Any, Protocol

import numpy as np

from colligate.errors import KnowledgeWarning, RefusedKnowledgeError
from colligate.kernels import SparseRows
from colligate.methods.loop import Problem
from colligate.methods.mixture.calibration import view_worth, with_worth
from colligate.methods.mixture.em import descended
from colligate.methods.mixture.ensemble import first_labels, softened
from colligate.methods.mixture.features import USUAL_CONCENTRATION, Scale, Space, View, embedded_views
from colligate.methods.mixture.priors import Names, Terms
from colligate.methods.outsiders import append_outsiders, find_outsiders
from colligate.methods.spherical import Directions, make_dense_directions, spherical_kmeans
from colligate.network import list_parts

if TYPE_CHECKING:
    from collections.abc import Mapping

    from numpy.typing import NDArray
    from scipy.sparse import csr_array

    from colligate.kernels import Kernels
    from colligate.knowledge import Guidance
    from colligate.methods.outsiders import OutsiderGroups
    from colligate.network import Network

    Floats = NDArray[np.float64]
    Ints = NDArray[np.int64]

# half-way between words that all count and words that say one thing
FIRST_EXPONENT = 0.5
FIRST_SWEEPS = 5


@dataclass(frozen=True, eq=False)
class MixtureProblem(Problem):
    """Adds what every sweep needs again. `counts` is all that the documents have, relation by relation."""

    counts: csr_array | None = None
    scale: Scale | None = None
    space: Space | None = None
    views: tuple[View, ...] = ()
    names: Names = field(default_factory=lambda: Names((), ()))
    group_of_name: Ints = field(default_factory=lambda: np.zeros(0, dtype=np.int64))
    smoothing: float = 1.0
    uneven_sizes: bool = False
    outside: OutsiderGroups | None = None
    memory: list[Any] = field(default_factory=list, repr=False)

    @property
    def user_network(self) -> Network:
        """The user's own network, without outsiders from elsewhere."""
        return self.network if self.outside is None else self.outside.user_network

    @property
    def n_inside(self) -> int:
        """The number of groups that are not for outsiders."""
        return self.n_groups if self.outside is None else self.outside.n_inside

    @property
    def n_groups(self) -> int:
        """The number of groups, those of outsiders included."""
        return self.sizes[self.network.centre]

    @property
    def n_documents(self) -> int:
        """The number of objects that are grouped first, outsiders from elsewhere included."""
        return len(self.network.types[self.network.centre])

    @property
    def known(self) -> Guidance | None:
        """The guidance of the documents."""
        return self.guidance.get(self.network.centre)

    @cached_property
    def evidence(self) -> SparseRows:
        """What every entry counts."""
        assert self.counts is not None
        assert self.scale is not None
        return SparseRows.of(self.scale.evidence(self.counts))

    @cached_property
    def mass(self) -> Floats:
        """The sum of each document's evidence."""
        return np.add.reduceat(np.append(self.evidence.data, 0.0), self.evidence.indptr[:-1]) * self.filled

    @cached_property
    def filled(self) -> NDArray[np.bool_]:
        """Which documents have anything."""
        assert self.counts is not None
        return np.diff(self.counts.indptr) > 0

    @cached_property
    def together(self) -> Directions:
        """All views of the documents side by side, as one direction."""
        if len(self.views) == 1:
            return self.views[0].directions
        rows = [np.asarray(view.directions.unit) for view in self.views]
        weights = [1.0, *(np.sqrt(view.concentration / USUAL_CONCENTRATION) for view in self.views[1:])]
        side = np.hstack([weight * own for weight, own in zip(weights, rows, strict=True)])
        return make_dense_directions(side, np.any([view.directions.filled for view in self.views], axis=0))

    @cached_property
    def share(self) -> Floats:
        """The share of every column in the evidence of its relation."""
        assert self.scale is not None
        total = np.bincount(self.evidence.indices, self.evidence.data, self.evidence.n_columns)
        sums = np.add.reduceat(np.append(total, 0.0), self.scale.bounds[:-1]) if len(total) else np.zeros(1)
        return np.asarray(total / np.maximum(sums[self.scale.relation], 1e-300))

    @cached_property
    def n_statements(self) -> int:
        """One more than the highest number of a statement that the guidance speaks of."""
        found = [leaning.statement for leaning in self.names.leanings]
        for known in self.guidance.values():
            found += [known.pairs.statement, *(links.statement for links in known.groups)]
        return 1 + max((int(each.max(initial=-1)) for each in found), default=-1)

    @cached_property
    def closed(self) -> NDArray[np.bool_] | None:
        """Documents × groups: where a document may not be; None if every document may be anywhere."""
        if self.outside is None:
            return None
        found = np.zeros((self.n_documents, self.n_groups), dtype=bool)
        found[self.outside.members, : self.n_inside] = True
        found[self.outside.insiders, self.n_inside :] = True
        return found


class Settings(Protocol):
    """The parameters that the problem depends on."""

    concentration: float
    smoothing: float
    length_exponent: float | None
    embeddings: Any
    uneven_sizes: bool
    n_outside_clusters: int | None


def prepared(
    network: Network,
    kernels: Kernels,
    sizes: Mapping[str, int],
    guidance: Mapping[str, Guidance],
    settings: Settings,
) -> MixtureProblem:
    """Weigh what the documents have, find their directions, and tell which group a name stands for."""
    _refuse_far_knowledge(network, guidance)
    centre, given = network.centre, network
    outside = find_outsiders(network, guidance, sizes[centre], settings.n_outside_clusters)
    if outside is not None:
        network, guidance = append_outsiders(network, guidance)
        sizes = {**sizes, centre: sizes[centre] + outside.n_groups}
    around = network.neighbourhood(centre)
    weights = [network.relations[part.relation].effective_weight for part in around.parts]
    scale = Scale.of(around, weights, FIRST_EXPONENT)
    space = Space.of(around.matrix, scale.idf)
    further = len(network.types[centre]) - len(given.types[centre])
    embedded = embedded_views(given, settings.embeddings, further)
    problem = MixtureProblem(
        network,
        kernels,
        sizes,
        guidance,
        counts=around.matrix,
        scale=scale,
        space=space,
        views=(View(space.directions(around.matrix), settings.concentration),),
        names=Names.of(network, guidance),
        smoothing=settings.smoothing,
        uneven_sizes=bool(settings.uneven_sizes),
        outside=outside,
    )
    problem = replace(problem, group_of_name=_groups_of_names(problem))
    if settings.length_exponent is None or embedded:
        groups = first_groups(problem)
        embedded = tuple(replace(view, concentration=view_worth(problem, groups, view)) for view in embedded)
    if settings.length_exponent is None:
        scale = with_worth(problem, groups)
    else:
        scale = replace(scale, exponent=np.full(len(weights), float(settings.length_exponent)))
    useful = tuple(view for view in embedded if view.concentration > 0.0)
    return replace(problem, scale=scale, views=(*problem.views, *useful))


def first_groups(problem: MixtureProblem) -> NDArray[np.float64]:
    """Groups found without knowledge, which need not be good."""
    nothing = Terms(np.full(problem.n_documents, -1, dtype=np.int32), problem.filled.astype(np.float64))
    labels = first_labels(problem, np.random.default_rng(0), None)
    return descended(problem, nothing, softened(problem, nothing, labels), FIRST_SWEEPS, 0.0).memberships


def _groups_of_names(problem: MixtureProblem) -> Ints:
    """A group for each name; where names are more than groups, names whose documents are alike share one."""
    n_names = len(problem.names.names)
    if n_names <= problem.n_inside:
        return np.arange(n_names)
    if problem.known is None or len(problem.known.label_names) <= problem.n_inside:
        # of labels alone `asked` has warned
        warnings.warn(
            f"the knowledge names {n_names} groups, and colligate is to find {problem.n_inside}: names whose "
            f"{problem.network.centre} are alike share one; ask for more groups",
            KnowledgeWarning,
            stacklevel=2,
        )
    objects = problem.views[0].directions
    sums = np.zeros((objects.n_dimensions, n_names))
    for leaning in problem.names.leanings:
        votes = problem.names.votes(problem.network, leaning, np.ones(len(leaning.member)))
        sums += np.asarray((votes.T @ np.asarray(objects.unit, dtype=np.float64)).T)
    directions = make_dense_directions(sums.T, np.abs(sums).sum(axis=0) > 0)
    labels = spherical_kmeans(problem.kernels, directions, problem.n_inside, np.random.default_rng(0))
    return np.maximum(labels, 0).astype(np.int64)


def _refuse_far_knowledge(network: Network, guidance: Mapping[str, Guidance]) -> None:
    near = {network.centre, *(part.other for part in list_parts(network, network.centre))}
    for kind, known in guidance.items():
        if kind not in near and known.kinds:
            raise RefusedKnowledgeError(
                f"colligate takes knowledge on {network.centre} and on what they are related to; no relation "
                f"ties {kind} to {network.centre}, so {' and '.join(known.kinds)} on {kind} cannot be used. "
                "Remove it, or choose chinc."
            )
