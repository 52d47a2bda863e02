"""Where the information methods start: from directions of documents and words, shaped by what is known.

All types of a network as directions in one space: that of the centre's relations to what is around it.

The centre and the types it is related to come from one decomposition; types further off take the mean
direction of what they are related to; a part of the network that is not connected has a space of its own.
"""

from __future__ import annotations

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
    make_tfidf_directions,
    spherical_kmeans,
)
from colligate.network import list_parts, orient_matrix

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping

    from numpy.typing import NDArray

    from colligate.knowledge import Guidance
    from colligate.methods.information.problem import InformationProblem
    from colligate.methods.loop import Labels
    from colligate.network import Neighbourhood, Network

    Told = tuple[np.ndarray[Any, Any], tuple[str, ...]]

# fewer objects make a centre that is worse than one drawn by k-means++
SEED_SIZE = 5


def initialize_labels(problem: InformationProblem, kind: str, init: Any, rng: np.random.Generator) -> Labels:
    """Labels for one type. `auto` is `svd` with the first centres made of what is known of the objects.

    Outsiders start in groups of their own.
    """
    outside = problem.outside if kind == problem.network.centre else None
    if outside is None:
        return _inside_labels(problem, kind, init, rng)
    apart = np.zeros(len(problem.sides[kind].rows), dtype=bool)
    apart[outside.members] = True
    if not isinstance(init, str):
        init = np.pad(np.asarray(init), (0, len(apart) - len(outside.user_network.types[kind])))
    labels = _inside_labels(problem, kind, init, rng, ~apart)
    objects = problem.latent[kind]
    beyond = Directions(objects.unit, objects.filled & apart)
    found = spherical_kmeans(problem.kernels, beyond, outside.n_groups, rng)
    return np.where(apart, np.where(found >= 0, found + outside.n_inside, -1), labels).astype(np.int32)


def _inside_labels(
    problem: InformationProblem,
    kind: str,
    init: Any,
    rng: np.random.Generator,
    among: np.ndarray[Any, Any] | None = None,
) -> Labels:
    """Labels for the objects of a type, or only for those `among`."""
    matrix = problem.sides[kind].matrix()
    n_clusters = problem.n_inside(kind)
    if not isinstance(init, str):
        return check_labels(init, matrix, n_clusters, kind)
    if init == "random":
        return draw_labels(matrix, n_clusters, rng)
    objects = (problem.worded if init == "tfidf" else problem.latent)[kind]
    seeds = seed_labels(problem, kind) if init == "auto" else None
    if among is not None:
        objects = Directions(objects.unit, objects.filled & among)
    return spherical_kmeans(problem.kernels, objects, n_clusters, rng, seeds)


def place_remaining(problem: InformationProblem, labels: Mapping[str, Labels]) -> dict[str, Labels]:
    """Labels in which every object that will have a label has one, so that the first objective counts it.

    Left are objects whose neighbours have no direction, and those that have links but no entries: they are
    dealt out, and the first update moves them where they belong.
    """
    found = {}
    for kind, own in labels.items():
        due = np.diff(problem.sides[kind].rows.indptr) > 0
        if kind in problem.links:
            due[problem.links[kind].where] = True
        left = np.flatnonzero(due & (own < 0))
        found[kind] = own.copy()
        found[kind][left] = np.arange(len(left)) % problem.n_inside(kind)
        for part in problem.places.get(kind, ()):
            beyond = np.intersect1d(part.where, left)
            found[kind][beyond] = part.first + np.arange(len(beyond)) % (part.last - part.first)
    return found


def is_auto(init: Any) -> bool:
    """Whether a start may be shaped by what is known."""
    return isinstance(init, str) and init == "auto"


