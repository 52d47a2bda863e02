"""How much the groups of a result tell about documents that the method has not seen, without labels.

Document completion: the words of the vocabulary are divided into two halves. A new document is assigned to
the groups by its words of one half, and the groups predict its words of the other half. The score is what
they gain over the frequencies of all documents:

    S = Σ_dw x_dw · log(Σ_k q_dk · p(w|k) / p(w)) / Σ_dw x_dw

with the memberships q by the other half, and the words p(w|k) of the groups in the clustered documents. It is
0 if the groups tell nothing, and falls again when more groups only divide what belongs together, because
small groups predict words badly. So results with different numbers of groups, of different methods, can be
compared.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
from scipy import sparse

from colligate.errors import InputError
from colligate.network.neighbourhood import find_description
from colligate.result.groups import CHUNK
from colligate.result.predict import make_rows, predict_rows

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from colligate.result.result import Result

    Floats = NDArray[np.float64]

# the part of all documents in the words of a group, so that no word is impossible in it
BACKGROUND = 0.1
SEED = 0


def measure_information(result: Result, new: Any) -> float:
    """Return the nats per word that the groups tell about new documents; 0 if these have no known word."""
    part = find_description(result.network)
    if part is None:
        raise InputError(f"the {result.centre} of this result are in no relation, so there is no score")
    rows = make_rows(result, new)
    terms = np.arange(part.start, part.stop)
    is_first = np.random.default_rng(SEED).permutation(terms.size) % 2 == 0
    ratios = _compute_ratios(result)
    nats = mass = 0.0
    for half in (is_first, ~is_first):
        shown = _keep_columns(rows, _widen(half, part.start, rows.shape[1]))
        hidden = _keep_columns(rows, _widen(~half, part.start, rows.shape[1], others=False))
        memberships = predict_rows(result, shown).astype(np.float64)
        nats += _sum_nats(sparse.csr_array(hidden[:, part.start : part.stop]), memberships, ratios)
        mass += float(hidden.sum())
    return nats / mass if mass else 0.0


def _compute_ratios(result: Result) -> Floats:
    """Return words × groups: p(w|k) / p(w), mixed with the background; 1 for words that no document has."""
    memberships = result.memberships[result.centre].astype(np.float64)
    sums = np.asarray(result.counts.T @ memberships, dtype=np.float64)
    totals = np.asarray(result.counts.sum(axis=0), dtype=np.float64)
    expected = np.outer(totals / max(totals.sum(), 1e-300), sums.sum(axis=0))
    ratios = np.divide(sums, expected, out=np.ones_like(sums), where=expected > 0)
    return np.asarray((1 - BACKGROUND) * ratios + BACKGROUND, dtype=np.float64)


def _widen(half: NDArray[np.bool_], start: int, width: int, *, others: bool = True) -> NDArray[np.bool_]:
    """Return which columns of all relations are kept: a half of the terms, and `others`."""
    kept = np.full(width, others)
    kept[start : start + half.size] = half
    return kept


def _keep_columns(matrix: sparse.csr_array, kept: NDArray[np.bool_]) -> sparse.csr_array:
    part = matrix.copy()
    part.data = np.where(kept[matrix.indices], matrix.data, 0)
    part.eliminate_zeros()
    return part


def _sum_nats(hidden: sparse.csr_array, memberships: Floats, ratios: Floats) -> float:
    """Sum x · log(Σ_k q_k · p(w|k)/p(w)) over the hidden words, a bounded number of rows at a time."""
    total, unplaced = 0.0, 1.0 - memberships.sum(axis=1)
    for start in range(0, hidden.shape[0], CHUNK):
        block = sparse.coo_array(hidden[start : start + CHUNK])
        rows, columns = block.coords
        mixed = np.einsum("ik,ik->i", memberships[rows + start], ratios[columns]) + unplaced[rows + start]
        total += float(block.data @ np.log(np.maximum(mixed, BACKGROUND / 2)))
    return total
