"""From a network and its guidance to the problem of the mixture."""

from __future__ import annotations

import warnings
from dataclasses import replace
from typing import TYPE_CHECKING, Any, Protocol

import numpy as np

from colligate.errors import KnowledgeWarning, RefusedKnowledgeError
from colligate.methods.directions import dense_directions, spherical_labels
from colligate.methods.mixture.descent import descended
from colligate.methods.mixture.evidence import Scale
from colligate.methods.mixture.named import Names
from colligate.methods.mixture.problem import MixtureProblem, View
from colligate.methods.mixture.space import Space
from colligate.methods.mixture.start import first_labels, softened
from colligate.methods.mixture.terms import Terms
from colligate.methods.mixture.views import embedded_views
from colligate.methods.mixture.worth import view_worth, with_worth
from colligate.methods.outside_groups import extended, find_outside
from colligate.network import parts_of

if TYPE_CHECKING:
    from collections.abc import Mapping

    from numpy.typing import NDArray

    from colligate.kernels import Kernels
    from colligate.knowledge import Guidance
    from colligate.network import Network

    Ints = NDArray[np.int64]

# half-way between words that all count and words that say one thing
FIRST_EXPONENT = 0.5
FIRST_SWEEPS = 5


class Settings(Protocol):
    """The parameters that the problem depends on."""

    concentration: float
    smoothing: float
    worth: float | None
    embeddings: Any
    uneven: bool
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
    outside = find_outside(network, guidance, sizes[centre], settings.n_outside_clusters)
    if outside is not None:
        network, guidance = extended(network, guidance)
        sizes = {**sizes, centre: sizes[centre] + outside.n_groups}
    around = network.around(centre)
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
        uneven=bool(settings.uneven),
        outside=outside,
    )
    problem = replace(problem, group_of_name=_groups_of_names(problem))
    if settings.worth is None or embedded:
        groups = first_groups(problem)
        embedded = tuple(replace(view, concentration=view_worth(problem, groups, view)) for view in embedded)
    if settings.worth is None:
        scale = with_worth(problem, groups)
    else:
        scale = replace(scale, exponent=np.full(len(weights), float(settings.worth)))
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
    directions = dense_directions(sums.T, np.abs(sums).sum(axis=0) > 0)
    labels = spherical_labels(problem.kernels, directions, problem.n_inside, np.random.default_rng(0))
    return np.maximum(labels, 0).astype(np.int64)


def _refuse_far_knowledge(network: Network, guidance: Mapping[str, Guidance]) -> None:
    near = {network.centre, *(part.other for part in parts_of(network, network.centre))}
    for kind, known in guidance.items():
        if kind not in near and known.kinds:
            raise RefusedKnowledgeError(
                f"colligate takes knowledge on {network.centre} and on what they are related to; no relation "
                f"ties {kind} to {network.centre}, so {' and '.join(known.kinds)} on {kind} cannot be used. "
                "Remove it, or choose chinc."
            )
