"""Maximum-margin clustering as a method: a convex problem for fixed groups, then new groups (docs: m2dcu-0).

Scores and cuts are kept between iterations as arrays of the state. Cuts of the documents are turned when
documents move; those of the other risks hold for any groups.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, ClassVar

import numpy as np
from scipy.sparse import csr_array

from colligate._storage.array_schema import BYTES, DOUBLES, INTEGERS, ArraySpec, check_complete
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

    from colligate._storage.array_schema import ArraySchema
    from colligate.knowledge import Guidance
    from colligate.methods.loop import Labels
    from colligate.methods.margin.bundle import Solution, StoredCut, WorkingSet
    from colligate.methods.margin.features import Features
    from colligate.methods.margin.risks import Risk
    from colligate.methods.parameters import Domain
    from colligate.network import Network

    Floats = NDArray[np.float64]
    Arrays = dict[str, NDArray[Any]]

# a lead of 1, the full margin, is a membership of about .95
SHARPNESS = 4.0
# the groups move before the weights are optimal, when less than this share of the gain is left to gain
# (chosen by time and objective on the super-groups of 20 Newsgroups)
GAIN_SHARE = 4.0
OTHER_ARRAYS = ("other_owners", "other_slopes", "other_offsets")
PLANE_ARRAYS = ("groups", "choices", "slopes", "offsets")
# a cut that was inactive at the end of so many iterations is not kept
MAX_IDLE = 3


class MarginClustering(Method):
    """Groups with wide margins: CCCP outside, cutting planes inside.

    An iteration finds the best W for the current groups, which is a convex problem, and then moves every
    document to the group with its highest score. Neither can raise the objective. Documents with a label
    stay in its group.
    """

    takes: ClassVar[tuple[str, ...]] = ("labels:documents",)
    family: ClassVar[str] = "margin"
    model_schema: ClassVar[ArraySchema] = {
        "word_weights": ArraySpec(("columns", "groups")),
        "offset": ArraySpec(("groups",)),
        "idf": ArraySpec(("columns",)),
        "target_margins": ArraySpec(("targets",)),
        "gap": ArraySpec((), optional=True),
    }
    state_schema: ClassVar[ArraySchema] = {
        "weights": ArraySpec(("groups", "features"), DOUBLES),
        "current": ArraySpec(("groups", "features"), DOUBLES, optional=True),
        "gap": ArraySpec((), DOUBLES, optional=True),
        "scores_*": ArraySpec(("rows of *", "groups"), DOUBLES),
        "groups": ArraySpec(("targets",), INTEGERS, least=-1, below="groups", optional=True),
        "choices": ArraySpec(("cuts", "bytes"), BYTES, optional=True),
        "slopes": ArraySpec(("cuts", "groups", "features"), DOUBLES, optional=True),
        "offsets": ArraySpec(("cuts",), DOUBLES, optional=True),
        "other_owners": ArraySpec(("others",), INTEGERS, least=0, below=8, optional=True),
        "other_slopes": ArraySpec(("others", "groups", "features"), DOUBLES, optional=True),
        "other_offsets": ArraySpec(("others",), DOUBLES, optional=True),
    }
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

    def __init__(
        self,
        n_clusters: int = 8,
        *,
        target_weight: float = 64.0,
        balance: float = 0.0,
        dimensions: int | None = 300,
        scale: float = 0.0,
        precision: float = 1e-3,
        init: Any = "auto",
        n_init: int = 20,
        max_iter: int = 100,
        tol: float = 1e-3,
        random_state: Any = None,
        n_jobs: int | None = None,
        device: str = "auto",
    ) -> None:
        self._store_parameters(locals())

    def problem(self, network: Network, guidance: Mapping[str, Guidance]) -> MarginProblem:
        """Make the features of the documents, and of the outsiders if the method accepts any."""
        base = Problem(network, self.back_end(network), self.n_clusters_by_type(network), guidance)
        return prepare_problem(base, self._feature_options())

    def _feature_options(self) -> FeatureOptions:
        return FeatureOptions(self.dimensions, self.scale, self.target_weight, self.balance)

    def start(self, problem: MarginProblem, rng: np.random.Generator) -> State:
        """Return groups by `init`, and weights of zero."""
        assert problem.features is not None
        groups = self._initial_groups(problem, rng)
        W = np.zeros((problem.n_groups, problem.features.width))
        return State({problem.network.centre: problem.to_labels(groups)}, {"weights": W})

    def _initial_groups(self, problem: MarginProblem, rng: np.random.Generator) -> Labels:
        assert problem.features is not None
        assert problem.targets is not None
        counts, n_groups, known = problem.network.counts, problem.n_groups, problem.known
        if not isinstance(self.init, str):
            start = np.array(self.init)
            if start.shape == (counts.shape[0],):
                # where outsiders start does not matter
                start[problem.to_labels(np.zeros(len(problem.targets), dtype=np.int32)) < 0] = 0
            labels = check_labels(start, counts, n_groups, problem.network.centre)
            return fix_known(labels[problem.targets], known)
        if self.init == "random":
            return fix_known(draw_labels(counts[problem.targets], n_groups, rng), known)
        return initialize_groups(problem.kernels, problem.features, n_groups, rng, known)

    def sweep(self, problem: MarginProblem, state: State) -> State:
        """Find the best W for the groups u (eq. 1, convex), then the best groups for W."""
        groups = _groups(problem, state)
        risks = self._risks(problem, groups)
        assert problem.features is not None
        cuts = restore_cuts(state.numbers, problem.features, groups, risks)
        solution = minimise(risks, restore_point(state.numbers, risks), self.precision, GAIN_SHARE, cuts)
        scores = solution.scores[0]
        following = assign_groups(scores, groups, hinge_losses(scores, groups), problem.known)
        numbers = {"weights": solution.W, "gap": np.array(solution.gap), **pack_cuts(cuts, groups, solution)}
        # the same groups would be the same problem, which may be solved already
        solved = solution.gap <= self.precision * solution.objective
        settled = solved and np.array_equal(following, groups)
        return State({problem.network.centre: problem.to_labels(following)}, numbers, settled)

    def objective(self, problem: MarginProblem, state: State) -> float:
        """Compute ½‖W‖² and the weighted risks of the documents, the outsiders and the balance."""
        risks = self._risks(problem, _groups(problem, state))
        return restore_point(state.numbers, risks).objective(risks)

    def _risks(self, problem: MarginProblem, groups: Labels) -> list[Risk]:
        """Return the risk of the documents first, then all others."""
        risks: list[Risk] = [self._target_risk(problem, groups), *self._further_risks(problem)]
        balance = self._balance_risk(problem, risks)
        return risks if balance is None else [*risks, balance]

    def _target_risk(self, problem: MarginProblem, groups: Labels) -> TargetRisk:
        assert problem.features is not None
        return TargetRisk(problem.features, groups, self.target_weight)

    def _balance_risk(self, problem: MarginProblem, others: Sequence[Risk]) -> BalanceRisk | None:
        """Return the balance with more weight than the others can gain; None if means are equal anyway."""
        if not self.balance:
            return None
        assert problem.features is not None
        return BalanceRisk(problem.features, self.balance, 2.0 * sum(risk.weight for risk in others))

    def _further_risks(self, problem: MarginProblem) -> list[Risk]:
        return []

    def train_scores(self, problem: MarginProblem, state: State) -> dict[str, Floats]:
        """Return the scores, sharpened; a document with a label leads in its group by at least the margin."""
        scores = self.predict_scores(self.model(problem, state), problem.network.counts)
        if problem.known is not None:
            assert problem.targets is not None
            labelled = np.flatnonzero(problem.known >= 0)
            rows, groups = problem.targets[labelled], problem.known[labelled]
            others = scores[rows]
            others[np.arange(len(labelled)), groups] = -np.inf
            scores[rows, groups] = np.maximum(scores[rows, groups], others.max(axis=1) + SHARPNESS)
        return {problem.network.centre: scores}

    def model(self, problem: MarginProblem, state: State) -> dict[str, NDArray[Any]]:
        """Return the weights of words, offsets of groups, idf, margins of documents, and the duality gap."""
        assert problem.features is not None
        assert problem.space is not None
        features, W = problem.features, state.numbers["weights"]
        # centre and scale go into weights and offsets, so that new documents need tf-idf rows alone
        slopes = W[:, :-1] * features.scale
        return {
            "word_weights": problem.space.word_weights(slopes),
            "offset": features.constant * W[:, -1] - slopes @ features.centre,
            "idf": problem.space.idf,
            "target_margins": margins(features.scores(W)).astype(np.float32),
            **{name: value for name, value in state.numbers.items() if name == "gap"},
        }

    @staticmethod
    def check_state(problem: MarginProblem, numbers: Mapping[str, NDArray[Any]]) -> None:
        """Raise ValueError for cuts that are incomplete or of other documents; see `Method.check_state`."""
        targets = np.arange(len(problem.network.types[problem.network.centre]))[problem.targets]
        shape = numbers["weights"].shape
        if check_complete(numbers, PLANE_ARRAYS):
            width = Planes.none(numbers["groups"], shape).choices.shape[1]
            if len(numbers["groups"]) != len(targets) or numbers["choices"].shape[1] != width:
                raise ValueError("its cuts are of other documents")
        check_complete(numbers, OTHER_ARRAYS)
        if "scores_0" in numbers and len(numbers["scores_0"]) != len(targets):
            raise ValueError("its scores are of other documents")

    @staticmethod
    def predict_scores(model: Mapping[str, NDArray[Any]], matrix: Any) -> Floats:
        """See `train_scores`."""
        return np.asarray(SHARPNESS * decision_function(model, matrix))

    @staticmethod
    def evidence(
        model: Mapping[str, NDArray[Any]], columns: NDArray[np.int64], counts: NDArray[Any]
    ) -> Floats:
        """Return the document's tf-idf entries times the weights of their words, sharpened."""
        row = csr_array((counts, columns, [0, len(columns)]), shape=(1, len(model["idf"])))
        entries = tfidf(row, model["idf"]).data
        return np.asarray(SHARPNESS * entries[:, None] * model["word_weights"][columns])


