"""How names and types are worded in messages; names come from hostile text and must stay on one line."""

from __future__ import annotations

import re

import numpy as np

_LONGEST = 60
_LAST_WORD = re.compile(r"[^\W\d_]+$")
_IRREGULAR = {
    "people": "person",
    "children": "child",
    "men": "man",
    "women": "woman",
    "series": "series",
    "species": "species",
    "news": "news",
    "caches": "cache",
    "quizzes": "quiz",
}
# the first that fits is taken; what fits none is the same for one and for many
_ENDINGS = tuple(
    (re.compile(ending, re.IGNORECASE), one)
    for ending, one in (
        (r"(ss|us|[sx]is)$", r"\1"),
        (r"(^.|mov|cook|calor|rook|self|zomb)ies$", r"\1ie"),
        (r"([^aeiou])ies$", r"\1y"),
        (r"(ss|x|ch|sh|[^aeo]us)es$", r"\1"),
        (r"(.)s$", r"\1"),
    )
)


def format_name(name: object) -> str:
    """A name as it may be printed: on one line, without control characters, not too long."""
    text = str(name) if isinstance(name, str | int | np.integer) else repr(name)
    if not text.isprintable() or text != text.strip():
        text = ascii(text)
    return text if len(text) <= _LONGEST else f"{text[: _LONGEST - 1]}…"


def is_text(value: object) -> bool:
    """Whether a value can be a name: text that is not empty."""
    return isinstance(value, str) and bool(value)


def singular(type_name: str) -> str:
    """One object of a type: a document of documents, a title word of title words, a person of people."""
    return _LAST_WORD.sub(lambda found: _one(found[0]), type_name)


def format_count(number: int, type_name: str) -> str:
    """A count with its noun: 1 document, 2 documents."""
    return f"{number:,} {singular(type_name) if number == 1 else type_name}"


def format_list(names: list[str], most: int = 3) -> str:
    """The first few of many names: `a, b, c and 4 more`."""
    more = len(names) - most
    return ", ".join(names[:most]) + (f" and {more} more" if more > 0 else "")


def _one(word: str) -> str:
    if known := _IRREGULAR.get(word.lower()):
        return known.capitalize() if word[0].isupper() else known
    for ending, one in _ENDINGS:
        if ending.search(word):
            return ending.sub(one, word)
    return word
