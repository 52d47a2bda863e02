"""Compiling knowledge: names become positions, statements become guidance, and no statement is lost.

Each kind compiles its own statements; the guidance of all kinds about one type is then merged.
"""

from __future__ import annotations

import warnings
from dataclasses import dataclass, replace
from functools import reduce
from itertools import groupby
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray
from scipy import sparse

from colligate.errors import ContradictionError, KnowledgeError, KnowledgeWarning, Parameter, UnknownNameError
from colligate.knowledge.contradictions import (
    MAX_DETAILED,
    Contradiction,
    StatementGraph,
    find_contradictions,
    summarise_contradictions,
)
from colligate.knowledge.guidance import Guidance, PairLinks, Seeds
from colligate.knowledge.kinds.base import Context, Kind, Part, find_kind
from colligate.knowledge.names import NameTable, refuse_misspelt_types, summarise_unknown

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence

    from colligate.corpus import Corpus
    from colligate.knowledge.contradictions import Finding
    from colligate.knowledge.guidance import FloatArray, IntArray
    from colligate.knowledge.kinds.base import Grouping
    from colligate.knowledge.statements import Block, Statements


BoolArray = NDArray[np.bool_]
EVERY_GROUP = "*"
"""The name that means every group."""
ADVICE = "\nCorrect the knowledge"
"""Where the advice of an error begins; it names a parameter that not every caller has."""


@dataclass(frozen=True, eq=False)
class Compiled:
    """Knowledge as numbers, with every statement still to be found in it.

    Row i of the columns is statement i. `subject_index` and `object_index` are positions of objects, -1
    where the name is unknown or there is none; `code` is the number of the row's category, group or label
    in the guidance of its type, -1 if there is none. `unknown` rows are in no guidance; `contradicted`
    rows are part of a contradiction. `contradictions` has the first few of `n_contradictions` in detail.
    `groupings` is what the method was to make of each type, where the knowledge was compiled for one.
    """

    statements: Statements
    guidance: Mapping[str, Guidance]
    subject_index: IntArray
    object_index: IntArray
    code: IntArray
    unknown: BoolArray
    contradicted: BoolArray
    contradictions: tuple[Contradiction, ...]
    n_contradictions: int
    outside_corpora: tuple[Corpus, ...]
    groupings: Mapping[str, Grouping]

    def __len__(self) -> int:
        return len(self.statements)


def compile_statements(
    statements: Statements,
    names: Mapping[str, Sequence[str] | range],
    unknown: str,
    contradictions: str,
    groupings: Mapping[str, Grouping],
) -> Compiled:
    """Compile statements for objects of these names; both policies are "error" or "report".

    A misspelling of an existing type is an error under both.
    """
    tables = {name: NameTable(name, objects) for name, objects in names.items()}
    refuse_misspelt_types(statements.blocks, tables)
    subject, other, code = (np.full(len(statements), -1, dtype=np.int64) for _ in range(3))
    parts = [_resolve(block, first, tables, (subject, other, code)) for first, block in statements.placed()]
    named = _resolve_groups(parts, tables)
    missing = ~np.concatenate([np.zeros(0, bool), *(part.resolved for part in parts)])[: len(statements)]
    if missing.any():
        text = summarise_unknown(parts, tables, NameTable("groups", named))
        _report(text, unknown, UnknownNameError, "unknown", "without these statements")
    sources, by_model = statements.source_number, statements.by_model
    guidance = {
        name: replace(_compile_type(parts, name, len(objects)), sources=sources, by_model=by_model)
        for name, objects in names.items()
    }
    findings = [
        _check_type(parts, Context(name, guidance[name], statements, groupings.get(name))) for name in names
    ]
    total = sum(finding.total for finding in findings)
    detailed = tuple(one for finding in findings for one in finding.detailed)[:MAX_DETAILED]
    if total:
        text = summarise_contradictions(detailed, total)
        _report(text, contradictions, ContradictionError, "contradictions", "despite contradictions")
    contradicted = np.zeros(len(statements), dtype=bool)
    for finding in findings:
        contradicted[finding.involved] = True
    return Compiled(
        statements,
        guidance,
        subject,
        other,
        code,
        missing,
        contradicted,
        detailed,
        total,
        tuple(block.corpus for block in statements.blocks if block.corpus is not None),
        groupings,
    )


