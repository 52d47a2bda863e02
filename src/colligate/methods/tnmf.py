"""Orthogonal non-negative tri-factorisation."""

from __future__ import annotations

from typing import ClassVar

from colligate.methods.factorisation.trifactorisation import TriFactorisation


class TNMF(TriFactorisation):
    """Orthogonal non-negative tri-factorisation: documents and words, no knowledge.

    min ‖X − G·S·Fᵀ‖² + ρ·Σ_{k≠l} ⟨g_k, g_l⟩ + ρ'·Σ_{k≠l} ⟨f_k, f_l⟩,   F, S, G ≥ 0

    X holds the tf-idf rows of the documents, G the memberships of documents, F those of words, S the
    association of their groups. The columns g_k and f_k are of unit length; ρ and ρ' are `orthogonality`
    times ‖X‖² over the number of groups. Ding, Li, Peng and Park (2006) ask for GᵀG = FᵀF = I, by updates
    that may raise the objective; these cannot.

    Parameters
    ----------
    n_clusters : int
        Number of document clusters.
    n_word_clusters : int or None
        Number of word clusters; None means max(16, 2·n_clusters).
    n_entity_clusters : int, mapping of types to int, or None
        Number of clusters of every further type of a network; None means 2·n_clusters.
    relation_weights : {"share", "plain"} or mapping of relations to weights
        What each relation of a network counts: its share of all occurrences, or the sum of squares over its
        rows as they are, or as given. A relation that brings a weight of its own keeps it unless the mapping
        names it.
    orthogonality : float
        How strongly groups are kept from overlapping, relative to ‖X‖².
    weighting : {"tfidf", "counts"}
        Whether X is tf-idf at unit rows, or the entries as they are.
    init, word_init : {"auto", "tfidf", "random"} or array of labels
        Where documents and words start: from spherical k-means++ on their rows (`tfidf`; `auto` shapes it by
        knowledge where there is some), at random, or as given.
    n_init : int
        Number of restarts; the lowest objective wins.
    max_iter : int
        The most sweeps of one restart.
    tol : float
        A restart ends when the objective falls by less than this share of itself, or of ‖X‖².
    random_state : int, generator or None
        The seed.
    n_jobs : int or None
        Threads; None and -1 mean all cores. The labels do not depend on it.
    """

    name: ClassVar[str] = "tnmf"
    paper: ClassVar[str] = "Ding, Li, Peng, Park 2006; Li et al. 2008"
