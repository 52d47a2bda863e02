"""K-means with links: HMRF k-means and PCK-means.

Documents and their links under a metric: a weight for every word.

Which links labels break, in the form in which the metric sees them: no implied pair is listed.

The distances of all pairs in a set S of unit rows sum to ½(n² − ‖Σ x‖²). So the implied links that are broken
are a signed sum over sets: of a group whose pairs are together, the group less its parts in each cluster; of
groups that are apart, less what of all of them sits in a cluster, and again the parts of each.

How far two linked documents are from each other, as the links of the kernels want it.

Their divergence of objects i and j is ⟨yᵢ − yⱼ, sᵢ − sⱼ⟩. With y = x and s = x/2 of unit rows it is 1 − cos.
With a column of its own for each object it is 1 for any two, so that a link costs the same whatever it ties.

Learning the metric: a weight a for every word, for labels that stay as they are.

    min Σ_k (n_k − ‖z_k‖) + Σ broken links + stiffness·Σ_w (½a_w² − log a_w − ½)

z_k is the sum of the rows of cluster k, each of unit length under the metric. The last term is a Rayleigh
prior, lowest where all weights are 1. The steps are in log a, so that weights stay above 0.

Where k-means with links starts: centres made of what is tied together, and ties placed as wholes.

How much all links of a type say together; implied pairs are counted and not listed.
"""

from __future__ import annotations

from collections import deque
from dataclasses import dataclass, field, replace
from functools import cached_property, partial
from typing import TYPE_CHECKING, Any, ClassVar

import numpy as np
from scipy import sparse

from colligate._array import one_hot
from colligate.kernels import Links, SparseRows, make_kernels
from colligate.knowledge import GroupSizes
from colligate.methods import parameters
from colligate.methods.base import Method
from colligate.methods.information.links import (
    compile_row_links,
    costs_by_cluster,
    link_cost,
    statement_costs,
)
from colligate.methods.information.step import assign_components
from colligate.methods.kmeans import SHARPNESS, KMeans
from colligate.methods.loop import Problem, State
from colligate.methods.sizes import SizeBounds, assign_within_bounds, match_labels_to_groups
from colligate.methods.spherical import Directions, inverse_document_frequency, spherical_kmeans, tfidf

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from numpy.typing import NDArray

    from colligate.kernels import Kernels
    from colligate.knowledge import GroupLinks, Guidance
    from colligate.methods.information.links import TypeLinks
    from colligate.methods.loop import Labels
    from colligate.methods.parameters import Domain
    from colligate.network import Network

    Floats = NDArray[np.float64]
    Ints = NDArray[np.int64]

ICM_ROUNDS = 30
MAX_DISTANCE = 1.0
"""The largest distance there is: of documents that share no word."""
# so many sets, and pairs, are summed at a time
SET_BLOCK, PAIR_BLOCK = 32, 8192
MAX_STEP, HALVINGS = 0.5, 8
# fewer documents make a centre that is worse than one drawn by k-means++
SEED_SIZE = 5


