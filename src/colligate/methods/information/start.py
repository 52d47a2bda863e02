"""Where the information methods start: spherical k-means on directions, with centres from knowledge.

All types are directions in one space. The centre and the types next to it come from one decomposition; types
further off take the mean direction of what they are related to; a part of the network that is not connected
has a separate space.
"""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Any

import numpy as np
from scipy import sparse

from colligate._array import unit_rows
from colligate.methods.information.step import place_components
from colligate.methods.schema import related_types
from colligate.methods.spherical import (
    Directions,
    check_labels,
    draw_labels,
    make_dense_directions,
    make_latent_directions,
    make_start_directions,
    make_tfidf_directions,
    spherical_kmeans,
)
from colligate.network import list_parts, orient_matrix

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping

    from numpy.typing import NDArray

    from colligate.kernels import Kernels
    from colligate.knowledge import Guidance
    from colligate.methods.information.problem import InformationProblem
    from colligate.methods.loop import Labels
    from colligate.network import Neighbourhood, Network

    Ints = NDArray[np.int64]
    NamedLabels = tuple[NDArray[Any], tuple[str, ...]]

# fewer objects make a worse centre than one drawn by k-means++
SEED_SIZE = 5


def initialize_labels(problem: InformationProblem, kind: str, init: Any, rng: np.random.Generator) -> Labels:
    """Return starting labels of one type: `auto` is `svd` with the first centres from knowledge.

    Outsiders start in the groups that are theirs.
    """
    outside = problem.outside if kind == problem.network.centre else None
    if outside is None:
        return _initialize_inside(problem, kind, init, rng)
    is_outside = np.zeros(len(problem.views[kind].rows), dtype=bool)
    is_outside[outside.members] = True
    if not isinstance(init, str):
        # outsiders from elsewhere follow the user's objects; what is padded for them is overwritten below
        init = np.pad(np.asarray(init), (0, len(is_outside) - len(outside.user_network.types[kind])))
    inner = _initialize_inside(problem, kind, init, rng, ~is_outside)
    objects = problem.latent_space[kind]
    outsiders = Directions(objects.unit, objects.filled & is_outside)
    outer = spherical_kmeans(problem.kernels, outsiders, outside.n_groups, rng)
    shifted = np.where(outer >= 0, outer + outside.n_inside, -1)
    return np.where(is_outside, shifted, inner).astype(np.int32)


def _initialize_inside(
    problem: InformationProblem,
    kind: str,
    init: Any,
    rng: np.random.Generator,
    among: NDArray[np.bool_] | None = None,
) -> Labels:
    """Return starting labels in the inner groups, by the directions of all objects or of those `among`."""
    matrix = problem.views[kind].matrix()
    n_clusters = problem.n_inside(kind)
    if not isinstance(init, str):
        return check_labels(init, matrix, n_clusters, kind)
    if init == "random":
        return draw_labels(matrix, n_clusters, rng)
    objects = (problem.tfidf_space if init == "tfidf" else problem.latent_space)[kind]
    seeds = seed_labels(problem, kind) if init == "auto" else None
    if among is not None:
        objects = Directions(objects.unit, objects.filled & among)
    return _run_kmeans(problem, objects, n_clusters, rng, seeds)


def _run_kmeans(
    problem: InformationProblem,
    objects: Directions,
    n_clusters: int,
    rng: np.random.Generator,
    seeds: Labels | None = None,
) -> Labels:
    """Run spherical k-means; without knowledge on a sample, and on the CPU, where that is quick."""
    if not problem.starts_from_sample:
        return spherical_kmeans(problem.kernels, objects, n_clusters, rng, seeds)
    return spherical_kmeans(problem.kernels.host, objects, n_clusters, rng, seeds, sampled=True)


def place_remaining(problem: InformationProblem, labels: Mapping[str, Labels]) -> dict[str, Labels]:
    """Spread the objects without a label that need one evenly, so that the first objective counts them.

    These are objects whose neighbours have no direction, and objects with links but no entries. The first
    update moves them.
    """
    placed = {}
    for kind, of_kind in labels.items():
        needs_label = np.diff(problem.views[kind].rows.indptr) > 0
        if kind in problem.links:
            needs_label[problem.links[kind].where] = True
        missing = np.flatnonzero(needs_label & (of_kind < 0))
        placed[kind] = of_kind.copy()
        placed[kind][missing] = np.arange(len(missing)) % problem.n_inside(kind)
        for part in problem.allowed_clusters.get(kind, ()):
            bound = np.intersect1d(part.where, missing)
            placed[kind][bound] = part.first + np.arange(len(bound)) % (part.last - part.first)
    return placed


