"""Information-theoretic co-clustering (docs: itcc)."""

from __future__ import annotations

from typing import ClassVar

from colligate.methods.information.coclustering import CoClustering


class ITCC(CoClustering):
    """Information-theoretic co-clustering: documents and words, no knowledge.

    min D(p‖q) = I(D;W) − I(D̂;Ŵ)

    I is the mutual information, p the joint distribution of documents D and words W given by the counts, D̂
    and Ŵ are their clusters, and q(d,w) = p(d̂,ŵ)·p(d|d̂)·p(w|ŵ). Equation 2 of the constrained co-clustering
    paper (2010), after Dhillon, Mallela and Modha (2003).

    Parameters
    ----------
    n_clusters : int
        Number of document clusters.
    n_word_clusters : int or None
        Number of word clusters; None means max(16, 6·n_clusters).
    init, word_init : {"auto", "svd", "tfidf", "random"} or array of labels
        Where documents and words start: spherical k-means++ in the 100 leading directions of tf-idf (`svd`),
        the same with centres from knowledge (`auto`), on tf-idf itself, at random, or at the labels. Many
        documents without knowledge start from 40 directions of a sample.
    polish : bool
        Whether to finish with moves of single objects.
    n_init : int
        Number of restarts; the lowest objective wins.
    max_iter : int
        The maximum number of iterations of one restart.
    tol : float
        A restart ends when the objective falls by less than this share of itself.
    random_state : int, generator or None
        The seed.
    n_jobs : int or None
        Threads. None means all cores, but at most 8 for fewer than 20 million entries; -1 means all cores.
        The labels do not depend on it.
    device : {"auto", "cpu", "cuda"}
        Where to compute: "cuda" is a GPU, "auto" takes one for large matrices if there is one.

    Attributes
    ----------
    labels_, word_labels_, history_, n_iter_, result_
        As in `Estimator`.
    """

    name: ClassVar[str] = "itcc"
    paper: ClassVar[str] = "Dhillon, Mallela, Modha 2003; Song et al. 2010"
