"""Semi-non-negative factorisation with links (docs: csnmf)."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, ClassVar

from colligate.methods import parameters
from colligate.methods.factorisation.bifactorisation import BiFactorisation
from colligate.methods.factorisation.penalty import make_link_penalties

if TYPE_CHECKING:
    from collections.abc import Mapping

    from colligate.knowledge import Guidance
    from colligate.methods.factorisation.penalty import LinkPenalty, Scale
    from colligate.methods.parameters import Domain


class CSNMF(BiFactorisation):
    """Semi-non-negative factorisation guided by links and labels on documents.

    min ‖X − G·Pᵀ‖² + β·½Σ A_ij·‖g_i − g_j‖² + β·Σ B_ij·⟨g_i, g_j⟩ + …,   G ≥ 0, P of any sign

    g_i is the row of document i in G; A has the together links (must-links), B the apart links
    (cannot-links). β is `link_weight` times what groups can explain of ‖X‖², over their number; the rest is
    as in `snmf`. Equal labels are links together, different labels links apart, implied and never listed.
    After Wang, Li and Zhang (2008).

    Parameters
    ----------
    n_clusters, orthogonality, weighting, init, n_init, max_iter, tol, random_state, n_jobs, device
        As in `tnmf`.
    link_weight : float
        The weight of all links of a document, relative to what groups can explain.

    Attributes
    ----------
    labels_, history_, n_iter_, result_
        As in `Estimator`.
    """

    name: ClassVar[str] = "csnmf"
    paper: ClassVar[str] = "Wang, Li, Zhang 2008; Song et al. 2010"
    takes: ClassVar[tuple[str, ...]] = ("links:documents", "labels:documents")
    domains: ClassVar[Mapping[str, Domain]] = {**BiFactorisation.domains, "link_weight": parameters.Real(0.0)}

    link_weight: float

    def __init__(
        self,
        n_clusters: int = 8,
        *,
        link_weight: float = 1.0,
        orthogonality: float = 0.02,
        weighting: str = "tfidf",
        init: Any = "auto",
        n_init: int = 3,
        max_iter: int = 200,
        tol: float = 1e-4,
        random_state: Any = None,
        n_jobs: int | None = None,
        device: str = "auto",
    ) -> None:
        self._store_parameters(locals())

    def make_penalties(self, guidance: Guidance, scale: Scale) -> tuple[LinkPenalty, ...]:
        """Return links and labels as a link penalty."""
        return make_link_penalties(guidance, self.link_weight * scale.explained, categories=False)
