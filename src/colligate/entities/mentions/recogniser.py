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
_NOT_NEEDED = ["parser", "senter", "tagger", "morphologizer", "attribute_ruler", "lemmatizer"]
_LONGEST_PIECE = 100_000
_FRINGE = re.compile(r"(?:the\s+)?(?P<name>.*?)(?:['’]s?)?", re.IGNORECASE | re.DOTALL)


class Span(NamedTuple):
    """Where a text names something."""

    start: int
    end: int


class Recogniser:
    """Any spaCy model that recognises entities, by the name of its package or the path of its folder."""

    def __init__(self, model: str) -> None:
        self.model = model
        self._pipeline = _load(model)

    def find(self, text: str) -> Iterator[Span]:
        """The maximal spans of names in a text, without articles and possessives."""
        for at in range(0, len(text), _LONGEST_PIECE):
            for span in self._pipeline(text[at : at + _LONGEST_PIECE]).ents:
                if span.label_ in _LABELS and (
                    place := _core(text, at + span.start_char, at + span.end_char)
                ):
                    yield place


def _core(text: str, start: int, end: int) -> Span | None:
    match = _FRINGE.fullmatch(text, start, end)
    found = match.span("name") if match else (start, end)
    return Span(*found) if found[1] > found[0] else None


def _load(model: str) -> Any:
    try:
        spacy: Any = import_module("spacy")
    except ImportError:
        raise InputError(
            f"the recogniser {model!r} needs spaCy; install it by `pip install colligate[entities]`, "
            f"or go on without a recogniser"
        ) from None
    try:
        return spacy.load(model, exclude=_NOT_NEEDED)
    except (OSError, ValueError) as error:
        raise InputError(f"spaCy cannot load the model {model!r}: {str(error).splitlines()[0]}") from None
