"""K-means with links: HMRF k-means and PCK-means."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, ClassVar

import numpy as np

from colligate.kernels import make_kernels
from colligate.methods import parameters
from colligate.methods.base import Method
from colligate.methods.constrained.pckmeans import (
    LinkedDocuments,
    MetricObjective,
    cluster_indicator,
    collect_broken_links,
    initialize_labels,
    negative_log_prior,
    step_metric,
)
from colligate.methods.information.links import costs_by_cluster, statement_costs
from colligate.methods.kmeans import SHARPNESS, KMeans
from colligate.methods.loop import State
from colligate.methods.spherical import inverse_document_frequency

if TYPE_CHECKING:
    from collections.abc import Mapping

    from numpy.typing import NDArray

    from colligate.knowledge import Guidance
    from colligate.methods.constrained.pckmeans import MetricView
    from colligate.methods.loop import Labels
    from colligate.methods.parameters import Domain
    from colligate.network import Network

    Floats = NDArray[np.float64]

ICM_ROUNDS = 30


class CKMeans(Method):
    """K-means guided by links and labels on documents, with a metric that is learned from them.

    min Σ_d (1 − cos_A(x_d, μ_k(d))) + link_weight·(Σ s·cost of broken links) − ρ·log Pr(A)

    x_d is a document's tf-idf row, μ_k the direction of cluster k, cos_A the cosine with a weight for every
    word, s the strength of a link. In the form `hmrf` a link together costs 1 − cos_A of its documents when
    they are split, one apart cos_A when they are joined, and the weights are learned where there are links
    (Basu, Bilenko and Mooney 2004; Pr is a Rayleigh prior, ρ is `stiffness` times one more than the
    mean strength of a document's links). In the form `pck` any broken link costs 1 and
    all weights are 1 (Basu, Banerjee and Mooney 2004). Equal labels are links together, different ones links
    apart, implied and never listed.

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
    takes: ClassVar[tuple[str, ...]] = ("links:documents", "labels:documents")
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
            State({problem.network.centre: labels}, {"metric": metric, "order": order})
            for labels in initialize_labels(problem, view, rng)
        ]
        if len(states) == 1:
            return states[0]
        return min(states, key=lambda state: self.objective(problem, _updated(problem, state)))

    def sweep(self, problem: LinkedDocuments, state: State) -> State:
        """Move the documents, then learn the metric; the centres follow from both."""
        state = _updated(problem, state)
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
        placed = np.flatnonzero(labels >= 0)
        near = view.cosines(problem.kernels, labels, problem.n_clusters)[placed, labels[placed]]
        linked = np.isin(placed, [] if view.links is None else view.links.where)
        return placed[np.lexsort((near, linked))]

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