class CKMeans(Method):
    """K-means guided by links and labels on documents, with a metric that is learned from them.

    min Σ_d (1 − cos_A(x_d, μ_k(d))) + link_weight·(Σ s·cost of broken links) − ρ·log Pr(A)

    x_d is a document's tf-idf row, μ_k the direction of cluster k, cos_A the cosine with a weight for every
    word, s the strength of a link. In the form `hmrf` a link together costs 1 − cos_A of its documents when
    they are split, one apart cos_A when they are joined, and the weights are learned where there are links
    (Basu, Bilenko and Mooney 2004; Pr is a Rayleigh prior, ρ is `stiffness` times one more than the
    mean strength of a document's links). In the form `pck` any broken link costs 1 and
    all weights are 1 (Basu, Banerjee and Mooney 2004). Equal labels are links together, different ones links
    apart, implied and never listed. Bounds on the sizes of groups hold in every iteration.

    Parameters
    ----------
    n_clusters, n_init, max_iter, tol, random_state, n_jobs
        As in `itcc`.
    form : {"hmrf", "pck"}
        See above.
    link_weight : float
        What a broken link costs beside the distance of a document to its centre.
    stiffness : float
        How strongly the weights of words are held at 1, beside what a document and its links may cost.
    """

    name: ClassVar[str] = "ckmeans"
    family: ClassVar[str] = "baselines"
    paper: ClassVar[str] = "Basu, Bilenko, Mooney 2004; Basu, Banerjee, Mooney 2004"
    takes: ClassVar[tuple[str, ...]] = ("links:documents", "labels:documents", "sizes:documents")
    domains: ClassVar[Mapping[str, Domain]] = {
        **Method.domains,
        "form": parameters.Choice(("hmrf", "pck")),
        "link_weight": parameters.Real(0.0),
        "stiffness": parameters.Real(0.0),
    }
    predict_scores = staticmethod(KMeans.predict_scores)
    evidence = staticmethod(KMeans.evidence)

    def __init__(
        self,
        n_clusters: int = 8,
        *,
        form: str = "hmrf",
        link_weight: float = 1.0,
        stiffness: float = 1.0,
        n_init: int = 5,
        max_iter: int = 100,
        tol: float = 1e-6,
        random_state: Any = None,
        n_jobs: int | None = None,
    ) -> None:
        self.n_clusters = n_clusters
        self.form = form
        self.link_weight = link_weight
        self.stiffness = stiffness
        self.n_init = n_init
        self.max_iter = max_iter
        self.tol = tol
        self.random_state = random_state
        self.n_jobs = n_jobs

    def problem(self, network: Network, guidance: Mapping[str, Guidance]) -> LinkedDocuments:
        """Weigh the counts."""
        idf, fast = inverse_document_frequency(network.counts), make_kernels("fast", self.n_jobs)
        sizes, alike = self.sizes(network), self.form == "pck"
        return LinkedDocuments(network, fast, sizes, guidance, idf, self.link_weight, alike, self.stiffness)

    def start(self, problem: LinkedDocuments, rng: np.random.Generator) -> State:
        """Of the starts with and without ties as wholes, the one that is better after a first update."""
        metric = np.ones(problem.network.counts.shape[1])
        view = problem.view(metric)
        order = np.zeros(0, dtype=np.int64) if view.links is None else view.links.order(rng)
        states = [
            self._within_bounds(
                problem, State({problem.network.centre: labels}, {"metric": metric, "order": order})
            )
            for labels in initialize_labels(problem, view, rng)
        ]
        if len(states) == 1:
            return states[0]
        return min(states, key=lambda state: self.objective(problem, _updated(problem, state)))

    def sweep(self, problem: LinkedDocuments, state: State) -> State:
        """Move the documents, then learn the metric; the centres follow from both."""
        moved = self._within_bounds(problem, _updated(problem, state))
        if self._has_bounds(problem) and self.objective(problem, moved) > self.objective(problem, state):
            # moves within bounds are made one by one against links, so they may cost more together
            return State(state.labels, state.numbers, settled=True)
        state = moved
        view = problem.view(state.numbers["metric"])
        if view.links is None or problem.alike:
            return state
        metric = step_metric(self._sums(problem, view, state.labels[problem.network.centre]), view.metric)
        return State(state.labels, {**state.numbers, "metric": metric})

    def objective(self, problem: LinkedDocuments, state: State) -> float:
        """Distances to the centres, broken links, and the prior."""
        metric = state.numbers["metric"]
        labels = state.labels[problem.network.centre]
        cost = problem.view(metric).cost(problem.kernels, labels, problem.n_clusters)
        return cost + problem.hold * negative_log_prior(metric)

    def misfits(self, problem: LinkedDocuments, state: State, kind: str) -> NDArray[np.int64]:
        """Documents by their distance to their centre, the farthest first; those with links last."""
        view, labels = problem.view(state.numbers["metric"]), state.labels[kind]
        if self._has_bounds(problem):
            return np.zeros(0, dtype=np.int64)
        placed = np.flatnonzero(labels >= 0)
        near = view.cosines(problem.kernels, labels, problem.n_clusters)[placed, labels[placed]]
        linked = np.isin(placed, [] if view.links is None else view.links.where)
        return placed[np.lexsort((near, linked))]

    def named_groups(self, problem: LinkedDocuments, state: State) -> dict[str, int]:
        """Each label has the group with most of its documents."""
        centre = problem.network.centre
        return match_labels_to_groups(problem.guidance.get(centre), state.labels[centre], problem.n_clusters)

    def _has_bounds(self, problem: LinkedDocuments) -> bool:
        guidance = problem.guidance.get(problem.network.centre)
        return guidance is not None and guidance.of_kind(GroupSizes) is not None

    def _within_bounds(self, problem: LinkedDocuments, state: State) -> State:
        """Move documents, where distance and links cost least, until all sizes are within their bounds."""
        centre, n_clusters = problem.network.centre, problem.n_clusters
        labels = state.labels[centre]
        placed = np.flatnonzero(labels >= 0)
        guidance, names = problem.guidance.get(centre), self.named_groups(problem, state)
        bounds = SizeBounds.of(guidance, n_clusters, placed.size, names)
        if bounds is None or bounds.admits(np.bincount(labels[placed], minlength=n_clusters)):
            return state
        view = problem.view(state.numbers["metric"])
        cost = 1.0 - view.cosines(problem.kernels, labels, n_clusters)
        if view.links is not None:
            where = view.links.where
            cost[where] += costs_by_cluster(view.links, labels[where], n_clusters)
        bounded = labels.copy()
        bounded[placed] = assign_within_bounds(cost[placed], bounds)
        return state.with_labels(centre, bounded)

    def statement_costs(self, problem: LinkedDocuments, state: State, n_statements: int) -> Floats:
        """The cost of the broken links of each statement."""
        links = problem.view(state.numbers["metric"]).links
        labels = state.labels[problem.network.centre]
        if links is None:
            return np.zeros(n_statements)
        return statement_costs(links, labels[links.where], n_statements)

    def train_scores(self, problem: LinkedDocuments, state: State) -> dict[str, Floats]:
        """Twice the cosines less what links would cost, sharpened as in `kmeans`."""
        view, labels = problem.view(state.numbers["metric"]), state.labels[problem.network.centre]
        found = view.cosines(problem.kernels, labels, problem.n_clusters)
        if view.links is not None:
            where = view.links.where
            found[where] -= costs_by_cluster(view.links, labels[where], problem.n_clusters)
        return {problem.network.centre: 2.0 * SHARPNESS * found}

    def model(self, problem: LinkedDocuments, state: State) -> dict[str, NDArray[Any]]:
        """The directions of the clusters, and the idf times the root of the metric."""
        assert problem.idf is not None
        metric = state.numbers["metric"]
        objects, labels = problem.view(metric).objects, state.labels[problem.network.centre]
        centres = objects.means(labels, problem.n_clusters)
        # an empty cluster is as far from every document as can be
        away = -objects.means(np.zeros_like(labels), 1)
        return {
            "centres": np.ascontiguousarray(np.where(centres.any(axis=0), centres, away).T),
            "idf": problem.idf * np.sqrt(metric),
        }

    def _sums(self, problem: LinkedDocuments, view: MetricView, labels: Labels) -> MetricObjective:
        assert problem.idf is not None
        assert view.links is not None
        strengths = problem.guidance[problem.network.centre].pairs.strength
        broken = collect_broken_links(view.links, labels[view.links.where], problem.link_weight, strengths)
        clusters = cluster_indicator(labels, problem.n_clusters)
        return MetricObjective(
            problem.network.counts, problem.idf, clusters, broken, problem.hold, problem.kernels
        )


