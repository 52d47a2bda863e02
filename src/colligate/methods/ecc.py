"""Euclidean co-clustering (docs: ecc)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, ClassVar

import numpy as np
from scipy.sparse import csr_array

from colligate._storage.array_schema import ArraySpec
from colligate.kernels import SparseRows
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

    from colligate._storage.array_schema import ArraySchema
    from colligate.knowledge import Guidance
    from colligate.methods.loop import Labels
    from colligate.methods.parameters import Domain
    from colligate.network import Network

    Floats = NDArray[np.float64]

# word groups per document group, as in the factorisations
WORDS_PER_CLUSTER = 2


@dataclass(frozen=True, eq=False)
class _BlockProblem(Problem):
    """A problem with X by documents and by words, and the squared norm of every object."""

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

    X has the tf-idf rows of the documents; R and C hold a 1 for the group of each document and each word, M
    the means of the blocks. Documents move while words stay, then words; neither can raise the sum of squared
    residues. Cho, Dhillon, Guan and Sra (2004), their first basis; a baseline of the word-space paper.

    Parameters
    ----------
    n_clusters, n_init, max_iter, tol, random_state, n_jobs, device
        As in `itcc`.
    n_word_clusters : int or None
        Number of word clusters; None means max(16, 2·n_clusters).

    Attributes
    ----------
    labels_, word_labels_, history_, n_iter_, result_
        As in `Estimator`.
    """

    name: ClassVar[str] = "ecc"
    family: ClassVar[str] = "baselines"
    paper: ClassVar[str] = "Cho, Dhillon, Guan, Sra 2004"
    model_schema: ClassVar[ArraySchema] = {
        "centres": ArraySpec(("groups", "columns")),
        "idf": ArraySpec(("columns",)),
    }
    domains: ClassVar[Mapping[str, Domain]] = {
        **Method.domains,
        "n_word_clusters": parameters.Integer(1, none=True),
    }
    predict_scores = staticmethod(KMeans.predict_scores)
    evidence = staticmethod(KMeans.evidence)

    n_word_clusters: int | None

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
        device: str = "auto",
    ) -> None:
        self._store_parameters(locals())

    def n_clusters_by_type(self, network: Network) -> dict[str, int]:
        """Return the number of clusters of each type; see `methods.schema`."""
        return count_clusters(network, self.n_clusters, self.n_word_clusters, None, WORDS_PER_CLUSTER)

    def problem(self, network: Network, guidance: Mapping[str, Guidance]) -> _BlockProblem:
        """Weigh the counts, and store them by rows and by columns."""
        idf = inverse_document_frequency(network.counts)
        rows = tfidf(network.counts, idf)
        both = (rows, csr_array(rows.T.tocsr()))
        squares = tuple(np.asarray(side.multiply(side).sum(axis=1)).ravel() for side in both)
        kernels = self.back_end(network)
        return _BlockProblem(network, kernels, self.n_clusters_by_type(network), guidance, idf, both, squares)

    def start(self, problem: _BlockProblem, rng: np.random.Generator) -> State:
        """Run spherical k-means on either side."""
        labels = {}
        for kind, objects in zip(problem.kinds, make_tfidf_directions(problem.network.counts), strict=True):
            labels[kind] = spherical_kmeans(problem.kernels, objects, problem.n_clusters_by_type[kind], rng)
        return State(labels)

    def sweep(self, problem: _BlockProblem, state: State) -> State:
        """Move documents, then words, to the group with the least residue (eq. 2)."""
        for kind in problem.kinds:
            state = state.with_labels(kind, _assign(problem, state, kind))
        return state

    def objective(self, problem: _BlockProblem, state: State) -> float:
        """Compute ‖X − R·M·Cᵀ‖² as ‖X‖² less the squares of the block means (eq. 1)."""
        means, sizes = _blocks(problem, state)
        return float(problem.squares[0].sum() - (np.square(means) * np.outer(*sizes)).sum())

    def misfits(self, problem: _BlockProblem, state: State, kind: str) -> NDArray[np.int64]:
        """Return objects by their residue, the largest first."""
        labels = state.labels[kind]
        placed = np.flatnonzero(labels >= 0)
        residues = _residues(problem, state, kind)[placed, labels[placed]]
        return placed[np.argsort(-residues, kind="stable")]

    def train_scores(self, problem: _BlockProblem, state: State) -> dict[str, Floats]:
        """Return minus the residue of an object in each group, as a share of its norm, sharpened."""
        scores = {}
        for kind, squares in zip(problem.kinds, problem.squares, strict=True):
            norms = np.where(squares > 0, squares, 1.0)[:, None]
            scores[kind] = -SHARPNESS * _residues(problem, state, kind) / norms
        return scores

    def association(self, problem: _BlockProblem, state: State) -> dict[str, Floats]:
        """Return the mass of the blocks."""
        means, sizes = _blocks(problem, state)
        mass = means * np.outer(*sizes)
        (relation,) = problem.network.relations
        mass = mass if relation.rows == problem.network.centre else mass.T
        return {relation.name: mass / max(float(mass.sum()), 1e-300)}

    def model(self, problem: _BlockProblem, state: State) -> dict[str, NDArray[Any]]:
        """Return the block mean of every group and word, and the idf."""
        assert problem.idf is not None
        means, _ = _blocks(problem, state)
        words = state.labels[problem.kinds[1]]
        return {"centres": np.where(words >= 0, means[:, np.maximum(words, 0)], 0.0), "idf": problem.idf}


def _blocks(problem: _BlockProblem, state: State) -> tuple[Floats, tuple[Floats, Floats]]:
    """Return M, the mean of every block, and the sizes of the groups on either side."""
    rows, columns = (state.labels[kind] for kind in problem.kinds)
    n_rows, n_columns = (problem.n_clusters_by_type[kind] for kind in problem.kinds)
    sums = problem.kernels.block_sums(SparseRows.of(problem.matrices[0]), rows, columns, n_rows, n_columns)
    sizes = (_sizes(rows, n_rows), _sizes(columns, n_columns))
    return sums / np.maximum(np.outer(*sizes), 1.0), sizes


def _sizes(labels: Labels, n_groups: int) -> Floats:
    return np.bincount(labels[labels >= 0], minlength=n_groups).astype(np.float64)


def _residues(problem: _BlockProblem, state: State, kind: str) -> Floats:
    """Return ‖x‖² − 2·⟨x, m_k⟩ + ‖m_k‖², m_k the means of group k over the other side (eq. 2)."""
    side = problem.kinds.index(kind)
    other = problem.kinds[1 - side]
    means, sizes = _blocks(problem, state)
    table = means.T if side == 0 else means
    products = problem.kernels.score_rows(
        SparseRows.of(problem.matrices[side]), state.labels[other], np.ascontiguousarray(table)
    )
    # the members of a group share one mean, so its square counts once for each of them
    squares = sizes[1 - side] @ np.square(table)
    return np.asarray(problem.squares[side][:, None] - 2.0 * products + squares)


def _assign(problem: _BlockProblem, state: State, kind: str) -> Labels:
    """Move every object to the group with the least residue; it stays if no group has less."""
    labels, residues = state.labels[kind], _residues(problem, state, kind)
    placed = np.flatnonzero(labels >= 0)
    best = residues[placed].argmin(axis=1)
    # a tie keeps the group, so that the labels settle
    less = residues[placed, best] < residues[placed, labels[placed]]
    assigned = labels.copy()
    assigned[placed[less]] = best[less]
    return assigned
