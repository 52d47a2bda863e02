"""Normalised cuts of the graph of nearest neighbours (docs: ncut)."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, ClassVar

from colligate.methods.graph_clustering import GraphClustering, symmetric_operator

if TYPE_CHECKING:
    from numpy.typing import NDArray
    from scipy.sparse.linalg import LinearOperator

    from colligate.methods.graph_clustering import Neighbours


class NCut(GraphClustering):
    """Normalised cuts of the graph of nearest neighbours: documents only, no knowledge.

    min Σ_k cut(k, all others) / volume(k),   relaxed: the leading eigenvectors Y of D^-½·A·D^-½,
    then min ‖X − Y·R‖² over groups X and rotations R

    A has exp(−d²/(σᵢσⱼ)) between neighbours at distance d in the leading singular directions of tf-idf, σ
    is the distance to the seventh neighbour; D has the row sums of A plus their mean. Shi and Malik (2000),
    Yu and Shi (2003), Zelnik-Manor and Perona (2004).

    Parameters
    ----------
    n_neighbours : int
        Number of neighbours of a document in the graph.
    dimensions : int
        Number of singular directions in which neighbours are found.
    n_clusters, n_init, max_iter, tol, random_state, n_jobs, device
        As in `itcc`.

    Attributes
    ----------
    labels_, history_, n_iter_, result_
        As in `Estimator`.
    """

    name: ClassVar[str] = "ncut"
    paper: ClassVar[str] = "Shi, Malik 2000; Yu, Shi 2003; baseline of Zhang, Wang, Si 2011"

    def operator(self, rows: NDArray[Any], neighbours: Neighbours) -> LinearOperator:
        """Return D^-½·A·D^-½."""
        affinity = neighbours.normalised_affinity()
        return symmetric_operator(lambda vector: affinity @ vector, len(rows))