def decision_function(model: Mapping[str, NDArray[Any]], matrix: Any) -> Floats:
    """Return the scores of documents in units of the margin: a lead of 1 is a full margin."""
    return np.asarray(tfidf(matrix, model["idf"]) @ model["word_weights"] + model["offset"])


def _groups(problem: MarginProblem, state: State) -> Labels:
    return state.labels[problem.network.centre][problem.targets]


def restore_cuts(
    numbers: Mapping[str, NDArray[Any]], features: Features, groups: Labels, risks: Sequence[Risk]
) -> WorkingSet:
    """Return the cuts of a state for the current groups; none if it keeps none."""
    cuts = empty_working_set(risks)
    if "choices" not in numbers:
        return cuts
    planes = Planes(**{name: numbers[name] for name in PLANE_ARRAYS}).regroup(features, groups)
    stored = zip(planes.unpack_choices(), planes.slopes, planes.offsets.tolist(), strict=True)
    for choice, slope, offset in stored:
        cuts.add(0, slope, offset, choice)
    others = (numbers[name] for name in OTHER_ARRAYS)
    for owner, slope, offset in zip(*others, strict=True):
        # a changed checkpoint may name a risk that is not there
        if owner < len(risks):
            cuts.add(int(owner), slope, float(offset))
    return cuts


