"""What documents show for one group or another: how much each of their words, names or other objects counts.

An object o of a document counts (1 + log count)·idf, as in `tfidf`. All that a document has in one relation
together counts n^e, if n is the number of its occurrences there: words of one document depend on each other,
so that n of them are worth fewer. The exponent e is found by `worth`.

Documents as directions: their tf-idf in the leading singular directions, for old documents and new.

Embeddings as a further view of the documents: the user's own array, or a model from a package.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
from scipy.sparse import csr_array

from colligate.errors import InputError, ParameterError
from colligate.methods.spherical import (
    SVD_DIMENSIONS,
    Directions,
    document_frequency,
    inverse_document_frequency,
    make_dense_directions,
    tfidf,
)

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from colligate.network import Neighbourhood, Network

    Floats = NDArray[np.float64]
    Ints = NDArray[np.int64]

# the concentration at which embeddings count as much as directions of words where runs start
USUAL_CONCENTRATION = 5.0


@dataclass(frozen=True, eq=False)
class Scale:
    """How counts become evidence: the idf of every column, and for each relation its columns and exponent.

    Relation p has the columns `bounds[p]` to `bounds[p + 1]`; what it shows counts `weight[p]` times. A
    column that no document has counts nothing.
    """

    idf: Floats
    bounds: Ints
    exponent: Floats
    weight: Floats

    @classmethod
    def of(cls, around: Neighbourhood, weights: Sequence[float], exponent: float) -> Scale:
        """The scale of the relations of a type, with one exponent for all of them."""
        idf = np.where(document_frequency(around.matrix) > 0, inverse_document_frequency(around.matrix), 0.0)
        bounds = np.array([0, *(part.stop for part in around.parts)], dtype=np.int64)
        return cls(idf, bounds, np.full(len(weights), exponent), np.array(weights, dtype=np.float64))

    @property
    def relation(self) -> Ints:
        """The relation of every column."""
        return np.repeat(np.arange(len(self.bounds) - 1), np.diff(self.bounds))

    def evidence(self, counts: csr_array) -> csr_array:
        """What every entry counts; the entries are where those of the counts are."""
        shares, occurrences = self._shares(counts)
        worth = occurrences**self.exponent * self.weight
        return csr_array(
            (shares * worth.ravel()[self._place(counts)], counts.indices, counts.indptr), counts.shape
        )

    def shares(self, counts: csr_array) -> tuple[csr_array, Floats]:
        """Entries as shares of all that a document has in the relation, and its occurrences there."""
        shares, occurrences = self._shares(counts)
        return csr_array((shares, counts.indices, counts.indptr), shape=counts.shape), occurrences

    def _shares(self, counts: csr_array) -> tuple[Floats, Floats]:
        data = counts.data.astype(np.float64)
        known = self.idf[counts.indices]
        place = self._place(counts)
        size = (counts.shape[0], len(self.weight))
        # weights below 1 are no counts: then every entry is an occurrence
        counted = np.maximum(
            np.bincount(place, data * (known > 0), size[0] * size[1]),
            np.bincount(place, known > 0, size[0] * size[1]),
        )
        above = data > 1.0
        np.log(data, out=data, where=above)
        np.add(data, 1.0, out=data, where=above)
        data *= known
        total = np.bincount(place, data, size[0] * size[1])
        data /= np.maximum(total, 1e-300)[place]
        return data, np.maximum(counted, 1.0).reshape(size)

    def _place(self, counts: csr_array) -> Ints:
        """For each entry the number of its (document, relation)."""
        n = len(self.weight)
        rows = np.repeat(np.arange(counts.shape[0]), np.diff(counts.indptr))
        return rows * n if n == 1 else rows * n + self.relation[counts.indices]


@dataclass(frozen=True, eq=False)
class Space:
    """The singular directions (columns of `basis`) and the idf that words are weighed with."""

    idf: Floats
    basis: NDArray[np.float32]

    @classmethod
    def of(cls, counts: csr_array, idf: Floats) -> Space:
        """Decompose the tf-idf of counts. The seed is its own, so that all restarts share the directions."""
        from sklearn.utils.extmath import randomized_svd

        n_dimensions = min(SVD_DIMENSIONS, min(counts.shape))
        weighed = tfidf(counts, idf).astype(np.float32)
        _, _, right = randomized_svd(weighed, n_dimensions, n_iter=4, random_state=0)
        return cls(idf, np.ascontiguousarray(right.T, dtype=np.float32))

    def directions(self, counts: csr_array) -> Directions:
        """Documents at unit length; one without a known word has none."""
        return make_dense_directions(self.placed(counts), np.diff(counts.indptr) > 0)

    def placed(self, counts: csr_array) -> NDArray[Any]:
        """Documents in the space, before their length is made 1."""
        return np.asarray(tfidf(counts, self.idf) @ self.basis, dtype=np.float64)


@dataclass(frozen=True, eq=False)
class View:
    """Documents as directions, and how many nats it is worth to point where a group points."""

    directions: Directions
    concentration: float


def embedded_views(network: Network, embeddings: Any, extra: int) -> tuple[View, ...]:
    """The view of embeddings, if there are any; `extra` outsiders from elsewhere have none."""
    if embeddings is None:
        return ()
    given = _vectors(network, embeddings) if isinstance(embeddings, str) else _numbers(embeddings)
    n = len(network.types[network.centre])
    if given.ndim != 2 or len(given) != n:
        raise ParameterError(
            f"embeddings must be an array with a row for each of the {n} {network.centre}; "
            f"got the shape {given.shape}"
        )
    if not np.isfinite(given).all():
        raise ParameterError("embeddings must be finite numbers; some are not")
    filled = np.abs(given).sum(axis=1) > 0
    given = given - np.where(filled[:, None], given[filled].mean(axis=0) if filled.any() else 0.0, given)
    rows = np.vstack([given, np.zeros((extra, given.shape[1]))])
    return (
        View(
            make_dense_directions(rows, np.append(filled, np.zeros(extra, dtype=bool))), USUAL_CONCENTRATION
        ),
    )


def _numbers(given: Any) -> np.ndarray[Any, Any]:
    try:
        return np.array(given, dtype=np.float64)
    except (TypeError, ValueError):
        raise ParameterError(
            f"embeddings must be an array of numbers with a row for each document; got {type(given).__name__}"
        ) from None


def _vectors(network: Network, name: str) -> np.ndarray[Any, Any]:
    from colligate.corpus.embeddings import embed_texts

    if network.corpus is None or network.corpus.texts is None:
        raise InputError(
            f"embeddings={name!r} reads the texts of the documents, and there are none here; fit on a corpus "
            "that has its texts, or give an array with a row for each document"
        )
    found: np.ndarray[Any, Any] = embed_texts(network.corpus.texts, name)
    return found
