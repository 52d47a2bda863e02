"""Normalised cuts of the graph of nearest neighbours."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, ClassVar

from colligate.methods.graph_clustering import GraphClustering, symmetric_operator

if TYPE_CHECKING:
    from numpy.typing import NDArray
    from scipy.sparse.linalg import LinearOperator

    from colligate.methods.graph_clustering import Neighbours


class NCut(GraphClustering):
    """Normalised cuts of the graph of nearest neighbours: documents alone, no knowledge.

    min Σ_k cut(k, all others) / volume(k),   relaxed: the leading eigenvectors Y of D^-½·A·D^-½,
    then min ‖X − Y·R‖² over groups X and rotations R

    A holds exp(−d²/(σᵢσⱼ)) between neighbours in the leading singular directions of tf-idf, σ the distance to
    the seventh; D its row sums. Shi and Malik (2000), Yu and Shi (2003), Zelnik-Manor and Perona (2004).

    Parameters
    ----------
    n_neighbours : int
        How many neighbours a document has in the graph.
    dimensions : int
        Number of singular directions in which neighbours are looked for.
    n_clusters, n_init, max_iter, tol, random_state, n_jobs
        As in `itcc`.
    """

    name: ClassVar[str] = "ncut"
    paper: ClassVar[str] = "Shi, Malik 2000; Yu, Shi 2003; baseline of Zhang, Wang, Si 2011"

    def __init__(
        self,
        n_clusters: int = 8,
        *,
        n_neighbours: int = 20,
        dimensions: int = 100,
        n_init: int = 5,
        max_iter: int = 100,
        tol: float = 1e-6,
        random_state: Any = None,
        n_jobs: int | None = None,
    ) -> None:
        self.n_clusters = n_clusters
        self.n_neighbours = n_neighbours
        self.dimensions = dimensions
        self.n_init = n_init
        self.max_iter = max_iter
        self.tol = tol
        self.random_state = random_state
        self.n_jobs = n_jobs

    def operator(self, rows: NDArray[Any], neighbours: Neighbours) -> LinearOperator:
        """D^-½·A·D^-½."""
        cut = neighbours.cut()
        return symmetric_operator(lambda vector: cut @ vector, len(rows))
