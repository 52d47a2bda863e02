"""What the margin methods work on: documents to be grouped and outsiders, as features of one scale.

Where outsiders come from: the user's documents, or made from the documents to be grouped.

`rest`: documents told to be in no group. `rand`: each feature drawn between its least and its greatest value.
`mean`: half-way between two groups, for every two. Any of them may be thinned to those that lie closest to
the documents, by the likelihood under a mixture of Gaussians.

A scale of the features at which the hinges are at work, found without labels.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from itertools import combinations
from typing import TYPE_CHECKING, Any

import numpy as np
from scipy import sparse
from scipy.special import logsumexp

from colligate.errors import InputError, ParameterError
from colligate.methods.graph_clustering import fit_gaussians, run_gaussian_em
from colligate.methods.loop import Problem
from colligate.methods.margin.bundle import Point, minimise
from colligate.methods.margin.features import Features, Space, centre_rows, make_space
from colligate.methods.margin.groups import initialize_groups
from colligate.methods.margin.risks import TargetRisk, margins

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from colligate.kernels import Kernels
    from colligate.methods.loop import Labels

    Floats = NDArray[np.float64]


SOURCES = ("auto", "rest", "rand", "mean", "all")
RANDOM_OUTSIDERS = 1000
MIXTURE_STEPS = 10
Rows = sparse.csr_array | np.ndarray[Any, Any]
SCALES = tuple(float(2.0 ** (half / 2)) for half in range(-2, 15))
ROUGHLY = 0.02
SAMPLE = 5000


@dataclass(frozen=True, eq=False)
class MarginProblem(Problem):
    """Adds the documents to be grouped (`targets`, positions), their features, and those of the outsiders.

    `known` holds the groups of the targets as far as labels tell them, -1 elsewhere; None if they tell none.
    """

    targets: NDArray[np.int64] | None = None
    space: Space | None = None
    features: Features | None = None
    outsiders: Features | None = None
    known: Labels | None = None

    @property
    def n_groups(self) -> int:
        """The number of groups of documents."""
        return self.sizes[self.network.centre]

    def placed(self, groups: Labels) -> Labels:
        """The groups of the targets as labels of all documents, -1 for the others."""
        assert self.targets is not None
        labels = np.full(self.network.counts.shape[0], -1, dtype=np.int32)
        labels[self.targets] = groups
        return labels


@dataclass(frozen=True)
class FeatureOptions:
    """What the parameters of a method ask of its problem: see `MarginClustering`.

    A `scale` of 0 is one to be found; `outsiders` is their source, None for a method without them.
    """

    dimensions: int | None
    scale: float
    target_weight: float
    balance: float
    outsiders: str | None = None
    select: float = 1.0


def prepare_problem(plain: Problem, asking: FeatureOptions) -> MarginProblem:
    """The problem of a network, with the features that the parameters ask for."""
    counts = plain.network.counts
    targets, told = _divided(plain)
    n_groups = plain.sizes[plain.network.centre]
    if len(targets) < n_groups:
        raise ParameterError(
            f"{n_groups} groups are more than the {len(targets)} {plain.network.centre} that are neither "
            "empty nor outsiders; ask for fewer groups"
        )
    space = make_space(counts[targets], asking.dimensions)
    features = centre_rows(space.rows(counts[targets]))
    constant = 1.0 if asking.balance > 0 else 0.0
    scale = asking.scale or choose_scale(plain.kernels, features, n_groups, asking.target_weight)
    features = features.scaled(scale / (features.length() or 1.0), constant)
    problem = MarginProblem(
        plain.network, plain.kernels, plain.sizes, plain.guidance, targets, space, features
    )
    problem = replace(problem, known=_known(problem))
    if asking.outsiders is None:
        return problem
    groups = initialize_groups(plain.kernels, features, n_groups, np.random.default_rng(0))
    rows = gather_outsiders(
        asking.outsiders, None if told is None else space.rows(told), features, groups, n_groups
    )
    if rows is None:
        return problem
    rows = select_closest(rows, asking.select, features, groups, n_groups)
    return replace(problem, outsiders=_like(features, rows))


def _known(problem: MarginProblem) -> Labels | None:
    """The groups that labels tell, one for each name; names beyond the number of groups tell nothing."""
    guidance = problem.guidance.get(problem.network.centre)
    if guidance is None or guidance.labels is None:
        return None
    labels = guidance.labels[problem.targets]
    return np.where(labels < problem.n_groups, labels, -1).astype(np.int32)


def _like(features: Features, rows: Rows) -> Features:
    return Features(rows, features.centre, features.scale, features.constant)


def _divided(plain: Problem) -> tuple[NDArray[np.int64], sparse.csr_array | None]:
    """The positions of the documents to be grouped, and the counts of the outsiders, if there are any."""
    counts, centre = plain.network.counts, plain.network.centre
    inside = np.diff(counts.indptr) > 0
    if centre not in plain.guidance or "outside" not in plain.guidance[centre].kinds:
        return np.flatnonzero(inside), None
    guidance = plain.guidance[centre]
    inside[guidance.outsiders] = False
    if not inside.any():
        return np.flatnonzero(inside), None
    further = sparse.csr_array((0, counts.shape[1])) if guidance.outside is None else guidance.outside
    rows: Any = sparse.csr_array(sparse.vstack([counts[guidance.outsiders], further], format="csr"))
    known = np.bincount(counts.indices[_entries(counts, inside)], minlength=counts.shape[1]) > 0
    heard = np.bincount(np.repeat(np.arange(rows.shape[0]), np.diff(rows.indptr)), known[rows.indices]) > 0
    if not heard.any():
        raise InputError(
            f"none of the {rows.shape[0]} outsiders holds one of the {plain.network.terms} of the other "
            f"{centre}, so that they cannot say where groups end; tell of outsiders of the same vocabulary"
        )
    return np.flatnonzero(inside), rows[np.flatnonzero(heard)]


def _entries(counts: sparse.csr_array, rows: NDArray[np.bool_]) -> NDArray[np.bool_]:
    """The entries that lie in some rows."""
    return np.repeat(rows, np.diff(counts.indptr))


def gather_outsiders(
    source: str, told: Rows | None, features: Features, groups: Labels, n_groups: int
) -> Rows | None:
    """The rows of the outsiders; `groups` are preliminary. `auto` is `rest` if told of any, else `mean`.

    None if there are none: the same run without the knowledge of them.
    """
    if source == "auto":
        source = "mean" if told is None else "rest"
    if source == "rest":
        return told
    if source == "all":
        made = [draw_rows(features), midpoint_rows(features, groups, n_groups)]
        return np.concatenate([_dense(told, features), *made] if told is not None else made)
    return draw_rows(features) if source == "rand" else midpoint_rows(features, groups, n_groups)


def draw_rows(features: Features) -> NDArray[Any]:
    """Rows with every feature uniform between its least and greatest value; their seed is their own."""
    rows = _dense(features.rows, features)
    low, high = rows.min(axis=0), rows.max(axis=0)
    drawn = np.random.default_rng(0).random((RANDOM_OUTSIDERS, rows.shape[1]))
    return np.asarray(low + drawn * (high - low), dtype=rows.dtype)


def midpoint_rows(features: Features, groups: Labels, n_groups: int) -> NDArray[Any]:
    """The mean of the centres of every two groups; the centre itself if there is one group alone."""
    centres = _centres(features, groups, n_groups)
    pairs = list(combinations(range(n_groups), 2)) or [(0, 0)]
    return np.array([(centres[a] + centres[b]) / 2 for a, b in pairs], dtype=features.rows.dtype)


def select_closest(rows: Rows, share: float, features: Features, groups: Labels, n_groups: int) -> Rows:
    """The share of the rows that a mixture of Gaussians, fitted to the documents, finds most likely."""
    wanted = max(1, round(share * rows.shape[0]))
    if wanted >= rows.shape[0]:
        return rows
    found = _dense(features.rows, features).astype(np.float64)
    mixture, _ = run_gaussian_em(
        fit_gaussians(found, groups, n_groups, "diag"), found, "diag", MIXTURE_STEPS, 0.0
    )
    density = logsumexp(mixture.log_joint(_dense(rows, features).astype(np.float64)), axis=1)
    return rows[np.sort(np.argsort(-density, kind="stable")[:wanted])]


def _centres(features: Features, groups: Labels, n_groups: int) -> NDArray[Any]:
    member = (np.ones(len(groups)), (groups, np.arange(len(groups))))
    sums = sparse.csr_array(member, shape=(n_groups, len(groups))) @ features.rows
    dense = np.asarray(sums if isinstance(sums, np.ndarray) else sums.toarray(), dtype=np.float64)
    return np.asarray(dense / np.maximum(np.bincount(groups, minlength=n_groups), 1)[:, None])


def _dense(rows: Rows, features: Features) -> NDArray[Any]:
    """Dense rows; those of tf-idf are refused, for they would fill the memory."""
    if isinstance(features.rows, np.ndarray):
        return np.asarray(rows)
    raise ParameterError(
        "outsiders='rand', 'all' and select below 1 need dense features; set dimensions to a number, "
        "or choose outsiders='rest' or 'mean'"
    )


def choose_scale(kernels: Kernels, features: Features, n_groups: int, target_weight: float) -> float:
    """The least root-mean-square length of the rows at which half the documents reach a margin of 1.

    With short rows no document reaches its margin and none is let off, and the tolerance for outsiders is
    never used up; with long rows everything fits and the groups stay where they started. A sample of the
    documents, in preliminary groups, is enough to tell.
    """
    sample = features.rows[:: 1 + (len(features) - 1) // SAMPLE]
    features = centre_rows(sample)
    length = features.length()
    weights = np.zeros((n_groups, features.width))
    if not length or len(features) < n_groups:
        return 1.0
    groups = initialize_groups(kernels, features, n_groups, np.random.default_rng(0))
    for scale in SCALES:
        rows = features.scaled(scale / length, 0.0)
        risks = [TargetRisk(rows, groups, target_weight)]
        found = minimise(risks, Point.of(weights, risks), ROUGHLY)
        if np.median(margins(found.scores[0])) >= 1.0:
            return scale
        weights = found.weights
    return SCALES[-1]
