"""Tri-factorisation in a learned metric (docs: ssnmf)."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, ClassVar

import numpy as np

from colligate._storage.array_schema import ArraySpec
from colligate.knowledge import Guidance
from colligate.methods import parameters
from colligate.methods.factorisation import printed
from colligate.methods.factorisation.metric import learn_from_links
from colligate.methods.factorisation.problem import make_relations
from colligate.methods.factorisation.start import add_category_type
from colligate.methods.factorisation.trifactorisation import TriFactorisation, unpack_factors
from colligate.methods.schema import replace_weights

if TYPE_CHECKING:
    from collections.abc import Mapping

    from numpy.typing import NDArray

    from colligate._storage.array_schema import ArraySchema
    from colligate.methods.factorisation.problem import FactorProblem, FactorRelation
    from colligate.methods.loop import State
    from colligate.methods.parameters import Domain
    from colligate.network import Network


class SSNMF(TriFactorisation):
    """Tri-factorisation in a metric learned from links and labels on documents.

    min Σ_r a_r·‖R_r·M_r − G·S_r·F_rᵀ‖² + …,   G, F_r ≥ 0, S_r of any sign

    R_r is a relation of the documents, G their memberships, F_r those of the other type, S_r the association.
    M_r = I + μ·U·Uᵀ stretches relation r along the few directions U in which documents apart differ most
    relative to documents together; μ is at most `metric_weight`. a_r is how much of the links relation r
    accounts for, by non-negative least squares; the network of the result carries it. Labels make a third
    type, categories. R·M has negative entries, which associations of any sign allow; the rest is as in
    `strinmf`. Algorithms 1 and 2 of the triplet paper.

    Parameters
    ----------
    n_clusters, n_word_clusters, n_entity_clusters, orthogonality, weighting, init, word_init, n_init
        As in `tnmf`.
    max_iter, tol, random_state, n_jobs, device
        As in `tnmf`.
    relation_weights : {"plain", "share"} or mapping of relations to weights
        As in `tnmf`; learned weights multiply it.
    metric_weight : float
        The largest μ; held-out links decide how much of it is used. 0 learns no metric.
    categories : bool
        Whether labels make a type, related to the documents they name.
    reading : {"objective", "printed"}
        `printed` runs algorithms 1 and 2 of the paper: rows projected by √L with negative entries set to 0,
        random non-negative factors, updates 6 to 10, and weights that are learned but not used.

    Attributes
    ----------
    labels_, word_labels_, history_, n_iter_, result_
        As in `Estimator`.
    """

    name: ClassVar[str] = "ssnmf"
    paper: ClassVar[str] = "Chen, Wang, Dong 2009"
    takes: ClassVar[tuple[str, ...]] = ("links:documents", "labels:documents")
    model_schema: ClassVar[ArraySchema] = {
        **TriFactorisation.model_schema,
        "modality_importance": ArraySpec(("modalities",), least=0.0),
    }
    domains: ClassVar[Mapping[str, Domain]] = {
        **TriFactorisation.domains,
        "metric_weight": parameters.Real(0.0),
        "categories": parameters.Flag(),
        "reading": parameters.READING,
    }
    signed: ClassVar[bool] = True

    metric_weight: float
    categories: bool
    reading: str

    def __init__(
        self,
        n_clusters: int = 8,
        *,
        n_word_clusters: int | None = None,
        n_entity_clusters: int | Mapping[str, int] | None = None,
        relation_weights: str | Mapping[str, float] = "plain",
        metric_weight: float = 3.0,
        categories: bool = True,
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

    def prepare_relations(
        self, network: Network, guidance: Mapping[str, Guidance]
    ) -> tuple[Network, tuple[FactorRelation, ...]]:
        """Add the categories; learn the metric and the weight of each relation of the centre."""
        of_centre = guidance.get(network.centre)
        if self.reading == parameters.PRINTED:
            return self._prepare_as_printed(network, of_centre)
        if of_centre is None:
            return self.weigh_relations(network)
        judged = [relation.name for relation in network.relations]
        if self.categories:
            network = add_category_type(network, of_centre)
        network, relations = self.weigh_relations(network)
        links, rank = of_centre.with_groups(of_centre.label_groups()), max(self.n_clusters - 1, 1)
        return learn_from_links(network, relations, judged, links, rank, self.metric_weight)

    def _prepare_as_printed(
        self, network: Network, of_centre: Guidance | None
    ) -> tuple[Network, tuple[FactorRelation, ...]]:
        """Return the network with the importance of its relations, and their rows as algorithm 1 has them."""
        if of_centre is None:
            of_centre = Guidance(len(network.types[network.centre]))
        elif self.categories:
            network = add_category_type(network, of_centre)
        links, rank = of_centre.with_groups(of_centre.label_groups()), max(self.n_clusters - 1, 1)
        relations = make_relations(network, self.weighting)
        projected, a = printed.learn_as_printed(relations, network.centre, links, rank)
        return replace_weights(network, a.tolist()), projected

    def problem(self, network: Network, guidance: Mapping[str, Guidance]) -> FactorProblem:
        """Learn metric and weights; the printed reading has no orthogonality and no signs."""
        problem = super().problem(network, guidance)
        if self.reading != parameters.PRINTED:
            return problem
        return printed.without_orthogonality(problem)

    def start(self, problem: FactorProblem, rng: np.random.Generator) -> State:
        """Return the start of the family, or random non-negative values as the paper does."""
        if self.reading != parameters.PRINTED:
            return super().start(problem, rng)
        return printed.pack_printed(problem, printed.start_at_random(problem, rng))

    def sweep(self, problem: FactorProblem, state: State) -> State:
        """Run one iteration of the family (tnmf, eqs. 6 and 7), or of algorithm 2."""
        if self.reading != parameters.PRINTED:
            return super().sweep(problem, state)
        factors = printed.sweep_triplet(problem, unpack_factors(problem, state))
        return printed.pack_printed(problem, factors, state)

    def model(self, problem: FactorProblem, state: State) -> dict[str, NDArray[Any]]:
        """Return the model of the family, and the weight of each relation in the order of the network."""
        weights = np.array([relation.weight for relation in problem.network.relations])
        return {**super().model(problem, state), "modality_importance": weights}
