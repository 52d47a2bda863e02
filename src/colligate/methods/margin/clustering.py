"""What the margin methods have in common as methods: a convex problem for fixed groups, then new groups.

Scores and cuts that are kept from sweep to sweep, as arrays of a state.

Cuts of the documents are turned when documents move; those of the other risks hold for any groups.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, ClassVar

import numpy as np
from scipy.sparse import csr_array

from colligate.kernels import make_kernels
from colligate.methods import parameters
from colligate.methods.base import Method
from colligate.methods.loop import Problem, State
from colligate.methods.margin.bundle import Point, empty_working_set, minimise
from colligate.methods.margin.cutting_planes import Planes
from colligate.methods.margin.groups import assign_groups, fix_known, initialize_groups
from colligate.methods.margin.problem import FeatureOptions, MarginProblem, prepare_problem
from colligate.methods.margin.risks import BalanceRisk, TargetRisk, hinge_losses, margins
from colligate.methods.spherical import check_labels, draw_labels, tfidf

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from numpy.typing import NDArray

    from colligate.knowledge import Guidance
    from colligate.methods.loop import Labels
    from colligate.methods.margin.bundle import Solution, StoredCut, WorkingSet
    from colligate.methods.margin.features import Features
    from colligate.methods.margin.risks import Risk
    from colligate.methods.parameters import Domain
    from colligate.network import Network

    Floats = NDArray[np.float64]
    Arrays = dict[str, NDArray[Any]]

# a lead of 1, which is what the margin asks for, is a membership of about .95
SHARPNESS = 4.0
# the groups may move before the weights are the best: where less is left to gain than this share of the gain
GAIN_SHARE = 4.0
PLANE_ARRAYS = ("groups", "choices", "slopes", "offsets")
# a cut that so many answers at the end of a sweep did without is not kept
MAX_IDLE = 3


class MarginClustering(Method):
    """Groups with wide margins between them: CCCP outside, cutting planes inside.

    A sweep finds the best W for the groups as they are, which is a convex problem, and then moves every
    document to the group where it scores highest. Neither can raise the objective. Documents with a label
    stay in its group throughout.
    """

    takes: ClassVar[tuple[str, ...]] = ("labels:documents",)
    family: ClassVar[str] = "margin"
    domains: ClassVar[Mapping[str, Domain]] = {
        **Method.domains,
        "target_weight": parameters.Real(1e-6),
        "balance": parameters.Real(0.0),
        "dimensions": parameters.Integer(1, none=True),
        "scale": parameters.Real(0.0),
        "precision": parameters.Real(1e-9, 0.5),
        "init": parameters.Choice(("auto", "random"), array=True),
    }

    target_weight: float
    balance: float
    dimensions: int | None
    scale: float
    precision: float
    init: Any

    def problem(self, network: Network, guidance: Mapping[str, Guidance]) -> MarginProblem:
        """The features of the documents, and of the outsiders if the method takes any."""
        plain = Problem(network, make_kernels("fast", self.n_jobs), self.sizes(network), guidance)
        return prepare_problem(plain, self._asking())

    def _asking(self) -> FeatureOptions:
        return FeatureOptions(self.dimensions, self.scale, self.target_weight, self.balance)

    def start(self, problem: MarginProblem, rng: np.random.Generator) -> State:
        """Groups by `init`, and weights of zero."""
        assert problem.features is not None
        groups = self._first(problem, rng)
        weights = np.zeros((problem.n_groups, problem.features.width))
        return State({problem.network.centre: problem.placed(groups)}, {"weights": weights})

    def _first(self, problem: MarginProblem, rng: np.random.Generator) -> Labels:
        assert problem.features is not None
        assert problem.targets is not None
        centre, counts = problem.network.centre, problem.network.counts
        if not isinstance(self.init, str):
            given = np.array(self.init)
            if given.shape == (counts.shape[0],):
                # where outsiders start does not matter
                given[problem.placed(np.zeros(len(problem.targets), dtype=np.int32)) < 0] = 0
            return fix_known(
                check_labels(given, counts, problem.n_groups, centre)[problem.targets], problem.known
            )
        if self.init == "random":
            return fix_known(draw_labels(counts[problem.targets], problem.n_groups, rng), problem.known)
        return initialize_groups(problem.kernels, problem.features, problem.n_groups, rng, problem.known)

    def sweep(self, problem: MarginProblem, state: State) -> State:
        """The best weights for the groups, then the best groups for the weights."""
        groups = _groups(problem, state)
        risks = self._risks(problem, groups)
        assert problem.features is not None
        cuts = restore_cuts(state.numbers, problem.features, groups, risks)
        found = minimise(risks, restore_point(state.numbers, risks), self.precision, GAIN_SHARE, cuts)
        scores = found.scores[0]
        following = assign_groups(scores, groups, hinge_losses(scores, groups), problem.known)
        numbers = {"weights": found.weights, "gap": np.array(found.gap)}
        numbers |= pack_cuts(cuts, groups, found)
        # the same groups again would be the same problem, which may be solved already
        solved = found.gap <= self.precision * found.objective
        settled = solved and np.array_equal(following, groups)
        return State({problem.network.centre: problem.placed(following)}, numbers, settled)

    def objective(self, problem: MarginProblem, state: State) -> float:
        """½‖W‖² and the weighted risks of the groups, the outsiders and the balance."""
        risks = self._risks(problem, _groups(problem, state))
        return restore_point(state.numbers, risks).objective(risks)

    def _risks(self, problem: MarginProblem, groups: Labels) -> list[Risk]:
        """The risk of the documents first, then any others."""
        risks: list[Risk] = [self._target_risk(problem, groups), *self._further(problem)]
        balance = self._balance_risk(problem, risks)
        return risks if balance is None else [*risks, balance]

    def _target_risk(self, problem: MarginProblem, groups: Labels) -> TargetRisk:
        assert problem.features is not None
        return TargetRisk(problem.features, groups, self.target_weight)

    def _balance_risk(self, problem: MarginProblem, others: Sequence[Risk]) -> BalanceRisk | None:
        """None if mean scores are equal anyway; otherwise with more weight than the others can gain by it."""
        if not self.balance:
            return None
        assert problem.features is not None
        return BalanceRisk(problem.features, self.balance, 2.0 * sum(risk.weight for risk in others))

    def _further(self, problem: MarginProblem) -> list[Risk]:
        return []

    def train_scores(self, problem: MarginProblem, state: State) -> dict[str, Floats]:
        """The scores, sharpened; a document with a label leads in its group by the margin at least."""
        found = self.predict_scores(self.model(problem, state), problem.network.counts)
        if problem.known is not None:
            assert problem.targets is not None
            told = np.flatnonzero(problem.known >= 0)
            places, groups = problem.targets[told], problem.known[told]
            others = found[places]
            others[np.arange(len(told)), groups] = -np.inf
            found[places, groups] = np.maximum(found[places, groups], others.max(axis=1) + SHARPNESS)
        return {problem.network.centre: found}

    def model(self, problem: MarginProblem, state: State) -> dict[str, NDArray[Any]]:
        """Weights of words, offsets of groups, the idf, the margins of the documents, and the duality gap."""
        assert problem.features is not None
        assert problem.space is not None
        features, weights = problem.features, state.numbers["weights"]
        slopes = weights[:, :-1] * features.scale
        return {
            "word_weights": problem.space.word_weights(slopes),
            "offset": features.constant * weights[:, -1] - slopes @ features.centre,
            "idf": problem.space.idf,
            "target_margins": margins(features.scores(weights)).astype(np.float32),
            **{name: value for name, value in state.numbers.items() if name == "gap"},
        }

    @staticmethod
    def predict_scores(model: Mapping[str, NDArray[Any]], matrix: Any) -> Floats:
        """See `train_scores`."""
        return np.asarray(SHARPNESS * decision_function(model, matrix))

    @staticmethod
    def evidence(
        model: Mapping[str, NDArray[Any]], columns: NDArray[np.int64], counts: NDArray[Any]
    ) -> Floats:
        """The document's tf-idf entries times the weights of their words, sharpened."""
        row = tfidf(
            csr_array((counts, columns, [0, len(columns)]), shape=(1, len(model["idf"]))), model["idf"]
        )
        return np.asarray(SHARPNESS * row.data[:, None] * model["word_weights"][columns])


