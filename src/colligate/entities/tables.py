"""The tables of a linking result: columns by name."""

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
    """Return a row for each document and entity in it, with the entity's id and the confidence."""
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
        "confidence": [round(confidence, _DIGITS) for _, _, confidence in rows.values()],
    }


@dataclass
class _EntityTotals:
    """The mentions of one entity, added up over documents."""

    name: str = ""
    subtypes: list[str] = field(default_factory=list)
    documents: int = 0
    mentions: int = 0
    confidence: float = 0.0


def entity_table(mentions: Table) -> Table:
    """Return a row for each type and entity, sorted, with its documents, mentions and mean confidence."""
    totals: dict[tuple[str, str], _EntityTotals] = defaultdict(_EntityTotals)
    columns = (mentions[name] for name in ("entity", "type", "name", "subtype", "count", "confidence"))
    for entity, kind, name, subtypes, count, confidence in zip(*columns, strict=True):
        total = totals[kind, entity]
        total.name, total.subtypes = name, subtypes
        total.documents += 1
        total.mentions += count
        total.confidence += confidence
    keys = sorted(totals)
    rows = [totals[key] for key in keys]
    return {
        "entity": [entity for _, entity in keys],
        "name": [row.name for row in rows],
        "type": [kind for kind, _ in keys],
        "subtype": [row.subtypes for row in rows],
        "documents": [row.documents for row in rows],
        "mentions": [row.mentions for row in rows],
        "confidence": [round(row.confidence / row.documents, _DIGITS) for row in rows],
    }


def relation_table(linked: LinkingResult) -> Table:
    """Return a row for each triple that a sentence states: head, tail, their types, and the sentence."""
    table: Table = {name: [] for name in RELATIONS}
    texts = iter(enumerate(linked.texts))
    document, text = -1, ""
    for triple in sorted(linked.triples, key=lambda triple: (triple.document, triple.sentence)):
        while document < triple.document:
            document, text = next(texts)
        for name, cell in zip(RELATIONS, _relation_row(linked, triple, text), strict=True):
            table[name].append(cell)
    return table


def _relation_row(linked: LinkingResult, triple: Triple, text: str) -> tuple[Any, ...]:
    sentence = " ".join(text[slice(*triple.sentence)].split())
    ends = (*_case_columns(linked, triple.head), triple.relation, *_case_columns(linked, triple.tail))
    return *ends, linked.ids[triple.document], triple.phrase, round(triple.share, _DIGITS), sentence


def _case_columns(linked: LinkingResult, case: int) -> tuple[str, str, str]:
    candidate = linked.decisions[case]
    assert candidate is not None
    return candidate.entity, linked.display_names[candidate.entity, candidate.type], candidate.type
