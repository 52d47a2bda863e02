"""A statistical recogniser of names, where spaCy and a model for it are installed."""

from __future__ import annotations

import re
from importlib import import_module
from typing import TYPE_CHECKING, Any, NamedTuple

from colligate.errors import InputError

if TYPE_CHECKING:
    from collections.abc import Iterator

_LABELS = frozenset(
    ("PERSON", "PER", "NORP", "FAC", "ORG", "GPE", "LOC", "PRODUCT", "EVENT", "WORK_OF_ART", "MISC")
)
_UNUSED_COMPONENTS = ["parser", "senter", "tagger", "morphologizer", "attribute_ruler", "lemmatizer"]
_CHUNK = 100_000
_FRINGE = re.compile(r"(?:the\s+)?(?P<name>.*?)(?:['’]s?)?", re.IGNORECASE | re.DOTALL)


class Span(NamedTuple):
    """The offsets between which a text names something."""

    start: int
    end: int


class Recogniser:
    """Any spaCy model that recognises entities, by the name of its package or the path of its folder."""

    def __init__(self, model: str) -> None:
        self.model = model
        self._pipeline = _load(model)

    def find(self, text: str) -> Iterator[Span]:
        """Find the spans of names in a text, without articles and possessives."""
        # spaCy refuses very long texts; a name across the border of two chunks is missed
        for offset in range(0, len(text), _CHUNK):
            for entity in self._pipeline(text[offset : offset + _CHUNK]).ents:
                if entity.label_ in _LABELS and (
                    span := _trim(text, offset + entity.start_char, offset + entity.end_char)
                ):
                    yield span


def _trim(text: str, start: int, end: int) -> Span | None:
    match = _FRINGE.fullmatch(text, start, end)
    span = Span(*match.span("name")) if match else Span(start, end)
    return span if span.end > span.start else None


def _load(model: str) -> Any:
    try:
        spacy: Any = import_module("spacy")
    except ImportError:
        raise InputError(
            f"the recogniser {model!r} needs spaCy; install it by `pip install colligate[entities]`, "
            f"or leave out the recogniser"
        ) from None
    try:
        return spacy.load(model, exclude=_UNUSED_COMPONENTS)
    except (OSError, ValueError) as error:
        raise InputError(f"spaCy cannot load the model {model!r}: {str(error).splitlines()[0]}") from None
