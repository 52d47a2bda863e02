"""Maximum-margin document clustering without outsiders."""

from __future__ import annotations

from typing import Any, ClassVar

from colligate.methods.margin.clustering import MarginClustering


class M2DCU0(MarginClustering):
    """Maximum-margin clustering by CCCP: documents, and labels of some.

    min ½‖W‖² + C/(n·K) · Σ_d Σ_{r ≠ u(d)} max(0, 1 − w_u(d)·x_d + w_r·x_d),   u(d) = argmax_k w_k·x_d

    x_d is the tf-idf row of a document in its leading singular directions, centred; w_k the weights of group
    k; C is `target_weight`. Equation 10 of the paper on clustering with Universum (2011), with C_u = 0.
    A document with a label stays in its group, whatever it scores there.

    Parameters
    ----------
    n_clusters : int
        Number of groups; a single one takes all documents.
    target_weight : float
        What margins that are not reached cost, against ½‖W‖²: the paper's C_l.
    balance : float
        By how much the mean scores of two groups may differ; 0 keeps them equal.
    dimensions : int or None
        Number of singular directions; None means the tf-idf rows themselves, which stay sparse.
    scale : float
        Root-mean-square length of the centred rows; 0 means the least at which half of the documents reach
        their margin.
    precision : float
        The duality gap, as a share of the objective, at which a convex problem counts as solved.
    init : {"auto", "random"} or array of labels
        Where documents start: from spherical k-means, at random, or as given.
    n_init, max_iter, tol, random_state, n_jobs
        As in `itcc`.
    """

    name: ClassVar[str] = "m2dcu-0"
    paper: ClassVar[str] = "Zhang, Wang, Si 2011"

    def __init__(
        self,
        n_clusters: int = 8,
        *,
        target_weight: float = 64.0,
        balance: float = 0.0,
        dimensions: int | None = 300,
        scale: float = 0.0,
        precision: float = 1e-3,
        init: Any = "auto",
        n_init: int = 20,
        max_iter: int = 100,
        tol: float = 1e-3,
        random_state: Any = None,
        n_jobs: int | None = None,
    ) -> None:
        self.n_clusters = n_clusters
        self.target_weight = target_weight
        self.balance = balance
        self.dimensions = dimensions
        self.scale = scale
        self.precision = precision
        self.init = init
        self.n_init = n_init
        self.max_iter = max_iter
        self.tol = tol
        self.random_state = random_state
        self.n_jobs = n_jobs
