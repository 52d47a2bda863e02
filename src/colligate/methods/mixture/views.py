"""Documents as directions: by the singular vectors of their tf-idf (e), and by embeddings (e′).

Vectors of words make directions from counts, so that new documents have them too, and each word its part in
them. Short texts have directions by all their word pieces, since most of their words are not counted. Vectors
of documents come from encoders, columns or arrays; new documents need theirs from there, too.
"""

from __future__ import annotations

import re
import warnings
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any

import numpy as np
from scipy.sparse import coo_array, csr_array

from colligate._array import unit_dense_rows
from colligate.corpus.embeddings import embed_words, has_word_vectors
from colligate.corpus.encoders import (
    MAX_WHOLE_TEXTS,
    WORD_VECTORS,
    list_embeddings,
    make_vectors,
    pack_source,
)
from colligate.errors import InputError, MissingPackageWarning
from colligate.methods.spherical import (
    SVD_DIMENSIONS,
    Directions,
    make_dense_directions,
    tfidf,
    truncated_svd,
)
from colligate.network import WORDS, list_parts
from colligate.shards.matrix import append_columns

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from numpy.typing import NDArray

    from colligate.kernels import Kernels
    from colligate.network import Network

    Floats = NDArray[np.float64]

# what lengths are at least
TINY = 1e-300
LETTERS = re.compile(r"[^\W\d_]+")
# texts with fewer counted words than this gain clearly by word vectors (docs/evaluation.md)
SHORT_TEXT = 20


@dataclass(frozen=True, eq=False)
class LatentSpace:
    """A linear map from features to directions, for documents of the run and new ones.

    `basis` has a row for each feature: of the leading singular vectors of tf-idf, or the vector of a word.
    `weight` multiplies 1 + log count. `mean` is subtracted from documents at unit length.
    """

    weight: Floats
    basis: NDArray[np.float32]
    mean: Floats

    @classmethod
    def of_tfidf(
        cls, counts: csr_array, idf: Floats, kernels: Kernels | None = None
    ) -> tuple[LatentSpace, Directions]:
        """Decompose the tf-idf of counts, and return the space with the directions of the documents."""
        weighed = tfidf(counts, idf, kernels)
        rows, values, words = truncated_svd(weighed, SVD_DIMENSIONS, kernels)
        space = cls(idf, words.astype(np.float32), np.zeros(len(values)))
        return space, make_dense_directions(rows, space.has_feature(counts), kernels)

    @classmethod
    def of_vectors(cls, counts: csr_array, vectors: NDArray[np.float32]) -> LatentSpace:
        """Average the vectors of words; a row of zeros is a word without a vector."""
        weight = np.asarray((vectors != 0).any(axis=1), dtype=np.float64)
        rows = unit_dense_rows(tfidf(counts, weight).astype(np.float32) @ vectors)
        # eigenvectors of a small matrix: with as few dimensions as tf-idf has, groups are as good as by all
        _, axes = np.linalg.eigh(rows.T @ rows)
        axes = axes[:, -min(SVD_DIMENSIONS, axes.shape[1]) :]
        return cls.of_basis(counts, weight, np.ascontiguousarray(vectors @ axes.astype(np.float32)))

    @classmethod
    def of_basis(cls, counts: csr_array, weight: Floats, basis: NDArray[np.float32]) -> LatentSpace:
        """Return the space of a basis and weights, with the mean of documents that have a feature."""
        space = cls(weight, basis, np.zeros(basis.shape[1]))
        filled = space.has_feature(counts)
        total = unit_dense_rows(space.project(counts)).sum(axis=0)
        return cls(weight, basis, total / max(np.count_nonzero(filled), 1))

    def directions(self, counts: csr_array) -> Directions:
        """Compute e: documents at unit length, zero for one without a feature that counts."""
        return make_dense_directions(self.unit(counts), self.has_feature(counts))

    def unit(self, counts: csr_array) -> Floats:
        """Compute e in full precision."""
        return unit_dense_rows(self.centre(self.project(counts)) * self.has_feature(counts)[:, None])

    def has_feature(self, counts: csr_array) -> NDArray[np.bool_]:
        """Mark the documents with a feature that counts."""
        return np.asarray(counts @ (self.weight > 0)) > 0

    def project(self, counts: csr_array) -> Floats:
        """Project documents, without the scaling to unit length."""
        return np.asarray(tfidf(counts, self.weight) @ self.basis, dtype=np.float64)

    def centre(self, projected: Floats) -> Floats:
        """Scale projected documents to unit length, and subtract the mean."""
        return unit_dense_rows(projected) - self.mean

    def feature_parts(self, row: csr_array) -> Floats:
        """Divide the direction of one document among its features, features × dimensions."""
        weights = tfidf(row, self.weight).data
        # only the rows of its features: `project` would convert the whole basis for one document
        projected = weights[None] @ self.basis[row.indices].astype(np.float64)
        length = max(float(np.sqrt(np.square(projected).sum())), TINY)
        centred = max(float(np.sqrt(np.square(self.centre(projected)).sum())), TINY)
        # the mean, too, is divided by the weights: a feature counts by how it differs from it
        mean = (weights / max(weights.sum(), TINY))[:, None] * self.mean
        return np.asarray((weights[:, None] * self.basis[row.indices] / length - mean) / centred)


