"""Words that many doubtful documents rest on and that are shared between groups."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from colligate.methods.tfidf import tfidf
from colligate.questions.question import WORD, Question

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from colligate.knowledge import Guidance
    from colligate.result import Result

    Floats = NDArray[np.float64]


def word_questions(result: Result, guidance: Guidance | None, weights: Floats, count: int) -> list[Question]:
    """Is this word about the group that has most of it? Each group is asked about in its turn.

    What a word settles is the doubt of the documents that have it, by its share of their tf-idf, times how
    much it lies between two groups: 4·p₁·p₂·(p₁ + p₂) for the shares of its first two. A word that is all
    over the place belongs to none.
    """
    counts, table = result.counts, result.reach[result.terms].table.toarray()
    shares = table / np.maximum(table.sum(axis=0), 1e-12)
    first, lead = shares.argmax(axis=0), result.word_scores.toarray().argmax(axis=1)
    square = tfidf(counts).power(2)
    effect = (square.T @ weights) * _between(shares)
    effect[_spoken_of(guidance, len(effect)) | np.isin(np.arange(len(effect)), lead)] = 0.0
    chosen = _in_turn(effect, first, count)
    return [
        Question(WORD, (word, int(lead[first[word]])), (int(first[word]),), float(effect[word]))
        for word in chosen
    ]


def _between(shares: Floats) -> Floats:
    if len(shares) < 2:
        return np.zeros(shares.shape[1])
    second, first = np.partition(shares, -2, axis=0)[-2:]
    return np.asarray(4.0 * first * second * (first + second))


def _spoken_of(guidance: Guidance | None, size: int) -> NDArray[np.bool_]:
    found = np.zeros(size, dtype=bool)
    if guidance is None:
        return found
    found[guidance.pairs.left] = found[guidance.pairs.right] = True
    for links in guidance.groups:
        found[links.member] = True
    if guidance.leanings is not None:
        found |= np.diff(guidance.leanings.matrix.indptr) > 0
    return found


def _in_turn(effect: Floats, group: NDArray[np.int64], count: int) -> list[int]:
    """The best words, no second one of a group before the first ones of all others."""
    order = np.lexsort((np.arange(len(effect)), -effect))
    order = order[effect[order] > 0]
    turn = np.zeros(len(order), dtype=np.int64)
    for own in np.unique(group[order]):
        inside = group[order] == own
        turn[inside] = np.arange(int(inside.sum()))
    found: list[int] = order[np.lexsort((np.arange(len(order)), turn))][:count].tolist()
    return found
