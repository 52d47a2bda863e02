"""Constrained information-theoretic co-clustering."""

from __future__ import annotations

from typing import Any, ClassVar

from colligate.methods.information.coclustering import LinkedCoClustering


class CITCC(LinkedCoClustering):
    """Information-theoretic co-clustering guided by links, labels and categories.

    min Σ_d p(d)·KL(p(W|d)‖q(W|d̂)) + (w/M)·Σ V(link),   likewise for words

    M is the number of documents, w = link_weight/√M, and V what a broken link costs: KL(i‖j) + KL(j‖i) where
    objects that belong together are split, 2·D_max − KL(i‖j) − KL(j‖i) where objects that belong apart are
    joined. Distributions are smoothed with the whole (λ = ½). Equations 5, 6 and 8 of the constrained
    co-clustering paper.

    Equal labels are links together, different labels links apart, words of one category links together, all
    of them implied and never listed. Labels, categories and links also shape the start.

    Parameters
    ----------
    n_clusters, n_word_clusters, init, word_init, polish, n_init, max_iter, tol, random_state, n_jobs
        As in `itcc`.
    link_weight, word_link_weight : float
        The weight of links between documents and between words, in units of 1/√M (1/√V for words).
    n_outside_clusters : int or None
        Number of groups for outsiders, which other documents may join; None means as many as there would be
        inside for as many documents.
    reading : {"objective", "printed"}
        `printed` drops p(d) in the label step, as the paper's label step does (its weight is then 1/√M; the
        objective may rise).
    """

    name: ClassVar[str] = "citcc"
    paper: ClassVar[str] = "Song et al. 2010"
    takes: ClassVar[tuple[str, ...]] = (
        "links:documents",
        "links:words",
        "labels:documents",
        "labels:words",
        "categories:words",
        "outside:documents",
    )

    def __init__(
        self,
        n_clusters: int = 8,
        *,
        n_word_clusters: int | None = None,
        link_weight: float = 10.0,
        word_link_weight: float = 10.0,
        n_outside_clusters: int | None = None,
        reading: str = "objective",
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
        self.link_weight = link_weight
        self.word_link_weight = word_link_weight
        self.n_outside_clusters = n_outside_clusters
        self.reading = reading
        self.init = init
        self.word_init = word_init
        self.polish = polish
        self.n_init = n_init
        self.max_iter = max_iter
        self.tol = tol
        self.random_state = random_state
        self.n_jobs = n_jobs
