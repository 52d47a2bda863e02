"""Documents that fit no group: their words are explained by a group no better than words drawn at random.

The fit of a document is the log-likelihood ratio of its words between a group and all documents, in the group
where it is largest; the document itself is taken out of its own group first. It is compared with documents of
the same length whose words are drawn at random from all documents. The share of these that fit at least as
well is the p-value of the hypothesis that the document has no subject.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any

import numpy as np
from scipy import sparse

from colligate._array import one_hot
from colligate.errors import ParameterError

if TYPE_CHECKING:
    from numpy.typing import NDArray
    from scipy.sparse import csr_array

    from colligate.result.result import Result

    Floats = NDArray[np.float64]
    Ints = NDArray[np.int64]

LEVEL = 0.05
"""Of documents without a subject, this share is taken for documents that fit."""
SMOOTHING = 0.3
"""The words of all documents count in each group, in units of the mean group; .1 and 1 judge nearly alike."""
N_RANDOM = (2_000, 20_000)
"""The least and the greatest number of random documents."""
N_OF_LENGTH = 500
"""So many random documents of the nearest lengths are compared with a document."""
LEFT_OUT = LEFT_OUT_ROWS, LEFT_OUT_LABELS, LEFT_OUT_SHARES = (
    "left_out",
    "left_out_labels",
    "left_out_memberships",
)
"""The arrays of a model with the documents that were left out, and their groups and memberships before."""


def measure_misfit(result: Result) -> Floats:
    """Return the p-value of every document; NaN for one without words."""
    counts = result.counts.astype(np.float64)
    counts.data = np.log1p(counts.data)
    lengths = _sum_rows(counts)
    misfit = np.full(len(lengths), np.nan)
    filled = np.flatnonzero(lengths > 0)
    labels = result.labels[result.centre].astype(np.int64)
    if not len(filled) or (labels < 0).all():
        return misfit
    table = np.asarray((one_hot(labels, result.n_groups()).T @ counts).todense())
    fit = _measure_fit(counts[filled], table, labels[filled])
    random = _draw_documents(counts, filled)
    misfit[filled] = _compare_with_random(
        fit, lengths[filled], _measure_fit(random, table), _sum_rows(random)
    )
    return misfit


def _sum_rows(counts: csr_array) -> Floats:
    return np.asarray(counts.sum(axis=1), dtype=np.float64).ravel()


def _measure_fit(counts: csr_array, table: Floats, labels: Ints | None = None) -> Floats:
    """Return the largest log-likelihood ratio of each document; `labels` has the groups to take it out of."""
    shares = table.sum(axis=0) / table.sum()
    added, totals = SMOOTHING * table.sum() / len(table), table.sum(axis=1)
    used = np.maximum(shares, np.finfo(np.float64).tiny)
    ratios = np.log((table + added * shares) / (totals + added)[:, None] / used + np.finfo(np.float64).tiny)
    # a word that occurs in no group says nothing
    ratios[:, shares == 0] = 0.0
    scores = np.asarray(counts @ ratios.T)
    if labels is not None:
        placed = np.flatnonzero(labels >= 0)
        rest = counts[placed]
        row = np.repeat(np.arange(len(placed)), np.diff(rest.indptr))
        group, word, mass = labels[placed][row], rest.indices, rest.data
        left = np.maximum(table[group, word] - mass, 0.0) + added * shares[word]
        total = totals[group] - _sum_rows(rest)[row] + added
        scores[placed, labels[placed]] = np.bincount(
            row, mass * np.log(left / total / shares[word]), len(placed)
        )
    return np.asarray(scores.max(axis=1))


def _draw_documents(counts: csr_array, filled: Ints) -> csr_array:
    """Draw documents with the lengths of the corpus, whose words are drawn from all documents."""
    rng = np.random.default_rng(0)
    n_random = int(np.clip(len(filled), *N_RANDOM))
    rows = counts[np.resize(rng.permutation(filled), n_random)]
    drawn = rng.permutation(counts.indices)
    words = np.resize(drawn, rows.nnz) if rows.nnz > len(drawn) else drawn[: rows.nnz]
    random = sparse.csr_array((rows.data.copy(), words.copy(), rows.indptr.copy()), shape=rows.shape)
    random.sum_duplicates()
    return random


def _compare_with_random(fit: Floats, lengths: Floats, random_fit: Floats, random_lengths: Floats) -> Floats:
    """Return the share of random documents of the nearest lengths that fit at least as well."""
    order = np.argsort(random_lengths, kind="stable")
    parts = np.array_split(order, max(1, len(order) // N_OF_LENGTH))
    ends = np.array([random_lengths[part[-1]] for part in parts[:-1]])
    part_of = np.searchsorted(ends, lengths, side="left")
    p = np.empty(len(fit))
    for number, part in enumerate(parts):
        chosen, of_length = part_of == number, np.sort(random_fit[part])
        n_better = len(part) - np.searchsorted(of_length, fit[chosen], side="left")
        p[chosen] = (1 + n_better) / (1 + len(part))
    return p


def leave_out(result: Result, level: float) -> Result:
    """Take documents that fit no group out of their groups; see `Result.leave_out`."""
    from colligate.result.tables import find_stated

    if not 0 < level < 1:
        raise ParameterError(f"level must be between 0 and 1; got {level!r:.60}", parameter="level")
    result = place_all(result)
    labels = result.labels[result.centre]
    rows = np.flatnonzero((result.misfit > level) & (labels >= 0) & ~find_stated(result))
    memberships = result.memberships[result.centre]
    kept = labels.copy(), memberships.copy()
    kept[0][rows], kept[1][rows] = -1, 0.0
    model = {**result.model, **dict(zip(LEFT_OUT, (rows, labels[rows], memberships[rows]), strict=True))}
    return _with_groups(result, *kept, model)


def list_left_out(result: Result) -> Ints:
    """Return the positions of the documents that were left out."""
    return np.asarray(result.model.get(LEFT_OUT_ROWS, np.zeros(0, dtype=np.int64)))


def place_all(result: Result) -> Result:
    """Put documents that were left out back into their groups; see `Result.place_all`."""
    rows = result.model.get(LEFT_OUT_ROWS)
    if rows is None:
        return result
    labels, memberships = result.labels[result.centre].copy(), result.memberships[result.centre].copy()
    labels[rows], memberships[rows] = result.model[LEFT_OUT_LABELS], result.model[LEFT_OUT_SHARES]
    model = {name: values for name, values in result.model.items() if name not in LEFT_OUT}
    return _with_groups(result, labels, memberships, model)


def _with_groups(
    result: Result, labels: NDArray[np.int32], memberships: NDArray[np.float32], model: dict[str, Any]
) -> Result:
    centre = result.centre
    return replace(
        result,
        labels={**result.labels, centre: labels},
        memberships={**result.memberships, centre: memberships},
        model=model,
    )


def list_tiny_groups(result: Result) -> list[int]:
    """Return the numbers of groups of at most a fiftieth of the mean size: odd documents, no subjects."""
    labels = result.labels[result.centre]
    sizes = np.bincount(labels[labels >= 0], minlength=result.n_groups())
    mean = sizes.sum() / max(len(sizes), 1)
    tiny = (sizes > 0) & ((sizes <= mean / 50) | ((sizes == 1) & (mean >= 10)))
    return [result.group_numbers[k] for k in np.flatnonzero(tiny).tolist()]
