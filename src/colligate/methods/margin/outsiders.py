"""Where outsiders come from: the user's documents, or made from the documents to be grouped.

`rest`: documents told to be in no group. `rand`: each feature drawn between its least and its greatest value.
`mean`: half-way between two groups, for every two. Any of them may be thinned to those that lie closest to
the documents, by the likelihood under a mixture of Gaussians.
"""

from __future__ import annotations

from itertools import combinations
from typing import TYPE_CHECKING, Any

import numpy as np
from scipy import sparse
from scipy.special import logsumexp

from colligate.errors import ParameterError
from colligate.methods.margin.gaussians import improved, of_groups

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from colligate.methods.margin.features import Features
    from colligate.methods.state import Labels

SOURCES = ("auto", "rest", "rand", "mean", "all")
RANDOM_OUTSIDERS = 1000
MIXTURE_STEPS = 10

Rows = sparse.csr_array | np.ndarray[Any, Any]


def gathered(
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
        made = [random_rows(features), mean_rows(features, groups, n_groups)]
        return np.concatenate([_dense(told, features), *made] if told is not None else made)
    return random_rows(features) if source == "rand" else mean_rows(features, groups, n_groups)


def random_rows(features: Features) -> NDArray[Any]:
    """Rows with every feature uniform between its least and greatest value; their seed is their own."""
    rows = _dense(features.rows, features)
    low, high = rows.min(axis=0), rows.max(axis=0)
    drawn = np.random.default_rng(0).random((RANDOM_OUTSIDERS, rows.shape[1]))
    return np.asarray(low + drawn * (high - low), dtype=rows.dtype)


def mean_rows(features: Features, groups: Labels, n_groups: int) -> NDArray[Any]:
    """The mean of the centres of every two groups; the centre itself if there is one group alone."""
    centres = _centres(features, groups, n_groups)
    pairs = list(combinations(range(n_groups), 2)) or [(0, 0)]
    return np.array([(centres[a] + centres[b]) / 2 for a, b in pairs], dtype=features.rows.dtype)


def closest(rows: Rows, share: float, features: Features, groups: Labels, n_groups: int) -> Rows:
    """The share of the rows that a mixture of Gaussians, fitted to the documents, finds most likely."""
    wanted = max(1, round(share * rows.shape[0]))
    if wanted >= rows.shape[0]:
        return rows
    found = _dense(features.rows, features).astype(np.float64)
    mixture, _ = improved(of_groups(found, groups, n_groups, "diag"), found, "diag", MIXTURE_STEPS, 0.0)
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