def _resolve(
    block: Block, first: int, tables: Mapping[str, NameTable], columns: tuple[IntArray, IntArray, IntArray]
) -> Part:
    """Look up the objects of a block; the names of groups are known only once all blocks are looked up."""
    rows = slice(first, first + len(block))
    # views of the columns of all statements: what a part fills in is filled in there
    subject, other, code = (column[rows] for column in columns)
    if block.corpus is not None:
        # the outsiders of another corpus come with their statement, so there is no name to look up
        return Part(block, first, subject, other, code, np.ones(len(block), dtype=bool))
    table = tables.get(block.type)
    if table is not None and not find_kind(block.kind).about_groups:
        subject[:] = table.find(block.subject)
        if block.object is not None:
            other[:] = table.find(block.object)
    resolved = subject >= 0
    if block.object is not None:
        resolved &= other >= 0
    return Part(block, first, subject, other, code, resolved)


def _resolve_groups(parts: Sequence[Part], tables: Mapping[str, NameTable]) -> list[str]:
    """Mark the rows about groups whose names other statements give; return all such names."""
    named: dict[str, None] = {}
    for part in parts:
        block, kind = part.block, find_kind(part.block.kind)
        if kind.names_groups and kind.about_groups:
            # a statement that is nothing but a name needs no other
            part.resolved[:] = block.type in tables
        if kind.names_groups and block.codes is not None:
            # only resolved rows name a group: a group of unknown objects alone would have no member
            named |= dict.fromkeys(block.names[code] for code in np.unique(block.codes[part.resolved]))
    for part in parts:
        kind = find_kind(part.block.kind)
        if kind.about_groups and not kind.names_groups and part.block.type in tables:
            part.resolved[:] = [name == EVERY_GROUP or name in named for name in part.block.subject.tolist()]
    return list(named)


def _compile_type(parts: list[Part], type_name: str, size: int) -> Guidance:
    return merge_guidance(size, (kind.compile(rows, size) for kind, rows in _by_kind(parts, type_name)))


def _check_type(parts: list[Part], context: Context) -> Finding:
    graph = StatementGraph(context.guidance.size)
    further: list[Contradiction] = []
    for kind, rows in _by_kind(parts, context.type):
        kind.add_to_graph(rows, graph)
        further.extend(kind.find_contradictions(rows, context))
    return find_contradictions(context.type, graph, context.statements, further)


def _by_kind(parts: list[Part], type_name: str) -> Iterator[tuple[Kind, list[Part]]]:
    """Yield the parts about one type by their kind, kinds in a fixed order, parts in their own order."""
    rows = [(find_kind(part.block.kind), part) for part in parts if part.block.type == type_name]
    # groupby needs equal kinds side by side; the sort is stable, so parts keep their order
    rows.sort(key=lambda row: row[0].names)
    for _, same_kind in groupby(rows, key=lambda row: row[0].names):
        kinds, kind_parts = zip(*same_kind, strict=True)
        yield kinds[0], list(kind_parts)


def _report(text: str, policy: str, error: type[KnowledgeError], option: str, how: str) -> None:
    if policy == "error":
        raise error(f"{text}{ADVICE}, or set ", Parameter(option, "report"), f" to run {how}.")
    warnings.warn(text, KnowledgeWarning, stacklevel=4)


def merge_guidance(size: int, parts: Iterable[Guidance]) -> Guidance:
    """Merge guidance for `size` objects; where two label one object, the first label counts."""
    return reduce(_merge_two, parts, Guidance(size))


def merge_rows(
    key: IntArray, strength: FloatArray, number: IntArray
) -> tuple[IntArray, FloatArray, IntArray]:
    """Merge rows of equal key: the greatest strength, and the number of the first statement."""
    if not len(key):
        return key, strength, number
    # by number within a key, so that the first statement is kept
    order = np.lexsort((number, key))
    key, strength, number = key[order], strength[order], number[order]
    first = np.flatnonzero(np.concatenate([[True], key[1:] != key[:-1]]))
    return key[first], np.maximum.reduceat(strength, first), number[first]


