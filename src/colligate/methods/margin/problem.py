"""What the margin methods work on: documents to be grouped and outsiders, as features of one scale."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

import numpy as np
from scipy import sparse

from colligate.errors import InputError, ParameterError
from colligate.methods.margin.features import Features, Space, centred, make_space
from colligate.methods.margin.groups import first_groups
from colligate.methods.margin.outsiders import closest, gathered
from colligate.methods.margin.scale import suitable_scale
from colligate.methods.problem import Problem

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from colligate.methods.margin.outsiders import Rows
    from colligate.methods.state import Labels

    Floats = NDArray[np.float64]


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
class Asking:
    """What the parameters of a method ask of its problem: see `MarginClustering`.

    A `scale` of 0 is one to be found; `outsiders` is their source, None for a method without them.
    """

    dimensions: int | None
    scale: float
    target_weight: float
    balance: float
    outsiders: str | None = None
    select: float = 1.0


def prepared(plain: Problem, asking: Asking) -> MarginProblem:
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
    features = centred(space.rows(counts[targets]))
    constant = 1.0 if asking.balance > 0 else 0.0
    scale = asking.scale or suitable_scale(plain.kernels, features, n_groups, asking.target_weight)
    features = features.scaled(scale / (features.length() or 1.0), constant)
    problem = MarginProblem(
        plain.network, plain.kernels, plain.sizes, plain.guidance, targets, space, features
    )
    problem = replace(problem, known=_known(problem))
    if asking.outsiders is None:
        return problem
    groups = first_groups(plain.kernels, features, n_groups, np.random.default_rng(0))
    rows = gathered(asking.outsiders, None if told is None else space.rows(told), features, groups, n_groups)
    if rows is None:
        return problem
    rows = closest(rows, asking.select, features, groups, n_groups)
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
