"""Where the factorisations start: spherical k-means with centres from knowledge, made soft.

Components of linked objects start in one group each: alone, a linked object hardly ever leaves a wrong group,
since the first to move loses all its links.
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

# an exact 0/1 start is close to a saddle that multiplicative updates leave slowly. What an object has in all
# other groups is this much in sum, however many groups there are: nearly equal columns make the first
# associations huge and of both signs, which scatters the objects (measured with 20 and 40 groups)
SOFTNESS = 0.4
# ICM rounds to place components; they nearly always end earlier
ICM_ROUNDS = 30
# one wrong link can join all objects: a component larger than so many average groups is not placed as a whole
MAX_GROUPFULS = 2.0
# with more groups the table of apart components is too large for a start
MAX_GROUPS = 2000
CATEGORIES = "categories"


def initialize_memberships(problem: FactorProblem, kind: str, init: Any, rng: np.random.Generator) -> Floats:
    """Return soft memberships at the starting labels."""
    return soften_labels(initialize_labels(problem, kind, init, rng), problem.n_clusters_by_type[kind])


def soften_labels(labels: Labels, n_clusters: int) -> Floats:
    """Return unit columns of 1 and a little where an object starts, and that little elsewhere."""
    G = np.full((len(labels), n_clusters), SOFTNESS / n_clusters)
    placed = np.flatnonzero(labels >= 0)
    G[placed, labels[placed]] += 1.0
    # not 0, which a multiplicative update would keep for ever
    G[labels < 0] = FLOOR
    return np.asarray(G / np.sqrt(np.square(G).sum(axis=0)))


def initialize_labels(problem: FactorProblem, kind: str, init: Any, rng: np.random.Generator) -> Labels:
    """Return labels of one type: the user's, random, or by directions (`auto`: centres from knowledge)."""
    n_clusters = problem.n_clusters_by_type[kind]
    if not isinstance(init, str):
        return check_labels(init, _all_relations(problem, kind), n_clusters, kind)
    if init == "random":
        return draw_labels(_all_relations(problem, kind), n_clusters, rng)
    objects = _directions(problem, kind)
    if init == "tfidf":
        return spherical_kmeans(problem.kernels, objects, n_clusters, rng)
    known = _known_labels(problem, kind)
    seeds = _voted_labels(problem, kind, rng) if known is None else known
    labels = spherical_kmeans(problem.kernels, objects, n_clusters, rng, seeds)
    if known is not None:
        return np.where(objects.filled & (known >= 0), known, labels).astype(np.int32)
    for part in problem.penalties[kind].parts:
        if isinstance(part, LinkPenalty):
            labels = place_components(problem.kernels, objects, labels, n_clusters, part.guidance)
    return labels


def _directions(problem: FactorProblem, kind: str) -> Directions:
    """Return the objects of a type at unit length; the columns of a single relation are not transposed."""
    relations = [relation for relation in problem.relations if kind in (relation.rows, relation.columns)]
    if len(relations) == 1 and relations[0].columns == kind:
        return Columns.of(relations[0].matrix)
    rows = unit_rows(_all_relations(problem, kind))
    return Directions(rows, np.diff(rows.indptr) > 0)


def _all_relations(problem: FactorProblem, kind: str) -> sparse.csr_array:
    """Return all relations of a type side by side, with its objects as rows."""
    blocks = [relation.matrix for relation in problem.relations if relation.rows == kind]
    blocks += [sparse.csr_array(r.matrix.T.tocsr()) for r in problem.relations if r.columns == kind]
    return blocks[0] if len(blocks) == 1 else sparse.csr_array(sparse.hstack(blocks, format="csr"))


def _known_labels(problem: FactorProblem, kind: str) -> Labels | None:
    """Return where labels, or else categories, of the objects place them; None if there are none."""
    guidance = problem.guidance.get(kind)
    if guidance is None:
        return None
    if guidance.labels is not None:
        labels = guidance.labels.astype(np.int32)
    elif guidance.seeds is not None:
        labels = _strongest_category(guidance.seeds)
    else:
        return None
    return np.where(labels < problem.n_clusters_by_type[kind], labels, -1).astype(np.int32)


def _strongest_category(seeds: Seeds) -> Labels:
    """Return the strongest category of each object, the first of equals; -1 for none."""
    dense = np.asarray(seeds.matrix.todense())
    return np.where(dense.max(axis=1, initial=0.0) > 0, dense.argmax(axis=1), -1).astype(np.int32)


