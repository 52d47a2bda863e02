"""Information-theoretic co-clustering."""

from __future__ import annotations

from typing import Any, ClassVar

from colligate.methods.information.coclustering import CoClustering


class ITCC(CoClustering):
    """Information-theoretic co-clustering: documents and words, no knowledge.

    min D(p‖q) = I(D;W) − I(D̂;Ŵ)

    p is the joint distribution of documents D and words W given by the counts, D̂ and Ŵ their clusters, and
    q(d,w) = p(d̂,ŵ)·p(d|d̂)·p(w|ŵ). Equation 2 of the constrained co-clustering paper (2010), after Dhillon,
    Mallela and Modha (2003).

    Parameters
    ----------
    n_clusters : int
        Number of document clusters.
    n_word_clusters : int or None
        Number of word clusters; None means max(16, 6·n_clusters).
    init, word_init : {"auto", "svd", "tfidf", "random"} or array of labels
        Where documents and words start: from spherical k-means++ in the 100 leading directions of tf-idf
        (`svd`; `auto` shapes it by knowledge where there is some), on tf-idf itself, at random, or as given.
    polish : bool
        Whether to finish with moves of single objects.
    n_init : int
        Number of restarts; the lowest objective wins.
    max_iter : int
        The most sweeps of one restart.
    tol : float
        A restart ends when the objective falls by less than this share of itself.
    random_state : int, generator or None
        The seed.
    n_jobs : int or None
        Threads; None and -1 mean all cores. The labels do not depend on it.
    """

    name: ClassVar[str] = "itcc"
    paper: ClassVar[str] = "Dhillon, Mallela, Modha 2003; Song et al. 2010"

    def __init__(
        self,
        n_clusters: int = 8,
        *,
        n_word_clusters: int | None = None,
        init: Any = "auto",
        word_init: Any = "auto",
        polish: bool = False,
        n_init: int = 5,
        max_iter: int = 100,
        tol: float = 1e-6,
        random_state: Any = None,
        n_jobs: int | None = None,
    ) -> None:
        self.n_clusters = n_clusters
        self.n_word_clusters = n_word_clusters
        self.init = init
        self.word_init = word_init
        self.polish = polish
        self.n_init = n_init
        self.max_iter = max_iter
        self.tol = tol
        self.random_state = random_state
        self.n_jobs = n_jobs
