"""Leaving out words that are in too few or too many documents."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from colligate.corpus.reindex import moved
from colligate.errors import CorpusError

if TYPE_CHECKING:
    from numpy.typing import NDArray
    from scipy.sparse import csr_array

    from colligate.corpus.analyser import Analyser


def prune(
    counts: csr_array, words: list[str], analyser: Analyser, source: str
) -> tuple[csr_array, list[str]]:
    """Keep the words that `min_df`, `max_df` and `max_words` of the analyser allow, in their order."""
    documents = counts.shape[0]
    frequency = np.bincount(counts.indices, minlength=len(words))
    enough = frequency >= analyser.min_documents(documents)
    kept = enough & (frequency <= analyser.max_documents(documents))
    if not kept.any():
        raise CorpusError(_nothing_left(enough, analyser, documents, source))
    if analyser.max_words is not None and kept.sum() > analyser.max_words:
        kept = _most_frequent(counts, kept, analyser.max_words)
    if kept.all():
        return counts, words
    columns = np.flatnonzero(kept)
    return _columns(counts, kept), [words[column] for column in columns]


def _nothing_left(enough: NDArray[np.bool_], analyser: Analyser, documents: int, source: str) -> str:
    if enough.any():
        option = f"max_df={analyser.max_df}"
        why = f"every word of {source} that is in enough documents is in more than max_df allows"
    else:
        least = analyser.min_documents(documents)
        option = f"min_df={analyser.min_df if analyser.min_df is not None else least}"
        why = f"no word of {source} is in at least {least:g} of its {documents} documents"
    return f"{why}, so none is left; loosen {option} of the analyser"


def _most_frequent(counts: csr_array, kept: NDArray[np.bool_], most: int) -> NDArray[np.bool_]:
    totals = np.bincount(counts.indices, weights=counts.data, minlength=counts.shape[1])
    candidates = np.flatnonzero(kept)
    order = np.argsort(-totals[candidates], kind="stable")
    chosen = np.zeros_like(kept)
    chosen[candidates[order[:most]]] = True
    return chosen


def _columns(counts: csr_array, kept: NDArray[np.bool_]) -> csr_array:
    target: NDArray[Any] = np.where(kept, np.cumsum(kept) - 1, -1)
    return moved(counts, target, int(kept.sum()))
