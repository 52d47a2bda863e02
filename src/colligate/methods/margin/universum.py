"""The margin methods that know of outsiders: their risk, their margins, and documents rejected like them."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, ClassVar, Self

import numpy as np
from sklearn.utils.validation import check_is_fitted

from colligate.corpus import Corpus
from colligate.errors import InputError
from colligate.methods import parameters
from colligate.methods.loop import State
from colligate.methods.margin.clustering import SHARPNESS, MarginClustering, decision_function
from colligate.methods.margin.problem import SOURCES, FeatureOptions, MarginProblem
from colligate.methods.margin.risks import OutsiderRisk, margins
from colligate.network import Network
from colligate.result.predict import as_rows

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from colligate.knowledge import Knowledge
    from colligate.methods.fit import RunOptions
    from colligate.methods.loop import Labels
    from colligate.methods.margin.risks import Risk
    from colligate.methods.parameters import Domain

    Floats = NDArray[np.float64]


class UniversumClustering(MarginClustering):
    """Adds to the objective that outsiders should score about the same in every group."""

    takes: ClassVar[tuple[str, ...]] = (*MarginClustering.takes, "outside:documents")
    domains: ClassVar[Mapping[str, Domain]] = {
        **MarginClustering.domains,
        "outsider_weight": parameters.Real(0.0),
        "tolerance": parameters.Real(0.0),
        "outsiders": parameters.Choice(SOURCES),
        "select": parameters.Real(0.0, 1.0),
        "reject": parameters.Real(0.0, 1.0),
    }

    outsider_weight: float
    tolerance: float
    outsiders: str
    select: float
    reject: float

    def _asking(self) -> FeatureOptions:
        return FeatureOptions(
            self.dimensions, self.scale, self.target_weight, self.balance, self.outsiders, self.select
        )

    def fit(
        self, X: Any, y: Any = None, knowledge: Knowledge | None = None, options: RunOptions | None = None
    ) -> Self:
        """See `Method.fit`; with outsiders="rest" some must be told."""
        told = knowledge is not None and "outside" in knowledge.statements.kind
        if self.outsiders == "rest" and not told:
            raise InputError(
                "outsiders='rest' needs documents known to be in no group; tell some with "
                "Knowledge().outside(…), or let them be made with outsiders='mean' or 'rand'"
            )
        return super().fit(X, y, knowledge, options)

    def _further(self, problem: MarginProblem) -> list[Risk]:
        if not self.outsider_weight or problem.outsiders is None:
            return []
        return [OutsiderRisk(problem.outsiders, self.tolerance, self.outsider_weight)]

    def finish(self, problem: MarginProblem, state: State) -> State:
        """Mark the documents that are rejected, if any are to be."""
        if not self.reject or problem.outsiders is None:
            return state
        scores = self.train_scores(problem, state)[problem.network.centre]
        rejected = scores.argmax(axis=1) == problem.n_groups
        return State(state.labels, {**state.numbers, "rejected": rejected}, state.settled)

    def labels(self, state: State) -> Mapping[str, Labels]:
        """The groups, and -1 for documents that are rejected."""
        if "rejected" not in state.numbers:
            return state.labels
        rejected = state.numbers["rejected"]
        return {
            kind: np.where(rejected, -1, labels).astype(np.int32) for kind, labels in state.labels.items()
        }

    def model(self, problem: MarginProblem, state: State) -> dict[str, NDArray[Any]]:
        """Adds the margins of the outsiders, and the one that the share `reject` of them does not reach."""
        if problem.outsiders is None:
            return super().model(problem, state)
        reached = margins(problem.outsiders.scores(state.numbers["weights"])).astype(np.float32)
        found = {**super().model(problem, state), "outsider_margins": reached}
        return {**found, "border": np.array(np.quantile(reached, self.reject))} if self.reject else found

    def decision_function(self, X: Any) -> Floats:
        """The score of each new document in each group, in units of the margin; X as in `predict`."""
        check_is_fitted(self)
        texts = isinstance(X, list | tuple) and all(isinstance(text, str) for text in X)
        as_it_is = texts or isinstance(X, Corpus | Network | Mapping)
        new = X if as_it_is else self._checked(X, reset=False)
        return decision_function(self.result_.model, as_rows(self.result_, new))

    @staticmethod
    def predict_scores(model: Mapping[str, NDArray[Any]], matrix: Any) -> Floats:
        """See `train_scores`; `reject` adds a column that is highest where the margin is below the border."""
        found = MarginClustering.predict_scores(model, matrix)
        if "border" not in model:
            return found
        n_groups = found.shape[1]
        # K/(K−1)·(max − mean) < border, solved for the highest score
        none = found.mean(axis=1) + SHARPNESS * model["border"] * (n_groups - 1) / n_groups
        return np.column_stack([found, none])

    @staticmethod
    def evidence(
        model: Mapping[str, NDArray[Any]], columns: NDArray[np.int64], counts: NDArray[Any]
    ) -> Floats:
        """As for the groups; what speaks for none of them is the mean of what speaks for each."""
        found = MarginClustering.evidence(model, columns, counts)
        return np.column_stack([found, found.mean(axis=1)]) if "border" in model else found