def _updated(problem: LinkedDocuments, state: State) -> State:
    """Every document with the nearest centre; those with links where distance and links cost least."""
    centre, n_clusters = problem.network.centre, problem.n_clusters
    view, labels = problem.view(state.numbers["metric"]), state.labels[centre]
    cosines = view.cosines(problem.kernels, labels, n_clusters)
    placed = np.flatnonzero(labels >= 0)
    best = cosines[placed].argmax(axis=1)
    nearer = cosines[placed, best] > cosines[placed, labels[placed]]
    found = labels.copy()
    found[placed[nearer]] = best[nearer]
    if view.links is not None:
        where = view.links.where
        cost = 1.0 - cosines[where]
        found[where] = view.links.run_icm(labels[where], cost, state.numbers["order"], ICM_ROUNDS)
    return state.with_labels(centre, found)


@dataclass(frozen=True, eq=False)
class MetricView:
    """The documents as one metric shows them: rows of unit length, and what breaking their links costs."""

    metric: Floats
    rows: sparse.csr_array
    links: TypeLinks | None

    @property
    def objects(self) -> Directions:
        """The rows as directions."""
        return Directions(self.rows, np.diff(self.rows.indptr) > 0)

    def cosines(self, kernels: Kernels, labels: Labels, n_clusters: int) -> Floats:
        """Documents × clusters; 0 to an empty cluster."""
        return kernels.product(SparseRows.of(self.rows), self.objects.means(labels, n_clusters))

    def cost(self, kernels: Kernels, labels: Labels, n_clusters: int) -> float:
        """Σ (1 − cos) to the centre of each document's cluster, and what the broken links cost."""
        found = self.cosines(kernels, labels, n_clusters)
        placed = np.flatnonzero(labels >= 0)
        spread = float((1.0 - found[placed, labels[placed]]).sum())
        return spread if self.links is None else spread + link_cost(self.links, labels[self.links.where])