@dataclass(frozen=True, eq=False)
class View:
    """Documents as directions e, and κ, the weight of the direction term.

    New documents have directions by the `space`, or by vectors from the source that `stored` has. With both,
    those that have no vectors have directions by the space.
    """

    directions: Directions
    kappa: float
    space: LatentSpace | None = None
    stored: Mapping[str, NDArray[Any]] = field(default_factory=dict)


def join_directions(directions: Sequence[Directions], lengths: Sequence[float]) -> Directions:
    """Put directions side by side, each at its length, as one direction."""
    if len(directions) == 1:
        return directions[0]
    rows = [length * np.asarray(part.unit) for part, length in zip(directions, lengths, strict=True)]
    return make_dense_directions(np.hstack(rows), np.any([part.filled for part in directions], axis=0))


def embedding_views(
    network: Network, counts: csr_array, user_network: Network, embeddings: Any, kappa: float
) -> tuple[View, ...]:
    """Return the view of each embedding.

    `network` has outsiders from elsewhere beside the documents of the user. They have words, but no row in
    an array.
    """
    listed = list_embeddings(embeddings)
    views: list[View] = []
    for position, embedding in enumerate(listed):
        place = (position, len(listed))
        if isinstance(embedding, str) and embedding in WORD_VECTORS:
            vectors = _find_word_vectors(network, counts, embedding == "wordllama")
            if vectors is None:
                continue
            if _are_whole_texts_short(network, user_network, counts):
                views.append(_whole_text_view(network, user_network, counts, vectors, kappa, place))
            else:
                views.append(_word_view(network, counts, vectors, kappa))
        elif embedding is not None:
            views.append(_row_view(network, user_network, embedding, kappa, place))
    return tuple(views)


def _find_word_vectors(network: Network, counts: csr_array, needed: bool) -> NDArray[np.float32] | None:
    """Return the vector of every column that is a word; None if there are no words or no vectors."""
    columns = [part for part in list_parts(network, network.centre) if part.other == WORDS]
    words = network.types[WORDS].names if columns else range(0)
    if isinstance(words, range):
        if needed:
            raise InputError(
                "embeddings='wordllama' needs the words of the documents, and there are only their numbers. "
                "Pass the words beside the counts, or set embeddings=None"
            )
        return None
    if not has_word_vectors():
        if needed:
            raise InputError(
                "embeddings='wordllama' needs the package wordllama, which is not installed. Install it with "
                "`pip install wordllama`, or set embeddings=None"
            )
        _advise_word_vectors(counts)
        return None
    of_words = embed_words(words)
    vectors = np.zeros((counts.shape[1], of_words.shape[1]), dtype=np.float32)
    for part in columns:
        vectors[part.start : part.stop] = of_words
    return vectors if vectors.any() else None


def _word_view(network: Network, counts: csr_array, vectors: NDArray[np.float32], kappa: float) -> View:
    """Return the directions of documents by the vectors of their counted words."""
    further = _count_uncounted_words(network, counts)
    wide = append_columns(counts, further.counts)
    space = LatentSpace.of_vectors(wide, np.vstack([vectors, embed_words(further.words)]))
    directions, n_columns = space.directions(wide), counts.shape[1]
    return View(directions, kappa, LatentSpace(space.weight[:n_columns], space.basis[:n_columns], space.mean))


