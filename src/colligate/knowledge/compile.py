"""Compiling knowledge: names become positions, statements become guidance, and nothing is lost on the way."""

from __future__ import annotations

import warnings
from dataclasses import dataclass
from itertools import groupby
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from colligate.errors import ContradictionError, KnowledgeError, KnowledgeWarning, UnknownNameError
from colligate.knowledge.combine import combined
from colligate.knowledge.contradictions import MOST_TOLD, Contradiction, Finding, find_contradictions, summary
from colligate.knowledge.kind import Kind, Part, find_kind
from colligate.knowledge.names import NameTable
from colligate.knowledge.ties import Ties
from colligate.knowledge.unknown import refuse_misspelt_types, unknown_summary

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from colligate.corpus import Corpus
    from colligate.knowledge.block import Block
    from colligate.knowledge.guidance import Guidance, IntArray
    from colligate.knowledge.statements import Statements

BoolArray = NDArray[np.bool_]


@dataclass(frozen=True, eq=False)
class Compiled:
    """Knowledge as numbers, with every statement still to be found in it.

    Row i of the columns is statement i. `subject_index` and `object_index` are positions of objects, -1
    where the name is unknown or there is none; `code` is the number of the row's category, group or label
    in the guidance of its type, -1 where there is none. `unknown` rows are in no guidance; `contradicted`
    rows are part of a contradiction. `contradictions` tells the first few of `n_contradictions` in detail.
    """

    statements: Statements
    guidance: Mapping[str, Guidance]
    subject_index: IntArray
    object_index: IntArray
    code: IntArray
    unknown: BoolArray
    contradicted: BoolArray
    contradictions: tuple[Contradiction, ...] = ()
    n_contradictions: int = 0
    outside_corpora: tuple[Corpus, ...] = ()

    def __len__(self) -> int:
        return len(self.statements)


def compile_statements(
    statements: Statements, names: Mapping[str, Sequence[str] | range], unknown: str, contradictions: str
) -> Compiled:
    """Compile statements for objects of these names; both policies are "error" or "report".

    A type that is a slip of one of these is an error under both.
    """
    tables = {name: NameTable(name, known) for name, known in names.items()}
    refuse_misspelt_types(statements.blocks, tables)
    subject, other, code = (np.full(len(statements), -1, dtype=np.int64) for _ in range(3))
    parts = [_part(block, first, tables, (subject, other, code)) for first, block in statements.placed()]
    missing = ~np.concatenate([np.zeros(0, dtype=bool), *(part.known for part in parts)])[: len(statements)]
    if missing.any():
        _tell(unknown_summary(parts, tables, missing), unknown, UnknownNameError, "unknown", "without them")
    guidance = {name: _guided(parts, name, len(known)) for name, known in names.items()}
    findings = [_found(parts, name, len(known), statements) for name, known in names.items()]
    total = sum(finding.total for finding in findings)
    told = tuple(found for finding in findings for found in finding.told)[:MOST_TOLD]
    if total:
        _tell(summary(told, total), contradictions, ContradictionError, "contradictions", "with all of them")
    return Compiled(
        statements,
        guidance,
        subject,
        other,
        code,
        missing,
        _marked(findings, len(statements)),
        told,
        total,
        tuple(block.corpus for block in statements.blocks if block.corpus is not None),
    )


def _part(
    block: Block, first: int, tables: Mapping[str, NameTable], columns: tuple[IntArray, IntArray, IntArray]
) -> Part:
    rows = slice(first, first + len(block))
    subject, other, code = (column[rows] for column in columns)
    if block.corpus is not None:
        return Part(block, first, subject, other, code, np.ones(len(block), dtype=bool))
    table = tables.get(block.type)
    if table is not None:
        subject[:] = table.find(block.subject)
        if block.object is not None:
            other[:] = table.find(block.object)
    known = subject >= 0
    if block.object is not None:
        known &= other >= 0
    return Part(block, first, subject, other, code, known)


def _guided(parts: list[Part], type_name: str, size: int) -> Guidance:
    return combined(size, (kind.guide(rows, size) for kind, rows in _by_kind(parts, type_name)))


def _found(parts: list[Part], type_name: str, size: int, statements: Statements) -> Finding:
    ties = Ties(size)
    for kind, rows in _by_kind(parts, type_name):
        kind.tie(rows, ties)
    return find_contradictions(type_name, ties, statements)


def _by_kind(parts: list[Part], type_name: str) -> Iterator[tuple[Kind, list[Part]]]:
    """The parts about one type by their kind, kinds in a fixed order, parts in the order they were told."""
    mine = [(find_kind(part.block.kind), part) for part in parts if part.block.type == type_name]
    mine.sort(key=lambda found: found[0].names)
    for _, rows in groupby(mine, key=lambda found: found[0].names):
        found = list(rows)
        yield found[0][0], [part for _, part in found]


def _marked(findings: list[Finding], count: int) -> BoolArray:
    marks = np.zeros(count, dtype=bool)
    for finding in findings:
        marks[finding.involved] = True
    return marks


def _tell(text: str, policy: str, error: type[KnowledgeError], option: str, how: str) -> None:
    if policy == "error":
        raise error(f'{text}\nCorrect the knowledge, or go on {how} by {option}="report".')
    warnings.warn(text, KnowledgeWarning, stacklevel=4)
