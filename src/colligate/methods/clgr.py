"""Clustering with local and global regularisation (docs: clgr)."""

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
    """Clustering with local and global regularisation: documents only, no knowledge.

    min ‖(P − I)·Q‖² + λ·tr(Qᵀ·L·Q) over orthonormal Q, then min ‖X − Q·R‖² over groups X and rotations R

    Row i of P predicts document i from its neighbours by ridge regression on their cosines; I is the
    identity, L the normalised Laplacian of the graph of `ncut`; λ is `smoothness`. Wang, Zhang and Li (2007).

    Parameters
    ----------
    smoothness : float
        λ: the weight of the global part relative to the local one.
    ridge : float
        The regularisation of the local predictions.
    n_neighbours, dimensions
        As in `ncut`.
    n_clusters, n_init, max_iter, tol, random_state, n_jobs, device
        As in `itcc`.

    Attributes
    ----------
    labels_, history_, n_iter_, result_
        As in `Estimator`.
    """

    name: ClassVar[str] = "clgr"
    paper: ClassVar[str] = "Wang, Zhang, Li 2007; baseline of Zhang, Wang, Si 2011"
    domains: ClassVar[Mapping[str, Domain]] = {
        **GraphClustering.domains,
        "smoothness": parameters.Real(0.0),
        "ridge": parameters.Real(1e-9),
    }

    smoothness: float
    ridge: float

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
        device: str = "auto",
    ) -> None:
        self._store_parameters(locals())

    def operator(self, rows: NDArray[Any], neighbours: Neighbours) -> LinearOperator:
        """Return −(P − I)ᵀ(P − I) − λ·L, so that the largest eigenvalues belong to the groups (eq. 1)."""
        P, affinity = neighbours.predictors(rows, self.ridge), neighbours.normalised_affinity()

        def apply(vector: NDArray[Any]) -> NDArray[Any]:
            residual = P @ vector - vector
            local = P.T @ residual - residual
            return np.asarray(-local - self.smoothness * (vector - affinity @ vector))

        return symmetric_operator(apply, len(rows))