def is_auto(init: Any) -> bool:
    """Return whether knowledge may shape a start."""
    return isinstance(init, str) and init == "auto"


def candidate_starts(
    problem: InformationProblem, labels: Mapping[str, Labels], kinds: list[str], rng: np.random.Generator
) -> Iterator[Mapping[str, Labels]]:
    """Yield further starts: components as wholes, and as centres too if there are no labels or categories."""
    if not kinds:
        return
    yield _place_all_components(problem, labels, kinds)
    centred = dict(labels)
    for kind in kinds:
        seeds = None if seed_labels(problem, kind) is not None else seed_components(problem, kind)
        if seeds is not None:
            n_inside = problem.n_inside(kind)
            seeded = _run_kmeans(problem, problem.latent_space[kind], n_inside, rng, seeds)
            # outsiders stay where they are
            centred[kind] = np.where(labels[kind] < n_inside, seeded, labels[kind])
    if any(centred[kind] is not labels[kind] for kind in kinds):
        yield _place_all_components(problem, centred, kinds)


def _place_all_components(
    problem: InformationProblem, labels: Mapping[str, Labels], kinds: list[str]
) -> Mapping[str, Labels]:
    for kind in kinds:
        labels = place_components(problem, labels, kind)
    return labels


def seed_labels(problem: InformationProblem, kind: str) -> Labels | None:
    """Return the cluster in which knowledge starts each object, -1 for none; None if nothing is known.

    An object starts by its label, else by its category. Documents also start by the categories that their
    words, and then other objects, vote for. A label and a category of one name are one cluster.
    """
    sources = [*_label_sources(problem.guidance.get(kind)), *_category_sources(problem, kind)]
    if not sources:
        return None
    numbers: dict[str, int] = {}
    seeds = np.full(len(problem.views[kind].rows), -1, dtype=np.int64)
    for labels, names in sources:
        common = np.array([numbers.setdefault(name, len(numbers)) for name in names])
        # a label of -1 picks the last name, but the condition leaves it out
        seeds = np.where((seeds < 0) & (labels >= 0), common[labels], seeds)
    return _number_by_size(seeds, problem.n_inside(kind))


def _label_sources(guidance: Guidance | None) -> Iterator[NamedLabels]:
    if guidance is not None and guidance.labels is not None:
        yield guidance.labels, guidance.label_names


def _category_sources(problem: InformationProblem, kind: str) -> Iterator[NamedLabels]:
    """Yield the categories of the objects; for the centre also those that its neighbours vote for."""
    network = problem.network
    guidance = problem.guidance.get(kind)
    if guidance is not None and guidance.seeds is not None:
        yield _majority(np.asarray(guidance.seeds.matrix.todense())), guidance.seeds.categories
    if kind != network.centre:
        return
    for part in sorted(list_parts(network, kind), key=lambda part: part.other != network.terms):
        neighbours = problem.guidance.get(part.other)
        if part.other != kind and neighbours is not None and neighbours.seeds is not None:
            votes = orient_matrix(network, part) @ neighbours.seeds.matrix
            yield _majority(np.asarray(votes.todense())), neighbours.seeds.categories


def _majority(votes: NDArray[Any]) -> Labels:
    """Return the category with more than half of the votes of each row; -1 for none."""
    best = votes.argmax(axis=1)
    top = votes[np.arange(len(votes)), best]
    return np.where(2.0 * top > votes.sum(axis=1), best, -1).astype(np.int32)


def _number_by_size(labels: Ints, n_clusters: int) -> Labels | None:
    """Number the `n_clusters` most frequent values from 0 on by frequency; -1 for the rest."""
    values, position, counts = np.unique(labels[labels >= 0], return_inverse=True, return_counts=True)
    if not len(values):
        return None
    rank = np.empty(len(values), dtype=np.int32)
    # of equal sizes, the value that was named first
    rank[np.lexsort((values, -counts))] = np.arange(len(values))
    seeds = np.full(len(labels), -1, dtype=np.int32)
    seeds[labels >= 0] = np.where(rank[position] < n_clusters, rank[position], -1)
    return seeds


