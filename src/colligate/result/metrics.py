"""The quality of a grouping: against true labels, by the coherence of its words, and against the links.

Everything is computed from the sparse contingency table; pairs of documents are counted, never listed.
Documents in no group (label -1) count as one more group, on either side.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy import sparse

from colligate.errors import InputError

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from colligate.knowledge.guidance import GroupLinks, Guidance, PairLinks

IntArray = NDArray[np.integer[Any]]
FloatArray = NDArray[np.float64]


def evaluate(
    labels_true: ArrayLike, labels_pred: ArrayLike, mask: ArrayLike | None = None
) -> dict[str, float]:
    """Compare predicted labels with true ones.

    Parameters
    ----------
    labels_true, labels_pred : array-like
        The labels of the same documents. Label -1 counts as one more group.
    mask : array-like, optional
        Booleans or positions: which documents to compare.

    Returns
    -------
    dict
        `accuracy` (under the best one-to-one matching), `nmi`, `ari`, `rand` and `purity`.
    """
    table = contingency(labels_true, labels_pred, mask)
    return {
        "accuracy": accuracy(table),
        "nmi": normalised_mutual_information(table),
        "ari": adjusted_rand_index(table),
        "rand": rand_index(table),
        "purity": purity(table),
    }


def contingency(
    labels_true: ArrayLike, labels_pred: ArrayLike, mask: ArrayLike | None = None
) -> sparse.coo_array:
    """Count the documents of every pair of a true and a predicted group."""
    true, predicted = np.asarray(labels_true), np.asarray(labels_pred)
    if true.shape != predicted.shape or true.ndim != 1:
        raise InputError(
            "true and predicted labels must be two lists of the same length; "
            f"got shapes {true.shape} and {predicted.shape}"
        )
    if mask is not None:
        try:
            true, predicted = true[np.asarray(mask)], predicted[np.asarray(mask)]
        except IndexError as error:
            raise InputError(f"the mask does not fit the {true.size} labels: {error}") from None
    if true.size == 0:
        raise InputError("there is no document to compare; the labels or the mask are empty")
    try:
        left, rows = np.unique(true, return_inverse=True)
        right, columns = np.unique(predicted, return_inverse=True)
    except TypeError as error:
        raise InputError(
            f"labels must all be numbers or all be text ({error}); use -1 for a document in no group"
        ) from None
    cells, counts = np.unique(rows.astype(np.int64) * right.size + columns, return_counts=True)
    return sparse.coo_array(
        (counts.astype(np.int64), (cells // right.size, cells % right.size)), shape=(left.size, right.size)
    )


def accuracy(table: sparse.coo_array) -> float:
    """Return the share of documents in the right group under the best one-to-one matching."""
    dense = table.toarray()
    return float(dense[best_matching(dense)].sum() / table.data.sum())


def best_matching(table: NDArray[Any]) -> tuple[IntArray, IntArray]:
    """Return the one-to-one matching of rows and columns with the largest sum (Hungarian method)."""
    from scipy.optimize import linear_sum_assignment

    rows, columns = linear_sum_assignment(table, maximize=True)
    return rows, columns


def normalised_mutual_information(table: sparse.coo_array) -> float:
    """Return the mutual information divided by the geometric mean of the entropies.

    1 where both sides are a single group, 0 where only one of them is.
    """
    if table.shape == (1, 1):
        return 1.0
    total = table.data.sum()
    rows, columns = _margins(table)
    joint = table.data / total
    expected = (rows[table.row] / total) * (columns[table.col] / total)
    information = max(float(np.sum(joint * np.log(joint / expected))), 0.0)
    # Independent groupings leave a rest of rounding.
    if information <= np.finfo(np.float64).eps:
        return 0.0
    # Rounding errors can push a perfect agreement slightly above 1.
    return min(information / float(np.sqrt(_entropy(rows) * _entropy(columns))), 1.0)


def adjusted_rand_index(table: sparse.coo_array) -> float:
    """Return the Rand index corrected for chance: 1 is perfect, 0 is chance."""
    both, left, right, pairs = _count_pairs(table)
    # No pair is judged differently. For single documents or one group the formula would be 0/0.
    if left + right == 2 * both:
        return 1.0
    true_negative = pairs - left - right + both
    false_positive, false_negative = right - both, left - both
    # These are Python integers: products of numbers of pairs exceed 64 bits.
    above = 2 * (both * true_negative - false_negative * false_positive)
    below = left * (false_negative + true_negative) + right * (false_positive + true_negative)
    return above / below


def rand_index(table: sparse.coo_array) -> float:
    """Return the share of pairs of documents on which both groupings agree."""
    both, left, right, pairs = _count_pairs(table)
    return 1.0 if pairs == 0 else (pairs - left - right + 2 * both) / pairs


def purity(table: sparse.coo_array) -> float:
    """Return the share of documents with the most frequent true label of their predicted group."""
    return float(table.max(axis=0).sum() / table.data.sum())


def coherence(counts: sparse.csr_array, top_words: Sequence[IntArray]) -> FloatArray:
    """Return the mean NPMI of the pairs of top words of each group, by the documents they occur in.

    1 for words always together, 0 for independent ones, -1 for words never together; NaN if a group has
    fewer than two top words.
    """
    chosen = np.unique(np.concatenate([np.zeros(0, dtype=np.int64), *top_words])).astype(np.int64)
    present = counts[:, chosen].tocsc()
    present.data = np.ones(present.nnz)
    return np.array([_mean_npmi(present[:, np.searchsorted(chosen, words)]) for words in top_words])


def measure_link_satisfaction(labels: IntArray, guidance: Guidance) -> dict[str, float]:
    """Return the share of must-links (together) and of cannot-links (apart) that hold.

    Pairs implied by groups are counted, never listed. Objects in no group are joined with nothing. A sign
    without links is left out.
    """
    counts = _count_kept_pairs(labels, guidance.pairs)
    for groups in guidance.groups:
        for sign, (kept, total) in _count_kept_group_pairs(labels, groups).items():
            counts[sign] = (counts[sign][0] + kept, counts[sign][1] + total)
    return {sign: kept / total for sign, (kept, total) in counts.items() if total}


def _margins(table: sparse.coo_array) -> tuple[FloatArray, FloatArray]:
    return np.asarray(table.sum(axis=1), dtype=np.float64), np.asarray(table.sum(axis=0), dtype=np.float64)


def _entropy(sizes: FloatArray) -> float:
    share = sizes / sizes.sum()
    return float(-np.sum(share * np.log(share)))


def _count_pairs(table: sparse.coo_array) -> tuple[int, int, int, int]:
    rows, columns = table.sum(axis=1), table.sum(axis=0)
    total = int(table.data.sum())
    return _pairs(table.data), _pairs(rows), _pairs(columns), total * (total - 1) // 2


def _pairs(sizes: Any) -> int:
    sizes = np.asarray(sizes, dtype=np.int64)
    return int(np.sum(sizes * (sizes - 1) // 2))


def _mean_npmi(present: sparse.csc_array) -> float:
    n_documents, n_words = present.shape
    if n_words < 2:
        return float("nan")
    together = (present.T @ present).toarray() / n_documents
    alone = np.diag(together)
    upper = np.triu_indices(n_words, 1)
    joint, expected = together[upper], np.outer(alone, alone)[upper]
    # NPMI is not defined for words that are never, or always, together: its limits are used.
    value = np.full(joint.shape, -1.0)
    value[joint == 1.0] = 1.0
    defined = (joint > 0) & (joint < 1)
    value[defined] = np.log(joint[defined] / expected[defined]) / -np.log(joint[defined])
    return float(value.mean())


def _count_kept_pairs(labels: IntArray, pairs: PairLinks) -> dict[str, tuple[int, int]]:
    joined = (labels[pairs.left] == labels[pairs.right]) & (labels[pairs.left] >= 0)
    together = pairs.sign > 0
    return {
        "together": (int(np.sum(joined & together)), int(together.sum())),
        "apart": (int(np.sum(~joined & ~together)), int(np.sum(~together))),
    }


def _count_kept_group_pairs(labels: IntArray, groups: GroupLinks) -> Mapping[str, tuple[int, int]]:
    n_names = max(len(groups.names), 1)
    # An entry that is listed twice implies its pairs once.
    entries = np.unique(groups.member * n_names + groups.group)
    member, group = entries // n_names, entries % n_names
    placed = labels[member]
    inside = placed >= 0
    cells = np.unique(group[inside] * (int(labels.max(initial=0)) + 1) + placed[inside], return_counts=True)[
        1
    ]
    within, within_joined = _pairs(np.bincount(group)), _pairs(cells)
    # An object in two groups would be counted as a pair with itself.
    selves, selves_inside = _pairs(np.bincount(member)), _pairs(np.bincount(member[inside]))
    across = len(entries) * (len(entries) - 1) // 2 - within - selves
    across_joined = _pairs(np.bincount(placed[inside])) - within_joined - selves_inside
    kept: dict[str, tuple[int, int]] = {}
    if groups.together > 0:
        kept["together"] = (within_joined, within)
    if groups.apart > 0:
        kept["apart"] = (across - across_joined, across)
    return kept
