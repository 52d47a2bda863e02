"""Semi-non-negative tri-factorisation with links (docs: cstrinmf)."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, ClassVar

from colligate.methods import parameters
from colligate.methods.factorisation.penalty import make_link_penalties
from colligate.methods.factorisation.trifactorisation import TriFactorisation

if TYPE_CHECKING:
    from collections.abc import Mapping

    from colligate.knowledge import Guidance
    from colligate.methods.factorisation.penalty import Anchor, LinkPenalty, Scale
    from colligate.methods.parameters import Domain


class CSTriNMF(TriFactorisation):
    """Semi-non-negative tri-factorisation guided by links, labels and categories on documents and words.

    min ‖X − G·S·Fᵀ‖² + β·½Σ A_ij·‖g_i − g_j‖² + β·Σ B_ij·⟨g_i, g_j⟩ + …,   F, G ≥ 0, S of any sign

    g_i is the row of document i in G; A has the together links (must-links), B the apart links
    (cannot-links); words have the same terms. β is `link_weight` (`word_link_weight`) times what groups can
    explain of ‖X‖², over their number; the rest is as in `strinmf`. Equal labels are links together,
    different labels links apart, words of one category links together, all implied and never listed. After
    Wang, Li and Zhang (2008).

    Parameters
    ----------
    n_clusters, n_word_clusters, n_entity_clusters, relation_weights, orthogonality, weighting, init
        As in `tnmf`.
    word_init, n_init, max_iter, tol, random_state, n_jobs, device
        As in `tnmf`.
    link_weight, word_link_weight : float
        The weight of all links of a document, and of a word, relative to what groups can explain.

    Attributes
    ----------
    labels_, word_labels_, history_, n_iter_, result_
        As in `Estimator`.
    """

    name: ClassVar[str] = "cstrinmf"
    paper: ClassVar[str] = "Wang, Li, Zhang 2008; Song et al. 2010"
    takes: ClassVar[tuple[str, ...]] = (
        "links:documents",
        "links:words",
        "labels:documents",
        "labels:words",
        "categories:words",
    )
    domains: ClassVar[Mapping[str, Domain]] = {
        **TriFactorisation.domains,
        "link_weight": parameters.Real(0.0),
        "word_link_weight": parameters.Real(0.0),
    }
    signed: ClassVar[bool] = True

    link_weight: float
    word_link_weight: float

    def __init__(
        self,
        n_clusters: int = 8,
        *,
        n_word_clusters: int | None = None,
        n_entity_clusters: int | Mapping[str, int] | None = None,
        relation_weights: str | Mapping[str, float] = "share",
        link_weight: float = 1.0,
        word_link_weight: float = 1.0,
        orthogonality: float = 0.02,
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

    def make_penalties(
        self, guidance: Guidance, n_clusters: int, scale: Scale, *, centre: bool
    ) -> tuple[Anchor | LinkPenalty, ...]:
        """Return links, labels and categories as a link penalty."""
        weight = self.link_weight if centre else self.word_link_weight
        return make_link_penalties(guidance, weight * scale.explained, categories=True)