def _are_whole_texts_short(network: Network, user_network: Network, counts: csr_array) -> bool:
    """Whether directions are those of whole texts: if these are short, at hand for all, and not too many."""
    corpus = user_network.corpus
    n_documents = len(user_network.types[user_network.centre])
    has_texts = corpus is not None and corpus.texts is not None and len(corpus.texts) == n_documents
    # outsiders from elsewhere have no texts here
    has_all = has_texts and len(network.types[network.centre]) == n_documents
    return has_all and 0 < n_documents <= MAX_WHOLE_TEXTS and _has_few_words(counts)


def _has_few_words(counts: csr_array) -> bool:
    return bool(np.median(np.diff(counts.indptr)) < SHORT_TEXT)


def _whole_text_view(
    network: Network,
    user_network: Network,
    counts: csr_array,
    vectors: NDArray[np.float32],
    kappa: float,
    place: tuple[int, int],
) -> View:
    """Return the directions of documents by all word pieces of their texts.

    The space has the vectors of counted words in the same dimensions, so that new documents without texts
    have directions, and counted words their parts in them.
    """
    view = _row_view(network, user_network, "wordllama", kappa, place)
    weight = np.asarray((vectors != 0).any(axis=1), dtype=np.float64)
    return replace(view, space=LatentSpace.of_basis(counts, weight, vectors))


@dataclass(frozen=True, eq=False)
class FurtherWords:
    """Words that are not counted otherwise, and how often documents have them."""

    words: Sequence[str]
    counts: csr_array


def _count_uncounted_words(network: Network, counts: csr_array) -> FurtherWords:
    """Count all words of the documents of which no word is counted, say because all are stop words."""
    corpus = network.corpus
    empty = np.flatnonzero(np.diff(counts.indptr) == 0)
    texts = [] if corpus is None or corpus.texts is None else corpus.texts
    number: dict[str, int] = {}
    rows, columns = [], []
    for document in empty[empty < len(texts)].tolist():
        for word in LETTERS.findall(texts[document]):
            rows.append(document)
            columns.append(number.setdefault(word.lower(), len(number)))
    entries = (np.ones(len(rows)), (rows, columns))
    table = coo_array(entries, shape=(counts.shape[0], len(number))).tocsr()
    table.sum_duplicates()
    return FurtherWords(list(number), csr_array(table))


def _advise_word_vectors(counts: csr_array) -> None:
    """Warn that short texts are grouped better with word vectors."""
    if counts.shape[0] and _has_few_words(counts):
        warnings.warn(
            "The texts are short. Their groups are clearly better with vectors of words, which come with the "
            "package wordllama: `pip install wordllama`.",
            MissingPackageWarning,
            stacklevel=2,
        )


def _row_view(
    network: Network, user_network: Network, embedding: Any, kappa: float, place: tuple[int, int]
) -> View:
    """Return the directions of vectors, one for each document of the user."""
    n = len(user_network.types[network.centre])
    vectors = make_vectors(embedding, user_network.corpus, n, place)
    rows = vectors.rows
    filled = np.abs(rows).sum(axis=1) > 0
    # rows of zeros have no embedding; centred, they would all point away from the mean
    mean = rows[filled].mean(axis=0) if filled.any() else np.zeros(rows.shape[1])
    n_extra = len(network.types[network.centre]) - n
    rows = np.vstack([centre_rows(rows, mean), np.zeros((n_extra, rows.shape[1]))])
    directions = make_dense_directions(rows, np.append(filled, np.zeros(n_extra, dtype=bool)))
    stored = {} if vectors.source is None else pack_source(vectors.source, vectors.probe) | {"mean": mean}
    return View(directions, kappa, stored=stored)


def centre_rows(rows: Floats, mean: Floats) -> Floats:
    """Subtract the mean of the documents of the run; rows of zeros stay."""
    filled = np.abs(rows).sum(axis=1, keepdims=True) > 0
    return np.asarray(np.where(filled, rows - mean, 0.0))
