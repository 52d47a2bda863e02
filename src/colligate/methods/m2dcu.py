"""Maximum-margin clustering with outsiders (docs: m2dcu)."""

from __future__ import annotations

from typing import Any, ClassVar

from colligate.methods.margin.universum import UniversumClustering


class M2DCU(UniversumClustering):
    """Maximum-margin clustering with outsiders (Universum): documents of no group show where groups end.

    min ½‖W‖² + C/(n·K) · Σ_d Σ_{r ≠ u(d)} max(0, 1 − w_u(d)·x_d + w_r·x_d)
              + C'/N · Σ_j max(0, K/(K−1)·(max_k w_k·x_j − mean_k w_k·x_j) − ε),   u(d) = argmax_k w_k·x_d

    x_d are the n documents to be grouped and x_j the N outsiders, as tf-idf rows in the leading singular
    directions, centred; w_k are the weights of group k of K, W all of them, u(d) the group of a document; C
    is `target_weight`, C' is `outsider_weight`, ε is `tolerance`. A document with a label stays in its group.
    Equation 10 of the paper on clustering with Universum (2011).

    Parameters
    ----------
    n_clusters, target_weight, balance, dimensions, scale, precision, init
        As in `m2dcu-0`.
    outsider_weight : float
        C': the cost of margins of outsiders, relative to ½‖W‖² (the paper's C_u).
    tolerance : float
        ε: the margin that outsiders may have (the paper's ε₁).
    outsiders : {"auto", "rest", "rand", "mean", "all"}
        Where outsiders come from: documents marked as outside (`rest`), rows drawn at random within the range
        of each feature (`rand`), midpoints of every two groups (`mean`), or all three (`all`); `auto` is
        `rest` if any are marked, otherwise `mean`.
    select : float
        The share of the outsiders that is used: those closest to the documents, by a mixture of Gaussians.
    reject : float
        Documents with a margin below this quantile of the outsiders' margins are put in no group; 0 puts
        every document in a group.
    n_init, max_iter, tol, random_state, n_jobs, device
        As in `itcc`.

    Attributes
    ----------
    labels_, history_, n_iter_, result_
        As in `Estimator`.
    """

    name: ClassVar[str] = "m2dcu"
    paper: ClassVar[str] = "Zhang, Wang, Si 2011"

    def __init__(
        self,
        n_clusters: int = 8,
        *,
        target_weight: float = 64.0,
        outsider_weight: float = 64.0,
        tolerance: float = 0.5,
        balance: float = 0.0,
        outsiders: str = "auto",
        select: float = 1.0,
        reject: float = 0.0,
        dimensions: int | None = 300,
        scale: float = 0.0,
        precision: float = 1e-3,
        init: Any = "auto",
        n_init: int = 20,
        max_iter: int = 100,
        tol: float = 1e-3,
        random_state: Any = None,
        n_jobs: int | None = None,
        device: str = "auto",
    ) -> None:
        self._store_parameters(locals())
