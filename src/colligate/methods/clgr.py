"""Clustering with local and global regularisation."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, ClassVar

import numpy as np

from colligate.methods import parameters
from colligate.methods.graph_clustering import GraphClustering, symmetric_operator

if TYPE_CHECKING:
    from collections.abc import Mapping

    from numpy.typing import NDArray
    from scipy.sparse.linalg import LinearOperator

    from colligate.methods.graph_clustering import Neighbours
    from colligate.methods.parameters import Domain


class CLGR(GraphClustering):
    """Clustering with local and global regularisation: documents alone, no knowledge.

    min ‖(P − I)·Q‖² + λ·tr(Qᵀ·L·Q) over orthonormal Q, then min ‖X − Q·R‖² over groups X and rotations R

    Row i of P predicts document i from its neighbours by ridge regression on their cosines; L is the
    normalised Laplacian of the graph of `ncut`; λ is `smoothness`. Wang, Zhang and Li (2007).

    Parameters
    ----------
    smoothness : float
        What the global part counts against the local one.
    ridge : float
        The regularisation of the local predictions.
    n_neighbours, dimensions
        As in `ncut`.
    n_clusters, n_init, max_iter, tol, random_state, n_jobs
        As in `itcc`.
    """

    name: ClassVar[str] = "clgr"
    paper: ClassVar[str] = "Wang, Zhang, Li 2007; baseline of Zhang, Wang, Si 2011"
    domains: ClassVar[Mapping[str, Domain]] = {
        **GraphClustering.domains,
        "smoothness": parameters.Real(0.0),
        "ridge": parameters.Real(1e-9),
    }

    def __init__(
        self,
        n_clusters: int = 8,
        *,
        n_neighbours: int = 20,
        dimensions: int = 100,
        smoothness: float = 0.1,
        ridge: float = 0.1,
        n_init: int = 5,
        max_iter: int = 100,
        tol: float = 1e-6,
        random_state: Any = None,
        n_jobs: int | None = None,
    ) -> None:
        self.n_clusters = n_clusters
        self.n_neighbours = n_neighbours
        self.dimensions = dimensions
        self.smoothness = smoothness
        self.ridge = ridge
        self.n_init = n_init
        self.max_iter = max_iter
        self.tol = tol
        self.random_state = random_state
        self.n_jobs = n_jobs

    def operator(self, rows: NDArray[Any], neighbours: Neighbours) -> LinearOperator:
        """Minus (P − I)ᵀ(P − I) + λL, so that the largest eigenvalues belong to the groups."""
        predicted, cut = neighbours.predictors(rows, self.ridge), neighbours.cut()

        def apply(vector: NDArray[Any]) -> NDArray[Any]:
            rest = predicted @ vector - vector
            local = predicted.T @ rest - rest
            return np.asarray(-local - self.smoothness * (vector - cut @ vector))

        return symmetric_operator(apply, len(rows))
