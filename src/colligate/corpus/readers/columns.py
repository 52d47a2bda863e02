"""Choosing the column of text and the column of ids among those a file has."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from colligate.corpus.readers.values import as_id, as_text, joined
from colligate.errors import CorpusError, ParameterError

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

TEXT_NAMES = ("text", "body", "content", "document", "abstract", "message", "description", "title")
ID_NAMES = ("id", "doc_id", "document_id", "uid", "key")
SHOWN = 20


@dataclass(frozen=True)
class Wanted:
    """What the user asked for: columns of text (several are joined) and a column of ids, or nothing."""

    text: tuple[str, ...] = ()
    id: str | None = None

    @classmethod
    def of(cls, text: str | Sequence[str] | None, id: str | None) -> Wanted:
        """Read the `text=` and `id=` of the public interface."""
        if text is None:
            return cls((), id)
        names = (text,) if isinstance(text, str) else tuple(text)
        if not names or not all(isinstance(name, str) for name in names):
            raise ParameterError(f"text must name a column, or be a list of such names; got {text!r}")
        return cls(names, id)


@dataclass(frozen=True)
class Columns:
    """The columns in use: those of text, and that of ids, if there is one."""

    text: tuple[str, ...]
    id: str | None

    @classmethod
    def choose(cls, wanted: Wanted, names: Sequence[str], source: str) -> Columns:
        """Find the wanted columns among `names`, or the likely ones where nothing was asked for."""
        text = wanted.text or _likely_text(names, source)
        chosen = cls(text, wanted.id if wanted.id is not None else _first(ID_NAMES, names))
        for name in chosen.all:
            _refuse_unless_one(name, names, source)
        return chosen

    @property
    def all(self) -> tuple[str, ...]:
        """Every column in use, once."""
        return tuple(dict.fromkeys((*self.text, *(() if self.id is None else (self.id,)))))

    def read(self, get: Callable[[str], Any], number: int, place: str) -> tuple[str, str]:
        """Return id and text of one row; a row without a column of ids is called by its `number`."""
        id = str(number) if self.id is None else as_id(get(self.id), self.id, place)
        if len(self.text) == 1:
            return id, as_text(get(self.text[0]), self.text[0], place)
        return id, joined(as_text(get(name), name, place) for name in self.text)


def _likely_text(names: Sequence[str], source: str) -> tuple[str, ...]:
    found = _first(TEXT_NAMES, names)
    if found is None:
        raise CorpusError(
            f"{source} has no column that looks like text ({', '.join(TEXT_NAMES)}); "
            f"name one with text=...; it has {_listed(names)}"
        )
    return (found,)


def _first(likely: Sequence[str], names: Sequence[str]) -> str | None:
    folded: dict[str, str] = {}
    for name in names:
        folded.setdefault(name.casefold(), name)
    return next((folded[name] for name in likely if name in folded), None)


def _refuse_unless_one(name: str, names: Sequence[str], source: str) -> None:
    count = sum(other == name for other in names)
    if count == 0:
        raise CorpusError(f"{source} has no column {name!r}; it has {_listed(names)}")
    if count > 1:
        raise CorpusError(f"{source} has {count} columns called {name!r}; rename all but one")


def _listed(names: Sequence[str]) -> str:
    shown = ", ".join(repr(name) for name in names[:SHOWN])
    more = f" and {len(names) - SHOWN} more" if len(names) > SHOWN else ""
    return f"{shown}{more}" if names else "no columns"
