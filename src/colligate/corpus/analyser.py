"""The options that say what counts as a word.

The domains of an analyser's options; a refusal names the option, what is allowed, and what was given.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, fields
from numbers import Integral, Real
from typing import Any

from colligate.errors import InputError, Parameter, ParameterError

Tokenizer = Callable[[str], Iterable[str]]
TOKENIZER_OPTIONS = ("pattern", "min_length", "lowercase")
"""Options that say how words are found; a user's own callable finds them by itself."""


@dataclass(frozen=True)
class Analyser:
    """What counts as a word of a document.

    A word is a run of at least `min_length` letters, digits or underscores in any script, in lower case; or
    what the regular expression `pattern` matches; or what the callable `tokens` makes of the text as it
    stands. `stop_words` ("english", a list, or None) are left out, and runs of words as `ngrams` says (1, 2:
    single words and pairs) are counted. Words stay if they are in at least `min_df` and at most `max_df`
    documents (a whole number, or a share of all documents as a fraction), and then only the `max_words` most
    frequent. `min_df=None` is 1 below 100 documents, 2 below 2,000, and 5 from there on.

    A `vectorizer` of scikit-learn takes the place of all of these. It is never changed: one that is fitted
    keeps its words, one that is not is cloned.
    """

    stop_words: str | Iterable[str] | None = "english"
    min_df: int | float | None = None
    max_df: int | float = 1.0
    ngrams: tuple[int, int] = (1, 1)
    min_length: int = 2
    pattern: str | None = None
    lowercase: bool = True
    max_words: int | None = None
    tokens: Tokenizer | None = None
    vectorizer: Any = None
    forgotten: str = ""
    """Why this analyser cannot count new text: what it needs was not stored. Empty if it can."""

    def __post_init__(self) -> None:
        self._settle("stop_words", check_stop_words(self.stop_words))
        self._settle("ngrams", check_ngrams(self.ngrams))
        self._settle("max_df", check_frequency("max_df", self.max_df))
        self._settle("min_length", check_positive_integer("min_length", self.min_length))
        if self.min_df is not None:
            self._settle("min_df", check_frequency("min_df", self.min_df))
        if self.max_words is not None:
            self._settle("max_words", check_positive_integer("max_words", self.max_words))
        check_boolean("lowercase", self.lowercase)
        check_pattern(self.pattern)
        check_callable("tokens", self.tokens)
        check_vectorizer(self.vectorizer)
        self._refuse_unused()

    def min_documents(self, documents: int) -> float:
        """How many of so many documents a word must be in."""
        if self.min_df is None:
            return 1 if documents < 100 else 2 if documents < 2000 else 5
        return _document_count(self.min_df, documents)

    def max_documents(self, documents: int) -> float:
        """How many of so many documents a word may be in."""
        return _document_count(self.max_df, documents)

    def refuse_forgotten(self) -> None:
        """Raise if this analyser cannot count new text."""
        if self.forgotten:
            raise InputError(f"cannot count new text: {self.forgotten}; pass analyser=... with what it needs")

    def to_dict(self) -> dict[str, Any]:
        """Return the options as JSON has them; of a callable or vectorizer only a note is kept."""
        return {name: getattr(self, name) for name in _stored_options()} | {"forgotten": self._note()}

    @classmethod
    def from_dict(cls, options: Mapping[str, Any]) -> Analyser:
        """Make the analyser from what `to_dict` returned."""
        try:
            return cls(**{name: options[name] for name in (*_stored_options(), "forgotten")})
        except (ValueError, TypeError, KeyError) as error:
            raise InputError(f"these are not the options of an analyser: {error}") from error

    def _settle(self, name: str, value: Any) -> None:
        object.__setattr__(self, name, value)

    def _note(self) -> str:
        for name in ("tokens", "vectorizer"):
            used = getattr(self, name)
            if used is not None:
                called = getattr(used, "__name__", type(used).__name__)
                return f"the words were made by {name}={called}, which is not stored with a corpus"
        return self.forgotten

    def _refuse_unused(self) -> None:
        if self.vectorizer is not None:
            self._refuse_set((*_stored_options(), "tokens"), "vectorizer", "set it on the vectorizer itself")
        elif self.tokens is not None:
            self._refuse_set(TOKENIZER_OPTIONS, "tokens", "let the callable do it")

    def _refuse_set(self, names: tuple[str, ...], beside: str, advice: str) -> None:
        for field in fields(self):
            if field.name in names and getattr(self, field.name) != field.default:
                raise ParameterError(
                    Parameter(field.name), f" has no effect beside {beside} in Analyser; {advice}"
                )