def decision_function(model: Mapping[str, NDArray[Any]], matrix: Any) -> Floats:
    """The scores of documents in units of the margin: the lead over another group is to be 1."""
    return np.asarray(tfidf(matrix, model["idf"]) @ model["word_weights"] + model["offset"])


def _groups(problem: MarginProblem, state: State) -> Labels:
    return state.labels[problem.network.centre][problem.targets]


def restore_cuts(
    numbers: Mapping[str, NDArray[Any]], features: Features, groups: Labels, risks: Sequence[Risk]
) -> WorkingSet:
    """The cuts of a state, for the groups there are now; none if it keeps none."""
    cuts = empty_working_set(risks)
    if "choices" not in numbers:
        return cuts
    planes = Planes(**{name: numbers[name] for name in PLANE_ARRAYS}).regrouped(features, groups)
    for choice, slope, offset in zip(planes.unpacked(), planes.slopes, planes.offsets.tolist(), strict=True):
        cuts.add(0, slope, offset, choice)
    others = (numbers[name] for name in ("other_owners", "other_slopes", "other_offsets"))
    for owner, slope, offset in zip(*others, strict=True):
        cuts.add(int(owner), slope, float(offset))
    return cuts


def restore_point(numbers: Mapping[str, NDArray[Any]], risks: Sequence[Risk]) -> Point:
    """The weights of a state, and what each risk sees of them, which it may keep."""
    weights = numbers["weights"]
    seen = ((risk, numbers.get(_seen(place))) for place, risk in enumerate(risks))
    return Point(weights, tuple(risk.scores(weights) if own is None else own for risk, own in seen))


def _seen(risk: int) -> str:
    """What a state calls the scores that a risk sees."""
    return f"scores_{risk}"


def pack_cuts(cuts: WorkingSet, groups: Labels, found: Solution) -> Arrays:
    """What a state keeps of the scores, and of the cuts that were of use; `groups` are those they are for."""
    shape = found.weights.shape
    useful = [cut for cut in cuts.cuts if cut.idle < MAX_IDLE]
    own = [cut for cut in useful if cut.choice is not None]
    others = [cut for cut in useful if cut.choice is None]
    bits = [np.packbits(cut.choice.ravel()) for cut in own if cut.choice is not None]
    none = Planes.none(groups, shape)
    return {
        **{_seen(place): scores for place, scores in enumerate(found.scores)},
        "groups": groups,
        "choices": np.array(bits, dtype=np.uint8).reshape(-1, none.choices.shape[1]),
        "slopes": _slopes(own, shape),
        "offsets": np.array([cut.offset for cut in own]),
        "other_owners": np.array([cut.owner for cut in others], dtype=np.int64),
        "other_slopes": _slopes(others, shape),
        "other_offsets": np.array([cut.offset for cut in others]),
    }


def _slopes(cuts: Sequence[StoredCut], shape: tuple[int, ...]) -> NDArray[np.float64]:
    return np.array([cut.slope for cut in cuts]).reshape(-1, *shape)
