"""K-means with links: HMRF k-means and PCK-means (docs: ckmeans).

    min Σ_d (1 − cos_A(x_d, μ_k(d))) + w·Σ_{broken links} s·cost + ρ·Σ_v (½a_v² − log a_v − ½)   (eq. 1)

The metric is a weight a_v for every word. It is learned for fixed labels (`link_metric`).
"""

from __future__ import annotations

from collections import deque
from dataclasses import dataclass, field, replace
from functools import cached_property, partial
from typing import TYPE_CHECKING, Any, ClassVar

import numpy as np
from scipy import sparse

from colligate._array import one_hot
from colligate._storage.array_schema import INTEGERS, ArraySpec
from colligate.kernels import Links, SparseRows
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
from colligate.methods.link_metric import (
    MetricObjective,
    collect_broken_links,
    negative_log_prior,
    step_metric,
)
from colligate.methods.loop import Problem, State
from colligate.methods.sizes import SizeBounds, assign_within_bounds, match_labels_to_groups
from colligate.methods.spherical import Directions, inverse_document_frequency, spherical_kmeans, tfidf

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from numpy.typing import NDArray

    from colligate._storage.array_schema import ArraySchema
    from colligate.kernels import Kernels
    from colligate.knowledge import GroupLinks, Guidance
    from colligate.methods.information.links import TypeLinks
    from colligate.methods.loop import Labels
    from colligate.methods.parameters import Domain
    from colligate.network import Network

    Floats = NDArray[np.float64]
    Ints = NDArray[np.int64]

# ICM rounds in a label update; it nearly always ends earlier
ICM_ROUNDS = 30
# the distance 1 − cos of documents that share no word
MAX_DISTANCE = 1.0
# fewer documents make a worse centre than one drawn by k-means++
SEED_SIZE = 5