def _document_count(frequency: int | float, documents: int) -> float:
    # 0.07 of 100 documents are 7, although their product is a little more.
    return round(frequency * documents, 9) if isinstance(frequency, float) else frequency


def _stored_options() -> tuple[str, ...]:
    return tuple(
        field.name for field in fields(Analyser) if field.name not in ("tokens", "vectorizer", "forgotten")
    )


def check_positive_integer(name: str, value: Any) -> int:
    """Allow whole numbers from 1 on."""
    if not _is_integer(value) or value < 1:
        raise _domain_error(name, "a whole number of at least 1", value)
    return int(value)


def check_frequency(name: str, value: Any) -> int | float:
    """Allow a number of documents, or a share of them as a fraction."""
    if _is_integer(value) and value >= 1:
        return int(value)
    if isinstance(value, Real) and not isinstance(value, Integral) and 0 <= float(value) <= 1:
        return float(value)
    raise _domain_error(name, "a number of documents (1, 2, ...) or a share of them (0.0 to 1.0)", value)


def check_boolean(name: str, value: Any) -> None:
    """Allow True and False."""
    if not isinstance(value, bool):
        raise _domain_error(name, "True or False", value)


def check_ngrams(value: Any) -> tuple[int, int]:
    """Allow two whole numbers, the first not above the second; lists become tuples."""
    found = tuple(value) if isinstance(value, Sequence) and not isinstance(value, str) else ()
    if (
        len(found) != 2
        or not all(_is_integer(number) and number >= 1 for number in found)
        or found[0] > found[1]
    ):
        raise _domain_error(
            "ngrams", "two whole numbers such as (1, 2), the first not above the second", value
        )
    return int(found[0]), int(found[1])


def check_stop_words(value: Any) -> str | tuple[str, ...] | None:
    """Allow the one list that has a name, a list of words, or none; lists become sorted tuples."""
    if value is None or value == "english":
        return value  # type: ignore[no-any-return]
    if isinstance(value, str) or not isinstance(value, Iterable):
        raise _domain_error("stop_words", "'english', a list of words, or None", value)
    found = tuple(value)
    if not all(isinstance(word, str) for word in found):
        raise _domain_error("stop_words", "a list of str", value)
    return tuple(sorted(set(found)))


def check_pattern(value: Any) -> None:
    """Allow regular expressions with at most one group."""
    if value is None:
        return
    try:
        groups = re.compile(value).groups
    except (re.error, TypeError) as error:
        raise _domain_error("pattern", f"a regular expression ({error})", value) from error
    if groups > 1:
        raise _domain_error("pattern", "a regular expression with at most one group", value)


def check_callable(name: str, value: Any) -> None:
    """Allow anything that can be called."""
    if value is not None and not callable(value):
        raise _domain_error(name, "a callable that takes a text and gives its words", value)


def check_vectorizer(value: Any) -> None:
    """Allow what fits and transforms texts and can name its columns."""
    needed = ("get_params", "fit", "fit_transform", "transform", "get_feature_names_out")
    if value is None or all(callable(getattr(value, name, None)) for name in needed):
        return
    raise ParameterError(
        f"vectorizer must name its words in Analyser; {type(value).__name__} has no "
        f"{next(name for name in needed if not callable(getattr(value, name, None)))}; "
        f"use scikit-learn's CountVectorizer"
    )


def _is_integer(value: Any) -> bool:
    return isinstance(value, Integral) and not isinstance(value, bool)


def _domain_error(name: str, allowed: str, value: Any) -> ParameterError:
    return ParameterError(Parameter(name), f" must be {allowed} in Analyser; got {value!r}", parameter=name)
