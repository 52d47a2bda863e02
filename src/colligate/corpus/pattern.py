"""Finding the words in a text: runs of letters, digits and underscores, in any script."""

from __future__ import annotations

import re
import unicodedata
from functools import lru_cache
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

LAST_SCRIPT = 0x20000
"""Behind it stand only Chinese characters, which are letters."""


def word_runs(min_length: int) -> Callable[[str], list[str]]:
    """Return a function that finds runs of at least `min_length` word characters, as scikit-learn does.

    A run of underscores alone is no word. Marks that combine with a letter belong to it, as scripts such as
    Devanagari need; apostrophes part words.
    """
    ascii_runs = re.compile(rf"(?=_*[a-zA-Z0-9])[a-zA-Z0-9_]{{{min_length},}}").findall
    runs = _any_script().findall

    def find(text: str) -> list[str]:
        if text.isascii():
            return ascii_runs(text)
        return [run for run in runs(text) if len(run) >= min_length and run.strip("_")]

    return find


def pattern_runs(pattern: str, min_length: int) -> Callable[[str], list[str]]:
    """Return a function that finds what matches `pattern` (its group, if it has one) and is long enough."""
    find_all = re.compile(pattern).findall
    return lambda text: [run for run in find_all(text) if len(run) >= min_length]


@lru_cache(maxsize=1)
def _any_script() -> re.Pattern[str]:
    return re.compile(rf"\w[\w{_class(('Mn', 'Mc', 'Me'))}]*")


def _class(categories: tuple[str, ...]) -> str:
    return "".join(f"\\U{first:08x}-\\U{last:08x}" for first, last in _ranges(categories))


def _ranges(categories: tuple[str, ...]) -> Iterator[tuple[int, int]]:
    first: int | None = None
    for code in range(LAST_SCRIPT + 1):
        inside = code < LAST_SCRIPT and unicodedata.category(chr(code)) in categories
        if inside and first is None:
            first = code
        elif not inside and first is not None:
            yield first, code - 1
            first = None
