"""The analyser: the options that define words, and the checks of their values."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, fields
from numbers import Integral, Real
from typing import Any

from colligate.corpus.languages import SEGMENTERS, find_language, list_stemmers, read_stop_words
from colligate.errors import InputError, Parameter, ParameterError

Tokenizer = Callable[[str], Iterable[str]]
TOKENIZER_OPTIONS = ("pattern", "min_length", "lowercase", "keep_markup", "segmenter")
"""Options of the built-in tokenizer; a callable of the user replaces it."""
NOT_STORED = ("tokens", "vectorizer")
VECTORIZER_METHODS = ("get_params", "fit", "fit_transform", "transform", "get_feature_names_out")


@dataclass(frozen=True)
class Analyser:
    """What counts as a word of a document.

    By default a word is a run of at least two letters, digits or underscores in any script, in lower case,
    with a letter in it. Debris such as markup is left out.

    Parameters
    ----------
    stop_words : str, list of str or None, default "english"
        Words that are left out: a language ("de" or "german"), several ("de,fr"), a file with a word on each
        line ("de,words.txt"), or a list of words.
    min_df : int, float or None, default None
        Keep words that are in at least so many documents: a number, or a share as a fraction. None is 1
        below 100 documents, 2 below 2,000, and 5 from there on.
    max_df : int or float, default 1.0
        Keep words that are in at most so many documents.
    ngrams : (int, int), default (1, 1)
        The shortest and the longest run of words to count; (1, 2) counts single words and pairs.
    min_length : int, default 2
        The fewest characters of a word.
    pattern : str, optional
        A regular expression that finds words, or the group in it if it has one.
    lowercase : bool, default True
        Turn the text into lower case first.
    stem : str, optional
        Count the forms of a word as one, by the stemmer of this language ("de" or "german"). The most
        frequent form stands for all.
    segmenter : {"zh", "ja", "th"}, optional
        Find the words of Chinese, Japanese or Thai texts, which have no spaces between them. Needs an extra:
        `colligate[chinese]`, `colligate[japanese]` or `colligate[thai]`.
    keep_markup : bool, default False
        Count debris too: HTML, mail headers, signatures, encoded files, and words without a letter.
        The texts themselves always stay as they are. With a `pattern`, numbers are counted.
    max_words : int, optional
        Keep only so many words, the most frequent ones.
    tokens : callable, optional
        A tokenizer: a function that takes a text and returns its words.
    vectorizer : object, optional
        A vectorizer of scikit-learn, in place of all other options. It is never changed: a fitted one keeps
        its words, another one is cloned.
    unusable : str, default ""
        Why this analyser cannot count new text, where what it needs was not stored.

    Raises
    ------
    ParameterError
        If an option is outside its domain, or has no effect together with another one.
    """

    stop_words: str | Iterable[str] | None = "english"
    min_df: int | float | None = None
    max_df: int | float = 1.0
    ngrams: tuple[int, int] = (1, 1)
    min_length: int = 2
    pattern: str | None = None
    lowercase: bool = True
    stem: str | None = None
    segmenter: str | None = None
    keep_markup: bool = False
    max_words: int | None = None
    tokens: Tokenizer | None = None
    vectorizer: Any = None
    unusable: str = ""

    def __post_init__(self) -> None:
        checked: dict[str, Any] = {
            "stop_words": _check_stop_words(self.stop_words),
            "ngrams": _check_ngrams(self.ngrams),
            "max_df": _check_frequency("max_df", self.max_df),
            "min_length": _check_positive_integer("min_length", self.min_length),
        }
        if self.stem is not None:
            checked["stem"] = find_language(self.stem, "stem", list_stemmers())
        if self.segmenter is not None:
            checked["segmenter"] = find_language(self.segmenter, "segmenter", SEGMENTERS)
        if self.min_df is not None:
            checked["min_df"] = _check_frequency("min_df", self.min_df)
        if self.max_words is not None:
            checked["max_words"] = _check_positive_integer("max_words", self.max_words)
        for name in ("lowercase", "keep_markup"):
            if not isinstance(getattr(self, name), bool):
                raise _domain_error(name, "True or False", getattr(self, name))
        if self.tokens is not None and not callable(self.tokens):
            raise _domain_error("tokens", "a function that accepts a text and returns its words", self.tokens)
        _check_pattern(self.pattern)
        _check_vectorizer(self.vectorizer)
        for name, value in checked.items():
            object.__setattr__(self, name, value)
        if self.vectorizer is not None:
            self._refuse_set(
                (*_stored_options(), "tokens"), "vectorizer", "set this option on the vectorizer instead"
            )
        elif self.tokens is not None:
            self._refuse_set(TOKENIZER_OPTIONS, "tokens", "do this in the function instead")

    def min_documents(self, n_documents: int) -> float:
        """Return the fewest documents that a word must be in, of so many."""
        if self.min_df is None:
            return 1 if n_documents < 100 else 2 if n_documents < 2000 else 5
        return _count_documents(self.min_df, n_documents)

    def max_documents(self, n_documents: int) -> float:
        """Return the most documents that a word may be in, of so many."""
        return _count_documents(self.max_df, n_documents)

    def check_usable(self) -> None:
        """Raise an error if this analyser cannot count new text."""
        if self.unusable:
            raise InputError(
                f"cannot count the words of new texts: {self.unusable}; pass an analyser that counts "
                "words in the same way (analyser=...)"
            )

    def to_dict(self) -> dict[str, Any]:
        """Return the options as JSON has them; of a callable or a vectorizer only a note is kept."""
        note = self.unusable
        for name in NOT_STORED:
            if (used := getattr(self, name)) is not None:
                called = getattr(used, "__name__", type(used).__name__)
                note = f"the corpus was made with {name}={called}, which is not stored with the corpus"
        return {name: getattr(self, name) for name in _stored_options()} | {"unusable": note}

    def changed_options(self) -> dict[str, Any]:
        """Return the options that can be stored and are not at their defaults."""
        defaults = Analyser()
        options = {name: getattr(self, name) for name in _stored_options()}
        return {name: value for name, value in options.items() if value != getattr(defaults, name)}

    @classmethod
    def from_dict(cls, options: Mapping[str, Any]) -> Analyser:
        """Make the analyser from what `to_dict` returned.

        Corpora stored by older versions were not cleaned, and their words were neither stemmed nor segmented.
        """
        try:
            options = {"keep_markup": True, "stem": None, "segmenter": None, **options}
            return cls(**{name: options[name] for name in (*_stored_options(), "unusable")})
        except (ValueError, TypeError, KeyError) as error:
            raise InputError(f"the options of the analyser are not valid: {error}") from error

    def _refuse_set(self, names: tuple[str, ...], beside: str, advice: str) -> None:
        for field in fields(self):
            if field.name in names and getattr(self, field.name) != field.default:
                raise ParameterError(
                    Parameter(field.name),
                    f" has no effect together with {beside} in Analyser; {advice}",
                    parameter=field.name,
                )


def _stored_options() -> tuple[str, ...]:
    return tuple(field.name for field in fields(Analyser) if field.name not in (*NOT_STORED, "unusable"))


def _count_documents(frequency: int | float, n_documents: int) -> float:
    # rounded, since 0.07 · 100 is a little more than 7
    return round(frequency * n_documents, 9) if isinstance(frequency, float) else frequency


def _check_positive_integer(name: str, value: Any) -> int:
    if not _is_integer(value) or value < 1:
        raise _domain_error(name, "a whole number of at least 1", value)
    return int(value)


def _check_frequency(name: str, value: Any) -> int | float:
    if _is_integer(value) and value >= 1:
        return int(value)
    if isinstance(value, Real) and not isinstance(value, Integral) and 0 <= float(value) <= 1:
        return float(value)
    raise _domain_error(name, "a number of documents (1, 2, ...) or a share of them (0.0 to 1.0)", value)


def _check_ngrams(value: Any) -> tuple[int, int]:
    pair = tuple(value) if isinstance(value, Sequence) and not isinstance(value, str) else ()
    if len(pair) != 2 or not all(_is_integer(n) and n >= 1 for n in pair) or pair[0] > pair[1]:
        raise _domain_error(
            "ngrams",
            "two whole numbers such as (1, 2); the second number must not be smaller than the first",
            value,
        )
    return int(pair[0]), int(pair[1])


def _check_stop_words(value: Any) -> str | tuple[str, ...] | None:
    if value is None:
        return None
    if isinstance(value, str):
        return read_stop_words(value)
    if not isinstance(value, Iterable):
        raise _domain_error("stop_words", "a language such as 'de', a file, a list of words, or None", value)
    words = tuple(value)
    if not all(isinstance(word, str) for word in words):
        raise _domain_error("stop_words", "a list of str", value)
    return tuple(sorted(set(words)))


def _check_pattern(value: Any) -> None:
    if value is None:
        return
    try:
        n_groups = re.compile(value).groups
    except (re.error, TypeError) as error:
        raise _domain_error("pattern", f"a regular expression ({error})", value) from error
    if n_groups > 1:
        raise _domain_error("pattern", "a regular expression with at most one group", value)


def _check_vectorizer(value: Any) -> None:
    missing = [name for name in VECTORIZER_METHODS if not callable(getattr(value, name, None))]
    if value is not None and missing:
        raise ParameterError(
            f"the vectorizer {type(value).__name__} has no method {missing[0]}, which Analyser needs; "
            "use scikit-learn's CountVectorizer",
            parameter="vectorizer",
        )


def _is_integer(value: Any) -> bool:
    return isinstance(value, Integral) and not isinstance(value, bool)


def _domain_error(name: str, allowed: str, value: Any) -> ParameterError:
    return ParameterError(
        Parameter(name), f" must be {allowed} in Analyser; got {value!r:.60}", parameter=name
    )
