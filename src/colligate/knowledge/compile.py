"""Compiling knowledge: names become positions, statements become guidance, and nothing is lost on the way.

Joining the guidance that several kinds of knowledge give for one type.

Numbering the categories or labels that known rows speak of.
"""

from __future__ import annotations

import warnings
from dataclasses import dataclass
from functools import reduce
from itertools import groupby
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray
from scipy import sparse

from colligate.errors import ContradictionError, KnowledgeError, KnowledgeWarning, UnknownNameError
from colligate.knowledge.contradictions import (
    MAX_DETAILED,
    Contradiction,
    Finding,
    StatementGraph,
    find_contradictions,
    summarise_contradictions,
)
from colligate.knowledge.guidance import Guidance, PairLinks, Seeds
from colligate.knowledge.kinds.base import Kind, Part, find_kind
from colligate.knowledge.names import NameTable, refuse_misspelt_types, summarise_unknown

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence

    from colligate.corpus import Corpus
    from colligate.knowledge.guidance import FloatArray, IntArray
    from colligate.knowledge.statements import Block, Statements


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
        _tell(summarise_unknown(parts, tables, missing), unknown, UnknownNameError, "unknown", "without them")
    guidance = {name: _guided(parts, name, len(known)) for name, known in names.items()}
    findings = [_found(parts, name, len(known), statements) for name, known in names.items()]
    total = sum(finding.total for finding in findings)
    told = tuple(found for finding in findings for found in finding.told)[:MAX_DETAILED]
    if total:
        _tell(
            summarise_contradictions(told, total),
            contradictions,
            ContradictionError,
            "contradictions",
            "with all of them",
        )
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
    return merge_guidance(size, (kind.guide(rows, size) for kind, rows in _by_kind(parts, type_name)))


def _found(parts: list[Part], type_name: str, size: int, statements: Statements) -> Finding:
    ties = StatementGraph(size)
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


def merge_guidance(size: int, parts: Iterable[Guidance]) -> Guidance:
    """All guidance for `size` objects as one; where two give one object a label, the first stands."""
    return reduce(_joined, parts, Guidance(size))


def merge_rows(
    key: IntArray, strength: FloatArray, number: IntArray
) -> tuple[IntArray, FloatArray, IntArray]:
    """Merge rows of equal key: the greatest strength, and the number of the first statement."""
    if not len(key):
        return key, strength, number
    order = np.lexsort((number, key))
    key, strength, number = key[order], strength[order], number[order]
    first = np.flatnonzero(np.concatenate([[True], key[1:] != key[:-1]]))
    return key[first], np.maximum.reduceat(strength, first), number[first]


def merge_pairs(
    left: IntArray, right: IntArray, sign: IntArray, strength: FloatArray, statement: IntArray, size: int
) -> PairLinks:
    """Links with `left` < `right`, each pair of a sign once, with its greatest strength."""
    low, high = np.minimum(left, right), np.maximum(left, right)
    key, strength, statement = merge_rows((low * size + high) * 2 + (sign > 0), strength, statement)
    pair = key // 2
    signs = np.where(key % 2 == 1, 1, -1).astype(np.int8)
    return PairLinks(pair // max(size, 1), pair % max(size, 1), signs, strength, statement)


def merge_seeds(
    member: IntArray,
    category: IntArray,
    strength: FloatArray,
    statement: IntArray,
    size: int,
    names: tuple[str, ...],
) -> Seeds:
    """Seeds of `size` objects, each to a category once, with its greatest strength."""
    width = len(names)
    key, strength, statement = merge_rows(member * width + category, strength, statement)
    start = np.searchsorted(key, np.arange(size + 1) * width)
    matrix = sparse.csr_array((strength, key % width, start), shape=(size, width))
    return Seeds(matrix, names, statement)


def _joined(one: Guidance, other: Guidance) -> Guidance:
    labels, names, statements = _labels(one, other)
    return Guidance(
        size=one.size,
        pairs=_pairs(one, other),
        groups=(*one.groups, *other.groups),
        seeds=_seeds(one.seeds, other.seeds),
        labels=labels,
        label_names=names,
        label_statements=statements,
        outsiders=np.union1d(one.outsiders, other.outsiders).astype(np.int64),
    )


def _pairs(one: Guidance, other: Guidance) -> PairLinks:
    a, b = one.pairs, other.pairs
    if not len(a) or not len(b):
        return b if len(b) else a
    return merge_pairs(
        np.concatenate([a.left, b.left]),
        np.concatenate([a.right, b.right]),
        np.concatenate([a.sign, b.sign]).astype(np.int64),
        np.concatenate([a.strength, b.strength]),
        np.concatenate([a.statement, b.statement]),
        one.size,
    )


def _seeds(one: Seeds | None, other: Seeds | None) -> Seeds | None:
    if one is None or other is None:
        return other if one is None else one
    names = tuple(dict.fromkeys((*one.categories, *other.categories)))
    parts = [_entries(one, names), _entries(other, names)]
    member, category, strength, statement = (np.concatenate(part) for part in zip(*parts, strict=True))
    return merge_seeds(member, category, strength, statement, one.matrix.shape[0], names)


def _entries(seeds: Seeds, names: tuple[str, ...]) -> tuple[Any, ...]:
    """Member, category (numbered as in `names`), strength and statement of every seed."""
    number = {name: place for place, name in enumerate(names)}
    place = np.array([number[name] for name in seeds.categories], dtype=np.int64)
    member = np.repeat(np.arange(seeds.matrix.shape[0]), np.diff(seeds.matrix.indptr))
    return member, place[seeds.matrix.indices], seeds.matrix.data, seeds.statement


def _labels(one: Guidance, other: Guidance) -> tuple[IntArray | None, tuple[str, ...], IntArray | None]:
    if one.labels is None or other.labels is None:
        given = other if one.labels is None else one
        return given.labels, given.label_names, given.label_statements
    names = tuple(dict.fromkeys((*one.label_names, *other.label_names)))
    place = np.array([names.index(name) for name in other.label_names] + [-1], dtype=np.int64)
    free = one.labels < 0
    statements = None
    if one.label_statements is not None and other.label_statements is not None:
        statements = np.where(free, other.label_statements, one.label_statements)
    return np.where(free, place[other.labels], one.labels), names, statements


def number_names(parts: Sequence[Part]) -> tuple[str, ...]:
    """Fill in the codes of the parts and return the names, numbered in the order of their first known row."""
    place: dict[str, int] = {}
    for part in parts:
        codes = part.block.codes
        if codes is None:
            continue
        used, first = np.unique(codes[part.known], return_index=True)
        numbers = np.full(len(part.block.names), -1, dtype=np.int64)
        for code in used[np.argsort(first)].tolist():
            numbers[code] = place.setdefault(part.block.names[code], len(place))
        part.code[:] = np.where(part.known, numbers[codes], -1)
    return tuple(place)
