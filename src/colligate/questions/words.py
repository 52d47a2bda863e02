"""Which words to ask about.

The documents are divided into parts, several for each group, by their directions. A part may be half of a
group or belong elsewhere; whoever names the group of a word that is typical of the part, names the part. Word
o tells

    g_o = max(0, KL(p(part | o) ‖ p(part)) − chance)

about the part of a document, in nats, and is asked for the sake of the documents that contain it. The gain is

    g_o² · Σ_{d contains o} w_d / (1 + v_d)

with v_d the words of document d that are known or already selected, and w_d = 0 for a document with a known
group. The square prefers words that are clearly about something, since others have no answer. Words are
selected greedily. Gains only shrink, so an old gain is an upper bound, and only a few are computed again.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING
from weakref import WeakKeyDictionary

import numpy as np
from scipy.sparse import csc_array, csr_array
from scipy.special import rel_entr

from colligate._array import one_hot
from colligate.kernels import make_kernels
from colligate.methods.spherical import make_dense_directions, spherical_kmeans
from colligate.questions.uncertainty import embed_documents, sample_positions

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from colligate.result import Result

    Floats = NDArray[np.float64]
    Flags = NDArray[np.bool_]
    Positions = NDArray[np.int64]

# Parts for each group; chosen on oh0, tr31, hitech, k1b and short_biomedical among 1, 2 and 3.
PARTS_PER_GROUP = 3
# The largest number of documents that are divided and counted.
MAX_DOCUMENTS = 20_000
# The information of a word about the parts that makes it askable, as a share of what a word of one part has.
MIN_INFORMATION = 1 / 3
# The fewest documents of a word.
MIN_DOCUMENTS = 3
# A gain that fell by less than this share still counts as current.
CURRENT = 0.999


@dataclass(frozen=True, eq=False)
class TypicalWords:
    """How much each word tells about the parts of a result; the same for all questions about it.

    `documents` are the sampled documents and `occurs` their words, with a column for every word.
    """

    documents: Positions
    occurs: csc_array
    information: Floats


@dataclass(frozen=True, eq=False)
class SelectedWords:
    """Selected words in order, and the gain of each, in documents times squared nats."""

    words: list[int]
    gains: list[float]


# Parts cost more than the questions; they depend on the result alone.
_typical_words: WeakKeyDictionary[Result, TypicalWords] = WeakKeyDictionary()


def select_words(result: Result, weights: Floats, known: Flags, count: int) -> SelectedWords:
    """Select `count` words that are not `known`. Ties go to the first."""
    typical = find_typical_words(result)
    occurs, information = typical.occurs, typical.information
    n_known = np.asarray(occurs @ known.astype(np.float64)).ravel()
    value = np.square(information) * (len(weights) / max(len(typical.documents), 1))
    weight = weights[typical.documents]
    bounds = np.where(known, 0.0, value * (occurs.T @ (weight / (1.0 + n_known))))
    words: list[int] = []
    gains: list[float] = []
    while len(words) < min(count, len(bounds)):
        best = int(bounds.argmax())
        if bounds[best] <= 0:
            break
        rows = occurs.indices[occurs.indptr[best] : occurs.indptr[best + 1]]
        gain = float(value[best] * (weight[rows] / (1.0 + n_known[rows])).sum())
        if gain < bounds[best] * CURRENT:
            bounds[best] = gain
            continue
        words.append(best)
        gains.append(gain)
        bounds[best] = -1.0
        n_known[rows] += 1.0
    return SelectedWords(words, gains)


def find_typical_words(result: Result) -> TypicalWords:
    """Divide the documents into parts, and compute what each word tells about them."""
    if result not in _typical_words:
        labels, counts = result.labels[result.centre], result.counts
        documents = sample_positions(np.flatnonzero(labels >= 0), MAX_DOCUMENTS)
        rows = counts[documents]
        occurs = csr_array((np.ones(rows.nnz), rows.indices, rows.indptr), shape=rows.shape)
        parts = _divide(result, documents)
        information = np.where(_have_letters(result), _information(occurs, parts), 0.0)
        _typical_words[result] = TypicalWords(documents, csc_array(occurs), information)
    return _typical_words[result]


def _divide(result: Result, documents: Positions) -> NDArray[np.int32]:
    """Divide documents into parts by spherical k-means on their directions, with a fixed seed."""
    rows = embed_documents(result)[documents]
    objects = make_dense_directions(rows, np.asarray(rows.any(axis=1)))
    n_parts = max(1, min(PARTS_PER_GROUP * result.n_groups(), len(documents) // 2))
    # plain NumPy: the studio asks while other threads run the fast kernels
    return spherical_kmeans(make_kernels("reference"), objects, n_parts, np.random.default_rng(0))


def _information(occurs: csr_array, parts: NDArray[np.int32]) -> Floats:
    """Return g of each word in nats; 0 for words that are rare or say little about the part."""
    n_parts = int(parts.max(initial=-1)) + 1
    if n_parts < 2:
        return np.zeros(occurs.shape[1])
    in_part = np.asarray((one_hot(parts, n_parts).T @ occurs).todense())
    n_documents = in_part.sum(axis=0)
    shares = in_part / np.maximum(n_documents, 1.0)
    sizes: Floats = np.bincount(parts[parts >= 0], minlength=n_parts) / np.count_nonzero(parts >= 0)
    divergence = rel_entr(shares, sizes[:, None]).sum(axis=0)
    # what a word of so few documents tells by chance
    chance = np.minimum((n_parts - 1) / (2.0 * np.maximum(n_documents, 1.0)), np.log1p(n_documents))
    most = -np.log(np.maximum(sizes[shares.argmax(axis=0)], 1e-12))
    information = np.where(divergence >= MIN_INFORMATION * most, np.maximum(divergence - chance, 0.0), 0.0)
    information[n_documents < MIN_DOCUMENTS] = 0.0
    # rounded, so that the order of sums does not decide
    return np.asarray(np.round(information, 9))


def _have_letters(result: Result) -> Flags:
    """Mark the words with a letter."""
    names = result.network.types[result.terms].names
    return np.array([any(map(str.isalpha, str(name))) for name in names], dtype=bool)
