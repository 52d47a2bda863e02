"""Maximum-margin clustering without outsiders (docs: m2dcu-0)."""

from __future__ import annotations

from typing import ClassVar

from colligate.methods.margin.clustering import MarginClustering


class M2DCU0(MarginClustering):
    """Maximum-margin clustering by CCCP: documents, and labels of some.

    min ½‖W‖² + C/(n·K) · Σ_d Σ_{r ≠ u(d)} max(0, 1 − w_u(d)·x_d + w_r·x_d),   u(d) = argmax_k w_k·x_d

    x_d is the tf-idf row of one of n documents in the leading singular directions, centred; w_k are the
    weights of group k of K, W all of them, u(d) the group of a document; C is `target_weight`. A document
    with a label stays in its group, whatever it scores there. Equation 10 of the paper on clustering with
    Universum (2011), with C_u = 0.

    Parameters
    ----------
    n_clusters : int
        Number of groups; a single one takes all documents.
    target_weight : float
        C: the cost of margins that are not reached, relative to ½‖W‖² (the paper's C_l).
    balance : float
        The largest difference of the mean scores of two groups; 0 keeps them equal.
    dimensions : int or None
        Number of singular directions; None means the tf-idf rows themselves, which stay sparse.
    scale : float
        Root-mean-square length of the centred rows; 0 means the least at which half of the documents reach
        a margin of 1.
    precision : float
        The duality gap, as a share of the objective, at which a convex problem counts as solved.
    init : {"auto", "random"} or array of labels
        Where documents start: from spherical k-means, at random, or at the labels.
    n_init, max_iter, tol, random_state, n_jobs, device
        As in `itcc`.

    Attributes
    ----------
    labels_, history_, n_iter_, result_
        As in `Estimator`.
    """

    name: ClassVar[str] = "m2dcu-0"
    paper: ClassVar[str] = "Zhang, Wang, Si 2011"
