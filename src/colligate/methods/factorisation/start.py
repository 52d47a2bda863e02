"""Where the factorisations start: spherical k-means++ on the rows, shaped by what is known, made soft.

Sets of objects tied together, and a start with each in one group: where it fits best, apart from rivals.

Alone, a tied object hardly ever leaves a wrong group, since the first to go loses all its ties.

Labels as a third type: the categories that were told, and which objects of the centre belong to them.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any

import numpy as np
from scipy import sparse

from colligate._array import one_hot, unit_rows
from colligate.kernels import Links
from colligate.methods.factorisation.penalty import LinkPenalty
from colligate.methods.factorisation.update import FLOOR
from colligate.methods.spherical import (
    Columns,
    Directions,
    check_labels,
    draw_labels,
    make_dense_directions,
    spherical_kmeans,
)
from colligate.network import ObjectType, Relation

if TYPE_CHECKING:
    from collections.abc import Iterator

    from numpy.typing import NDArray

    from colligate.kernels import Kernels
    from colligate.knowledge import Guidance, Seeds
    from colligate.methods.factorisation.problem import FactorProblem
    from colligate.methods.loop import Labels
    from colligate.network import Network

    Floats = NDArray[np.float64]
    Ints = NDArray[np.int64]

# an exact 0/1 start is close to a saddle that updates by factors leave slowly; the little that an object has
# elsewhere is this much in all, however many groups there are, since columns that are mostly alike make the
# first associations huge and of both signs, which scatters the objects (measured with 20 and 40 groups)
SOFTNESS = 0.4
SWEEPS = 30
# a single wrong link can tie all there is together: a set of more than so many average groups stays as it is
MAX_GROUPFULS = 2.0
# beyond this many groups the table of what is apart from what grows too large for a start
MAX_GROUPS = 2000
CATEGORIES = "categories"


def initialize_memberships(problem: FactorProblem, kind: str, init: Any, rng: np.random.Generator) -> Floats:
    """Soft memberships at the starting labels."""
    return soften_labels(initialize_labels(problem, kind, init, rng), problem.sizes[kind])


def soften_labels(labels: Labels, n_clusters: int) -> Floats:
    """Columns of unit length: 1 and a little where an object starts, that little elsewhere."""
    G = np.full((len(labels), n_clusters), SOFTNESS / n_clusters)
    placed = np.flatnonzero(labels >= 0)
    G[placed, labels[placed]] += 1.0
    G[labels < 0] = FLOOR
    return np.asarray(G / np.sqrt(np.square(G).sum(axis=0)))


def initialize_labels(problem: FactorProblem, kind: str, init: Any, rng: np.random.Generator) -> Labels:
    """Labels for one type: as given, at random, or by directions, `auto` with what is known for centres."""
    n_clusters = problem.sizes[kind]
    if not isinstance(init, str):
        return check_labels(init, _related(problem, kind), n_clusters, kind)
    if init == "random":
        return draw_labels(_related(problem, kind), n_clusters, rng)
    objects = _directions(problem, kind)
    if init == "tfidf":
        return spherical_kmeans(problem.kernels, objects, n_clusters, rng)
    sure = _told(problem, kind)
    seeds = _voted(problem, kind, rng) if sure is None else sure
    found = spherical_kmeans(problem.kernels, objects, n_clusters, rng, seeds)
    if sure is not None:
        return np.where(objects.filled & (sure >= 0), sure, found).astype(np.int32)
    for asked in problem.penalties[kind].asked:
        if isinstance(asked, LinkPenalty):
            found = place_components(problem.kernels, objects, found, n_clusters, asked.guidance)
    return found


def _directions(problem: FactorProblem, kind: str) -> Directions:
    """The objects of a type at unit length; the columns of one relation stay where they are."""
    own = [piece for piece in problem.pieces if kind in (piece.rows, piece.columns)]
    if len(own) == 1 and own[0].columns == kind:
        return Columns.of(own[0].matrix)
    rows = unit_rows(_related(problem, kind))
    return Directions(rows, np.diff(rows.indptr) > 0)


def _related(problem: FactorProblem, kind: str) -> sparse.csr_array:
    """The objects of a type by all that they are related to."""
    blocks = [piece.matrix for piece in problem.pieces if piece.rows == kind]
    blocks += [sparse.csr_array(piece.matrix.T.tocsr()) for piece in problem.pieces if piece.columns == kind]
    return blocks[0] if len(blocks) == 1 else sparse.csr_array(sparse.hstack(blocks, format="csr"))


def _seed_numbers(seeds: Seeds) -> Labels:
    """The category each object leans to most, the first of equals; -1 for none."""
    dense = np.asarray(seeds.matrix.todense())
    return np.where(dense.max(axis=1, initial=0.0) > 0, dense.argmax(axis=1), -1).astype(np.int32)


def _told(problem: FactorProblem, kind: str) -> Labels | None:
    """Where labels, or else categories, of the objects themselves place them."""
    own = problem.guidance.get(kind)
    if own is None:
        return None
    if own.labels is not None:
        told = own.labels.astype(np.int32)
    elif own.seeds is not None:
        told = _seed_numbers(own.seeds)
    else:
        return None
    return np.where(told < problem.sizes[kind], told, -1).astype(np.int32)


def _voted(problem: FactorProblem, kind: str, rng: np.random.Generator) -> Labels | None:
    """Where the categories of their terms, or terms tied together, place the objects of the centre.

    The category with most of an object's entries, or, where there are more categories than groups, spherical
    k-means in the space of the categories: the similarity X·F0·F0ᵀ·Xᵀ of the word-space paper (equation 6).
    Without it, what is known of terms hardly reaches the objects of the centre, which hold each other where
    they started.
    """
    F0 = _term_sets(problem) if kind == problem.network.centre else None
    if F0 is None:
        return None
    F0 = F0 / np.maximum(np.sqrt(np.asarray(F0.multiply(F0).sum(axis=0))), FLOOR)
    votes = np.asarray((problem.described.matrix @ sparse.csr_array(F0)).todense())
    some = votes.max(axis=1, initial=0.0) > 0
    if not some.any():
        return None
    if votes.shape[1] > problem.sizes[kind]:
        return spherical_kmeans(problem.kernels, make_dense_directions(votes, some), problem.sizes[kind], rng)
    return np.where(some, votes.argmax(axis=1), -1).astype(np.int32)


def _term_sets(problem: FactorProblem) -> sparse.csr_array | None:
    """Terms × categories, or else × sets of terms that links tie together."""
    terms = str(problem.network.terms)
    told = problem.guidance.get(terms)
    if told is not None and told.seeds is not None:
        return told.seeds.matrix
    asked = problem.penalties[terms].asked if terms in problem.penalties else ()
    linked = [part.guidance for part in asked if isinstance(part, LinkPenalty)]
    return component_indicator(linked[0], problem.sizes[terms]) if linked else None


def component_indicator(guidance: Guidance, n_clusters: int) -> sparse.csr_array:
    """Objects × sets of two objects and more that are tied together."""
    tie = guidance.components()
    kept = _whole(tie, n_clusters)
    return one_hot(np.where(kept, np.cumsum(kept) - 1, -1)[tie], int(kept.sum()))


def place_components(
    kernels: Kernels, objects: Directions, labels: Labels, n_clusters: int, guidance: Guidance
) -> Labels:
    """Labels with every set of tied objects as a whole, the largest set placed first."""
    tie = guidance.components()
    n_ties = int(tie.max()) + 1
    cosines = objects.cosines(kernels, objects.means(labels, n_clusters))
    pooled = np.zeros((n_ties, n_clusters))
    np.add.at(pooled, tie, cosines)
    found = np.full(n_ties, -1, dtype=np.int32)
    order = np.argsort(-np.bincount(tie), kind="stable")
    kernels.run_icm(Links.of_pairs(_rivals(guidance, tie, n_ties)), None, -pooled, found, order, SWEEPS)
    whole = objects.filled & _whole(tie, n_clusters)[tie]
    return np.where(whole, found[tie], labels).astype(np.int32)


def _whole(tie: Ints, n_clusters: int) -> NDArray[np.bool_]:
    """Which sets are of several objects and not too large to be believed."""
    size = np.bincount(tie)
    return np.asarray((size > 1) & (size <= MAX_GROUPFULS * len(tie) / n_clusters))


def _rivals(guidance: Guidance, tie: Ints, n_ties: int) -> sparse.csr_array:
    """What two sets cost in one group: as much as their members could be worth there, if they are apart."""
    ends = [np.zeros((0, 2), dtype=np.int64), *_apart(guidance, tie)]
    left, right = np.concatenate(ends).T
    met = left != right
    sizes = np.bincount(tie, minlength=n_ties)
    cost = (sizes[left] + sizes[right])[met].astype(np.float64)
    rows, columns = np.concatenate([left[met], right[met]]), np.concatenate([right[met], left[met]])
    table = sparse.coo_array((np.concatenate([cost, cost]), (rows, columns)), shape=(n_ties, n_ties))
    return sparse.csr_array(table)


def _apart(guidance: Guidance, tie: Ints) -> Iterator[Ints]:
    """Pairs of sets that a listed link, or two groups that are apart, keep separate."""
    pairs = guidance.pairs
    listed = pairs.sign < 0
    yield np.column_stack([tie[pairs.left[listed]], tie[pairs.right[listed]]])
    for links in guidance.groups:
        home = np.unique(tie[links.without_bridges().member]) if links.apart else np.zeros(0, dtype=np.int64)
        if len(home) <= MAX_GROUPS:
            yield np.column_stack([side.ravel() for side in np.meshgrid(home, home)])


def add_category_type(network: Network, known: Guidance) -> Network:
    """The network with a relation between the centre and the labels told of it.

    The network stays as it is where no label is told, and where it has categories of its own.
    """
    if known.labels is None or CATEGORIES in network.types:
        return network
    told = one_hot(known.labels, len(known.label_names))
    relation = Relation(network.centre, CATEGORIES, told)
    types = {**network.types, CATEGORIES: ObjectType(CATEGORIES, known.label_names)}
    return replace(network, types=types, relations=(*network.relations, relation))