@dataclass(frozen=True, eq=False)
class LinkedDocuments(Problem):
    """Adds the idf, what a broken link costs, whether all cost the same, and the views made last.

    `stiffness` holds the metric at 1. It grows with what all links together may cost a document, so that many
    links do not loosen what few would hold.
    """

    idf: Floats | None = None
    link_weight: float = 1.0
    alike: bool = False
    stiffness: float = 1.0
    _views: deque[MetricView] = field(default_factory=lambda: deque(maxlen=2), repr=False)

    @property
    def n_clusters(self) -> int:
        """The number of clusters."""
        return self.sizes[self.network.centre]

    @cached_property
    def hold(self) -> float:
        """The stiffness times one for a document's centre and the mean strength of its links."""
        own = self.guidance.get(self.network.centre)
        said = 0.0 if own is None else total_strength(own.with_groups(own.label_groups()))
        return self.stiffness * (1.0 + self.link_weight * said / self.network.counts.shape[0])

    def view(self, metric: NDArray[Any]) -> MetricView:
        """The documents under a metric; the last two views are remembered."""
        for known in self._views:
            if np.array_equal(known.metric, metric):
                return known
        assert self.idf is not None
        rows = tfidf(self.network.counts, self.idf * np.sqrt(metric))
        view = MetricView(metric, rows, self._links(rows))
        self._views.append(view)
        return view

    def _links(self, rows: sparse.csr_array) -> TypeLinks | None:
        centre = self.network.centre
        own = self.guidance.get(centre)
        if own is None:
            return None
        objects = constant_links if self.alike else partial(cosine_links, rows)
        linked = own.with_groups(own.label_groups())
        return compile_row_links(centre, rows, linked, self.link_weight, self.kernels, objects)


@dataclass(frozen=True, eq=False)
class BrokenLinks:
    """Pairs of documents and sets of them, and how often each counts; less than 0 for what is apart."""

    left: Ints
    right: Ints
    per_pair: Floats
    sets: sparse.csr_array
    per_set: Floats


def collect_broken_links(links: TypeLinks, labels: Labels, weight: float, strengths: Floats) -> BrokenLinks:
    """What labels of the linked documents break; `strengths` are those of the listed links."""
    pairs = links.pairs
    own, other = labels[pairs.left], labels[pairs.right]
    wrong = np.flatnonzero((own >= 0) & (other >= 0) & ((own != other) == pairs.together))
    signed = weight * strengths[wrong] * np.where(pairs.together[wrong], 1.0, -1.0)
    sets, per_set = _sets(links, labels)
    return BrokenLinks(links.where[pairs.left[wrong]], links.where[pairs.right[wrong]], signed, sets, per_set)


def _sets(links: TypeLinks, labels: Labels) -> tuple[sparse.csr_array, Floats]:
    """The sets of implied links as rows of ones, over all documents up to the last linked one."""
    members, k = links.members, links.kernel
    placed = labels[members.owner] >= 0
    owner, number, group = (
        part[placed].astype(np.int64) for part in (members.owner, members.set, members.group)
    )
    cluster, n_clusters = labels[owner].astype(np.int64), int(labels.max(initial=0)) + 1
    together, apart = k.together[number], k.apart[number]
    whole = group, together
    parts = group * n_clusters + cluster, apart - together
    mixed = number * n_clusters + cluster, -apart
    found = [_rows(links.where[owner], *one) for one in (whole, parts, mixed)]
    n_columns = int(links.where.max(initial=-1)) + 1
    blocks = [sparse.csr_array((np.ones(len(c)), (r, c)), shape=(len(w), n_columns)) for r, c, w in found]
    return sparse.csr_array(sparse.vstack(blocks, format="csr")), np.concatenate([w for _, _, w in found])


def _rows(documents: Ints, key: Ints, count: Floats) -> tuple[Ints, Ints, Floats]:
    """Number the sets by their keys, and leave out those that count nothing."""
    used = count != 0
    _, first, row = np.unique(key[used], return_index=True, return_inverse=True)
    return row, documents[used], count[used][first]