class CKMeans(Method):
    """K-means guided by links and labels on documents, with a metric that is learned from them.

    min Σ_d (1 − cos_A(x_d, μ_k(d))) + w·Σ_{broken links} s·cost − ρ·log Pr(A)

    x_d is a document's tf-idf row, k(d) its cluster, μ_k the direction of cluster k, cos_A the cosine with a
    weight for every word, w is `link_weight` and s the strength of a link. In the form `hmrf`, a together
    link (must-link) costs 1 − cos_A of its documents when they are split, an apart link (cannot-link) cos_A
    when they are joined, and the weights are learned if there are links (Basu, Bilenko and Mooney 2004). Pr
    is a Rayleigh prior, and ρ is `stiffness` times one plus the mean strength of a document's links. In the
    form `pck`, any broken link costs 1 and all weights are 1 (Basu, Banerjee and Mooney 2004). Equal labels
    are links together, different labels links apart, implied and never listed. Bounds on the sizes of groups
    hold in every iteration.

    Parameters
    ----------
    n_clusters, n_init, max_iter, tol, random_state, n_jobs, device
        As in `itcc`.
    form : {"hmrf", "pck"}
        See above.
    link_weight : float
        w: the cost of a broken link relative to the distance of a document to its centre.
    stiffness : float
        How strongly the weights of words are held at 1.
    reading : {"objective", "printed"}
        `printed`, as in the co-clustering paper: term frequencies and w = `link_weight`/√M.

    Attributes
    ----------
    labels_, history_, n_iter_, result_
        As in `Estimator`.
    """

    name: ClassVar[str] = "ckmeans"
    family: ClassVar[str] = "baselines"
    paper: ClassVar[str] = "Basu, Bilenko, Mooney 2004; Basu, Banerjee, Mooney 2004"
    takes: ClassVar[tuple[str, ...]] = ("links:documents", "labels:documents", "sizes:documents")
    model_schema: ClassVar[ArraySchema] = {
        "centres": ArraySpec(("groups", "columns")),
        "idf": ArraySpec(("columns",)),
        "undamped": ArraySpec((), INTEGERS, optional=True),
    }
    state_schema: ClassVar[ArraySchema] = {
        "metric": ArraySpec(("columns",), least=0.0),
        "order": ArraySpec(("ordered",), INTEGERS, least=0, below="documents"),
    }
    domains: ClassVar[Mapping[str, Domain]] = {
        **Method.domains,
        "form": parameters.Choice(("hmrf", "pck")),
        "link_weight": parameters.Real(0.0),
        "stiffness": parameters.Real(0.0),
        "reading": parameters.READING,
    }

    form: str
    link_weight: float
    stiffness: float
    reading: str

    def __init__(
        self,
        n_clusters: int = 8,
        *,
        form: str = "hmrf",
        link_weight: float = 1.0,
        stiffness: float = 1.0,
        reading: str = "objective",
        n_init: int = 5,
        max_iter: int = 100,
        tol: float = 1e-6,
        random_state: Any = None,
        n_jobs: int | None = None,
        device: str = "auto",
    ) -> None:
        self._store_parameters(locals())

    def problem(self, network: Network, guidance: Mapping[str, Guidance]) -> LinkedDocuments:
        """Weigh the counts."""
        kernels, sizes = self.back_end(network), self.n_clusters_by_type(network)
        counts, learns = network.counts, self.form == "hmrf"
        idf, w = inverse_document_frequency(counts), self.link_weight
        undamped = self.reading == parameters.PRINTED
        if undamped:
            counts, idf, w = _scale_counts(counts), np.ones_like(idf), float(w / np.sqrt(counts.shape[0]))
        return LinkedDocuments(
            network, kernels, sizes, guidance, counts, idf, w, learns, self.stiffness, undamped
        )

    def start(self, problem: LinkedDocuments, rng: np.random.Generator) -> State:
        """Return the start that is best after one update, of those with and without components as wholes."""
        a = np.ones(problem.network.counts.shape[1])
        view = problem.view(a)
        order = np.zeros(0, dtype=np.int64) if view.links is None else view.links.order(rng)
        starts = [
            State({problem.network.centre: labels}, {"metric": a, "order": order})
            for labels in initialize_labels(problem, view, rng)
        ]
        states = [self._within_bounds(problem, state) for state in starts]
        if len(states) == 1:
            return states[0]
        return min(states, key=lambda state: self.objective(problem, _update_labels(problem, state)))

    def sweep(self, problem: LinkedDocuments, state: State) -> State:
        """Move the documents, then take a step of the metric; the centres follow from both."""
        moved = self._within_bounds(problem, _update_labels(problem, state))
        if _has_bounds(problem) and self.objective(problem, moved) > self.objective(problem, state):
            # moves within bounds are made one by one against links, so they may cost more together
            return State(state.labels, state.numbers, settled=True)
        state = moved
        view = problem.view(state.numbers["metric"])
        if view.links is None or not problem.learns:
            return state
        labels = state.labels[problem.network.centre]
        a = step_metric(make_metric_objective(problem, view, labels), view.a)
        return State(state.labels, {**state.numbers, "metric": a})

    def objective(self, problem: LinkedDocuments, state: State) -> float:
        """Compute eq. 1."""
        a, labels = state.numbers["metric"], state.labels[problem.network.centre]
        cost = problem.view(a).cost(problem.kernels, labels, problem.n_clusters)
        return cost + problem.rho * negative_log_prior(a)

    def misfits(self, problem: LinkedDocuments, state: State, kind: str) -> NDArray[np.int64]:
        """Return documents by their distance to their centre, the farthest first; those with links last."""
        # any move to fill a cluster could break a bound
        if _has_bounds(problem):
            return np.zeros(0, dtype=np.int64)
        view, labels = problem.view(state.numbers["metric"]), state.labels[kind]
        placed = np.flatnonzero(labels >= 0)
        cosine = view.cosines(problem.kernels, labels, problem.n_clusters)[placed, labels[placed]]
        linked = np.isin(placed, [] if view.links is None else view.links.where)
        return placed[np.lexsort((cosine, linked))]

    def named_groups(self, problem: LinkedDocuments, state: State) -> dict[str, int]:
        """Return the group with most of the documents of each label."""
        centre = problem.network.centre
        return match_labels_to_groups(problem.guidance.get(centre), state.labels[centre], problem.n_clusters)

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
        """Return the cost of the broken links of each statement."""
        links = problem.view(state.numbers["metric"]).links
        labels = state.labels[problem.network.centre]
        if links is None:
            return np.zeros(n_statements)
        return statement_costs(links, labels[links.where], n_statements)

    def train_scores(self, problem: LinkedDocuments, state: State) -> dict[str, Floats]:
        """Return twice the cosines less the cost of links, sharpened as in `kmeans`."""
        view, labels = problem.view(state.numbers["metric"]), state.labels[problem.network.centre]
        scores = view.cosines(problem.kernels, labels, problem.n_clusters)
        if view.links is not None:
            where = view.links.where
            scores[where] -= costs_by_cluster(view.links, labels[where], problem.n_clusters)
        return {problem.network.centre: 2.0 * SHARPNESS * scores}

    def model(self, problem: LinkedDocuments, state: State) -> dict[str, NDArray[Any]]:
        """Return the directions of the clusters, and the idf times the root of the metric."""
        assert problem.idf is not None
        a = state.numbers["metric"]
        objects, labels = problem.view(a).objects, state.labels[problem.network.centre]
        centres = objects.means(labels, problem.n_clusters)
        # an empty cluster is as far from every document as possible
        farthest = -objects.means(np.zeros_like(labels), 1)
        model = {
            "centres": np.ascontiguousarray(np.where(centres.any(axis=0), centres, farthest).T),
            "idf": problem.idf * np.sqrt(a),
        }
        return {**model, "undamped": np.array(1)} if problem.undamped else model

    @staticmethod
    def predict_scores(model: Mapping[str, NDArray[Any]], matrix: Any) -> Floats:
        """See `train_scores`."""
        return KMeans.predict_scores(model, _scale_counts(matrix) if "undamped" in model else matrix)

    @staticmethod
    def evidence(
        model: Mapping[str, NDArray[Any]], columns: NDArray[np.int64], counts: NDArray[Any]
    ) -> Floats:
        """Return twice the products of the document's entries and the centres', sharpened."""
        scaled = counts / max(counts.max(initial=1.0), 1.0) if "undamped" in model else counts
        return KMeans.evidence(model, columns, scaled)


