"""The problem of the margin methods: documents to be grouped and outsiders, as features of one scale.

Outsiders come from the user (`rest`), are drawn between the least and greatest value of each feature
(`rand`), or lie half-way between every two groups (`mean`). They may be reduced to those closest to the
documents, by the likelihood under a mixture of Gaussians.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from itertools import combinations
from typing import TYPE_CHECKING, Any

import numpy as np
from scipy import sparse
from scipy.special import logsumexp

from colligate._array import one_hot
from colligate.errors import InputError, ParameterError
from colligate.methods.gmm import fit_gaussians, run_em
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

Rows = sparse.csr_array | np.ndarray[Any, Any]

# where outsiders may come from
SOURCES = ("auto", "rest", "rand", "mean", "all")
# the number of random outsiders, and of EM steps to select outsiders, as in the paper
RANDOM_OUTSIDERS = 1000
MIXTURE_STEPS = 10
# scales that are tried, in steps of √2, and how exactly the convex problem is solved for each
SCALES = tuple(float(2.0 ** (half / 2)) for half in range(-2, 15))
SCALE_PRECISION = 0.02
# at most twice as many documents choose the scale
SCALE_SAMPLE = 5000


@dataclass(frozen=True, eq=False)
class MarginProblem(Problem):
    """A problem with the documents to be grouped (`targets`, positions), their features, and the outsiders'.

    `known` has the groups of labelled targets, -1 for all others; None if there are no labels.
    """

    targets: NDArray[np.int64] | None = None
    space: Space | None = None
    features: Features | None = None
    outsiders: Features | None = None
    known: Labels | None = None

    @property
    def n_groups(self) -> int:
        """The number of groups of documents."""
        return self.n_clusters_by_type[self.network.centre]

    def to_labels(self, groups: Labels) -> Labels:
        """Return the groups of the targets as labels of all documents, -1 for the others."""
        assert self.targets is not None
        labels = np.full(self.network.counts.shape[0], -1, dtype=np.int32)
        labels[self.targets] = groups
        return labels


@dataclass(frozen=True)
class FeatureOptions:
    """The parameters of a method that shape its features.

    A `scale` of 0 is chosen; `outsiders` is their source, None for a method without them.
    """

    dimensions: int | None
    scale: float
    target_weight: float
    balance: float
    outsiders: str | None = None
    select: float = 1.0


def prepare_problem(base: Problem, options: FeatureOptions) -> MarginProblem:
    """Return the problem of a network with its features."""
    counts, centre = base.network.counts, base.network.centre
    targets, outside = _split_outsiders(base)
    n_groups = base.n_clusters_by_type[centre]
    if len(targets) < n_groups:
        raise ParameterError(
            f"n_clusters is {n_groups}, but only {len(targets)} {centre} can be grouped; the others are "
            "empty or outsiders. Lower n_clusters.",
            parameter="n_clusters",
        )
    space = make_space(counts[targets], options.dimensions)
    features = centre_rows(space.rows(counts[targets]))
    constant = 1.0 if options.balance > 0 else 0.0
    scale = options.scale or choose_scale(base.kernels, features, n_groups, options.target_weight)
    features = features.scaled(scale / (features.length() or 1.0), constant)
    problem = MarginProblem(
        base.network, base.kernels, base.n_clusters_by_type, base.guidance, targets, space, features
    )
    problem = replace(problem, known=_known_groups(problem))
    if options.outsiders is None:
        return problem
    # a fixed seed: outsiders belong to the problem, which all restarts share
    groups = initialize_groups(base.kernels, features, n_groups, np.random.default_rng(0))
    marked = None if outside is None else space.rows(outside)
    rows = gather_outsiders(options.outsiders, marked, features, groups, n_groups)
    if rows is None:
        return problem
    rows = select_closest(rows, options.select, features, groups, n_groups)
    # centre and scale are those of the documents; otherwise margins could not be compared
    return replace(problem, outsiders=replace(features, rows=rows))


def _known_groups(problem: MarginProblem) -> Labels | None:
    """Return the groups of labelled targets, one per name; names beyond the number of groups are ignored."""
    guidance = problem.guidance.get(problem.network.centre)
    if guidance is None or guidance.labels is None:
        return None
    labels = guidance.labels[problem.targets]
    return np.where(labels < problem.n_groups, labels, -1).astype(np.int32)


def _split_outsiders(base: Problem) -> tuple[NDArray[np.int64], sparse.csr_array | None]:
    """Return the positions of the documents to be grouped, and the counts of the outsiders, if any."""
    counts, centre = base.network.counts, base.network.centre
    inside = np.diff(counts.indptr) > 0
    if centre not in base.guidance or "outside" not in base.guidance[centre].kinds:
        return np.flatnonzero(inside), None
    guidance = base.guidance[centre]
    inside[guidance.outsiders] = False
    if not inside.any():
        return np.flatnonzero(inside), None
    appended = sparse.csr_array((0, counts.shape[1])) if guidance.outside is None else guidance.outside
    rows: Any = sparse.csr_array(sparse.vstack([counts[guidance.outsiders], appended], format="csr"))
    # only words of documents to be grouped count; the space is made without the outsiders
    inside_entries = np.repeat(inside, np.diff(counts.indptr))
    known_word = np.bincount(counts.indices[inside_entries], minlength=counts.shape[1]) > 0
    row = np.repeat(np.arange(rows.shape[0]), np.diff(rows.indptr))
    shares_words = np.bincount(row, known_word[rows.indices]) > 0
    if not shares_words.any():
        raise InputError(
            f"none of the {rows.shape[0]} outsiders shares {base.network.terms} with the other "
            f"{centre}, so the outsiders have no effect; choose outsiders that have some "
            f"{base.network.terms} in common with the {centre}"
        )
    return np.flatnonzero(inside), rows[np.flatnonzero(shares_words)]


def gather_outsiders(
    source: str, marked: Rows | None, features: Features, groups: Labels, n_groups: int
) -> Rows | None:
    """Return the rows of the outsiders; None if there are none, as in a run without the knowledge.

    `groups` are preliminary. `auto` is `rest` if any are marked, else `mean`.
    """
    if source == "auto":
        source = "mean" if marked is None else "rest"
    if source == "rest":
        return marked
    if source == "all":
        made = [draw_rows(features), midpoint_rows(features, groups, n_groups)]
        return np.concatenate([_check_dense(marked, features), *made] if marked is not None else made)
    return draw_rows(features) if source == "rand" else midpoint_rows(features, groups, n_groups)


def draw_rows(features: Features) -> NDArray[Any]:
    """Draw rows with every feature uniform between its least and greatest value, with a fixed seed."""
    rows = _check_dense(features.rows, features)
    low, high = rows.min(axis=0), rows.max(axis=0)
    drawn = np.random.default_rng(0).random((RANDOM_OUTSIDERS, rows.shape[1]))
    return np.asarray(low + drawn * (high - low), dtype=rows.dtype)


def midpoint_rows(features: Features, groups: Labels, n_groups: int) -> NDArray[Any]:
    """Return the midpoint of the centres of every two groups; the centre itself for a single group."""
    sums = one_hot(groups, n_groups).T.tocsr() @ features.rows
    dense = np.asarray(sums if isinstance(sums, np.ndarray) else sums.toarray(), dtype=np.float64)
    centres = dense / np.maximum(np.bincount(groups, minlength=n_groups), 1)[:, None]
    pairs = list(combinations(range(n_groups), 2)) or [(0, 0)]
    return np.array([(centres[a] + centres[b]) / 2 for a, b in pairs], dtype=features.rows.dtype)


def select_closest(rows: Rows, share: float, features: Features, groups: Labels, n_groups: int) -> Rows:
    """Return the share of the rows most likely under a mixture of Gaussians fitted to the documents."""
    n_selected = max(1, round(share * rows.shape[0]))
    if n_selected >= rows.shape[0]:
        return rows
    documents = _check_dense(features.rows, features).astype(np.float64)
    start = fit_gaussians(documents, groups, n_groups, "diag")
    mixture, _ = run_em(start, documents, "diag", MIXTURE_STEPS, 0.0)
    density = logsumexp(mixture.log_joint(_check_dense(rows, features).astype(np.float64)), axis=1)
    return rows[np.sort(np.argsort(-density, kind="stable")[:n_selected])]


def _check_dense(rows: Rows, features: Features) -> NDArray[Any]:
    """Return dense rows; refuse tf-idf rows, which would fill the memory."""
    if isinstance(features.rows, np.ndarray):
        return np.asarray(rows)
    raise ParameterError(
        "outsiders='rand', outsiders='all' and values of select below 1 only work if dimensions is a "
        "number; set dimensions to a number, or choose outsiders='rest' or outsiders='mean' with "
        "select=1",
        parameter="outsiders",
    )


def choose_scale(kernels: Kernels, features: Features, n_groups: int, target_weight: float) -> float:
    """Return the least root-mean-square length of the rows at which half the documents reach a margin of 1.

    With short rows no document reaches its margin, and the tolerance for outsiders is never used up; with
    long rows all do, and the groups stay where they started. A sample of the documents, in preliminary
    groups, is enough. No labels are used.
    """
    sample = features.rows[:: 1 + (len(features) - 1) // SCALE_SAMPLE]
    features = centre_rows(sample)
    length = features.length()
    W = np.zeros((n_groups, features.width))
    if not length or len(features) < n_groups:
        return 1.0
    groups = initialize_groups(kernels, features, n_groups, np.random.default_rng(0))
    for scale in SCALES:
        scaled = features.scaled(scale / length, 0.0)
        risks = [TargetRisk(scaled, groups, target_weight)]
        solution = minimise(risks, Point.of(W, risks), SCALE_PRECISION)
        if np.median(margins(solution.scores[0])) >= 1.0:
            return scale
        # the answer at one scale is a good start at the next
        W = solution.W
    return SCALES[-1]
