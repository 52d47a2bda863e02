"""Orthogonal non-negative tri-factorisation (docs: tnmf)."""

from __future__ import annotations

from typing import ClassVar

from colligate.methods.factorisation.trifactorisation import TriFactorisation


class TNMF(TriFactorisation):
    """Orthogonal non-negative tri-factorisation: documents and words, no knowledge.

    min ‖X − G·S·Fᵀ‖² + ρ·Σ_{k≠l} ⟨g_k, g_l⟩ + ρ'·Σ_{k≠l} ⟨f_k, f_l⟩,   F, S, G ≥ 0

    X has the tf-idf rows of the documents, G the memberships of documents, F those of words, S the
    association of their groups. The columns g_k and f_k have unit length; ρ and ρ' are `orthogonality` times
    ‖X‖² over the number of groups. Ding, Li, Peng and Park (2006) require GᵀG = FᵀF = I, by updates that may
    raise the objective; these cannot.

    Parameters
    ----------
    n_clusters : int
        Number of document clusters.
    n_word_clusters : int or None
        Number of word clusters; None means max(16, 2·n_clusters).
    n_entity_clusters : int, mapping of types to int, or None
        Number of clusters of every further type of a network; None means 2·n_clusters.
    relation_weights : {"share", "plain"} or mapping of relations to weights
        The weight of each relation of a network: its share of all occurrences, the sum of squares of its
        rows, or the mapping's. A relation made with a weight keeps it unless the mapping names it.
    orthogonality : float
        The penalty on overlapping groups, relative to ‖X‖².
    weighting : {"tfidf", "counts"}
        Whether X is tf-idf at unit rows, or the entries as they are.
    init, word_init : {"auto", "tfidf", "random"} or array of labels
        Where documents and words start: spherical k-means++ on their rows (`tfidf`), the same with centres
        from knowledge (`auto`), at random, or the labels.
    n_init : int
        Number of restarts; the lowest objective wins.
    max_iter : int
        The maximum number of iterations of one restart.
    tol : float
        A restart ends when the objective falls by less than this share of itself, or of ‖X‖².
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

    name: ClassVar[str] = "tnmf"
    paper: ClassVar[str] = "Ding, Li, Peng, Park 2006; Li et al. 2008"
