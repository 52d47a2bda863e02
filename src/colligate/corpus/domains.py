"""The domains of an analyser's options; a refusal names the option, what is allowed, and what was given."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from numbers import Integral, Real
from typing import Any

from colligate.errors import ParameterError


def whole(name: str, value: Any) -> int:
    """Allow whole numbers from 1 on."""
    if not _is_whole(value) or value < 1:
        raise _outside(name, "a whole number of at least 1", value)
    return int(value)


def frequency(name: str, value: Any) -> int | float:
    """Allow a number of documents, or a share of them as a fraction."""
    if _is_whole(value) and value >= 1:
        return int(value)
    if isinstance(value, Real) and not isinstance(value, Integral) and 0 <= float(value) <= 1:
        return float(value)
    raise _outside(name, "a number of documents (1, 2, ...) or a share of them (0.0 to 1.0)", value)


def truth(name: str, value: Any) -> None:
    """Allow True and False."""
    if not isinstance(value, bool):
        raise _outside(name, "True or False", value)


def ngrams(value: Any) -> tuple[int, int]:
    """Allow two whole numbers, the first not above the second; lists become tuples."""
    found = tuple(value) if isinstance(value, Sequence) and not isinstance(value, str) else ()
    if (
        len(found) != 2
        or not all(_is_whole(number) and number >= 1 for number in found)
        or found[0] > found[1]
    ):
        raise _outside("ngrams", "two whole numbers such as (1, 2), the first not above the second", value)
    return int(found[0]), int(found[1])


def stop_words(value: Any) -> str | tuple[str, ...] | None:
    """Allow the one list that has a name, a list of words, or none; lists become sorted tuples."""
    if value is None or value == "english":
        return value  # type: ignore[no-any-return]
    if isinstance(value, str) or not isinstance(value, Iterable):
        raise _outside("stop_words", "'english', a list of words, or None", value)
    found = tuple(value)
    if not all(isinstance(word, str) for word in found):
        raise _outside("stop_words", "a list of str", value)
    return tuple(sorted(set(found)))


def pattern(value: Any) -> None:
    """Allow regular expressions with at most one group."""
    if value is None:
        return
    try:
        groups = re.compile(value).groups
    except (re.error, TypeError) as error:
        raise _outside("pattern", f"a regular expression ({error})", value) from error
    if groups > 1:
        raise _outside("pattern", "a regular expression with at most one group", value)


def function(name: str, value: Any) -> None:
    """Allow anything that can be called."""
    if value is not None and not callable(value):
        raise _outside(name, "a callable that takes a text and gives its words", value)


def vectorizer(value: Any) -> None:
    """Allow what fits and transforms texts and can name its columns."""
    needed = ("get_params", "fit", "fit_transform", "transform", "get_feature_names_out")
    if value is None or all(callable(getattr(value, name, None)) for name in needed):
        return
    raise ParameterError(
        f"vectorizer must name its words in Analyser; {type(value).__name__} has no "
        f"{next(name for name in needed if not callable(getattr(value, name, None)))}; "
        f"use scikit-learn's CountVectorizer"
    )


def _is_whole(value: Any) -> bool:
    return isinstance(value, Integral) and not isinstance(value, bool)


def _outside(name: str, allowed: str, value: Any) -> ParameterError:
    return ParameterError(f"{name} must be {allowed} in Analyser; got {value!r}")
