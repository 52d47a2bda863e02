"""The live statements of a journal as a knowledge file, in the user's own format.

The file is all that a run is told: it is written, and read back, before anything is clustered, so that the
command line with the same file is told the same.

Later statements on top of an earlier knowledge file: of two about the same, the later stands.
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from itertools import groupby
from typing import TYPE_CHECKING, Any

import numpy as np

from colligate.knowledge import Knowledge
from colligate.knowledge.kinds.category import category_block
from colligate.questions.answers import EXEMPLAR_SUFFIX
from colligate.studio.knowledge_file import dump_text, read_text
from colligate.studio.project.journal import TEXT
from colligate.studio.project.taking import TAKEN

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping
    from pathlib import Path

    from numpy.typing import NDArray

    from colligate.knowledge import Block
    from colligate.studio.project.journal import Entry


STUDIO = "studio statement "

Pair = frozenset[str]


def knowledge_text(entries: Iterable[Entry], folder: Path, centre: str, terms: str) -> str:
    """The knowledge file of the live statements; its paths count from `folder`. Empty if nothing is said."""
    live = list(entries)
    if len(live) == 1 and live[0].kind == TEXT:
        return str(live[0].body["text"])
    texts = [str(entry.body["text"]) for entry in live if entry.kind == TEXT]
    earlier = read_text(texts[-1] if texts else "", folder)
    return dump_text(merged(earlier, said_of(live), centre, terms), folder)


def said_of(entries: Iterable[Entry]) -> Said:
    """What the live statements say beside the knowledge file that they come after."""
    said = Said()
    for entry in _standing(list(entries)):
        if entry.kind != TEXT:
            TAKEN[entry.kind](said, entry.body, source_of(entry))
    return said


def source_of(entry: Entry) -> str:
    """Where a statement came from, as the file notes it: its number in the studio, when, who and why."""
    who = f", {entry.who}" if entry.who else ""
    why = f": {entry.why}" if entry.why else ""
    return f"{STUDIO}{entry.seq}, {entry.at}{who}{why}"


def sources_of(entries: Iterable[Entry]) -> dict[str, int]:
    """The numbers of statements by what the file notes of them."""
    return {_spaced(source_of(entry)): entry.seq for entry in entries}


def number_of(note: str, sources: Mapping[str, int]) -> int | None:
    """The number of the statement that a line of the file came from; None if it came from none of these.

    The whole note counts: a file that another project exported has statements of the same numbers.
    """
    return sources.get(_spaced(note.removesuffix(EXEMPLAR_SUFFIX)))


def _spaced(text: str) -> str:
    return " ".join(text.split())


def _standing(entries: list[Entry]) -> list[Entry]:
    """Leave out the freezing of groups that were split or merged after."""
    kept: list[Entry] = []
    for entry in entries:
        if entry.kind in ("split", "merge"):
            changed = set(entry.body.get("groups", [entry.body.get("group")]))
            kept = [old for old in kept if old.kind != "freeze" or old.body["group"] not in changed]
        kept.append(entry)
    return kept


@dataclass
class Said:
    """What was said in the studio, the last word on everything.

    `labels` and `outside` are by document, `categories` by word, `links` by type and pair, each with where it
    came from; `sets` are the longer lists that belong together or apart. `merged` tells labels that became
    others, `named` the last statement that named a label.
    """

    labels: dict[str, tuple[str, str]] = field(default_factory=dict)
    outside: dict[str, str] = field(default_factory=dict)
    categories: dict[str, tuple[str, str]] = field(default_factory=dict)
    links: dict[tuple[str, Pair], tuple[str, tuple[str, ...], str]] = field(default_factory=dict)
    sets: list[tuple[str, str, tuple[str, ...], str]] = field(default_factory=list)
    merged: dict[str, str] = field(default_factory=dict)
    named: dict[str, str] = field(default_factory=dict)

    def label_of(self, label: str) -> str:
        """What a label has become."""
        seen: set[str] = set()
        while label in self.merged and label not in seen:
            seen.add(label)
            label = self.merged[label]
        return label

    def becomes(self, label: str, other: str) -> None:
        """Say that a label is called otherwise from here on."""
        self.merged.pop(other, None)
        if label != other:
            self.merged[label] = other


def merged(earlier: Knowledge, said: Said, centre: str, terms: str) -> Knowledge:
    """The earlier knowledge less what was overruled, and then what was said."""
    found = Knowledge(unknown=earlier.unknown, contradictions=earlier.contradictions)
    found.add(*_left(earlier.statements.blocks, said, centre, terms))
    for source, rows in groupby(said.labels.items(), key=lambda row: row[1][1]):
        found.label({name: said.label_of(label) for name, (label, _) in rows}, type=centre, source=source)
    for name, source in said.outside.items():
        found.outside([name], type=centre, source=source)
    for word, (category, source) in said.categories.items():
        found.add(category_block(category, terms, [word], 1.0, source))
    links = [(kind, type_name, items, source) for (type_name, _), (kind, items, source) in said.links.items()]
    for kind, type_name, items, source in (*links, *said.sets):
        link = found.together if kind == "together" else found.apart
        link(source=source, **{type_name: [items]})
    return found


def _left(blocks: Iterable[Block], said: Said, centre: str, terms: str) -> Iterator[Block]:
    for block in blocks:
        keep = _stands(block, said, centre, terms)
        left = block if keep.all() else _chosen(block, keep)
        if block.kind == "label" and block.type == centre:
            left = replace(left, names=tuple(map(said.label_of, left.names)))
        if len(left):
            yield left


def _stands(block: Block, said: Said, centre: str, terms: str) -> NDArray[np.bool_]:
    """Which rows of a block nothing later speaks of."""
    names = block.subject.tolist()
    if block.corpus is not None:
        return np.ones(len(block), dtype=bool)
    if block.kind in ("label", "outside") and block.type == centre:
        return np.array([name not in said.labels and name not in said.outside for name in names])
    if block.kind == "category" and block.type == terms:
        return np.array([name not in said.categories for name in names])
    if block.object is not None:
        pairs = zip(names, block.object.tolist(), strict=True)
        return np.array([(block.type, frozenset(pair)) not in said.links for pair in pairs])
    return np.ones(len(block), dtype=bool)


def _chosen(block: Block, keep: NDArray[np.bool_]) -> Block:
    rows: Mapping[str, Any] = {
        name: column[keep]
        for name in ("subject", "object", "codes", "lines", "strength")
        if isinstance(column := getattr(block, name), np.ndarray)
    }
    notes = block.notes
    kept = None if notes is None else tuple(notes[row] for row in np.flatnonzero(keep).tolist())
    return replace(block, **rows, notes=kept)