def seed_components(problem: InformationProblem, kind: str) -> Labels | None:
    """Return large components as seeds, at most one per cluster; None if none is large enough.

    The largest comes first, then each time the one that is apart from most of those before, the larger of
    equals.
    """
    guidance, n_clusters = problem.guidance[kind], problem.n_inside(kind)
    component = guidance.components()
    size = np.bincount(component)
    if size.max(initial=0) < SEED_SIZE:
        return None
    apart = _apart_components(guidance, component, len(size))
    n_apart = np.where(size >= SEED_SIZE, 0.0, -np.inf)
    seeds = np.full(guidance.size, -1, dtype=np.int32)
    for cluster in range(min(n_clusters, int(np.count_nonzero(size >= SEED_SIZE)))):
        chosen = int(np.lexsort((size, n_apart))[-1])
        seeds[component == chosen] = cluster
        n_apart += apart[[chosen]].toarray().ravel() > 0
        # later sums leave -inf as it is, so a component is chosen once
        n_apart[chosen] = -np.inf
    return seeds


def _apart_components(guidance: Guidance, component: Ints, n: int) -> sparse.csr_array:
    """Return which pairs of components have a listed apart link."""
    apart = guidance.pairs.sign < 0
    ends = component[guidance.pairs.left[apart]], component[guidance.pairs.right[apart]]
    matrix = sparse.coo_array((np.ones(apart.sum()), ends), shape=(n, n)).tocsr()
    return sparse.csr_array(matrix + matrix.T)


def make_latent_space(network: Network, kernels: Kernels, *, sampled: bool) -> dict[str, Directions]:
    """Return all types as directions in the leading singular vectors of tf-idf, or of a sample of it."""
    make_directions = make_start_directions if sampled else make_latent_directions
    return _make_space(network, partial(make_directions, kernels=kernels))


def make_tfidf_space(network: Network) -> dict[str, Directions]:
    """Return all types as directions of tf-idf."""
    return _make_space(network, make_tfidf_directions)


def _make_space(
    network: Network, decompose: Callable[..., tuple[Directions, Directions]]
) -> dict[str, Directions]:
    space: dict[str, Directions] = {}
    # the centre first: its part of the network is decomposed around it
    kinds = sorted(related_types(network), key=lambda kind: kind != network.centre)
    while left := [kind for kind in kinds if kind not in space]:
        space |= _decompose_around(network, left[0], decompose)
        while reached := _next_reached(network, left, space):
            known = [part for part in list_parts(network, reached) if part.other in space]
            space[reached] = _sum_directions(
                [orient_matrix(network, part) @ space[part.other].unit for part in known]
            )
    return space


def _decompose_around(
    network: Network, root: str, decompose: Callable[..., tuple[Directions, Directions]]
) -> dict[str, Directions]:
    """Return the directions of one type and of the types next to it."""
    around = network.neighbourhood(root)
    rows, columns = decompose(around.matrix, _column_scale(network, around))
    space = {root: rows}
    for other in dict.fromkeys(part.other for part in around.parts if part.other != root):
        slices = [
            Directions(columns.unit[part.start : part.stop], columns.filled[part.start : part.stop])
            for part in around.parts
            if part.other == other
        ]
        space[other] = slices[0] if len(slices) == 1 else _sum_directions([part.unit for part in slices])
    return space


def _column_scale(network: Network, around: Neighbourhood) -> NDArray[np.float64] | None:
    """Return the root of the weight of an occurrence in each column, 1 for the relation with the largest."""
    if len(around.parts) == 1:
        return None
    each = np.array([network.relations[part.relation].per_occurrence for part in around.parts])
    # the root, because a similarity multiplies two entries of the column
    scale = np.sqrt(each / max(each.max(), 1e-300))
    return np.repeat(scale, [part.stop - part.start for part in around.parts])


def _next_reached(network: Network, left: list[str], space: dict[str, Directions]) -> str | None:
    """Return a type without directions that is related to one with directions."""
    for kind in left:
        if kind not in space and any(part.other in space for part in list_parts(network, kind)):
            return kind
    return None


def _sum_directions(blocks: list[Any]) -> Directions:
    """Return the directions of sums of rows, dense or sparse."""
    if isinstance(blocks[0], np.ndarray):
        total = np.sum(blocks, axis=0)
        return make_dense_directions(total, (total != 0).any(axis=1))
    unit = unit_rows(sparse.csr_array(sum(blocks[1:], start=blocks[0])))
    return Directions(unit, np.diff(unit.indptr) > 0)
