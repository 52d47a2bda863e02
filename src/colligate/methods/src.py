"""Spectral relational clustering (docs: src).

The leading vectors of a network are, for each type, the best orthonormal G while the other types are fixed:

    max Σ_r w_r·‖G_pᵀ·R_r·G_q‖²,   GᵀG = I for every type                                   (eq. 1)

Given the others, the best G are the leading left singular vectors of the type's relations times the other
types' vectors, side by side: thin matrices, so that nothing of n × n is formed. No step can lower the sum.
With one relation it is the singular value decomposition.
"""

from __future__ import annotations

import warnings
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, ClassVar

import numpy as np
from sklearn.cluster import KMeans as ScikitKMeans
from sklearn.cluster import kmeans_plusplus
from sklearn.exceptions import ConvergenceWarning

from colligate._array import one_hot, unit_dense_rows
from colligate._storage.array_schema import ArraySpec
from colligate.methods import parameters
from colligate.methods.factorisation.problem import FactorProblem
from colligate.methods.factorisation.trifactorisation import TERMS_PER_CLUSTER, NetworkFactorisation
from colligate.methods.kmeans import squared_distances
from colligate.methods.loop import State
from colligate.methods.schema import count_clusters

if TYPE_CHECKING:
    from collections.abc import Mapping

    from numpy.typing import NDArray

    from colligate._storage.array_schema import ArraySchema
    from colligate.knowledge import Guidance
    from colligate.methods.parameters import Domain
    from colligate.network import Network

    Floats = NDArray[np.float64]

# distances between unit vectors of few dimensions differ by about one: ten times that is a clear membership
SHARPNESS = 10.0
# the leading vectors are found when the sum of eq. 1 rises by less than this share, or after so many rounds
MIN_GAIN = 1e-9
MAX_ROUNDS = 100


@dataclass(frozen=True, eq=False)
class _EmbeddedProblem(FactorProblem):
    """A problem with all objects in the leading vectors, and centres for all types but documents."""

    vectors: Mapping[str, Floats] = field(default_factory=dict)
    other_centres: Mapping[str, Floats] = field(default_factory=dict)

    @property
    def rows(self) -> Floats:
        """The vectors of the nonempty documents."""
        centre = self.network.centre
        return self.vectors[centre][self.network.nonempty(centre)]