def merge_pairs(
    left: IntArray, right: IntArray, sign: IntArray, strength: FloatArray, statement: IntArray, size: int
) -> PairLinks:
    """Return links with `left` < `right`, each pair of a sign once, with its greatest strength."""
    low, high = np.minimum(left, right), np.maximum(left, right)
    # one key for (pair, sign): 2·size² fits into 64 bits up to two billion objects
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
    """Return the seeds of `size` objects, each for a category once, with its greatest strength."""
    width = len(names)
    key, strength, statement = merge_rows(member * width + category, strength, statement)
    # keys ascend, so the rows of the matrix start where these are found
    start = np.searchsorted(key, np.arange(size + 1) * width)
    matrix = sparse.csr_array((strength, key % width, start), shape=(size, width))
    return Seeds(matrix, names, statement)


def _merge_two(a: Guidance, b: Guidance) -> Guidance:
    labels, names, statements = _merge_labels(a, b)
    return Guidance(
        size=a.size,
        pairs=_merge_pair_links(a.pairs, b.pairs, a.size),
        groups=(*a.groups, *b.groups),
        seeds=_merge_seed_tables(a.seeds, b.seeds),
        labels=labels,
        label_names=names,
        label_statements=statements,
        frozen=np.union1d(a.frozen, b.frozen if a.labels is None else b.frozen[a.labels[b.frozen] < 0]),
        outsiders=np.union1d(a.outsiders, b.outsiders).astype(np.int64),
        about_groups=(*a.about_groups, *b.about_groups),
    )


def _merge_pair_links(a: PairLinks, b: PairLinks, size: int) -> PairLinks:
    if not len(a) or not len(b):
        return b if len(b) else a
    return merge_pairs(
        np.concatenate([a.left, b.left]),
        np.concatenate([a.right, b.right]),
        np.concatenate([a.sign, b.sign]).astype(np.int64),
        np.concatenate([a.strength, b.strength]),
        np.concatenate([a.statement, b.statement]),
        size,
    )


def _merge_seed_tables(a: Seeds | None, b: Seeds | None) -> Seeds | None:
    if a is None or b is None:
        return b if a is None else a
    names = tuple(dict.fromkeys((*a.categories, *b.categories)))
    parts = [_seed_rows(a, names), _seed_rows(b, names)]
    member, category, strength, statement = (np.concatenate(part) for part in zip(*parts, strict=True))
    return merge_seeds(member, category, strength, statement, a.matrix.shape[0], names)


def _seed_rows(seeds: Seeds, names: tuple[str, ...]) -> tuple[Any, ...]:
    """Return member, category (numbered as in `names`), strength and statement of every seed."""
    number = {name: place for place, name in enumerate(names)}
    place = np.array([number[name] for name in seeds.categories], dtype=np.int64)
    member = np.repeat(np.arange(seeds.matrix.shape[0]), np.diff(seeds.matrix.indptr))
    return member, place[seeds.matrix.indices], seeds.matrix.data, seeds.statement


def _merge_labels(a: Guidance, b: Guidance) -> tuple[IntArray | None, tuple[str, ...], IntArray | None]:
    if a.labels is None or b.labels is None:
        labelled = b if a.labels is None else a
        return labelled.labels, labelled.label_names, labelled.label_statements
    names = tuple(dict.fromkeys((*a.label_names, *b.label_names)))
    # a last entry of -1, which objects without a label look up
    place = np.array([names.index(name) for name in b.label_names] + [-1], dtype=np.int64)
    free = a.labels < 0
    statements = None
    if a.label_statements is not None and b.label_statements is not None:
        statements = np.where(free, b.label_statements, a.label_statements)
    return np.where(free, place[b.labels], a.labels), names, statements


def number_names(parts: Sequence[Part]) -> tuple[str, ...]:
    """Fill in the codes of the parts and return the names, numbered in the order of their first known row."""
    place: dict[str, int] = {}
    for part in parts:
        codes = part.block.codes
        if codes is None:
            continue
        used, first = np.unique(codes[part.resolved], return_index=True)
        numbers = np.full(len(part.block.names), -1, dtype=np.int64)
        for code in used[np.argsort(first)].tolist():
            numbers[code] = place.setdefault(part.block.names[code], len(place))
        part.code[:] = np.where(part.resolved, numbers[codes], -1)
    return tuple(place)
