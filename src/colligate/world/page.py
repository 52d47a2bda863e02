"""A page that shows texts with their entities marked: one HTML file that loads nothing and runs no script."""

from __future__ import annotations

import unicodedata
from collections import Counter
from dataclasses import dataclass
from functools import cache
from typing import TYPE_CHECKING

import numpy as np

from colligate.files import located, writing_file

if TYPE_CHECKING:
    import os
    from collections.abc import Iterator
    from pathlib import Path

    from jinja2 import Template

    from colligate.world.linked import Linked

SHOWN_DOCUMENTS = 50
SHOWN_ENTITIES = 20
SHOWN_RELATIONS = 100
_LONGEST = 20_000
_COLOURS = 10
_KEPT = "\n\t\u200c\u200d"
_UNSEEN = ("Cc", "Cf", "Cs", "Co", "Cn", "Zl", "Zp")


@dataclass(frozen=True)
class Piece:
    """A part of a text; `about` tells of the entity it names, and is empty where it names none."""

    text: str
    about: str = ""
    colour: int = 0


def write_page(linked: Linked, title: str, path: str | os.PathLike[str]) -> Path:
    """Write the page of some documents, of the entities that most speak of, and of the relations found."""
    target = located(path)
    text = render(linked, title)
    with writing_file(target) as temporary:
        temporary.write_text(text, encoding="utf-8", newline="\n")
    return target


def render(linked: Linked, title: str) -> str:
    """The whole page as text. The same finds give the same page."""
    kinds = [kind for kind, _ in Counter(linked.entities["type"]).most_common()]
    colours = {kind: at % _COLOURS for at, kind in enumerate(kinds)}
    return _template().render(
        title=seen(title),
        n_documents=len(linked.ids),
        n_linked=len(set(linked.mentions["document"])),
        n_entities=len(linked.entities["entity"]),
        n_relations=len(linked.relations["head"]),
        kinds=[(seen(kind), colours[kind], _entities(linked, kind)) for kind in kinds],
        relations=list(_relations(linked)),
        documents=list(_documents(linked, colours)),
    )


def seen(text: str) -> str:
    """The text without characters that nobody sees, or that turn the text around them."""
    if text.isascii() and text.isprintable():
        return text
    return "".join(one for one in text if one in _KEPT or unicodedata.category(one) not in _UNSEEN)


def _entities(linked: Linked, kind: str) -> list[tuple[str, str, int]]:
    """The entities of a type in most documents: name, sub-types, documents."""
    columns = (linked.entities[name] for name in ("type", "name", "subtype", "documents"))
    rows = [
        (seen(name), seen(", ".join(sub)), many)
        for one, name, sub, many in zip(*columns, strict=True)
        if one == kind
    ]
    return sorted(rows, key=lambda row: (-row[2], row[0]))[:SHOWN_ENTITIES]


def _relations(linked: Linked) -> Iterator[tuple[str, ...]]:
    columns = (
        linked.relations[name] for name in ("head_name", "relation", "tail_name", "document", "sentence")
    )
    for row, _ in zip(zip(*columns, strict=True), range(SHOWN_RELATIONS), strict=False):
        yield tuple(seen(cell) for cell in row)


def _documents(linked: Linked, colours: dict[str, int]) -> Iterator[tuple[str, list[Piece]]]:
    """The first documents that speak of any entity, as pieces."""
    decided = np.array([reading is not None for reading in linked.readings], dtype=bool)
    finds = np.flatnonzero(decided[linked.case])
    wanted = np.unique(linked.found.document[finds])[:SHOWN_DOCUMENTS].tolist()
    for document, text in enumerate(linked.texts):
        if not wanted or document > wanted[-1]:
            return
        if document in wanted:
            own = finds[linked.found.document[finds] == document].tolist()
            yield seen(linked.ids[document]), list(_pieces(linked, text, own, colours))


def _pieces(linked: Linked, text: str, finds: list[int], colours: dict[str, int]) -> Iterator[Piece]:
    at = 0
    for find in finds:
        start, end = int(linked.found.start[find]), int(linked.found.end[find])
        reading = linked.readings[linked.case[find]]
        if reading is None or end > _LONGEST:
            continue
        sure = linked.choice.confidence[linked.case[find]]
        name = linked.called[reading.entity, reading.type]
        kind = " / ".join([reading.type, *reading.subtypes])
        yield Piece(seen(text[at:start]))
        yield Piece(seen(text[start:end]), seen(f"{name}: {kind}, {sure:.0%} sure"), colours[reading.type])
        at = end
    yield Piece(seen(text[at:_LONGEST]) + "…" * (len(text) > _LONGEST))


@cache
def _template() -> Template:
    from jinja2 import Environment, PackageLoader, StrictUndefined

    environment = Environment(
        loader=PackageLoader("colligate.world", "templates"),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    return environment.get_template("linked.html")
