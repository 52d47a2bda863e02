"""Probabilistic latent semantic analysis (docs: plsa)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, ClassVar

import numpy as np
from scipy.sparse import csr_array

from colligate._storage.array_schema import DOUBLES, ArraySpec
from colligate.methods import parameters
from colligate.methods.base import Method
from colligate.methods.loop import Problem, State
from colligate.methods.spherical import (
    draw_labels,
    inverse_document_frequency,
    make_latent_directions,
    spherical_kmeans,
    tfidf,
)

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from numpy.typing import NDArray

    from colligate._storage.array_schema import ArraySchema
    from colligate.knowledge import Guidance
    from colligate.methods.parameters import Domain
    from colligate.methods.spherical import Directions
    from colligate.network import Network

    Floats = NDArray[np.float64]

# the share of a document that starts outside its group: a p(k|d) of 0 would stay 0
LABEL_SMOOTHING = 0.2
# EM steps per sweep: one changes the objective too little to test for convergence
STEPS_PER_SWEEP = 10
# the share of p(w) in p(w|k) for new documents, which hold words a topic has not seen
PREDICT_SMOOTHING = 1e-2
# entries handled at a time
BLOCK = 1 << 18


@dataclass(frozen=True, eq=False)
class Topics:
    """p(k|d), documents × groups, as `shares`, and p(w|k), groups × words, as `words`; rows sum to 1."""

    shares: Floats
    words: Floats

    @classmethod
    def of(cls, entries: csr_array, shares: Floats) -> Topics:
        """Return the topics when documents have these shares."""
        return cls(shares, _normalise((entries.astype(np.float64).T @ shares).T))

    def step_em(self, entries: csr_array) -> Topics:
        """Take one step of EM (eqs. 2 and 3)."""
        ratio = csr_array(
            (entries.data / np.maximum(self._expected(entries), 1e-300), entries.indices, entries.indptr),
            shape=entries.shape,
        )
        # both tables are updated from the old ones, as EM requires
        shares = self.shares * np.asarray(ratio @ self.words.T)  # eq. 2
        words = self.words * np.asarray(ratio.T @ self.shares).T  # eq. 3
        # a document without words has no evidence and keeps its shares
        empty = np.diff(entries.indptr) == 0
        return Topics(np.where(empty[:, None], self.shares, _normalise(shares)), _normalise(words))

    def negative_log_likelihood(self, entries: csr_array) -> float:
        """Return eq. 1."""
        logs = np.log(np.maximum(self._expected(entries), 1e-300))
        return -float(entries.data @ logs) / float(entries.data.sum(dtype=np.float64))

    def _expected(self, entries: csr_array) -> Floats:
        """Return n̂(d,w) = Σ_k p(k|d)·p(w|k) of every entry."""
        # only where there are entries: all of documents × words would be dense
        by_word = np.ascontiguousarray(self.words.T)
        blocks = [
            np.einsum("ek,ek->e", self.shares[rows], by_word[columns]) for rows, columns in _blocks(entries)
        ]
        return np.concatenate([np.zeros(0), *blocks])


def _blocks(entries: csr_array) -> Iterator[tuple[NDArray[np.int64], NDArray[np.int32]]]:
    """Yield rows and columns of the entries, a block at a time."""
    rows = np.repeat(np.arange(entries.shape[0]), np.diff(entries.indptr))
    for start in range(0, len(rows), BLOCK):
        yield rows[start : start + BLOCK], entries.indices[start : start + BLOCK]


def _normalise(table: Floats) -> Floats:
    sums = table.sum(axis=1, keepdims=True)
    return np.asarray(np.where(sums > 0, table / np.where(sums > 0, sums, 1.0), 1.0 / table.shape[1]))


@dataclass(frozen=True, eq=False)
class _WeightedProblem(Problem):
    """A problem with the entries n(d,w), and the documents in the directions of tf-idf for starts."""

    idf: Floats | None = None
    entries: csr_array | None = None
    latent: Directions | None = None


class PLSA(Method):
    """Probabilistic latent semantic analysis: documents only, no knowledge.

    min −1/N · Σ_d Σ_w n(d,w)·log Σ_k p(k|d)·p(w|k)

    n(d,w) is the tf-idf of word w in document d, or its count, and N their sum; p(k|d) are the shares of the
    groups k in a document, p(w|k) the words of a group. EM on the nonzero entries (Hofmann, 1999); the group
    of a document is its largest p(k|d).

    Parameters
    ----------
    weighting : {"tfidf", "counts"}
        Whether n(d,w) is tf-idf at unit rows, so that no document outweighs others, or the count.
    init : {"auto", "random"}
        Where documents start: from spherical k-means in the leading directions of tf-idf, or at random.
    n_clusters, n_init, max_iter, tol, random_state, n_jobs, device
        As in `itcc`; a sweep is ten steps of EM.

    Attributes
    ----------
    labels_, history_, n_iter_, result_
        As in `Estimator`.
    """

    name: ClassVar[str] = "plsa"
    family: ClassVar[str] = "baselines"
    paper: ClassVar[str] = "Hofmann 1999; baseline of Zhang, Wang, Si 2011"
    model_schema: ClassVar[ArraySchema] = {
        "log_words": ArraySpec(("columns", "groups")),
        "weights": ArraySpec(("columns",), optional=True),
    }
    state_schema: ClassVar[ArraySchema] = {
        "shares": ArraySpec(("documents", "groups"), DOUBLES, least=0.0),
        "words": ArraySpec(("groups", "columns"), DOUBLES, least=0.0),
    }
    domains: ClassVar[Mapping[str, Domain]] = {
        **Method.domains,
        "weighting": parameters.Choice(("tfidf", "counts")),
        "init": parameters.Choice(("auto", "random")),
    }

    weighting: str
    init: str

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
        device: str = "auto",
    ) -> None:
        self._store_parameters(locals())

    def problem(self, network: Network, guidance: Mapping[str, Guidance]) -> _WeightedProblem:
        """Weigh the entries and find the directions of the documents."""
        counts = network.counts
        latent = make_latent_directions(counts)[0] if self.init == "auto" else None
        # an empty idf means that the entries are counts
        idf = inverse_document_frequency(counts) if self.weighting == "tfidf" else np.zeros(0)
        kernels, sizes = self.back_end(network), self.n_clusters_by_type(network)
        return _WeightedProblem(network, kernels, sizes, guidance, idf, _weigh(counts, idf), latent)

    def start(self, problem: _WeightedProblem, rng: np.random.Generator) -> State:
        """Put most of each document in one group, and take the words of the groups from that."""
        assert problem.entries is not None
        counts, size = problem.network.counts, self.n_clusters
        if problem.latent is None:
            groups = draw_labels(counts, size, rng)
        else:
            groups = spherical_kmeans(problem.kernels, problem.latent, size, rng)
        shares = np.full((len(groups), size), LABEL_SMOOTHING / size)
        shares[np.arange(len(groups)), np.maximum(groups, 0)] += 1.0 - LABEL_SMOOTHING
        return _make_state(problem, Topics.of(problem.entries, shares))

    def sweep(self, problem: _WeightedProblem, state: State) -> State:
        """Take ten steps of EM (eqs. 2 and 3)."""
        assert problem.entries is not None
        topics = Topics(**state.numbers)
        for _ in range(STEPS_PER_SWEEP):
            topics = topics.step_em(problem.entries)
        return _make_state(problem, topics)

    def objective(self, problem: _WeightedProblem, state: State) -> float:
        """Compute eq. 1."""
        assert problem.entries is not None
        return Topics(**state.numbers).negative_log_likelihood(problem.entries)

    def misfits(self, problem: _WeightedProblem, state: State, kind: str) -> NDArray[np.int64]:
        """Return documents by their largest share, the smallest first."""
        filled = np.flatnonzero(np.diff(problem.network.counts.indptr))
        largest = state.numbers["shares"][filled].max(axis=1)
        return filled[np.argsort(largest, kind="stable")]

    def train_scores(self, problem: _WeightedProblem, state: State) -> dict[str, Floats]:
        """Return log p(k|d), so that the memberships are p(k|d)."""
        return {problem.network.centre: np.log(np.maximum(state.numbers["shares"], 1e-300))}

    def model(self, problem: _WeightedProblem, state: State) -> dict[str, NDArray[Any]]:
        """Return log p(w|k), with a little of p(w) in every group, and the idf, unless counts have none."""
        assert problem.entries is not None
        assert problem.idf is not None
        entries = problem.entries
        mass = np.bincount(entries.indices, weights=entries.data, minlength=entries.shape[1])
        smooth = (1.0 - PREDICT_SMOOTHING) * state.numbers["words"] + PREDICT_SMOOTHING * (mass / mass.sum())
        model = {"log_words": np.log(np.maximum(smooth, 1e-300)).T}
        return {**model, "weights": problem.idf} if problem.idf.size else model

    @staticmethod
    def predict_scores(model: Mapping[str, NDArray[Any]], matrix: Any) -> Floats:
        """Return the mean log p(w|k) of a new document's words, times the cube root of their number."""
        entries = _weigh(matrix, model.get("weights"))
        total = np.asarray(entries.sum(axis=1)).ravel()
        n_words = np.maximum(np.asarray(matrix.sum(axis=1, dtype=np.float64)).ravel(), 1.0)
        return np.asarray((entries @ model["log_words"]) * _effective_length(total, n_words)[:, None])

    @staticmethod
    def evidence(
        model: Mapping[str, NDArray[Any]], columns: NDArray[np.int64], counts: NDArray[Any]
    ) -> Floats:
        """Return entries times log p(w|k), on the scale of `predict_scores`."""
        row = csr_array((counts, columns, [0, len(columns)]), shape=(1, len(model["log_words"])))
        entries = _weigh(row, model.get("weights")).data
        n_words = np.maximum(counts.sum(dtype=np.float64), 1.0)
        length = _effective_length(entries.sum(), n_words)
        return np.asarray(entries[:, None] * model["log_words"][columns] * length)


def _weigh(counts: csr_array, idf: Floats | None) -> csr_array:
    return counts.astype(np.float64) if idf is None or not idf.size else tfidf(counts, idf)


def _effective_length(total: Any, n_words: Any) -> Floats:
    """Return ∛n over the sum of entries: words of one document depend on each other."""
    return np.asarray(np.cbrt(n_words) / np.maximum(total, 1e-300))


def _make_state(problem: _WeightedProblem, topics: Topics) -> State:
    filled = np.diff(problem.network.counts.indptr) > 0
    labels = np.where(filled, topics.shares.argmax(axis=1), -1).astype(np.int32)
    return State({problem.network.centre: labels}, dict(vars(topics)))