def cosine_links(rows: sparse.csr_array, where: Ints) -> Links:
    """Linked rows of unit length; links apart cost what is left to the largest distance."""
    return _links(sparse.csr_array(rows[where]), MAX_DISTANCE)


def constant_links(where: Ints) -> Links:
    """Any two objects at distance 1, whichever way their link is broken."""
    return _links(sparse.csr_array(sparse.eye_array(len(where), format="csr")), 2.0)


def _links(y: sparse.csr_array, twice_most: float) -> Links:
    """No links yet, over the columns that occur."""
    used, indices = np.unique(y.indices, return_inverse=True)
    n = int(y.shape[0])
    owner = np.repeat(np.arange(n), np.diff(y.indptr))
    return replace(
        Links.of_pairs(sparse.csr_array((n, n))),
        y=y.data,
        s=0.5 * y.data,
        indices=indices.astype(np.int32),
        indptr=y.indptr.astype(np.int64),
        self_term=np.bincount(owner, weights=0.5 * y.data**2, minlength=n).astype(np.float64),
        n_columns=len(used),
        twice_d_max=twice_most,
    )


@dataclass(frozen=True, eq=False)
class MetricObjective:
    """Everything that the metric enters through: clusters and sets of documents, and pairs of them."""

    counts: sparse.csr_array
    idf: Floats
    clusters: sparse.csr_array
    broken: BrokenLinks
    stiffness: float
    kernels: Kernels

    def cost(self, metric: Floats) -> float:
        """What is minimised, up to a constant."""
        rows, own = self._rows(metric), self.broken
        total = -sum(float(np.sqrt((z**2).sum(axis=0)).sum()) for z, _, _ in _sums(self.clusters, rows))
        for z, first, last in _sums(own.sets, rows):
            total -= 0.5 * float((z**2).sum(axis=0) @ own.per_set[first:last])
        for products, first, last in _products(own, rows):
            total -= float(products.sum(axis=1) @ own.per_pair[first:last])
        return total + self.stiffness * negative_log_prior(metric)

    def slope(self, metric: Floats) -> Floats:
        """The derivative by log a.

        That of ‖z‖² of a set is z² less, for each of its rows x, x²·⟨x, z⟩; that of a product of two rows
        is their entries' product less half their cosine times the squares of each.
        """
        rows = self._rows(metric)
        found = self.stiffness * (metric**2 - 1.0)
        per_row = np.zeros(rows.shape[0])
        for z, first, last in _sums(self.clusters, rows):
            length = np.sqrt((z**2).sum(axis=0))
            self._add(
                self.clusters[first:last], z, -0.5 / np.where(length > 0, length, 1.0), rows, found, per_row
            )
        for z, first, last in _sums(self.broken.sets, rows):
            self._add(
                self.broken.sets[first:last], z, -0.5 * self.broken.per_set[first:last], rows, found, per_row
            )
        for products, first, last in _products(self.broken, rows):
            counted = self.broken.per_pair[first:last]
            found -= products.T @ counted
            half = 0.5 * counted * products.sum(axis=1)
            for side in (self.broken.left, self.broken.right):
                np.subtract.at(per_row, side[first:last], half)
        return np.asarray(found - rows.multiply(rows).T @ per_row)

    def _add(
        self, sets: sparse.csr_array, z: Floats, factor: Floats, rows: Any, found: Floats, per_row: Floats
    ) -> None:
        """Add what some sets contribute, by words and by the rows that are in them."""
        found += z**2 @ factor
        met = self.kernels.product(SparseRows.of(rows), z)
        per_row[: sets.shape[1]] += sets.T.multiply(met[: sets.shape[1]] * factor).sum(axis=1)

    def _rows(self, metric: Floats) -> sparse.csr_array:
        return tfidf(self.counts, self.idf * np.sqrt(metric))


def negative_log_prior(metric: Floats) -> float:
    """Minus the logarithm of the prior, 0 where all weights are 1."""
    return float((0.5 * metric**2 - np.log(metric) - 0.5).sum())


def step_metric(sums: MetricObjective, metric: Floats) -> Floats:
    """One step down the slope, halved until it lowers the cost; the same metric where none does."""
    slope = sums.slope(metric)
    steepest = float(np.abs(slope).max(initial=0.0))
    if steepest == 0.0:
        return metric
    before, length = sums.cost(metric), MAX_STEP / steepest
    for _ in range(HALVINGS):
        candidate = metric * np.exp(-length * slope)
        if sums.cost(candidate) < before:
            return np.asarray(candidate)
        length /= 2.0
    return metric


