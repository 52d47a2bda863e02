"""Maximum-margin clustering with outsiders (Universum): their risk and margins, and rejected documents."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, ClassVar, Self

import numpy as np
from sklearn.utils.validation import check_is_fitted

from colligate._storage.array_schema import ArraySpec
from colligate.errors import InputError
from colligate.methods import parameters
from colligate.methods.loop import State
from colligate.methods.margin.clustering import SHARPNESS, MarginClustering, decision_function
from colligate.methods.margin.problem import SOURCES, FeatureOptions, MarginProblem
from colligate.methods.margin.risks import OutsiderRisk, margins
from colligate.result.predict import make_rows

if TYPE_CHECKING:
    from collections.abc import Mapping

    from numpy.typing import NDArray

    from colligate._storage.array_schema import ArraySchema
    from colligate.knowledge import Knowledge
    from colligate.methods.fit import RunOptions
    from colligate.methods.loop import Labels
    from colligate.methods.margin.risks import Risk
    from colligate.methods.parameters import Domain

    Floats = NDArray[np.float64]


class UniversumClustering(MarginClustering):
    """Add to the objective that outsiders should score about the same in every group."""

    takes: ClassVar[tuple[str, ...]] = (*MarginClustering.takes, "outside:documents")
    model_schema: ClassVar[ArraySchema] = {
        **MarginClustering.model_schema,
        "outsider_margins": ArraySpec(("outsiders",), optional=True),
        "border": ArraySpec((), optional=True),
    }
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

    def _feature_options(self) -> FeatureOptions:
        return FeatureOptions(
            self.dimensions, self.scale, self.target_weight, self.balance, self.outsiders, self.select
        )

    def fit(
        self, X: Any, y: Any = None, knowledge: Knowledge | None = None, options: RunOptions | None = None
    ) -> Self:
        """Cluster documents; see `Method.fit`. With outsiders="rest", the knowledge must mark some."""
        has_outsiders = knowledge is not None and "outside" in knowledge.statements.kind
        if self.outsiders == "rest" and not has_outsiders:
            raise InputError(
                "outsiders='rest' needs documents that belong to no group; mark some with "
                "Knowledge().outside(…), or choose outsiders='mean' or 'rand'"
            )
        return super().fit(X, y, knowledge, options)

    def _further_risks(self, problem: MarginProblem) -> list[Risk]:
        if not self.outsider_weight or problem.outsiders is None:
            return []
        return [OutsiderRisk(problem.outsiders, self.tolerance, self.outsider_weight)]

    def finish(self, problem: MarginProblem, state: State) -> State:
        """Mark the rejected documents, if `reject` is set."""
        if not self.reject or problem.outsiders is None:
            return state
        scores = self.train_scores(problem, state)[problem.network.centre]
        # groups count from 0, so n_groups is the column that `predict_scores` adds
        rejected = scores.argmax(axis=1) == problem.n_groups
        return State(state.labels, {**state.numbers, "rejected": rejected}, state.settled)

    def labels(self, state: State) -> Mapping[str, Labels]:
        """Return the groups, -1 for rejected documents."""
        if "rejected" not in state.numbers:
            return state.labels
        rejected = state.numbers["rejected"]
        return {
            kind: np.where(rejected, -1, labels).astype(np.int32) for kind, labels in state.labels.items()
        }

    def model(self, problem: MarginProblem, state: State) -> dict[str, NDArray[Any]]:
        """Add the margins of the outsiders, and the quantile `reject` of them as the border."""
        model = super().model(problem, state)
        if problem.outsiders is None:
            return model
        model["outsider_margins"] = margins(problem.outsiders.scores(state.numbers["weights"])).astype(
            np.float32
        )
        if self.reject:
            model["border"] = np.array(np.quantile(model["outsider_margins"], self.reject))
        return model

    def decision_function(self, X: Any) -> Floats:
        """Score new documents in units of the margin.

        Parameters
        ----------
        X : as in `predict`
            The new documents.

        Returns
        -------
        array of float, documents × groups
            The scores; a lead of 1 over all other groups is a full margin.
        """
        check_is_fitted(self)
        return decision_function(self.result_.model, make_rows(self.result_, self._check_new(X)))

    @staticmethod
    def check_state(problem: MarginProblem, numbers: Mapping[str, NDArray[Any]]) -> None:
        """Raise ValueError for scores of other outsiders; see `Method.check_state`."""
        MarginClustering.check_state(problem, numbers)
        if problem.outsiders is None or "scores_1" not in numbers:
            return
        if problem.outsiders.scores(numbers["weights"]).shape != numbers["scores_1"].shape:
            raise ValueError("its scores are of other outsiders")

    @staticmethod
    def predict_scores(model: Mapping[str, NDArray[Any]], matrix: Any) -> Floats:
        """See `train_scores`; `reject` adds a column that is highest where the margin is below the border."""
        scores = MarginClustering.predict_scores(model, matrix)
        if "border" not in model:
            return scores
        n_groups = scores.shape[1]
        # K/(K−1)·(max − mean) < border, solved for the highest score
        rejected = scores.mean(axis=1) + SHARPNESS * model["border"] * (n_groups - 1) / n_groups
        return np.column_stack([scores, rejected])

    @staticmethod
    def evidence(
        model: Mapping[str, NDArray[Any]], columns: NDArray[np.int64], counts: NDArray[Any]
    ) -> Floats:
        """Return the evidence for the groups, and its mean for the column of rejected documents."""
        evidence = MarginClustering.evidence(model, columns, counts)
        return np.column_stack([evidence, evidence.mean(axis=1)]) if "border" in model else evidence
