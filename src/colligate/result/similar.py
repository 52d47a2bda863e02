"""Documents that are most similar to one document.

The similarity is the cosine of their words, weighted by tf-idf. Where a method has directions of documents,
it is the mean of this cosine and theirs (experiments/copies.py compares the three).
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from colligate.errors import InputError
from colligate.result.explain import find_object, is_integer
from colligate.result.groups import find_type, name_object

if TYPE_CHECKING:
    from numpy.typing import NDArray
    from scipy.sparse import csr_array

    from colligate.result.result import Result


class Similar(NamedTuple):
    """A document that is similar to another.

    Attributes
    ----------
    document : str
        Its name.
    position : int
        Its position.
    group : int
        Its group; -1 for none.
    similarity : float
        From 0 to 1, which is a document with the same words.
    """

    document: str
    position: int
    group: int
    similarity: float


def find_similar(result: Result, document: str | int, n: int) -> tuple[Similar, ...]:
    """Find the `n` most similar documents; see `Result.similar`."""
    if not is_integer(n) or n < 1:
        raise InputError(f"n must be a whole number of at least 1; got {n!r:.60}")
    object_type = find_type(result, result.centre)
    position = find_object(object_type, document)
    cosines = measure_similarity(result, position)
    labels = result.labels[result.centre]
    return tuple(
        Similar(
            name_object(object_type.names, result.centre, row), row, int(labels[row]), float(cosines[row])
        )
        for row in rank_similar(cosines, position, int(n)).tolist()
    )


def measure_similarity(result: Result, position: int) -> NDArray[np.float64]:
    """Return the similarity of one document to every document; 0 for and to a document without words."""
    words = multiply_row(result.unit_tfidf, position)
    directions = result.directions
    if directions is None:
        return words
    # rounding can lead a little above 1
    cosines = np.minimum(directions @ directions[position], 1.0)
    return np.asarray(
        np.where(result.counts.indptr[1:] > result.counts.indptr[:-1], (words + cosines) / 2, 0.0)
    )


def multiply_row(unit: csr_array, position: int) -> NDArray[np.float64]:
    """Return the cosine of one row of unit length to every row, by one product with a vector."""
    start, end = unit.indptr[position], unit.indptr[position + 1]
    row = np.zeros(unit.shape[1])
    row[unit.indices[start:end]] = unit.data[start:end]
    # rounding can lead a little above 1
    cosines: NDArray[np.float64] = np.minimum(unit @ row, 1.0)
    return cosines


def rank_similar(cosines: NDArray[np.float64], position: int, n: int) -> NDArray[np.int64]:
    """Return the rows with the largest positive cosines but for the document itself, best first."""
    # rounded, so that nearly equal documents keep their order on every machine
    order = np.lexsort((np.arange(cosines.size), -np.round(cosines, 9)))
    candidates = order[: n + 1]
    chosen: NDArray[np.int64] = candidates[(candidates != position) & (cosines[candidates] > 0)]
    return chosen[:n]