def _scale_counts(counts: Any) -> sparse.csr_array:
    """Divide by the largest count: entries of at most 1 are weights, which tf-idf takes as they are."""
    return sparse.csr_array(counts / max(counts.data.max(initial=1.0), 1.0))


def _has_bounds(problem: LinkedDocuments) -> bool:
    guidance = problem.guidance.get(problem.network.centre)
    return guidance is not None and guidance.of_kind(GroupSizes) is not None


def _update_labels(problem: LinkedDocuments, state: State) -> State:
    """Move documents to the nearest centre; those with links where distance and links cost least."""
    centre, n_clusters = problem.network.centre, problem.n_clusters
    view, labels = problem.view(state.numbers["metric"]), state.labels[centre]
    cosines = view.cosines(problem.kernels, labels, n_clusters)
    placed = np.flatnonzero(labels >= 0)
    best = cosines[placed].argmax(axis=1)
    # a tie keeps the present cluster, so that equal documents do not wander
    nearer = cosines[placed, best] > cosines[placed, labels[placed]]
    updated = labels.copy()
    updated[placed[nearer]] = best[nearer]
    if view.links is not None:
        where = view.links.where
        distance = 1.0 - cosines[where]
        # from the present labels: ICM moves to cheaper clusters only, so the objective cannot rise
        updated[where] = view.links.run_icm(labels[where], distance, state.numbers["order"], ICM_ROUNDS)
    return state.with_labels(centre, updated)


@dataclass(frozen=True, eq=False)
class MetricView:
    """The documents under one metric a: rows of unit length, and their links."""

    a: Floats
    rows: sparse.csr_array
    links: TypeLinks | None

    @property
    def objects(self) -> Directions:
        """The rows as directions."""
        return Directions(self.rows, np.diff(self.rows.indptr) > 0)

    def cosines(self, kernels: Kernels, labels: Labels, n_clusters: int) -> Floats:
        """Return cos_A of documents and cluster directions; 0 for an empty cluster."""
        return kernels.product(SparseRows.of(self.rows), self.objects.means(labels, n_clusters))

    def cost(self, kernels: Kernels, labels: Labels, n_clusters: int) -> float:
        """Return Σ_d (1 − cos_A) to the own cluster, and the cost of the broken links."""
        cosines = self.cosines(kernels, labels, n_clusters)
        placed = np.flatnonzero(labels >= 0)
        spread = float((1.0 - cosines[placed, labels[placed]]).sum())
        return spread if self.links is None else spread + link_cost(self.links, labels[self.links.where])


@dataclass(frozen=True, eq=False)
class LinkedDocuments(Problem):
    """A problem with counts, the idf, w, whether the metric is learned, and the last two views.

    `undamped`: the counts are scaled, so that no logarithm of them is taken.
    """

    counts: Any = None
    idf: Floats | None = None
    w: float = 1.0
    learns: bool = True
    stiffness: float = 1.0
    undamped: bool = False
    _views: deque[MetricView] = field(default_factory=lambda: deque(maxlen=2), repr=False)

    @property
    def n_clusters(self) -> int:
        """The number of clusters."""
        return self.n_clusters_by_type[self.network.centre]

    @cached_property
    def rho(self) -> float:
        """ρ: the stiffness times 1 + w·Σs/M, so that many links do not loosen what few would hold."""
        guidance = self.guidance.get(self.network.centre)
        strength = 0.0 if guidance is None else total_strength(guidance.with_groups(guidance.label_groups()))
        return self.stiffness * (1.0 + self.w * strength / self.network.counts.shape[0])

    def view(self, a: NDArray[Any]) -> MetricView:
        """Return the documents under a metric; the last two views are cached."""
        for cached in self._views:
            if np.array_equal(cached.a, a):
                return cached
        assert self.idf is not None
        # times √a, so that a product of two rows has the weight a
        rows = tfidf(self.counts, self.idf * np.sqrt(a))
        view = MetricView(a, rows, self._compile_links(rows))
        self._views.append(view)
        return view

    def _compile_links(self, rows: sparse.csr_array) -> TypeLinks | None:
        centre = self.network.centre
        guidance = self.guidance.get(centre)
        if guidance is None:
            return None
        make_objects = partial(cosine_links, rows) if self.learns else constant_links
        linked = guidance.with_groups(guidance.label_groups())
        return compile_row_links(centre, rows, linked, self.w, self.kernels, make_objects)