def restore_point(numbers: Mapping[str, NDArray[Any]], risks: Sequence[Risk]) -> Point:
    """Return W of a state, with the scores of each risk if the state keeps them."""
    W = numbers["weights"]
    stored = ((risk, numbers.get(f"scores_{number}")) for number, risk in enumerate(risks))
    return Point(W, tuple(risk.scores(W) if scores is None else scores for risk, scores in stored))


def pack_cuts(cuts: WorkingSet, groups: Labels, solution: Solution) -> Arrays:
    """Return the scores and the active cuts as arrays of a state; `groups` are those the cuts are for."""
    shape = solution.W.shape
    active = [cut for cut in cuts.cuts if cut.idle < MAX_IDLE]
    of_documents = [cut for cut in active if cut.choice is not None]
    others = [cut for cut in active if cut.choice is None]
    # a cut has documents × groups flags: as bits they take an eighth of the memory
    bits = [np.packbits(cut.choice.ravel()) for cut in of_documents if cut.choice is not None]
    width = Planes.none(groups, shape).choices.shape[1]
    return {
        **{f"scores_{number}": scores for number, scores in enumerate(solution.scores)},
        "groups": groups,
        "choices": np.array(bits, dtype=np.uint8).reshape(-1, width),
        "slopes": _stack_slopes(of_documents, shape),
        "offsets": np.array([cut.offset for cut in of_documents]),
        "other_owners": np.array([cut.owner for cut in others], dtype=np.int64),
        "other_slopes": _stack_slopes(others, shape),
        "other_offsets": np.array([cut.offset for cut in others]),
    }


def _stack_slopes(cuts: Sequence[StoredCut], shape: tuple[int, ...]) -> Floats:
    return np.array([cut.slope for cut in cuts]).reshape(-1, *shape)
