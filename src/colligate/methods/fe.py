"""An ensemble of k-means, one for each word category (docs: fe)."""

from __future__ import annotations

from dataclasses import dataclass, fields
from typing import TYPE_CHECKING, Any, ClassVar

import numpy as np
from scipy import sparse
from sklearn.cluster import KMeans as ScikitKMeans

from colligate._array import one_hot
from colligate._storage.array_schema import INTEGERS, ArraySpec, check_starts
from colligate.methods.kmeans import (
    SHARPNESS,
    KMeans,
    TfidfProblem,
    draw_centres,
    squared_distances,
    use_int32_indices,
)
from colligate.methods.loop import State
from colligate.methods.word_categories import assign_word_categories

if TYPE_CHECKING:
    from collections.abc import Mapping

    from numpy.typing import NDArray

    from colligate._storage.array_schema import ArraySchema
    from colligate.knowledge import Guidance
    from colligate.network import Network

    Floats = NDArray[np.float64]
    Ints = NDArray[np.int64]


@dataclass(frozen=True, eq=False)
class _CategoryProblem(TfidfProblem):
    """A problem with the category of every word."""

    categories: Ints | None = None


class FE(KMeans):
    """Feature ensemble: k-means on the words of each category, then one partition for them all.

    min Σ_d ‖h_d − μ_k(d)‖²

    h_d has a 1 for the group of document d in each of the partitions by a category, and in that by the free
    words; k(d) is the cluster of a document and μ_k the mean of cluster k. k-means on these indicators
    maximises the mean quadratic mutual information between the result and the partitions (Topchy, Jain and
    Punch 2005). It replaces the cluster ensembles of Strehl and Ghosh (2003), which need an n × n matrix. A
    baseline of the word-space paper. It needs categories.

    Parameters
    ----------
    n_clusters, n_init, max_iter, tol, random_state, n_jobs, device
        As in `kmeans`; every restart draws new partitions.

    Attributes
    ----------
    labels_, history_, n_iter_, result_
        As in `Estimator`.
    """

    state_schema: ClassVar[ArraySchema] = {
        "centres": ArraySpec(("groups", "features")),
        "columns": ArraySpec(("entries",), INTEGERS, least=0, below="features"),
        "starts": ArraySpec(("starts",), INTEGERS, least=0, check=check_starts),
    }
    name: ClassVar[str] = "fe"
    paper: ClassVar[str] = "baseline of Li et al. 2008"
    takes: ClassVar[tuple[str, ...]] = ("categories:words",)
    needs: ClassVar[tuple[str, ...]] = ("categories:words",)

    def problem(self, network: Network, guidance: Mapping[str, Guidance]) -> _CategoryProblem:
        """Assign the words to categories."""
        categories = assign_word_categories(self.name, network, guidance)
        base = super().problem(network, guidance)
        fields_of_base = {field.name: getattr(base, field.name) for field in fields(base)}
        return _CategoryProblem(**fields_of_base, categories=categories)

    def start(self, problem: Any, rng: np.random.Generator) -> State:
        """Partition by each category, and draw centres among the indicators by k-means++."""
        categories = np.unique(problem.categories).tolist()
        partitions = [self._partition(problem, category, rng) for category in categories]
        H = use_int32_indices(sparse.hstack(partitions, format="csr"))
        return self._make_state(problem, H, draw_centres(H, self.n_clusters, rng))

    def sweep(self, problem: Any, state: State) -> State:
        """Run scikit-learn's k-means on the indicators to its end."""
        H, centres = _indicators(state), state.numbers["centres"]
        kmeans = ScikitKMeans(
            self.n_clusters, init=centres, n_init=1, max_iter=self.max_iter, tol=self.tol
        ).fit(H)
        settled = kmeans.n_iter_ < self.max_iter
        return self._make_state(problem, H, kmeans.cluster_centers_, settled=settled)

    def objective(self, problem: Any, state: State) -> float:
        """Sum the squared distances of the indicators to the nearest centre (eq. 1)."""
        return float(squared_distances(_indicators(state), state.numbers["centres"]).min(axis=1).sum())

    def train_scores(self, problem: Any, state: State) -> dict[str, Floats]:
        """Return minus the squared distances of the indicators to the centres, per partition."""
        centre = problem.network.centre
        H = _indicators(state)
        scores = np.zeros((len(problem.network.types[centre]), self.n_clusters))
        n_partitions = max(float(np.diff(H.indptr).max(initial=1)), 1.0)
        distances = squared_distances(H, state.numbers["centres"])
        scores[problem.filled] = -SHARPNESS / n_partitions * distances
        return {centre: scores}

    def model(self, problem: Any, state: State) -> dict[str, NDArray[Any]]:
        """Return the mean rows of the groups, to which new documents go, and the idf."""
        labels = state.labels[problem.network.centre][problem.filled]
        placed = one_hot(labels, self.n_clusters)
        sizes = np.maximum(np.bincount(labels, minlength=self.n_clusters), 1)[:, None]
        return {"centres": np.asarray((placed.T @ problem.rows).todense()) / sizes, "idf": problem.idf}

    def _partition(self, problem: Any, category: int, rng: np.random.Generator) -> sparse.csr_array:
        """Group the documents by the words of one category; those without such words are in no group."""
        part = sparse.csr_array(problem.rows[:, np.flatnonzero(problem.categories == category)])
        filled = np.flatnonzero(np.diff(part.indptr))
        seed, n_groups = int(rng.integers(2**31 - 1)), min(self.n_clusters, len(filled))
        labels = np.full(part.shape[0], -1)
        if n_groups:
            labels[filled] = ScikitKMeans(n_groups, n_init=1, random_state=seed).fit_predict(part[filled])
        return one_hot(labels, self.n_clusters)

    def _make_state(
        self, problem: Any, H: sparse.csr_array, centres: Floats, *, settled: bool = False
    ) -> State:
        centre = problem.network.centre
        labels = np.full(len(problem.network.types[centre]), -1, dtype=np.int32)
        labels[problem.filled] = squared_distances(H, centres).argmin(axis=1)
        numbers: dict[str, NDArray[Any]] = {"centres": centres, "columns": H.indices, "starts": H.indptr}
        return State({centre: labels}, numbers, settled)


def _indicators(state: State) -> sparse.csr_array:
    columns, starts = state.numbers["columns"], state.numbers["starts"]
    shape = (len(starts) - 1, state.numbers["centres"].shape[1])
    return sparse.csr_array((np.ones(len(columns)), columns, starts), shape=shape)
