"""Tri-factorisation in a learned metric (docs: ssnmf)."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, ClassVar

import numpy as np

from colligate.methods import parameters
from colligate.methods.factorisation.metric import learn_from_links
from colligate.methods.factorisation.start import add_category_type
from colligate.methods.factorisation.trifactorisation import TriFactorisation

if TYPE_CHECKING:
    from collections.abc import Mapping

    from numpy.typing import NDArray

    from colligate.knowledge import Guidance
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

    Attributes
    ----------
    labels_, word_labels_, history_, n_iter_, result_
        As in `Estimator`.
    """

    name: ClassVar[str] = "ssnmf"
    paper: ClassVar[str] = "Chen, Wang, Dong 2009"
    takes: ClassVar[tuple[str, ...]] = ("links:documents", "labels:documents")
    domains: ClassVar[Mapping[str, Domain]] = {
        **TriFactorisation.domains,
        "metric_weight": parameters.Real(0.0),
        "categories": parameters.Flag(),
    }
    signed: ClassVar[bool] = True

    metric_weight: float
    categories: bool

    def __init__(
        self,
        n_clusters: int = 8,
        *,
        n_word_clusters: int | None = None,
        n_entity_clusters: int | Mapping[str, int] | None = None,
        relation_weights: str | Mapping[str, float] = "plain",
        metric_weight: float = 3.0,
        categories: bool = True,
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
        if of_centre is None:
            return self.weigh_relations(network)
        judged = [relation.name for relation in network.relations]
        if self.categories:
            network = add_category_type(network, of_centre)
        network, relations = self.weigh_relations(network)
        links, rank = of_centre.with_groups(of_centre.label_groups()), max(self.n_clusters - 1, 1)
        return learn_from_links(network, relations, judged, links, rank, self.metric_weight)

    def model(self, problem: FactorProblem, state: State) -> dict[str, NDArray[Any]]:
        """Return the model of the family, and the weight of each relation in the order of the network."""
        weights = np.array([relation.weight for relation in problem.network.relations])
        return {**super().model(problem, state), "modality_importance": weights}
