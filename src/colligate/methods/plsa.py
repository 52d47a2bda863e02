"""Probabilistic latent semantic analysis."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, ClassVar

import numpy as np
from scipy.sparse import csr_array

from colligate.kernels import make_kernels
from colligate.methods import parameters
from colligate.methods.base import Method
from colligate.methods.graph_clustering import Topics
from colligate.methods.loop import Problem, State
from colligate.methods.spherical import (
    draw_labels,
    inverse_document_frequency,
    make_latent_directions,
    spherical_kmeans,
    tfidf,
)

if TYPE_CHECKING:
    from collections.abc import Mapping

    from numpy.typing import NDArray

    from colligate.knowledge import Guidance
    from colligate.methods.parameters import Domain
    from colligate.methods.spherical import Directions
    from colligate.network import Network

    Floats = NDArray[np.float64]

# how much of a document starts outside its group: a share of zero would stay zero
LABEL_SMOOTHING = 0.2
STEPS_PER_SWEEP = 10
# new documents hold words that a topic has not seen
SMOOTHING = 1e-2


@dataclass(frozen=True, eq=False)
class _Latent(Problem):
    """Adds the weighed entries, and the documents in the leading directions of tf-idf, for starts."""

    weights: Floats | None = None
    entries: csr_array | None = None
    latent: Directions | None = None


class PLSA(Method):
    """Probabilistic latent semantic analysis: documents alone, no knowledge.

    min −1/N · Σ_d Σ_w n(d,w)·log Σ_k p(k|d)·p(w|k)

    n(d,w) is the tf-idf of a word in a document, or its count, and N their sum. EM on the entries that are
    there (Hofmann, 1999); the group of a document is its largest p(k|d).

    Parameters
    ----------
    weighting : {"tfidf", "counts"}
        Whether n(d,w) is tf-idf at unit rows, so that no document outweighs others, or the entries as they
        are.
    init : {"auto", "random"}
        Where documents start: from spherical k-means in the leading directions of tf-idf, or at random.
    n_clusters, n_init, max_iter, tol, random_state, n_jobs
        As in `itcc`; a sweep is ten steps of EM.
    """

    name: ClassVar[str] = "plsa"
    family: ClassVar[str] = "baselines"
    paper: ClassVar[str] = "Hofmann 1999; baseline of Zhang, Wang, Si 2011"
    domains: ClassVar[Mapping[str, Domain]] = {
        **Method.domains,
        "weighting": parameters.Choice(("tfidf", "counts")),
        "init": parameters.Choice(("auto", "random")),
    }

    def __init__(
        self,
        n_clusters: int = 8,
        *,
        weighting: str = "tfidf",
        init: str = "auto",
        n_init: int = 3,
        max_iter: int = 100,
        tol: float = 1e-4,
        random_state: Any = None,
        n_jobs: int | None = None,
    ) -> None:
        self.n_clusters = n_clusters
        self.weighting = weighting
        self.init = init
        self.n_init = n_init
        self.max_iter = max_iter
        self.tol = tol
        self.random_state = random_state
        self.n_jobs = n_jobs

    def problem(self, network: Network, guidance: Mapping[str, Guidance]) -> _Latent:
        """Weigh the entries and find the directions of the documents."""
        counts, tfidf_wanted = network.counts, self.weighting == "tfidf"
        latent = make_latent_directions(counts)[0] if self.init == "auto" else None
        # no weights stand for the entries as they are
        weights = inverse_document_frequency(counts) if tfidf_wanted else np.zeros(0)
        threads, sizes = make_kernels("fast", self.n_jobs), self.sizes(network)
        return _Latent(network, threads, sizes, guidance, weights, _weighed(counts, weights), latent)

    def start(self, problem: _Latent, rng: np.random.Generator) -> State:
        """Most of each document in one group, and the words of the groups."""
        assert problem.entries is not None
        counts, size = problem.network.counts, self.n_clusters
        if problem.latent is None:
            groups = draw_labels(counts, size, rng)
        else:
            groups = spherical_kmeans(problem.kernels, problem.latent, size, rng)
        shares = np.full((len(groups), size), LABEL_SMOOTHING / size)
        shares[np.arange(len(groups)), np.maximum(groups, 0)] += 1.0 - LABEL_SMOOTHING
        return _state(problem, Topics.of(problem.entries, shares))

    def sweep(self, problem: _Latent, state: State) -> State:
        """A few steps of EM."""
        assert problem.entries is not None
        topics = Topics(**state.numbers)
        for _ in range(STEPS_PER_SWEEP):
            topics = topics.improved(problem.entries)
        return _state(problem, topics)

    def objective(self, problem: _Latent, state: State) -> float:
        """Minus the mean log-likelihood of an occurrence."""
        assert problem.entries is not None
        return Topics(**state.numbers).surprise(problem.entries)

    def misfits(self, problem: _Latent, state: State, kind: str) -> NDArray[np.int64]:
        """Documents by their largest share, the smallest first."""
        filled = np.flatnonzero(np.diff(problem.network.counts.indptr))
        largest = state.numbers["shares"][filled].max(axis=1)
        return filled[np.argsort(largest, kind="stable")]

    def train_scores(self, problem: _Latent, state: State) -> dict[str, Floats]:
        """Log p(k|d), so that the memberships are p(k|d)."""
        return {problem.network.centre: np.log(np.maximum(state.numbers["shares"], 1e-300))}

    def model(self, problem: _Latent, state: State) -> dict[str, NDArray[Any]]:
        """Log p(w|k), with a little of p(w) in every group."""
        assert problem.entries is not None
        assert problem.weights is not None
        entries = problem.entries
        mass = np.bincount(entries.indices, weights=entries.data, minlength=entries.shape[1])
        smooth = (1.0 - SMOOTHING) * state.numbers["words"] + SMOOTHING * (mass / mass.sum())
        return {"log_words": np.log(np.maximum(smooth, 1e-300)).T, "weights": problem.weights}

    @staticmethod
    def predict_scores(model: Mapping[str, NDArray[Any]], matrix: Any) -> Floats:
        """The mean log-likelihood of a new document's words in each group, times ∛ of their number."""
        entries = _weighed(matrix, model["weights"])
        total = np.asarray(entries.sum(axis=1)).ravel()
        number = np.maximum(np.asarray(matrix.sum(axis=1, dtype=np.float64)).ravel(), 1.0)
        return np.asarray((entries @ model["log_words"]) * _worth(total, number)[:, None])

    @staticmethod
    def evidence(
        model: Mapping[str, NDArray[Any]], columns: NDArray[np.int64], counts: NDArray[Any]
    ) -> Floats:
        """Entries times log p(w|k), on the scale of `predict_scores`."""
        row = csr_array((counts, columns, [0, len(columns)]), shape=(1, len(model["log_words"])))
        entries = _weighed(row, model["weights"]).data
        number = np.maximum(counts.sum(dtype=np.float64), 1.0)
        return np.asarray(entries[:, None] * model["log_words"][columns] * _worth(entries.sum(), number))


def _weighed(counts: csr_array, weights: Floats) -> csr_array:
    return tfidf(counts, weights) if weights.size else counts.astype(np.float64)


def _worth(total: Any, number: Any) -> Floats:
    """Words of one document depend on each other, so that n of them are worth far fewer."""
    return np.asarray(np.cbrt(number) / np.maximum(total, 1e-300))


def _state(problem: _Latent, topics: Topics) -> State:
    filled = np.diff(problem.network.counts.indptr) > 0
    labels = np.where(filled, topics.shares.argmax(axis=1), -1).astype(np.int32)
    return State({problem.network.centre: labels}, dict(vars(topics)))
