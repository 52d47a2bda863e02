"""Documents as numbers: tempered tf-idf (y), directions in a latent space (e), and embeddings (e′)."""

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

    from colligate.methods.mixture.constants import Constants
    from colligate.network import Neighbourhood, Network

    Floats = NDArray[np.float64]
    Ints = NDArray[np.int64]


def default_weights(network: Network, constants: Constants) -> list[float]:
    """Return the weight of every relation that has none: names of entities are words too, and count less."""
    return [constants.mention_weight if relation.in_text else 1.0 for relation in network.relations]


@dataclass(frozen=True, eq=False)
class TemperedTfidf:
    """Turns counts into y (eq. 7): tf-idf whose sum over a relation is w·n^η for n occurrences.

    Relation r has the columns `bounds[r]` to `bounds[r + 1]`, the exponent `eta[r]` and the weight
    `weight[r]`. A column that no document of the run has counts nothing.
    """

    idf: Floats
    bounds: Ints
    eta: Floats
    weight: Floats

    @classmethod
    def of(cls, around: Neighbourhood, weights: Sequence[float], eta: float) -> TemperedTfidf:
        """Take idf and columns from the relations of a type, with one exponent for all of them."""
        idf = np.where(document_frequency(around.matrix) > 0, inverse_document_frequency(around.matrix), 0.0)
        bounds = np.array([0, *(part.stop for part in around.parts)], dtype=np.int64)
        return cls(idf, bounds, np.full(len(weights), eta), np.array(weights, dtype=np.float64))

    @property
    def relation(self) -> Ints:
        """The relation of every column."""
        return np.repeat(np.arange(len(self.bounds) - 1), np.diff(self.bounds))

    @property
    def weighted_idf(self) -> Floats:
        """The idf of every column times the weight of its relation, for the latent space."""
        return np.asarray(self.idf * self.weight[self.relation])

    def transform(self, counts: csr_array) -> csr_array:
        """Compute y (eq. 7), with entries where the counts have theirs."""
        shares, occurrences, cell = self._normalise(counts)
        total = occurrences**self.eta * self.weight
        return csr_array((shares * total.ravel()[cell], counts.indices, counts.indptr), counts.shape)

    def shares(self, counts: csr_array) -> tuple[csr_array, Floats]:
        """Compute tf-idf that sums to 1 over each relation of a document, and n, its occurrences there."""
        shares, occurrences, _ = self._normalise(counts)
        return csr_array((shares, counts.indices, counts.indptr), shape=counts.shape), occurrences

    def _normalise(self, counts: csr_array) -> tuple[Floats, Floats, Ints]:
        """Compute the entries of `shares`, n, and for each entry the number of its (document, relation)."""
        n_documents, n_relations = counts.shape[0], len(self.weight)
        cell = np.repeat(np.arange(n_documents), np.diff(counts.indptr)) * n_relations
        if n_relations > 1:
            cell = cell + self.relation[counts.indices]
        data = counts.data.astype(np.float64)
        idf = self.idf[counts.indices]
        # weights below 1 are no counts: then every entry is an occurrence
        occurrences = np.maximum(
            np.bincount(cell, data * (idf > 0), n_documents * n_relations),
            np.bincount(cell, idf > 0, n_documents * n_relations),
        )
        # weights up to 1 stay as they are: 1 + log of a small one would be negative
        above = data > 1.0
        np.log(data, out=data, where=above)
        np.add(data, 1.0, out=data, where=above)
        data *= idf
        total = np.bincount(cell, data, n_documents * n_relations)
        data /= np.maximum(total, 1e-300)[cell]
        return data, np.maximum(occurrences, 1.0).reshape(n_documents, n_relations), cell


@dataclass(frozen=True, eq=False)
class LatentSpace:
    """The leading singular vectors of tf-idf (columns of `basis`), for documents of the run and new ones."""

    idf: Floats
    basis: NDArray[np.float32]

    @classmethod
    def of(cls, counts: csr_array, idf: Floats) -> LatentSpace:
        """Decompose the tf-idf of counts; the seed is fixed, so that all restarts share the directions."""
        from sklearn.utils.extmath import randomized_svd

        n_dimensions = min(SVD_DIMENSIONS, min(counts.shape))
        weighted = tfidf(counts, idf).astype(np.float32)
        _, _, right = randomized_svd(weighted, n_dimensions, n_iter=4, random_state=0)
        return cls(idf, np.ascontiguousarray(right.T, dtype=np.float32))

    def directions(self, counts: csr_array) -> Directions:
        """Compute e: documents at unit length, zero for one without a known feature."""
        return make_dense_directions(self.project(counts), np.diff(counts.indptr) > 0)

    def project(self, counts: csr_array) -> Floats:
        """Project documents, without the scaling to unit length."""
        return np.asarray(tfidf(counts, self.idf) @ self.basis, dtype=np.float64)


@dataclass(frozen=True, eq=False)
class View:
    """Documents as directions e, and κ, the weight of the direction term."""

    directions: Directions
    kappa: float


def embedding_views(network: Network, embeddings: Any, n_extra: int, kappa: float) -> tuple[View, ...]:
    """Return the view of embeddings, if there are any; `n_extra` outsiders from elsewhere have none."""
    if embeddings is None:
        return ()
    rows = _model_rows(network, embeddings) if isinstance(embeddings, str) else _user_rows(embeddings)
    n = len(network.types[network.centre])
    if rows.ndim != 2 or len(rows) != n:
        raise ParameterError(
            f"embeddings must be an array with a row for each of the {n} {network.centre}; "
            f"got the shape {rows.shape}",
            parameter="embeddings",
        )
    if not np.isfinite(rows).all():
        raise ParameterError(
            "embeddings must be finite numbers, but some are infinite or NaN; correct the array",
            parameter="embeddings",
        )
    filled = np.abs(rows).sum(axis=1) > 0
    # rows of zeros have no embedding; centred, they would all point away from the mean
    rows = rows - np.where(filled[:, None], rows[filled].mean(axis=0) if filled.any() else 0.0, rows)
    rows = np.vstack([rows, np.zeros((n_extra, rows.shape[1]))])
    filled = np.append(filled, np.zeros(n_extra, dtype=bool))
    return (View(make_dense_directions(rows, filled), kappa),)


def _user_rows(embeddings: Any) -> np.ndarray[Any, Any]:
    try:
        return np.array(embeddings, dtype=np.float64)
    except (TypeError, ValueError):
        raise ParameterError(
            "embeddings must be an array of numbers with a row for each document; "
            f"got {type(embeddings).__name__}",
            parameter="embeddings",
        ) from None


def _model_rows(network: Network, name: str) -> np.ndarray[Any, Any]:
    from colligate.corpus.embeddings import embed_texts

    if network.corpus is None or network.corpus.texts is None:
        raise InputError(
            f"embeddings={name!r} needs the texts of the documents, and there are none. Fit on a corpus "
            "with texts, or pass an array with a row for each document"
        )
    rows: np.ndarray[Any, Any] = embed_texts(network.corpus.texts, name)
    return rows
