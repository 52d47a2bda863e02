"""What can be said in the studio: the kinds of statement, and what each must hold.

What a person says is short ("this group is two"); what is written down is whole: the documents that stand for
a group, and the label that the knowledge file calls it by, are added when it is said (see `saying`).
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from colligate.errors import KnowledgeError

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

LONGEST_NAME = 200
MOST_PARTS = 8
MOST_ITEMS = 1_000


def _text(value: Any) -> bool:
    return isinstance(value, str) and bool(value.strip()) and len(value) <= 10_000


def _name(value: Any) -> bool:
    return _text(value) and len(value) <= LONGEST_NAME and value.isprintable()


def _texts(value: Any) -> bool:
    return isinstance(value, list) and 1 <= len(value) <= MOST_ITEMS and all(map(_text, value))


def _number(value: Any) -> bool:
    return type(value) is int and 0 <= value < 2**16


def _pair(fits: Callable[[Any], bool]) -> Callable[[Any], bool]:
    return lambda value: isinstance(value, list) and len(value) == 2 and all(map(fits, value))


def _several(value: Any) -> bool:
    return _texts(value) and len(value) > 1


TEXT, NAME = ("a text", _text), (f"a name of at most {LONGEST_NAME} printable characters", _name)
GROUP = ("the number of a group", _number)
DOCUMENTS = (f"a list of 1 to {MOST_ITEMS} ids", _texts)
ITEMS = ("a list of two or more ids or words", _several)
GROUPS = ("a list of the numbers of two groups", _pair(_number))
PARTS = (f"a number from 2 to {MOST_PARTS}", lambda value: type(value) is int and 2 <= value <= MOST_PARTS)

KINDS: dict[str, dict[str, tuple[str, Callable[[Any], bool]]]] = {
    "together": {"type": NAME, "items": ITEMS},
    "apart": {"type": NAME, "items": ITEMS},
    "label": {"document": TEXT, "group": GROUP},
    "outside": {"document": TEXT},
    "category": {"name": NAME, "word": TEXT},
    "name": {"group": GROUP, "name": NAME},
    "merge": {"groups": GROUPS},
    "split": {"group": GROUP, "into": PARTS},
    "freeze": {"group": GROUP},
}
OF_DOCUMENTS = ("label", "outside")
"""What may be said of several documents at once: `documents` in the place of `document`."""


def documents_of(body: Mapping[str, Any]) -> list[str]:
    """The documents that a statement of one or several speaks of."""
    return list(body["documents"]) if "documents" in body else [body["document"]]


def checked(kind: str, body: Mapping[str, Any]) -> dict[str, Any]:
    """What was said, if it is whole and of a known kind; otherwise what it lacks."""
    if kind not in KINDS:
        raise KnowledgeError(f"there is no statement of the kind {kind!r:.60}; kinds: {', '.join(KINDS)}")
    shape = KINDS[kind]
    if kind in OF_DOCUMENTS and "documents" in body:
        shape = {"documents": DOCUMENTS, **{name: part for name, part in shape.items() if name != "document"}}
    given = {"into": 2, **body} if kind == "split" else dict(body)
    if strange := sorted(given.keys() - shape.keys()):
        raise KnowledgeError(f"{kind} has no part {strange[0]!r:.60}; its parts: {', '.join(shape)}")
    for name, (what, fits) in shape.items():
        if name not in given or not fits(given[name]):
            got = f"; got {given[name]!r:.60}" if name in given else ", and is missing"
            raise KnowledgeError(f"{name} of {kind} must be {what}{got}")
    return given
