"""Taking in all records of a source: ids, and texts held compactly."""

from __future__ import annotations

from array import array
from typing import TYPE_CHECKING, NamedTuple

from colligate.corpus.texts import Texts, TextsBuilder, storable
from colligate.errors import CorpusError

if TYPE_CHECKING:
    from colligate.corpus.readers import Source
    from colligate.progress import Listener

SHOWN = 5


class Gathered(NamedTuple):
    """The documents of a source, in its order."""

    ids: list[str]
    texts: Texts


def gather(source: Source, listener: Listener) -> Gathered:
    """Read `source` once; refuse it if it holds no documents or two of the same id."""
    ids: list[str] = []
    places = array("q")
    texts = TextsBuilder()
    for record in source.records(listener):
        ids.append(storable(record.id))
        places.append(record.where)
        texts.add(record.text)
    if not ids:
        raise CorpusError(f"{source.name}: there are no documents in it")
    _refuse_duplicates(ids, places, source)
    return Gathered(ids, texts.finish())


def _refuse_duplicates(ids: list[str], places: array[int], source: Source) -> None:
    if len(set(ids)) == len(ids):
        return
    first: dict[str, int] = {}
    repeats: list[str] = []
    for at, id in enumerate(ids):
        if id in first:
            repeats.append(f"{id!r} ({source.place(places[first[id]])} and {source.place(places[at])})")
        first.setdefault(id, at)
    more = f", and {len(repeats) - SHOWN} more" if len(repeats) > SHOWN else ""
    raise CorpusError(
        f"ids must differ, but {source.name} repeats {len(repeats)}: {', '.join(repeats[:SHOWN])}{more}; "
        f"make them differ, or name another column with id=..."
    )