def total_strength(guidance: Guidance) -> float:
    """Return the sum of the strengths of all links, listed and implied, together and apart."""
    return float(guidance.pairs.strength.sum()) + sum(_implied_strength(g) for g in guidance.groups)


def _implied_strength(links: GroupLinks) -> float:
    """Sum over pairs within groups and across them; two memberships of one object are no pair."""

    def n_pairs(sizes: Ints) -> float:
        n = sizes.astype(np.float64)
        return float((n * (n - 1.0) / 2.0).sum())

    within, same_object = n_pairs(np.bincount(links.group)), n_pairs(np.bincount(links.member))
    across = n_pairs(np.array([len(links)])) - within - same_object
    return links.together * within + links.apart * across


def cosine_links(rows: sparse.csr_array, where: Ints) -> Links:
    """Return linked unit rows at divergence 1 − cos: y = x and s = x/2 in ⟨y_i − y_j, s_i − s_j⟩."""
    # a link apart then costs 1 − (1 − cos) = cos
    return _make_objects(sparse.csr_array(rows[where]), MAX_DISTANCE)


def constant_links(where: Ints) -> Links:
    """Return objects at divergence 1 from each other, whichever way their link is broken."""
    # different unit vectors have divergence 1, and a link apart costs 2 − 1
    return _make_objects(sparse.csr_array(sparse.eye_array(len(where), format="csr")), 2.0)


def _make_objects(y: sparse.csr_array, twice_d_max: float) -> Links:
    """Return objects without links over the columns that occur."""
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
        twice_d_max=twice_d_max,
    )


def make_metric_objective(problem: LinkedDocuments, view: MetricView, labels: Labels) -> MetricObjective:
    """Return the objective of the metric for fixed labels."""
    assert problem.idf is not None
    assert view.links is not None
    strengths = problem.guidance[problem.network.centre].pairs.strength
    broken = collect_broken_links(view.links, labels[view.links.where], problem.w, strengths)
    clusters = sparse.csr_array(one_hot(labels, problem.n_clusters).T.tocsr())
    counts, kernels = problem.counts, problem.kernels
    return MetricObjective(counts, problem.idf, clusters, broken, problem.rho, kernels)


def initialize_labels(
    problem: LinkedDocuments, view: MetricView, rng: np.random.Generator
) -> Iterator[Labels]:
    """Yield labels from components as centres and from drawn centres, each also with whole components.

    Wrong links can join nearly all documents, and the largest components can be of one class: then other
    starts are better.
    """
    seeds = seed_components(problem, view)
    for centres in [seeds] if seeds is None else [seeds, None]:
        labels = spherical_kmeans(problem.kernels, view.objects, problem.n_clusters, rng, centres)
        if view.links is None:
            yield labels
            return
        where = view.links.where
        # linked documents without words go where their links pull them, and wait in any cluster
        labels[where[labels[where] < 0]] = 0
        yield labels
        scores = view.cosines(problem.kernels, labels, problem.n_clusters)[where]
        wholes = labels.copy()
        wholes[where] = assign_components(view.links, scores, problem.kernels)
        yield wholes


def seed_components(problem: LinkedDocuments, view: MetricView) -> Labels | None:
    """Return large components as seeds, at most one per cluster; None if none is large enough.

    The largest comes first, then each time the one with the largest product of its size and its distance to
    the nearest of those before (weighted farthest first).
    """
    if view.links is None:
        return None
    component = problem.guidance[problem.network.centre].components()
    size = np.bincount(component).astype(np.float64)
    large = np.flatnonzero(size >= SEED_SIZE)
    if not len(large):
        return None
    means = _component_directions(view, component, large)
    chosen = [int(size[large].argmax())]
    while len(chosen) < min(problem.n_clusters, len(large)):
        nearest = (means @ means[chosen].T).max(axis=1)
        merit = size[large] * (1.0 - nearest).clip(min=0.0)
        # below every merit, so that no component is chosen twice
        merit[chosen] = -1.0
        chosen.append(int(merit.argmax()))
    seeds = np.full(len(component), -1, dtype=np.int32)
    for cluster, number in enumerate(chosen):
        seeds[component == large[number]] = cluster
    return seeds


def _component_directions(view: MetricView, component: Ints, large: Ints) -> Floats:
    """Return the directions of the large components as rows."""
    number = np.full(int(component.max()) + 1, -1)
    number[large] = np.arange(len(large))
    labels = number[component].astype(np.int32)
    return np.ascontiguousarray(view.objects.means(labels, len(large)).T)