def _voted_labels(problem: FactorProblem, kind: str, rng: np.random.Generator) -> Labels | None:
    """Return where the categories or components of their terms place the objects of the centre.

    That is the category with most of an object's entries or, with more categories than groups, spherical
    k-means in the space of the categories: the similarity X·F0·F0ᵀ·Xᵀ of the word-space paper (cp, eq. 2).
    Without it, knowledge about terms hardly reaches the documents, which hold each other where they started.
    """
    F0 = _term_sets(problem) if kind == problem.network.centre else None
    if F0 is None:
        return None
    # unit columns, as the categories of cp have them (eq. 1), so that large categories do not win by size
    F0 = F0 / np.maximum(np.sqrt(np.asarray(F0.multiply(F0).sum(axis=0))), FLOOR)
    votes = np.asarray((problem.description.matrix @ sparse.csr_array(F0)).todense())
    has_votes = votes.max(axis=1, initial=0.0) > 0
    if not has_votes.any():
        return None
    n_clusters = problem.n_clusters_by_type[kind]
    if votes.shape[1] > n_clusters:
        return spherical_kmeans(problem.kernels, make_dense_directions(votes, has_votes), n_clusters, rng)
    return np.where(has_votes, votes.argmax(axis=1), -1).astype(np.int32)


def _term_sets(problem: FactorProblem) -> sparse.csr_array | None:
    """Return terms × categories, or else × components of linked terms."""
    terms = str(problem.network.terms)
    guidance = problem.guidance.get(terms)
    if guidance is not None and guidance.seeds is not None:
        return guidance.seeds.matrix
    parts = problem.penalties[terms].parts if terms in problem.penalties else ()
    linked = [part.guidance for part in parts if isinstance(part, LinkPenalty)]
    return component_indicator(linked[0], problem.n_clusters_by_type[terms]) if linked else None


def component_indicator(guidance: Guidance, n_clusters: int) -> sparse.csr_array:
    """Return objects × components of two objects and more."""
    component = guidance.components()
    kept = _credible_components(component, n_clusters)
    return one_hot(np.where(kept, np.cumsum(kept) - 1, -1)[component], int(kept.sum()))


def place_components(
    kernels: Kernels, objects: Directions, labels: Labels, n_clusters: int, guidance: Guidance
) -> Labels:
    """Return labels with every component of linked objects in one group, the largest placed first."""
    component = guidance.components()
    n_components = int(component.max()) + 1
    cosines = objects.cosines(kernels, objects.means(labels, n_clusters))
    pooled = np.zeros((n_components, n_clusters))
    np.add.at(pooled, component, cosines)
    placed = np.full(n_components, -1, dtype=np.int32)
    order = np.argsort(-np.bincount(component), kind="stable")
    apart = Links.of_pairs(_apart_costs(guidance, component, n_components))
    kernels.run_icm(apart, None, -pooled, placed, order, ICM_ROUNDS)
    as_whole = objects.filled & _credible_components(component, n_clusters)[component]
    return np.where(as_whole, placed[component], labels).astype(np.int32)


def _credible_components(component: Ints, n_clusters: int) -> NDArray[np.bool_]:
    """Return which components have several objects and are not too large to be one group."""
    size = np.bincount(component)
    return np.asarray((size > 1) & (size <= MAX_GROUPFULS * len(component) / n_clusters))


def _apart_costs(guidance: Guidance, component: Ints, n_components: int) -> sparse.csr_array:
    """Return the cost of two components in one group: their sizes, if they are apart."""
    pairs = [np.zeros((0, 2), dtype=np.int64), *_apart_components(guidance, component)]
    left, right = np.concatenate(pairs).T
    # a link apart within a component cannot hold while the component stays whole
    differ = left != right
    sizes = np.bincount(component, minlength=n_components)
    cost = (sizes[left] + sizes[right])[differ].astype(np.float64)
    rows = np.concatenate([left[differ], right[differ]])
    columns = np.concatenate([right[differ], left[differ]])
    shape = (n_components, n_components)
    return sparse.csr_array(sparse.coo_array((np.concatenate([cost, cost]), (rows, columns)), shape=shape))


def _apart_components(guidance: Guidance, component: Ints) -> Iterator[Ints]:
    """Yield pairs of components that a listed link, or two groups, keep apart."""
    pairs = guidance.pairs
    apart = pairs.sign < 0
    yield np.column_stack([component[pairs.left[apart]], component[pairs.right[apart]]])
    for links in guidance.groups:
        if not links.apart:
            homes = np.zeros(0, dtype=np.int64)
        else:
            homes = np.unique(component[links.without_bridges().member])
        if len(homes) <= MAX_GROUPS:
            yield np.column_stack([side.ravel() for side in np.meshgrid(homes, homes)])


def add_category_type(network: Network, guidance: Guidance) -> Network:
    """Return the network with the labels of the centre as a third type, categories, and their relation.

    The network is unchanged without labels, and if it has a type of that name already.
    """
    if guidance.labels is None or CATEGORIES in network.types:
        return network
    labelled = one_hot(guidance.labels, len(guidance.label_names))
    relation = Relation(network.centre, CATEGORIES, labelled)
    types = {**network.types, CATEGORIES: ObjectType(CATEGORIES, guidance.label_names)}
    return replace(network, types=types, relations=(*network.relations, relation))
