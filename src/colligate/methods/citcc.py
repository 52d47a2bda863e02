"""Constrained information-theoretic co-clustering (docs: citcc)."""

from __future__ import annotations

from typing import ClassVar

from colligate.methods.information.coclustering import LinkedCoClustering


class CITCC(LinkedCoClustering):
    """Information-theoretic co-clustering guided by links, labels and categories.

    min Σ_d p(d)·KL(p(W|d)‖q(W|d̂)) + (w/M)·Σ_links σ·V,   likewise for words

    p, q, W and d̂ are as in `itcc`; M is the number of documents, w = link_weight/√M, σ the strength of a
    link. V is the cost of a broken link between i and j: KL(i‖j) + KL(j‖i) if a together link (must-link) is
    split, 2·D_max − KL(i‖j) − KL(j‖i) if an apart link (cannot-link) is joined, with D_max a bound on every
    KL between smoothed distributions. Equations 5, 6 and 8 of the constrained co-clustering paper.

    Equal labels are links together, different labels links apart, words of one category links together, all
    implied and never listed. Labels, categories and links also shape the start.

    Parameters
    ----------
    n_clusters, n_word_clusters, init, word_init, polish, n_init, max_iter, tol, random_state, n_jobs, device
        As in `itcc`.
    link_weight, word_link_weight : float
        The weight of links between documents and between words, in units of 1/√M (1/√V for words).
        Categories and labels of words weigh ten times `word_link_weight`.
    n_outside_clusters : int or None
        Number of groups for outsiders, which other documents may join; None means in proportion to the number
        of outsiders.
    reading : {"objective", "printed"}
        `printed` drops p(d) in the label step, as the paper prints it; the objective may then rise.

    Attributes
    ----------
    labels_, word_labels_, history_, n_iter_, result_
        As in `Estimator`.
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