class SRC(NetworkFactorisation):
    """Spectral relational clustering: objects in the leading vectors of their relations, no knowledge.

    min Σ_r w_r·‖R_r − G_p·S_r·G_qᵀ‖²,   GᵀG = I for every type;   then k-means on the rows of G

    R_r has the tf-idf rows of a relation of weight w_r between types p and q; G_p has a column of any sign
    for each group of its type, S_r associates the columns. The reported objective is that of k-means on the
    documents; the other types are grouped once, as all restarts share the vectors. Long, Zhang, Wu and Yu
    (2006); a baseline of the triplet paper.

    Parameters
    ----------
    n_clusters, n_word_clusters, n_entity_clusters, weighting, n_init, random_state, n_jobs, device
        As in `tnmf`.
    relation_weights : {"plain", "share"} or mapping of relations to weights
        As in `tnmf`; the plain sum by default.
    max_iter, tol
        scikit-learn's, for k-means.

    Attributes
    ----------
    labels_, word_labels_, history_, n_iter_, result_
        As in `Estimator`.
    """

    name: ClassVar[str] = "src"
    paper: ClassVar[str] = "Long, Zhang, Wu, Yu 2006"
    state_schema: ClassVar[ArraySchema] = {"centres": ArraySpec(("groups", "dimensions"))}
    domains: ClassVar[Mapping[str, Domain]] = {
        **NetworkFactorisation.domains,
        "n_word_clusters": parameters.Integer(1, none=True),
        "n_entity_clusters": parameters.ByName(
            parameters.Integer(1, none=True), "types", parameters.Integer(1)
        ),
    }

    n_word_clusters: int | None
    n_entity_clusters: int | Mapping[str, int] | None
    relation_weights: str | Mapping[str, float]
    weighting: str

    def __init__(
        self,
        n_clusters: int = 8,
        *,
        n_word_clusters: int | None = None,
        n_entity_clusters: int | Mapping[str, int] | None = None,
        relation_weights: str | Mapping[str, float] = "plain",
        weighting: str = "tfidf",
        n_init: int = 5,
        max_iter: int = 100,
        tol: float = 1e-4,
        random_state: Any = None,
        n_jobs: int | None = None,
        device: str = "auto",
    ) -> None:
        self._store_parameters(locals())

    def n_clusters_by_type(self, network: Network) -> dict[str, int]:
        """Return the number of clusters of each type; see `methods.schema`."""
        numbers = (self.n_clusters, self.n_word_clusters, self.n_entity_clusters, TERMS_PER_CLUSTER)
        return count_clusters(network, *numbers)

    def problem(self, network: Network, guidance: Mapping[str, Guidance]) -> _EmbeddedProblem:
        """Find the leading vectors, and group all types but the documents."""
        network, relations = self.weigh_relations(network)
        sizes, kernels = self.n_clusters_by_type(network), self.back_end(network)
        vectors = embed_types(FactorProblem(network, kernels, sizes, guidance, relations))
        centres = {
            kind: _run_kmeans(
                vectors[kind][network.nonempty(kind)],
                size,
                n_init=self.n_init,
                max_iter=self.max_iter,
                tol=self.tol,
                random_state=0,
            ).cluster_centers_
            for kind, size in sizes.items()
            if kind != network.centre
        }
        return _EmbeddedProblem(
            network, kernels, sizes, guidance, relations, vectors=vectors, other_centres=centres
        )

    def start(self, problem: _EmbeddedProblem, rng: np.random.Generator) -> State:
        """Draw centres by k-means++."""
        seed = int(rng.integers(2**31 - 1))
        centres, _ = kmeans_plusplus(problem.rows, self.n_clusters, random_state=seed)
        return _make_state(problem, centres)

    def sweep(self, problem: _EmbeddedProblem, state: State) -> State:
        """Run scikit-learn's k-means from the centres to its end."""
        kmeans = _run_kmeans(
            problem.rows,
            self.n_clusters,
            init=state.numbers["centres"],
            n_init=1,
            max_iter=self.max_iter,
            tol=self.tol,
        )
        return _make_state(problem, kmeans.cluster_centers_, settled=kmeans.n_iter_ < self.max_iter)

    def objective(self, problem: _EmbeddedProblem, state: State) -> float:
        """Sum the squared distances to the nearest centre."""
        return float(squared_distances(problem.rows, state.numbers["centres"]).min(axis=1).sum())

    def train_scores(self, problem: _EmbeddedProblem, state: State) -> dict[str, Floats]:
        """Return minus the squared distances to the centres, sharpened."""
        centres = {problem.network.centre: state.numbers["centres"], **problem.other_centres}
        return {
            kind: -SHARPNESS * squared_distances(rows, centres[kind])
            for kind, rows in problem.vectors.items()
        }

    def profiles(self, problem: _EmbeddedProblem, state: State) -> list[Floats]:
        """Return the sums of the groups."""
        placed = one_hot(state.labels[problem.network.centre], self.n_clusters)
        return [np.asarray((r.matrix.T @ placed).todense()) for r in problem.centre_relations]


def _run_kmeans(rows: Floats, n_clusters: int, **settings: Any) -> ScikitKMeans:
    """Run scikit-learn's k-means; equal rows may leave fewer groups, of which it warns."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", ConvergenceWarning)
        return ScikitKMeans(n_clusters, **settings).fit(rows)


def _make_state(problem: _EmbeddedProblem, centres: Floats, *, settled: bool = False) -> State:
    labels = {}
    for kind, of_kind in {problem.network.centre: centres, **problem.other_centres}.items():
        nearest = squared_distances(problem.vectors[kind], of_kind).argmin(axis=1)
        labels[kind] = np.where(problem.network.nonempty(kind), nearest, -1).astype(np.int32)
    return State(labels, {"centres": centres}, settled)


def embed_types(problem: FactorProblem, seed: int = 0) -> dict[str, Floats]:
    """Return the objects of every type in as many leading vectors as it has groups, at unit rows (eq. 1)."""
    rng, types, sizes = np.random.default_rng(seed), problem.network.types, problem.n_clusters_by_type
    # a fixed seed: all restarts share the vectors
    G = {kind: np.linalg.qr(rng.random((len(types[kind]), width)))[0] for kind, width in sizes.items()}
    previous = 0.0
    for _ in range(MAX_ROUNDS):
        total = 0.0
        for kind, width in sizes.items():
            left, values, _ = np.linalg.svd(_projected_relations(problem, kind, G), full_matrices=False)
            G[kind] = np.ascontiguousarray(left[:, :width])
            total += float(np.square(values[:width]).sum())
        if total - previous <= MIN_GAIN * total:
            break
        previous = total
    return {kind: unit_dense_rows(rows) for kind, rows in G.items()}


def _projected_relations(problem: FactorProblem, kind: str, G: dict[str, Floats]) -> Floats:
    """Return √w_r·R_r·G_q of all relations of a type, side by side."""
    blocks = []
    for number, relation in enumerate(problem.relations):
        if kind in (relation.rows, relation.columns):
            across = relation.columns == kind
            G_q = G[relation.rows if across else relation.columns]
            # the root, because eq. 1 weighs squares
            blocks.append(np.sqrt(relation.weight) * problem.product(number, G_q, transposed=across))
    return np.concatenate(blocks, axis=1)
