"""Euclidean co-clustering."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, ClassVar

import numpy as np
from scipy.sparse import csr_array

from colligate.kernels import SparseRows, make_kernels
from colligate.methods import parameters
from colligate.methods.base import Method
from colligate.methods.kmeans import SHARPNESS, KMeans
from colligate.methods.loop import Problem, State
from colligate.methods.schema import count_clusters
from colligate.methods.spherical import (
    inverse_document_frequency,
    make_tfidf_directions,
    spherical_kmeans,
    tfidf,
)

if TYPE_CHECKING:
    from collections.abc import Mapping

    from numpy.typing import NDArray

    from colligate.knowledge import Guidance
    from colligate.methods.loop import Labels
    from colligate.methods.parameters import Domain
    from colligate.network import Network

    Floats = NDArray[np.float64]

WORDS_PER_CLUSTER = 2


@dataclass(frozen=True, eq=False)
class _Sides(Problem):
    """Adds the tf-idf entries by documents and by words, and the squared norm of every object."""

    idf: Floats | None = None
    matrices: tuple[csr_array, ...] = ()
    squares: tuple[Floats, ...] = ()

    @property
    def kinds(self) -> tuple[str, str]:
        """The centre and its terms."""
        return self.network.centre, str(self.network.terms)


class ECC(Method):
    """Euclidean co-clustering: documents and words in hard groups, no knowledge.

    min ‖X − R·M·Cᵀ‖²

    X holds the tf-idf rows of the documents, R and C say by 0 and 1 in which group each document and each
    word is, and M are the means of the blocks. Rows are moved while columns stay, then columns; neither can
    raise the sum of squared residues. Cho, Dhillon, Guan and Sra (2004), their first basis; a baseline of the
    word-space paper.

    Parameters
    ----------
    n_clusters, n_init, max_iter, tol, random_state, n_jobs
        As in `itcc`.
    n_word_clusters : int or None
        Number of word clusters; None means max(16, 2·n_clusters).
    """

    name: ClassVar[str] = "ecc"
    family: ClassVar[str] = "baselines"
    paper: ClassVar[str] = "Cho, Dhillon, Guan, Sra 2004"
    domains: ClassVar[Mapping[str, Domain]] = {
        **Method.domains,
        "n_word_clusters": parameters.Integer(1, none=True),
    }
    predict_scores = staticmethod(KMeans.predict_scores)
    evidence = staticmethod(KMeans.evidence)

    def __init__(
        self,
        n_clusters: int = 8,
        *,
        n_word_clusters: int | None = None,
        n_init: int = 5,
        max_iter: int = 100,
        tol: float = 1e-6,
        random_state: Any = None,
        n_jobs: int | None = None,
    ) -> None:
        self.n_clusters = n_clusters
        self.n_word_clusters = n_word_clusters
        self.n_init = n_init
        self.max_iter = max_iter
        self.tol = tol
        self.random_state = random_state
        self.n_jobs = n_jobs

    def sizes(self, network: Network) -> dict[str, int]:
        """See `methods.schema`."""
        return count_clusters(network, self.n_clusters, self.n_word_clusters, None, WORDS_PER_CLUSTER)

    def problem(self, network: Network, guidance: Mapping[str, Guidance]) -> _Sides:
        """Weigh the counts, and lay them out both ways."""
        idf = inverse_document_frequency(network.counts)
        rows = tfidf(network.counts, idf)
        both = (rows, csr_array(rows.T.tocsr()))
        squares = tuple(np.asarray(side.multiply(side).sum(axis=1)).ravel() for side in both)
        fast = make_kernels("fast", self.n_jobs)
        return _Sides(network, fast, self.sizes(network), guidance, idf, both, squares)

    def start(self, problem: _Sides, rng: np.random.Generator) -> State:
        """Spherical k-means++ on either side."""
        sides = zip(problem.kinds, make_tfidf_directions(problem.network.counts), strict=True)
        return State(
            {kind: spherical_kmeans(problem.kernels, own, problem.sizes[kind], rng) for kind, own in sides}
        )

    def sweep(self, problem: _Sides, state: State) -> State:
        """Move documents, then words, to the group that leaves least of them."""
        for kind in problem.kinds:
            state = state.with_labels(kind, _moved(problem, state, kind))
        return state

    def objective(self, problem: _Sides, state: State) -> float:
        """‖X‖² less what the means of the blocks hold of it."""
        means, sizes = _blocks(problem, state)
        return float(problem.squares[0].sum() - (np.square(means) * np.outer(*sizes)).sum())

    def misfits(self, problem: _Sides, state: State, kind: str) -> NDArray[np.int64]:
        """Objects by what their group leaves of them, most first."""
        labels = state.labels[kind]
        placed = np.flatnonzero(labels >= 0)
        left = _left(problem, state, kind)[placed, labels[placed]]
        return placed[np.argsort(-left, kind="stable")]

    def train_scores(self, problem: _Sides, state: State) -> dict[str, Floats]:
        """Minus what each group would leave of an object, as a share of it, sharpened."""
        found = {}
        for kind, squares in zip(problem.kinds, problem.squares, strict=True):
            share = np.where(squares > 0, squares, 1.0)[:, None]
            found[kind] = -SHARPNESS * _left(problem, state, kind) / share
        return found

    def association(self, problem: _Sides, state: State) -> dict[str, Floats]:
        """The mass of the blocks."""
        means, sizes = _blocks(problem, state)
        mass = means * np.outer(*sizes)
        (relation,) = problem.network.relations
        mass = mass if relation.rows == problem.network.centre else mass.T
        return {relation.name: mass / max(float(mass.sum()), 1e-300)}

    def model(self, problem: _Sides, state: State) -> dict[str, NDArray[Any]]:
        """The mean of its block for every group and word, and the idf."""
        assert problem.idf is not None
        means, _ = _blocks(problem, state)
        words = state.labels[problem.kinds[1]]
        return {"centres": np.where(words >= 0, means[:, np.maximum(words, 0)], 0.0), "idf": problem.idf}


def _blocks(problem: _Sides, state: State) -> tuple[Floats, tuple[Floats, Floats]]:
    """The mean of every block, and the sizes of the groups on either side."""
    rows, columns = (state.labels[kind] for kind in problem.kinds)
    n_rows, n_columns = (problem.sizes[kind] for kind in problem.kinds)
    sums = problem.kernels.block_sums(SparseRows.of(problem.matrices[0]), rows, columns, n_rows, n_columns)
    sizes = (_sizes(rows, n_rows), _sizes(columns, n_columns))
    return sums / np.maximum(np.outer(*sizes), 1.0), sizes


def _sizes(labels: Labels, n_groups: int) -> Floats:
    return np.bincount(labels[labels >= 0], minlength=n_groups).astype(np.float64)


def _left(problem: _Sides, state: State, kind: str) -> Floats:
    """Objects × groups: ‖x‖² − 2·⟨x, m⟩ + ‖m‖², with m the means of the group over the other side."""
    side = problem.kinds.index(kind)
    other = problem.kinds[1 - side]
    means, sizes = _blocks(problem, state)
    table = means.T if side == 0 else means
    met = problem.kernels.score_rows(
        SparseRows.of(problem.matrices[side]), state.labels[other], np.ascontiguousarray(table)
    )
    squares = sizes[1 - side] @ np.square(table)
    return np.asarray(problem.squares[side][:, None] - 2.0 * met + squares)


def _moved(problem: _Sides, state: State, kind: str) -> Labels:
    """Every object with the group that leaves least of it; where none leaves less, its own."""
    labels, left = state.labels[kind], _left(problem, state, kind)
    placed = np.flatnonzero(labels >= 0)
    best = left[placed].argmin(axis=1)
    less = left[placed, best] < left[placed, labels[placed]]
    found = labels.copy()
    found[placed[less]] = best[less]
    return found
