"""Constrained information-theoretic co-clustering."""

from __future__ import annotations

from typing import ClassVar

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
