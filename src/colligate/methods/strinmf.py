"""Semi-non-negative tri-factorisation (docs: strinmf)."""

from __future__ import annotations

from typing import ClassVar

from colligate.methods.factorisation.trifactorisation import TriFactorisation


class STriNMF(TriFactorisation):
    """Semi-non-negative tri-factorisation: documents and words, no knowledge.

    min ‖X − G·S·Fᵀ‖² + ρ·Σ_{k≠l} ⟨g_k, g_l⟩ + ρ'·Σ_{k≠l} ⟨f_k, f_l⟩,   F, G ≥ 0, S of any sign

    X, G, S, F, ρ and ρ' are as in `tnmf`, but S may be negative: it is the least-squares solution at every
    step. After Wang, Li and Zhang (2008); a baseline of the constrained co-clustering paper.

    Parameters
    ----------
    n_clusters, n_word_clusters, n_entity_clusters, relation_weights, orthogonality, weighting, init
        As in `tnmf`.
    word_init, n_init, max_iter, tol, random_state, n_jobs, device
        As in `tnmf`.

    Attributes
    ----------
    labels_, word_labels_, history_, n_iter_, result_
        As in `Estimator`.
    """

    name: ClassVar[str] = "strinmf"
    paper: ClassVar[str] = "Wang, Li, Zhang 2008"
    signed: ClassVar[bool] = True
