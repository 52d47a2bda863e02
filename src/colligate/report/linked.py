"""A page that shows texts with their entities marked: one HTML file that loads nothing and runs no script."""

from __future__ import annotations

import re
from collections import Counter
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from colligate._storage.atomic import expand_path, write_file
from colligate._text import clean, clean_lines
from colligate.entities.kb.sparql import decode_id
from colligate.report.render import load_templates

if TYPE_CHECKING:
    import os
    from collections.abc import Iterator
    from pathlib import Path

    from colligate.entities.linker import LinkingResult

SHOWN_DOCUMENTS = 50
SHOWN_ENTITIES = 20
SHOWN_RELATIONS = 100
_MAX_TEXT = 20_000
_COLOURS = 10


@dataclass(frozen=True)
class EntityType:
    """A type of entities: its colour, its size, and the entities in most documents."""

    name: str
    colour: int
    size: int
    entities: list[tuple[str, str, int]]


@dataclass(frozen=True)
class Piece:
    """A part of a text; `about` describes the entity it mentions, if any."""

    text: str
    about: str = ""
    colour: int = 0


def write_page(linked: LinkingResult, title: str, path: str | os.PathLike[str]) -> Path:
    """Write the page: the most frequent entities, the relations, and the first documents."""
    target = expand_path(path)
    text = render(linked, title)
    with write_file(target) as temporary:
        temporary.write_text(text, encoding="utf-8", newline="\n")
    return target


def render(linked: LinkingResult, title: str) -> str:
    """Render the page; the same linking gives the same page."""
    sizes = Counter(linked.entities["type"]).most_common()
    kinds = {
        kind: EntityType(clean(kind), number % _COLOURS, size, [])
        for number, (kind, size) in enumerate(sizes)
    }
    _add_entities(linked, kinds)
    return (
        load_templates()
        .get_template("linked.html")
        .render(
            title=clean(title),
            n_documents=len(linked.ids),
            n_linked=len(set(linked.mentions["document"])),
            n_entities=len(linked.entities["entity"]),
            n_mentions=sum(linked.mentions["count"]),
            n_relations=len(linked.relations["head"]),
            kinds=list(kinds.values()),
            relations=list(_list_relations(linked)),
            documents=list(_list_documents(linked, kinds)),
        )
    )


def _add_entities(linked: LinkingResult, kinds: dict[str, EntityType]) -> None:
    """Add to every type the entities that occur in most documents."""
    columns = (linked.entities[name] for name in ("type", "name", "subtype", "documents"))
    for kind, name, subtypes, many in sorted(zip(*columns, strict=True), key=lambda row: (-row[3], row[1])):
        if len(kinds[kind].entities) < SHOWN_ENTITIES:
            kinds[kind].entities.append((clean(name), clean(", ".join(subtypes)), many))


def _list_relations(linked: LinkingResult) -> Iterator[tuple[str, ...]]:
    names = ("head_name", "relation", "tail_name", "document", "sentence")
    rows = zip(*(linked.relations[name] for name in names), strict=True)
    for (head, relation, *rest), _ in zip(rows, range(SHOWN_RELATIONS), strict=False):
        yield tuple(clean(cell) for cell in (head, _shorten_id(decode_id(relation)), *rest))


def _shorten_id(id: str) -> str:
    """Return the end of an id, the part that people read."""
    return re.split("[/#]", id.rstrip("/#"))[-1] or id


def _list_documents(linked: LinkingResult, kinds: dict[str, EntityType]) -> Iterator[tuple[str, list[Piece]]]:
    """Yield the first documents that mention an entity, as pieces."""
    decided = np.array([candidate is not None for candidate in linked.decisions], dtype=bool)
    finds = np.flatnonzero(decided[linked.case])
    wanted = np.unique(linked.occurrences.document[finds])[:SHOWN_DOCUMENTS].tolist()
    for document, text in enumerate(linked.texts):
        if not wanted or document > wanted[-1]:
            return
        if document in wanted:
            in_document = finds[linked.occurrences.document[finds] == document].tolist()
            yield clean(linked.ids[document]), list(_split_text(linked, text, in_document, kinds))


def _split_text(
    linked: LinkingResult, text: str, finds: list[int], kinds: dict[str, EntityType]
) -> Iterator[Piece]:
    position = 0
    for find in finds:
        start, end = int(linked.occurrences.start[find]), int(linked.occurrences.end[find])
        candidate = linked.decisions[linked.case[find]]
        if candidate is None or end > _MAX_TEXT:
            continue
        sure = linked.choice.confidence[linked.case[find]]
        name = linked.display_names[candidate.entity, candidate.type]
        type_names = " / ".join([candidate.type, *candidate.subtypes])
        yield Piece(clean_lines(text[position:start]))
        about = clean(f"{name}: {type_names}, {sure:.0%} sure")
        yield Piece(clean_lines(text[start:end]), about, kinds[candidate.type].colour)
        position = end
    yield Piece(clean_lines(text[position:_MAX_TEXT]) + "…" * (len(text) > _MAX_TEXT))
