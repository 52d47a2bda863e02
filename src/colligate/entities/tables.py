"""The tables of what was linked: columns by name."""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from colligate.entities.linker import LinkingResult
    from colligate.entities.relations.extraction import Triple

Table = dict[str, list[Any]]

RELATIONS = (
    *("head", "head_name", "head_type", "relation", "tail", "tail_name", "tail_type"),
    *("document", "phrase", "share", "sentence"),
)
_DIGITS = 4


def mention_table(linked: LinkingResult) -> Table:
    """A row for each document and entity in it, with the id of the entity and how sure its type is."""
    rows: dict[tuple[int, str, str], list[Any]] = {}
    for case, candidate in enumerate(linked.decisions):
        if candidate is not None:
            key = int(linked.cases.document[case]), candidate.entity, candidate.type
            row = rows.setdefault(key, [list(candidate.subtypes), 0, 0.0])
            row[1] += int(linked.cases.count[case])
            row[2] = max(row[2], float(linked.choice.confidence[case]))
    return {
        "document": [linked.ids[document] for document, _, _ in rows],
        "name": [linked.display_names[entity, kind] for _, entity, kind in rows],
        "type": [kind for _, _, kind in rows],
        "subtype": [subtypes for subtypes, _, _ in rows.values()],
        "count": [count for _, count, _ in rows.values()],
        "entity": [entity for _, entity, _ in rows],
        "confidence": [round(sure, _DIGITS) for _, _, sure in rows.values()],
    }


def entity_table(mentions: Table) -> Table:
    """A row for each type and entity, sorted: how many documents and mentions, and how sure on average."""
    found: dict[tuple[str, str], _Spoken] = defaultdict(_Spoken)
    columns = (mentions[name] for name in ("entity", "type", "name", "subtype", "count", "confidence"))
    for entity, kind, name, subtypes, count, sure in zip(*columns, strict=True):
        found[kind, entity].add(name, subtypes, count, sure)
    keys = sorted(found)
    return {
        "entity": [entity for _, entity in keys],
        "name": [found[key].name for key in keys],
        "type": [kind for kind, _ in keys],
        "subtype": [found[key].subtypes for key in keys],
        "documents": [found[key].documents for key in keys],
        "mentions": [found[key].mentions for key in keys],
        "confidence": [round(found[key].sure / found[key].documents, _DIGITS) for key in keys],
    }


def relation_table(linked: LinkingResult) -> Table:
    """A row for each triple that a sentence says: head and tail by name and type, and where it is said."""
    table: Table = {name: [] for name in RELATIONS}
    texts = iter(enumerate(linked.texts))
    at, text = -1, ""
    for triple in sorted(linked.triples, key=lambda one: (one.document, one.sentence)):
        while at < triple.document:
            at, text = next(texts)
        for name, cell in zip(RELATIONS, _relation_row(linked, triple, text), strict=True):
            table[name].append(cell)
    return table


def _relation_row(linked: LinkingResult, triple: Triple, text: str) -> tuple[Any, ...]:
    said = " ".join(text[slice(*triple.sentence)].split())
    ends = (*_named(linked, triple.head), triple.relation, *_named(linked, triple.tail))
    return *ends, linked.ids[triple.document], triple.phrase, round(triple.share, _DIGITS), said


def _named(linked: LinkingResult, case: int) -> tuple[str, str, str]:
    candidate = linked.decisions[case]
    assert candidate is not None
    return candidate.entity, linked.display_names[candidate.entity, candidate.type], candidate.type


@dataclass
class _Spoken:
    """What the documents say of one entity, added up."""

    name: str = ""
    subtypes: list[str] = field(default_factory=list)
    documents: int = 0
    mentions: int = 0
    sure: float = 0.0

    def add(self, name: str, subtypes: list[str], count: int, sure: float) -> None:
        """Take in one document."""
        self.name, self.subtypes = name, subtypes
        self.documents += 1
        self.mentions += count
        self.sure += sure