def candidate_starts(
    problem: InformationProblem, labels: Mapping[str, Labels], kinds: list[str], rng: np.random.Generator
) -> Iterator[Mapping[str, Labels]]:
    """Other starts: ties placed as wholes, and also centres made of ties where nothing else makes centres."""
    if not kinds:
        return
    yield _as_wholes(problem, labels, kinds)
    centred = dict(labels)
    for kind in kinds:
        seeds = None if seed_labels(problem, kind) is not None else seed_components(problem, kind)
        if seeds is not None:
            found = spherical_kmeans(
                problem.kernels, problem.latent[kind], problem.n_inside(kind), rng, seeds
            )
            # outsiders stay where they are
            centred[kind] = np.where(labels[kind] < problem.n_inside(kind), found, labels[kind])
    if any(centred[kind] is not labels[kind] for kind in kinds):
        yield _as_wholes(problem, centred, kinds)


def _as_wholes(
    problem: InformationProblem, labels: Mapping[str, Labels], kinds: list[str]
) -> Mapping[str, Labels]:
    for kind in kinds:
        labels = place_components(problem, labels, kind)
    return labels


def seed_labels(problem: InformationProblem, kind: str) -> Labels | None:
    """For each object the number of the cluster that knowledge starts it in, or -1; None if nothing is known.

    An object starts by its label, otherwise by its category (for documents also the vote of what they hold,
    words first); a label and a category of one name are one cluster.
    """
    told = [*_labels(problem.guidance.get(kind)), *_categories(problem, kind)]
    if not told:
        return None
    numbers: dict[str, int] = {}
    seeds = np.full(len(problem.sides[kind].rows), -1, dtype=np.int64)
    for labels, names in told:
        common = np.array([numbers.setdefault(name, len(numbers)) for name in names])
        seeds = np.where((seeds < 0) & (labels >= 0), common[labels], seeds)
    return _largest(seeds, problem.n_inside(kind))


def _labels(guidance: Guidance | None) -> Iterator[Told]:
    if guidance is not None and guidance.labels is not None:
        yield guidance.labels, guidance.label_names


def _categories(problem: InformationProblem, kind: str) -> Iterator[Told]:
    """The categories of the objects themselves; for the centre also those that its neighbours vote for."""
    network = problem.network
    own = problem.guidance.get(kind)
    if own is not None and own.seeds is not None:
        yield _clear_winner(np.asarray(own.seeds.matrix.todense())), own.seeds.categories
    if kind != network.centre:
        return
    for part in sorted(list_parts(network, kind), key=lambda part: part.other != network.terms):
        others = problem.guidance.get(part.other)
        if part.other != kind and others is not None and others.seeds is not None:
            votes = orient_matrix(network, part) @ others.seeds.matrix
            yield _clear_winner(np.asarray(votes.todense())), others.seeds.categories


def _clear_winner(votes: np.ndarray[Any, Any]) -> Labels:
    """The category with the most votes where it has more than the others together; else -1."""
    best = votes.argmax(axis=1)
    top = votes[np.arange(len(votes)), best]
    return np.where(2.0 * top > votes.sum(axis=1), best, -1).astype(np.int32)


def seed_components(problem: InformationProblem, kind: str) -> Labels | None:
    """Sets of objects tied together, at most one for each cluster; None if there is none large enough.

    The largest comes first; then, each time, the one that is apart from most of those before, the larger of
    equals.
    """
    guidance, n_clusters = problem.guidance[kind], problem.n_inside(kind)
    component = guidance.components()
    size = np.bincount(component)
    if size.max(initial=0) < SEED_SIZE:
        return None
    apart = _apart_components(guidance, component, len(size))
    met = np.where(size >= SEED_SIZE, 0.0, -np.inf)
    seeds = np.full(guidance.size, -1, dtype=np.int32)
    for cluster in range(min(n_clusters, int(np.count_nonzero(size >= SEED_SIZE)))):
        chosen = int(np.lexsort((size, met))[-1])
        seeds[component == chosen] = cluster
        met += apart[[chosen]].toarray().ravel() > 0
        met[chosen] = -np.inf
    return seeds


