"""Tri-factorisation with word categories (docs: cp)."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, ClassVar

from colligate.errors import ParameterError
from colligate.methods import parameters
from colligate.methods.factorisation import printed
from colligate.methods.factorisation.penalty import make_anchors
from colligate.methods.factorisation.trifactorisation import TriFactorisation, unpack_factors

if TYPE_CHECKING:
    from collections.abc import Mapping

    import numpy as np

    from colligate.knowledge import Guidance
    from colligate.methods.factorisation.penalty import Anchor, LinkPenalty, Scale
    from colligate.methods.factorisation.problem import FactorProblem
    from colligate.methods.loop import State
    from colligate.methods.parameters import Domain
    from colligate.network import Network


class CP(TriFactorisation):
    """Tri-factorisation guided by categories of words.

    min ‖X − G·S·Fᵀ‖² + α·‖F − F0‖² + ρ·Σ_{k≠l} ⟨g_k, g_l⟩ + ρ'·Σ_{k≠l} ⟨f_k, f_l⟩,   F, S, G ≥ 0

    X, G, S, F, ρ and ρ' are as in `tnmf`. F0 has a unit column for each category; ‖F − F0‖² is over the words
    in categories (seed words), all other words are free. α is `category_weight` times ‖X‖² over the number of
    word groups. Categories shape the start as well. Equation 4 of the word-space paper.

    Parameters
    ----------
    n_clusters, n_entity_clusters, relation_weights, orthogonality, weighting, init, word_init, n_init
        As in `tnmf`.
    max_iter, tol, random_state, n_jobs, device
        As in `tnmf`.
    n_word_clusters : int or None
        Number of word clusters, the categories first; None means one for each category, and at least as many
        as `n_clusters`.
    category_weight : float
        The weight of the categories, relative to ‖X‖²; in the printed reading α itself.
    reading : {"objective", "printed"}
        `printed` runs the paper's start and its updates 8 to 10 as they are: words in no category take no
        part, and the objective may rise.

    Attributes
    ----------
    labels_, word_labels_, history_, n_iter_, result_
        As in `Estimator`.
    """

    name: ClassVar[str] = "cp"
    paper: ClassVar[str] = "Li, Ding, Zhang, Shao 2008"
    takes: ClassVar[tuple[str, ...]] = ("categories:words",)
    domains: ClassVar[Mapping[str, Domain]] = {
        **TriFactorisation.domains,
        "category_weight": parameters.Real(0.0),
        "reading": parameters.READING,
    }

    category_weight: float
    reading: str

    def __init__(
        self,
        n_clusters: int = 8,
        *,
        n_word_clusters: int | None = None,
        n_entity_clusters: int | Mapping[str, int] | None = None,
        relation_weights: str | Mapping[str, float] = "share",
        category_weight: float = 0.1,
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

    def n_clusters_with_knowledge(self, network: Network, guidance: Mapping[str, Guidance]) -> dict[str, int]:
        """Return at least one word cluster for each category."""
        sizes = self.n_clusters_by_type(network)
        terms = str(network.terms)
        seeds = guidance[terms].seeds if terms in guidance else None
        if seeds is None:
            return sizes
        n_categories = len(seeds.categories)
        if self.reading == parameters.PRINTED:
            return {**sizes, terms: self._printed_word_clusters(n_categories)}
        if self.n_word_clusters is None:
            n_filled = int(network.nonempty(terms).sum())
            return {**sizes, terms: max(n_categories, min(self.n_clusters, n_filled))}
        if self.n_word_clusters < n_categories:
            raise ParameterError(
                f"n_word_clusters is {self.n_word_clusters}, but there are {n_categories} categories, "
                f"and {type(self).__name__} needs a group of words for each category. Raise "
                "n_word_clusters, leave it out, or merge categories.",
                parameter="n_word_clusters",
            )
        return sizes

    def make_penalties(
        self, guidance: Guidance, n_clusters: int, scale: Scale, *, centre: bool
    ) -> tuple[Anchor | LinkPenalty, ...]:
        """Return the categories as anchors F0."""
        unit = 1.0 if self.reading == parameters.PRINTED else scale.whole
        return make_anchors(guidance, n_clusters, self.category_weight * unit)

    def _printed_word_clusters(self, n_categories: int) -> int:
        """Return the number of categories: the start F = F0 has no other columns."""
        if self.n_word_clusters not in (None, n_categories):
            raise ParameterError(
                f"n_word_clusters is {self.n_word_clusters}, but with reading='printed' there are as many "
                f"groups of words as categories, {n_categories}; leave n_word_clusters out",
                parameter="n_word_clusters",
            )
        return n_categories

    def problem(self, network: Network, guidance: Mapping[str, Guidance]) -> FactorProblem:
        """Weigh the relations, and scale the penalties to them; the printed reading has no orthogonality."""
        if self.reading != parameters.PRINTED:
            return super().problem(network, guidance)
        printed.check_one_relation(self.name, network)
        return printed.without_orthogonality(super().problem(network, guidance))

    def start(self, problem: FactorProblem, rng: np.random.Generator) -> State:
        """Return the start of the family, or the paper's."""
        if self.reading != parameters.PRINTED:
            return super().start(problem, rng)
        inits = {problem.network.terms: self.word_init, problem.network.centre: self.init}
        return printed.pack_printed(problem, printed.start_from_kmeans(problem, inits, rng))

    def sweep(self, problem: FactorProblem, state: State) -> State:
        """Run one iteration of the family (tnmf, eqs. 6 and 7), or of the paper."""
        if self.reading != parameters.PRINTED:
            return super().sweep(problem, state)
        factors = printed.sweep_word_space(problem, unpack_factors(problem, state))
        return printed.pack_printed(problem, factors, state)
