"""Telling of text that is written without spaces, where a whole clause would count as one word."""

from __future__ import annotations

import re
import warnings
from typing import TYPE_CHECKING

import numpy as np

from colligate.errors import UnspacedTextWarning

if TYPE_CHECKING:
    from collections.abc import Sequence

    from scipy import sparse

# Chinese characters and kana; then Thai, Lao, Burmese and Khmer, whose words have more letters
LONG = re.compile(
    "[\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff\U00020000-\U0003ffff]{6}"
    "|[\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff]{16}"
)
MANY = 0.25


def tell_unspaced(counts: sparse.csr_array, words: Sequence[str], source: str) -> None:
    """Warn if many of the words that were found are clauses."""
    often = np.bincount(counts.indices, counts.data, len(words))
    clauses = np.array([LONG.search(word) is not None for word in words], dtype=bool)
    share = often[clauses].sum() / max(often.sum(), 1)
    if share > MANY:
        example = words[int(np.flatnonzero(clauses)[often[clauses].argmax()])]
        warnings.warn(
            f"{share:.0%} of the words of {source} are whole clauses, such as {example[:40]!r}: the script "
            "is written without spaces; put spaces between the words first, or pass Analyser(tokens=...) "
            "with a callable that finds them",
            UnspacedTextWarning,
            stacklevel=2,
        )
