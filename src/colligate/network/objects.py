"""Objects of one type, and the names that types, relations and objects may have."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from colligate.errors import InputError

if TYPE_CHECKING:
    from collections.abc import Sequence

DOCUMENTS = "documents"
WORDS = "words"


@dataclass(frozen=True, eq=False, repr=False)
class ObjectType:
    """Objects of one kind. Objects without names of their own are named by their position (a `range`)."""

    name: str
    names: Sequence[str] | range

    def __post_init__(self) -> None:
        check_title(self.name, "type")
        object.__setattr__(self, "names", _checked_names(self.names, self.name))

    def __len__(self) -> int:
        return len(self.names)

    def __repr__(self) -> str:
        return f"ObjectType({self.name}: {len(self):,})"


def check_title(name: object, what: str) -> None:
    """Refuse what cannot be the name of a type or a relation: it stands in messages, tables and files."""
    if not isinstance(name, str):
        raise InputError(f"the name of a {what} must be text; got {name!r:.60}")
    if not name or name != name.strip() or not name.isprintable():
        raise InputError(
            f"the name of a {what} must be one line of text without spaces around it; got {name!r:.60}"
        )


def _checked_names(names: Any, type_name: str) -> Sequence[str] | range:
    if isinstance(names, range):
        if names != range(len(names)):
            raise InputError(
                f"{type_name} known by position are numbered from 0: give range({len(names)}); got {names}"
            )
        return names
    if isinstance(names, str):
        raise InputError(f"the names of {type_name} must be a list; got the single text {names!r:.60}")
    listed = names if isinstance(names, list | tuple) else list(names)
    _refuse_unfit(listed, type_name)
    if len(set(listed)) < len(listed):
        _refuse_repeated(listed, type_name)
    return listed


def _refuse_unfit(names: Sequence[Any], type_name: str) -> None:
    """Names must be text that a file can hold; they are tried all at once, since there may be millions."""
    try:
        "".join(names).encode()
    except (TypeError, UnicodeEncodeError):
        at, name = next((at, name) for at, name in enumerate(names) if not _fit(name))
        raise InputError(
            f"the names of {type_name} must be text that a file can hold; got {name!r:.60} at {at}"
        ) from None


def _fit(name: object) -> bool:
    try:
        return isinstance(name, str) and name.encode() is not None
    except UnicodeEncodeError:
        return False


def _refuse_repeated(names: Sequence[str], type_name: str) -> None:
    seen: dict[str, int] = {}
    for at, name in enumerate(names):
        if name in seen:
            raise InputError(
                f"the names of {type_name} must differ; {name!r:.60} is at {seen[name]} and at {at}"
            )
        seen[name] = at
