"""Semi-non-negative factorisation (docs: snmf)."""

from __future__ import annotations

from typing import ClassVar

from colligate.methods.factorisation.bifactorisation import BiFactorisation


class SNMF(BiFactorisation):
    """Semi-non-negative factorisation: documents only, no knowledge.

    min ‖X − G·Pᵀ‖² + ρ·Σ_{k≠l} ⟨g_k, g_l⟩,   G ≥ 0 with columns of unit length, P of any sign

    X has the tf-idf rows of the documents, G their memberships, P the profiles of the groups over words; ρ
    is `orthogonality` times ‖X‖² over the number of groups. After Ding, Li and Jordan (2010); a baseline of
    the constrained co-clustering paper.

    Parameters
    ----------
    n_clusters, orthogonality, weighting, init, n_init, max_iter, tol, random_state, n_jobs, device
        As in `tnmf`.

    Attributes
    ----------
    labels_, history_, n_iter_, result_
        As in `Estimator`.
    """

    name: ClassVar[str] = "snmf"
    paper: ClassVar[str] = "Ding, Li, Jordan 2010"
