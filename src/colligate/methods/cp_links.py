"""Tri-factorisation with links between words (docs: cp-links)."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, ClassVar

from colligate.methods import parameters
from colligate.methods.cp import CP
from colligate.methods.factorisation.penalty import make_link_penalties

if TYPE_CHECKING:
    from collections.abc import Mapping

    from colligate.knowledge import Guidance
    from colligate.methods.factorisation.penalty import Anchor, LinkPenalty, Scale
    from colligate.methods.parameters import Domain


class CPLinks(CP):
    """Tri-factorisation guided by pairs of words that belong together or apart, and by categories of words.

    min ‖X − G·S·Fᵀ‖² + β·½Σ A_vw·‖f_v − f_w‖² + β·Σ B_vw·⟨f_v, f_w⟩ + …,   F, S, G ≥ 0

    f_w is the row of word w in F; A has the together links (must-links), B the apart links (cannot-links).
    β is `word_link_weight` times what groups can explain of ‖X‖², over the number of word groups; the rest is
    as in `cp`. Equation 17 of the word-space paper, whose reward −tr FᵀAF is completed to a penalty, so that
    it is bounded; its printed update can divide by negative numbers, this one cannot. Equal labels are links
    together, different labels links apart.

    Parameters
    ----------
    n_clusters, n_entity_clusters, relation_weights, orthogonality, weighting, init, word_init, n_init
        As in `tnmf`.
    max_iter, tol, random_state, n_jobs, device
        As in `tnmf`.
    n_word_clusters, category_weight
        As in `cp`.
    word_link_weight : float
        The weight of all links of a word, relative to what groups can explain; in the printed reading β = γ.
    reading : {"objective", "printed"}
        `printed` runs equation 18 of the paper, without the term that makes its denominator negative, and
        else as in `cp`.

    Attributes
    ----------
    labels_, word_labels_, history_, n_iter_, result_
        As in `Estimator`.
    """

    name: ClassVar[str] = "cp-links"
    paper: ClassVar[str] = "Li, Ding, Zhang, Shao 2008"
    takes: ClassVar[tuple[str, ...]] = ("links:words", "labels:words", "categories:words")
    domains: ClassVar[Mapping[str, Domain]] = {**CP.domains, "word_link_weight": parameters.Real(0.0)}

    word_link_weight: float

    def __init__(
        self,
        n_clusters: int = 8,
        *,
        n_word_clusters: int | None = None,
        n_entity_clusters: int | Mapping[str, int] | None = None,
        relation_weights: str | Mapping[str, float] = "share",
        category_weight: float = 0.1,
        word_link_weight: float = 1.0,
        reading: str = "objective",
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
        """Return categories as anchors, and links and labels as a link penalty."""
        as_printed = self.reading == parameters.PRINTED
        beta = self.word_link_weight * (1.0 if as_printed else scale.explained)
        links = make_link_penalties(guidance, beta, categories=False, printed=as_printed)
        return (*super().make_penalties(guidance, n_clusters, scale, centre=centre), *links)
