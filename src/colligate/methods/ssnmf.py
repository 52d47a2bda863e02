"""Semi-supervised tri-factorisation with a learned metric."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any, ClassVar

import numpy as np

from colligate.methods import domains
from colligate.methods.factorisation.metric import learned
from colligate.methods.factorisation.trifactorisation import TriFactorisation

if TYPE_CHECKING:
    from collections.abc import Mapping

    from numpy.typing import NDArray

    from colligate.knowledge import Guidance
    from colligate.methods.domains import Domain
    from colligate.methods.factorisation.problem import FactorProblem
    from colligate.methods.state import State
    from colligate.network import Network

    Floats = NDArray[np.float64]


class SSNMF(TriFactorisation):
    """Tri-factorisation of relations in a metric that links and labels on documents teach.

    min Σ_r a_r·‖R_r·M_r − G·S_r·F_rᵀ‖² + …,   G, F_r ≥ 0, S_r of any sign

    M_r = I + `metric_weight`·U·Uᵀ stretches relation r along the few directions U in which documents that are
    apart differ most beside those that are together; a_r is how much of the links relation r accounts for, by
    non-negative least squares. R·M has negative entries, which associations of
    any sign take as they are; the rest is as in `strinmf`. Algorithms 1 and 2 of the triplet paper.

    Parameters
    ----------
    n_clusters, n_word_clusters, orthogonality, weighting, init, word_init, n_init, max_iter, tol
        As in `tnmf`.
    random_state, n_jobs
        As in `tnmf`.
    metric_weight : float
        How far the learned directions are stretched; 0 leaves the rows as they are.
    """

    name: ClassVar[str] = "ssnmf"
    paper: ClassVar[str] = "Chen, Wang, Dong 2009"
    takes: ClassVar[tuple[str, ...]] = ("links:documents", "labels:documents")
    domains: ClassVar[Mapping[str, Domain]] = {**TriFactorisation.domains, "metric_weight": domains.Real(0.0)}
    signed: ClassVar[bool] = True

    def __init__(
        self,
        n_clusters: int = 8,
        *,
        n_word_clusters: int | None = None,
        metric_weight: float = 3.0,
        orthogonality: float = 0.02,
        weighting: str = "tfidf",
        init: Any = "auto",
        word_init: Any = "auto",
        n_init: int = 3,
        max_iter: int = 200,
        tol: float = 1e-4,
        random_state: Any = None,
        n_jobs: int | None = None,
    ) -> None:
        self.n_clusters = n_clusters
        self.n_word_clusters = n_word_clusters
        self.metric_weight = metric_weight
        self.orthogonality = orthogonality
        self.weighting = weighting
        self.init = init
        self.word_init = word_init
        self.n_init = n_init
        self.max_iter = max_iter
        self.tol = tol
        self.random_state = random_state
        self.n_jobs = n_jobs

    def problem(self, network: Network, guidance: Mapping[str, Guidance]) -> FactorProblem:
        """Learn the metric and the weight of each relation from what is known of the centre."""
        problem = super().problem(network, guidance)
        known = guidance.get(network.centre)
        if known is None:
            return problem
        links = known.with_groups(known.label_groups())
        return replace(problem, pieces=learned(problem, links, self.metric_weight))

    def profiles(self, problem: FactorProblem, state: State) -> Floats:
        """The profiles as rows that are not yet stretched meet them."""
        found = super().profiles(problem, state)
        stretch = problem.described.stretch
        if stretch is None:
            return found
        U = stretch.directions
        return np.asarray(found + stretch.strength * (U @ (U.T @ found)))

    def model(self, problem: FactorProblem, state: State) -> dict[str, NDArray[Any]]:
        """As for all, and the weight of each relation."""
        weights = np.array([piece.weight for piece in problem.pieces])
        return {**super().model(problem, state), "modality_importance": weights}