def cluster_indicator(labels: NDArray[np.int32], n_clusters: int) -> sparse.csr_array:
    """Clusters × documents."""
    return sparse.csr_array(one_hot(labels, n_clusters).T.tocsr())


def _sums(sets: sparse.csr_array, rows: sparse.csr_array) -> Iterator[tuple[Floats, int, int]]:
    """The sums of the rows in some sets at a time, words × sets, and which sets these are."""
    for first in range(0, sets.shape[0], SET_BLOCK):
        last = min(first + SET_BLOCK, sets.shape[0])
        summed = sets[first:last] @ rows[: sets.shape[1]]
        yield np.ascontiguousarray(summed.toarray().T), first, last


def _products(broken: BrokenLinks, rows: sparse.csr_array) -> Iterator[tuple[sparse.csr_array, int, int]]:
    """The products of the entries of some pairs at a time, pairs × words, and which pairs these are."""
    for first in range(0, len(broken.left), PAIR_BLOCK):
        last = min(first + PAIR_BLOCK, len(broken.left))
        both = (rows[side[first:last]] for side in (broken.left, broken.right))
        yield sparse.csr_array(next(both).multiply(next(both))), first, last


def initialize_labels(
    problem: LinkedDocuments, view: MetricView, rng: np.random.Generator
) -> Iterator[Labels]:
    """Spherical k-means from centres made of ties, and from drawn ones; each also with ties as wholes.

    Links that name wrong pairs can tie nearly everything together, and the largest ties can be of one kind:
    then other starts are better.
    """
    known = seed_components(problem, view)
    for centres in [known] if known is None else [known, None]:
        plain = spherical_kmeans(problem.kernels, view.objects, problem.n_clusters, rng, centres)
        if view.links is None:
            yield plain
            return
        where = view.links.where
        # linked documents without words go where their links say, and wait in any cluster
        plain[where[plain[where] < 0]] = 0
        yield plain
        scores = view.cosines(problem.kernels, plain, problem.n_clusters)[where]
        tied = plain.copy()
        tied[where] = assign_components(view.links, scores, problem.kernels)
        yield tied


def seed_components(problem: LinkedDocuments, view: MetricView) -> Labels | None:
    """Sets of documents tied together, at most one for each cluster; None if none is large enough.

    The largest comes first; then, each time, the one whose size times its distance to the nearest of those
    before is greatest (weighted farthest first).
    """
    if view.links is None:
        return None
    component = problem.guidance[problem.network.centre].components()
    size = np.bincount(component).astype(np.float64)
    large = np.flatnonzero(size >= SEED_SIZE)
    if not len(large):
        return None
    means = _means(view, component, large)
    chosen = [int(size[large].argmax())]
    while len(chosen) < min(problem.n_clusters, len(large)):
        nearest = (means @ means[chosen].T).max(axis=1)
        merit = size[large] * (1.0 - nearest).clip(min=0.0)
        merit[chosen] = -1.0
        chosen.append(int(merit.argmax()))
    found = np.full(len(component), -1, dtype=np.int32)
    for cluster, at in enumerate(chosen):
        found[component == large[at]] = cluster
    return found


def _means(view: MetricView, component: NDArray[np.int64], large: NDArray[np.int64]) -> Floats:
    """The directions of some components, one in a row."""
    place = np.full(int(component.max()) + 1, -1)
    place[large] = np.arange(len(large))
    labels = place[component].astype(np.int32)
    return np.ascontiguousarray(view.objects.means(labels, len(large)).T)


def total_strength(guidance: Guidance) -> float:
    """The strengths of all links, listed and implied, together and apart."""
    return float(guidance.pairs.strength.sum()) + sum(_implied(links) for links in guidance.groups)


def _implied(links: GroupLinks) -> float:
    """Pairs within groups and across them; a pair of memberships of one object counts as none."""
    within = float(_pairs(np.bincount(links.group)).sum())
    own = float(_pairs(np.bincount(links.member)).sum())
    across = float(_pairs(np.array([len(links)])).sum()) - within - own
    return links.together * within + links.apart * across


def _pairs(sizes: NDArray[np.int64]) -> NDArray[np.float64]:
    n = sizes.astype(np.float64)
    return np.asarray(n * (n - 1.0) / 2.0)
