"""Non-negative tri-factorisation of several relations (docs: nmf-triplet)."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, ClassVar

from colligate.methods.factorisation.trifactorisation import TriFactorisation

if TYPE_CHECKING:
    from collections.abc import Mapping


class NMFTriplet(TriFactorisation):
    """Non-negative tri-factorisation of all relations of a network, groups free to overlap, no knowledge.

    min Σ_r w_r·‖R_r − G_p·S_r·G_qᵀ‖²,   all G and S ≥ 0

    R_r is a relation between types p and q of weight w_r, G_p the memberships of the objects of p, S_r the
    association of their groups. As `tnmf`, with hardly any penalty on overlapping groups. Equation 2 of the
    triplet paper, where it is the baseline without knowledge.

    Parameters
    ----------
    n_clusters, n_word_clusters, n_entity_clusters, weighting, init, word_init, n_init, max_iter, tol
        As in `tnmf`.
    random_state, n_jobs, device
        As in `tnmf`.
    relation_weights : {"plain", "share"} or mapping of relations to weights
        As in `tnmf`; the plain sum of the paper by default.
    orthogonality : float
        As in `tnmf`; hardly any by default.

    Attributes
    ----------
    labels_, word_labels_, history_, n_iter_, result_
        As in `Estimator`.
    """

    name: ClassVar[str] = "nmf-triplet"
    paper: ClassVar[str] = "Chen, Wang, Dong 2009"

    def __init__(
        self,
        n_clusters: int = 8,
        *,
        n_word_clusters: int | None = None,
        n_entity_clusters: int | Mapping[str, int] | None = None,
        relation_weights: str | Mapping[str, float] = "plain",
        orthogonality: float = 1e-4,
        weighting: str = "tfidf",
        init: Any = "auto",
        word_init: Any = "auto",
        n_init: int = 3,
        max_iter: int = 200,
        tol: float = 1e-4,
        random_state: Any = None,
        n_jobs: int | None = None,
        device: str = "auto",
    ) -> None:
        self._store_parameters(locals())
