"""What the parts of a stored JSON object must be; it may hold anything until it was held against this."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

from colligate.errors import StoreError

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping


class Part(NamedTuple):
    """What a part must be, in words and as a test."""

    what: str
    fits: Callable[[Any], bool]


def _is_whole(value: Any) -> bool:
    return type(value) is int and value >= 0


def _is_number(value: Any) -> bool:
    return type(value) in (int, float)


def _is_list_of(value: Any, fits: Callable[[Any], bool]) -> bool:
    return isinstance(value, list) and all(map(fits, value))


def _is_text(value: Any) -> bool:
    return isinstance(value, str)


TEXT = Part("text", _is_text)
TEXTS = Part("a list of texts", lambda value: _is_list_of(value, _is_text))
TRUTH = Part("true or false", lambda value: isinstance(value, bool))
WHOLE = Part("a whole number", _is_whole)
NUMBER = Part("a number", _is_number)
NUMBERS = Part("a list of numbers", lambda value: _is_list_of(value, _is_number))
MAPPING = Part("an object", lambda value: isinstance(value, dict))
MAPPINGS = Part("a list of objects", lambda value: _is_list_of(value, MAPPING.fits))
TEXT_BY_NAME = Part(
    "an object of texts", lambda value: isinstance(value, dict) and all(map(_is_text, value.values()))
)


def maybe(part: Part) -> Part:
    """The same part, or null."""
    return Part(f"{part.what}, or null", lambda value: value is None or part.fits(value))


def check_shape(found: Mapping[str, Any], shape: Mapping[str, Part], where: str, advice: str) -> None:
    """Refuse an object that lacks a part, or has one that is something else."""
    for name, part in shape.items():
        if name not in found or not part.fits(found[name]):
            got = f"; got {found[name]!a:.60}" if name in found else ", and is missing"
            raise StoreError(f"{where} is damaged: {name} must be {part.what}{got}; {advice}")
