"""Which statements a later one overrules: they stand in the journal, and say nothing any more."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from colligate.studio.project.kinds import documents_of

if TYPE_CHECKING:
    from collections.abc import Hashable, Iterable, Iterator

    from colligate.studio.project.journal import Entry


def overruled(live: Iterable[Entry]) -> dict[int, int]:
    """By the numbers of statements that were overruled, that of the one which has the last word.

    A statement is overruled once a later one speaks of everything that it speaks of.
    """
    holds: dict[int, set[Hashable]] = {}
    last: dict[Hashable, int] = {}
    found: dict[int, int] = {}
    for entry in live:
        own = set(_subjects(entry))
        for subject in (*own, *_ended(entry)):
            before = last.pop(subject, None)
            if before is None:
                continue
            holds[before].discard(subject)
            if not holds[before]:
                found[before] = entry.seq
        holds[entry.seq] = own
        last |= dict.fromkeys(own, entry.seq)
    return {number: _final(found, number) for number in found}


def _subjects(entry: Entry) -> Iterator[Hashable]:
    """What a statement has the word on, as long as nothing later speaks of it."""
    body: Any = entry.body
    if entry.kind in ("label", "outside"):
        yield from (("document", name) for name in documents_of(body))
    elif entry.kind == "category":
        yield "word", body["word"]
    elif entry.kind in ("together", "apart") and len(body["items"]) == 2:
        yield "pair", body["type"], frozenset(body["items"])
    elif entry.kind == "name":
        yield "name", body["label"]
    elif entry.kind == "freeze":
        yield "frozen", body["group"]


def _ended(entry: Entry) -> Iterator[Hashable]:
    """What a statement takes from earlier ones without having the word on it itself."""
    body: Any = entry.body
    if entry.kind in ("merge", "split"):
        yield from (("frozen", group) for group in body.get("groups", [body.get("group")]))
    if entry.kind == "merge":
        yield "name", body["labels"][1]
    if entry.kind == "split":
        yield from (("document", name) for part in body["seeds"][1:] for name in part)


def _final(found: dict[int, int], number: int) -> int:
    while number in found:
        number = found[number]
    return number