def _apart_components(guidance: Guidance, component: np.ndarray[Any, Any], n: int) -> sparse.csr_array:
    """Which components have a listed link apart."""
    apart = guidance.pairs.sign < 0
    ends = component[guidance.pairs.left[apart]], component[guidance.pairs.right[apart]]
    matrix = sparse.coo_array((np.ones(apart.sum()), ends), shape=(n, n)).tocsr()
    return sparse.csr_array(matrix + matrix.T)


def _largest(labels: np.ndarray[Any, Any], n_clusters: int) -> Labels | None:
    """Number the `n_clusters` most frequent values from 0 on by how often they occur; -1 for the rest."""
    values, position, counts = np.unique(labels[labels >= 0], return_inverse=True, return_counts=True)
    if not len(values):
        return None
    rank = np.empty(len(values), dtype=np.int32)
    rank[np.lexsort((values, -counts))] = np.arange(len(values))
    seeds = np.full(len(labels), -1, dtype=np.int32)
    seeds[labels >= 0] = np.where(rank[position] < n_clusters, rank[position], -1)
    return seeds


def make_latent_space(network: Network) -> dict[str, Directions]:
    """Directions in the leading singular vectors of tf-idf."""
    return _space(network, make_latent_directions)


def make_tfidf_space(network: Network) -> dict[str, Directions]:
    """Directions of tf-idf itself."""
    return _space(network, make_tfidf_directions)


def _space(network: Network, make: Callable[..., tuple[Directions, Directions]]) -> dict[str, Directions]:
    found: dict[str, Directions] = {}
    kinds = sorted(related_types(network), key=lambda kind: kind != network.centre)
    while left := [kind for kind in kinds if kind not in found]:
        found |= _around(network, left[0], make)
        while reached := _next(network, left, found):
            found[reached] = _projected(network, reached, found)
    return found


def _around(
    network: Network, root: str, make: Callable[..., tuple[Directions, Directions]]
) -> dict[str, Directions]:
    """The directions of one type and of the types next to it."""
    around = network.neighbourhood(root)
    rows, columns = make(around.matrix, _column_scale(network, around))
    found = {root: rows}
    for other in dict.fromkeys(part.other for part in around.parts if part.other != root):
        slices = [
            Directions(columns.unit[part.start : part.stop], columns.filled[part.start : part.stop])
            for part in around.parts
            if part.other == other
        ]
        found[other] = slices[0] if len(slices) == 1 else _summed([piece.unit for piece in slices])
    return found


def _column_scale(network: Network, around: Neighbourhood) -> NDArray[np.float64] | None:
    """The root of what an occurrence in each column counts, 1 for the relation where it counts most."""
    if len(around.parts) == 1:
        return None
    each = np.array([network.relations[part.relation].per_occurrence for part in around.parts])
    scale = np.sqrt(each / max(each.max(), 1e-300))
    return np.repeat(scale, [part.stop - part.start for part in around.parts])


def _next(network: Network, left: list[str], found: dict[str, Directions]) -> str | None:
    """A type without directions that is related to one with them."""
    for kind in left:
        if kind not in found and any(part.other in found for part in list_parts(network, kind)):
            return kind
    return None


def _projected(network: Network, kind: str, found: dict[str, Directions]) -> Directions:
    known = [part for part in list_parts(network, kind) if part.other in found]
    return _summed([orient_matrix(network, part) @ found[part.other].unit for part in known])


def _summed(blocks: list[Any]) -> Directions:
    """The directions of sums of rows, dense or sparse."""
    if isinstance(blocks[0], np.ndarray):
        total = np.sum(blocks, axis=0)
        return make_dense_directions(total, (total != 0).any(axis=1))
    unit = unit_rows(sparse.csr_array(sum(blocks[1:], start=blocks[0])))
    return Directions(unit, np.diff(unit.indptr) > 0)
