"""The audit: what became of every statement of the knowledge.

A statement that is part of a contradiction is `contradicted`, whether it came out kept or broken; one that
names something that is not there, or a type that was not grouped, is `unknown`. Where the method says how
far it trusts statements, one whose trust is below one half is told to disagree with everything else.

Judging statements: each kind judges its own, once it is told which groups their objects are in.
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import repeat
from typing import TYPE_CHECKING, Any, TypeVar

import numpy as np
from numpy.typing import NDArray

from colligate.knowledge import StatementRows, Statements, find_kind
from colligate.result.metrics import link_satisfaction

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from colligate.knowledge import Block, Compiled
    from colligate.result.result import Result


STATUSES = ("kept", "broken", "contradicted", "unknown")
READ_FIRST = ("broken", "contradicted", "unknown", "kept")
NOTES = (
    "",
    "kept",
    "broken",
    "names something that is not there",
    "not judged: what it speaks of was not grouped",
)
ROUNDING = 1e-12
DOUBTFUL = 0.5
DISAGREES = "disagrees with everything else"
KEPT, BROKEN, CONTRADICTED, UNKNOWN = range(4)
HEADER = (
    "number",
    "kind",
    "type",
    "subject",
    "object",
    "strength",
    "source",
    "line",
    "status",
    "cost",
    "note",
    "trust",
)
IntArray = NDArray[np.int64]
BoolArray = NDArray[np.bool_]
Verdicts = NDArray[np.int8]
K = TypeVar("K")
Labels = NDArray[np.integer[Any]]


@dataclass(frozen=True)
class AuditedStatement:
    """One statement in words, and what became of it."""

    number: int
    text: str
    kind: str
    type: str
    source: str
    status: str
    cost: float
    note: str
    trust: float | None = None


@dataclass(frozen=True)
class Source:
    """The statements of one kind about one type from one source, and how far they are trusted."""

    kind: str
    type: str
    source: str
    statements: int
    trust: float
    doubtful: int


@dataclass(frozen=True, eq=False)
class Audit:
    """The status, cost and note of every statement, as columns: codes into `STATUSES` and `NOTES`.

    `trust` is how far each is trusted to be right; None where the method does not tell.
    """

    statements: Statements
    status: Verdicts
    cost: NDArray[np.float64]
    note: Verdicts
    contradictions: tuple[str, ...] = ()
    trust: NDArray[np.float64] | None = None

    def __len__(self) -> int:
        return len(self.statements)

    def counts(self) -> dict[str, int]:
        """How many statements have each status."""
        found = np.bincount(self.status, minlength=len(STATUSES)).tolist()
        return dict(zip(STATUSES, found, strict=True))

    def by_kind(self) -> dict[str, dict[str, int]]:
        """How many statements of each kind have each status; statuses that do not occur are left out."""
        return self._counted(lambda block: block.kind)

    def by_kind_and_type(self) -> dict[tuple[str, str], dict[str, int]]:
        """The same for each kind and the type that it speaks of."""
        return self._counted(lambda block: (block.kind, block.type))

    def _counted(self, key: Callable[[Block], K]) -> dict[K, dict[str, int]]:
        found: dict[K, Any] = {}
        for first, block in self.statements.placed():
            part = np.bincount(self.status[first : first + len(block)], minlength=len(STATUSES))
            found[key(block)] = found.get(key(block), 0) + part
        return {
            key: {name: int(count) for name, count in zip(STATUSES, counts, strict=True) if count}
            for key, counts in found.items()
        }

    def sources(self) -> tuple[Source, ...]:
        """How far the statements of each source are trusted; none where the method does not tell."""
        found: dict[tuple[str, str, str], list[NDArray[np.float64]]] = {}
        if self.trust is None:
            return ()
        for first, block in self.statements.placed():
            own = self.trust[first : first + len(block)]
            found.setdefault((block.kind, block.type, block.source), []).append(own)
        together = {key: np.concatenate(parts) for key, parts in found.items()}
        return tuple(
            Source(*key, own.size, float(np.nanmean(own)), int((own < DOUBTFUL).sum()))
            for key, own in together.items()
            if not np.isnan(own).all()
        )

    @property
    def doubtful(self) -> int:
        """How many statements disagree with everything else."""
        return 0 if self.trust is None else int((self.trust < DOUBTFUL).sum())

    def statement(self, number: int) -> AuditedStatement:
        """One statement with its outcome."""
        found = self.statements[number]
        return AuditedStatement(
            number=number,
            text=found.sentence,
            kind=found.kind,
            type=found.type,
            source=found.where,
            status=STATUSES[self.status[number]],
            cost=float(self.cost[number]),
            note=_joined_notes(int(self.note[number]), found.note, self._trusted(number)),
            trust=self._trusted(number),
        )

    def _trusted(self, number: int) -> float | None:
        return None if self.trust is None or np.isnan(self.trust[number]) else float(self.trust[number])

    def worth_reading(self, limit: int) -> IntArray:
        """The numbers of the statements to read first: broken, then contradicted ones, the costly first."""
        chosen = np.zeros(0, dtype=np.int64)
        for status in READ_FIRST:
            some = np.flatnonzero(self.status == STATUSES.index(status))
            doubt = np.zeros(some.size) if self.trust is None else np.nan_to_num(self.trust[some], nan=1.0)
            costly = np.lexsort((doubt, -self.cost[some]))
            chosen = np.concatenate([chosen, some[costly[: limit - chosen.size]]])
        return chosen

    def rows(self) -> Iterator[tuple[Any, ...]]:
        """The audit as a table, header first."""
        yield HEADER
        for first, block in self.statements.placed():
            rows, part = slice(first, first + len(block)), Statements((block,))
            yield from zip(
                range(first, first + len(block)),
                repeat(block.kind),
                repeat(block.type),
                part.subject,
                part.object,
                part.strength.tolist(),
                repeat(block.source),
                (line or "" for line in part.line.tolist()),
                (STATUSES[code] for code in self.status[rows].tolist()),
                (f"{cost:.10g}" for cost in self.cost[rows].tolist()),
                map(_joined_notes, self.note[rows].tolist(), part.note, self._trusts(rows)),
                ("" if trust is None else f"{trust:.4g}" for trust in self._trusts(rows)),
                strict=False,
            )

    def _trusts(self, rows: slice) -> Iterator[float | None]:
        if self.trust is None:
            return repeat(None)
        return (None if np.isnan(trust) else trust for trust in self.trust[rows].tolist())


def audit(result: Result) -> Audit:
    """Judge every statement of the knowledge a result was made with."""
    compiled = result.compiled
    if compiled is None:
        return Audit(Statements(()), np.zeros(0, np.int8), np.zeros(0), np.zeros(0, np.int8))
    status, note = _told(compiled, *judge_statements(result, compiled))
    cost = statement_costs(result) if result.statement_costs.size else np.zeros(len(compiled))
    told = [found.text for found in compiled.contradictions]
    if (more := compiled.n_contradictions - len(told)) > 0:
        told.append(f"and {more:,} more")
    return Audit(compiled.statements, status, cost, note, tuple(told), result.trust)


def statement_costs(result: Result) -> NDArray[np.float64]:
    """What each statement costs in the objective; what is no more than rounding in it is nothing."""
    noise = ROUNDING * max(1.0, abs(result.restarts[result.chosen]) if result.restarts else 0.0)
    return np.where(np.abs(result.statement_costs) < noise, 0.0, result.statement_costs)


def _told(compiled: Compiled, kept: BoolArray, judged: BoolArray) -> tuple[Verdicts, Verdicts]:
    """Statuses and notes: a contradiction stands before the outcome, which then becomes the note."""
    outcome = np.where(kept, KEPT, BROKEN)
    contradicted = compiled.contradicted & judged
    status = np.where(judged, np.where(contradicted, CONTRADICTED, outcome), UNKNOWN)
    note = np.where(judged, np.where(contradicted, outcome + 1, 0), np.where(compiled.unknown, 3, 4))
    return status.astype(np.int8), note.astype(np.int8)


def _joined_notes(code: int, told: str, trust: float | None) -> str:
    """What the audit notes beside what the user noted."""
    doubt = DISAGREES if trust is not None and trust < DOUBTFUL else ""
    return "; ".join(part for part in (NOTES[code], doubt, told) if part)


def judge_statements(result: Result, compiled: Compiled) -> tuple[BoolArray, BoolArray]:
    """Which statements are kept, and which could be judged at all."""
    kept, judged = np.zeros(len(compiled), dtype=bool), np.zeros(len(compiled), dtype=bool)
    for case in _cases(result, compiled):
        if case.rows.size:
            kept[case.rows], judged[case.rows] = find_kind(case.kind).kept(case), True
    return kept, judged


def kept_links(result: Result, kind: str) -> dict[str, float]:
    """The share of together links joined and of apart links split among the objects of a type."""
    guidance = result.compiled.guidance.get(kind) if result.compiled is not None else None
    if guidance is None or kind not in result.labels:
        return {}
    return link_satisfaction(result.labels[kind], guidance)


def _cases(result: Result, compiled: Compiled) -> Iterator[StatementRows]:
    """One case for each kind and type whose objects are in groups."""
    found: dict[tuple[str, str], list[tuple[int, Block]]] = {}
    for first, block in compiled.statements.placed():
        found.setdefault((block.kind, block.type), []).append((first, block))
    for (kind, type_name), placed in found.items():
        labels = _labels(result, kind, type_name)
        if labels is not None:
            yield StatementRows(kind, labels, compiled, placed)


def _labels(result: Result, kind: str, type_name: str) -> Labels | None:
    """The groups of a type; of one that was not grouped, the groups of the centre it is most typical of."""
    if type_name in result.labels or not find_kind(kind).by_typical_group:
        return result.labels.get(type_name)
    return result.reach[type_name].typical[0] if type_name in result.reach else None
