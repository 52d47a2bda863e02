"""The audit: the outcome of every statement of the knowledge.

A statement that is part of a contradiction is `contradicted`, whether it was kept or broken; one with an
unknown name, or about a type that was not grouped, is `unknown`. Where the method estimates the trust in
statements, those of low trust are marked. The words follow what was measured on right and wrong statements
(experiments/evaluation/trust.py).
"""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import cached_property
from itertools import repeat
from typing import TYPE_CHECKING, Any, TypeVar

import numpy as np
from numpy.typing import NDArray

from colligate.knowledge import StatementRows, Statements, find_kind
from colligate.result.groups import find_groups_by_name
from colligate.result.metrics import measure_link_satisfaction

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping

    from colligate.knowledge import Block, Compiled
    from colligate.result.result import Result


STATUSES = ("kept", "broken", "contradicted", "unknown")
READ_FIRST = ("broken", "contradicted", "unknown", "kept")
NOTES = (
    "",
    "kept",
    "broken",
    "uses an unknown name",
    "not judged: its type was not grouped",
)
ROUNDING = 1e-12
# below the first a statement should be checked, below the second it is more probably wrong than right
DOUBTFUL, WRONG = 0.7, 0.5
UNSUPPORTED = "little else supports it"
DISAGREES = "disagrees with the rest of the evidence"
NOT_SEEN = "the documents do not show it"
# fewer statements of a source are not worth a warning, nor is a smaller share of broken ones
MIN_WARNED, MIN_BROKEN_SHARE = 10, 1 / 3
# groups of objects with a lower mean trust are hardly borne out
NO_SUPPORT = 0.2
# how the name of a source begins whose statements follow from the sub-types of entities
SUBTYPES = "sub-types"
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
Codes = NDArray[np.int8]
K = TypeVar("K")
Labels = NDArray[np.integer[Any]]


@dataclass(frozen=True)
class AuditedStatement:
    """One statement in words, and its outcome."""

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
class SourceTrust:
    """The mean trust in the statements of one kind about one type from one source."""

    kind: str
    type: str
    source: str
    statements: int
    trust: float
    doubtful: int


@dataclass(frozen=True, eq=False)
class Audit:
    """The outcome of every statement, in columns.

    Attributes
    ----------
    statements : Statements
        The statements of the knowledge.
    status, note : array of int
        Positions in `STATUSES` and `NOTES`.
    cost : array of float
        What each statement costs in the objective.
    contradictions : tuple of str
        The contradictions, in sentences.
    trust : array of float or None
        The estimated probability that each statement is right; None if the method does not estimate it.
    details : mapping of int to str
        What the groups are like instead, for statements where the status does not say enough.
    """

    statements: Statements
    status: Codes
    cost: NDArray[np.float64]
    note: Codes
    contradictions: tuple[str, ...] = ()
    trust: NDArray[np.float64] | None = None
    details: Mapping[int, str] = field(default_factory=dict)

    def __len__(self) -> int:
        return len(self.statements)

    @cached_property
    def exemplar(self) -> NDArray[np.bool_]:
        """Which lines are exemplars: nobody stated them, so they are counted apart."""
        return self.statements.exemplar

    @property
    def n_statements(self) -> int:
        """The number of statements, without exemplars."""
        return int((~self.exemplar).sum())

    def counts(self) -> dict[str, int]:
        """Count the statements of each status, without exemplars."""
        return self._count_statuses(~self.exemplar)

    def exemplar_counts(self) -> dict[str, int]:
        """Count the exemplars of each status."""
        return self._count_statuses(self.exemplar)

    def _count_statuses(self, chosen: NDArray[np.bool_]) -> dict[str, int]:
        counts = np.bincount(self.status[chosen], minlength=len(STATUSES)).tolist()
        return dict(zip(STATUSES, counts, strict=True))

    def by_kind(self) -> dict[str, dict[str, int]]:
        """Count the statements of each kind and status; statuses that do not occur are left out."""
        return self._count_by(lambda block: block.kind)

    def by_kind_and_type(self) -> dict[tuple[str, str], dict[str, int]]:
        """Count the statements of each kind, type and status."""
        return self._count_by(lambda block: (block.kind, block.type))

    def _count_by(self, key: Callable[[Block], K]) -> dict[K, dict[str, int]]:
        totals: dict[K, Any] = {}
        for first, block in self.statements.placed():
            rows = slice(first, first + len(block))
            counts = np.bincount(self.status[rows][~self.exemplar[rows]], minlength=len(STATUSES))
            totals[key(block)] = totals.get(key(block), 0) + counts
        return {
            key: {name: int(count) for name, count in zip(STATUSES, counts, strict=True) if count}
            for key, counts in totals.items()
            if counts.any()
        }

    def sources(self) -> tuple[SourceTrust, ...]:
        """Return the mean trust in the statements of each source; none if the method estimates none."""
        by_source: dict[tuple[str, str, str], list[NDArray[np.float64]]] = {}
        if self.trust is None:
            return ()
        for first, block in self.statements.placed():
            rows = slice(first, first + len(block))
            key = (block.kind, block.type, block.source)
            by_source.setdefault(key, []).append(self.trust[rows][~self.exemplar[rows]])
        trusts = {key: np.concatenate(parts) for key, parts in by_source.items()}
        return tuple(
            SourceTrust(*key, trust.size, float(np.nanmean(trust)), int((trust < DOUBTFUL).sum()))
            for key, trust in trusts.items()
            if not np.isnan(trust).all()
        )

    @property
    def doubtful(self) -> int:
        """The number of statements that should be checked: their trust is below .7."""
        return 0 if self.trust is None else int((self.trust[~self.exemplar] < DOUBTFUL).sum())

    def warnings(self) -> tuple[str, ...]:
        """Return what to know of the knowledge before the groups are read, in sentences.

        There is one for each source whose statements often do not hold, or are trusted little.
        """
        rows_of: dict[tuple[str, str], list[IntArray]] = {}
        for first, block in self.statements.placed():
            rows_of.setdefault((block.source, block.kind), []).append(np.arange(first, first + len(block)))
        texts = (self._warn(source, kind, np.concatenate(rows)) for (source, kind), rows in rows_of.items())
        return tuple(text for text in texts if text)

    def _warn(self, source: str, kind: str, rows: IntArray) -> str:
        """Return the warning about the statements of one kind from one source; empty without need."""
        n_broken = int((self.status[rows] == BROKEN).sum())
        n = n_broken + int((self.status[rows] == KEPT).sum())
        trusts = np.zeros(0) if self.trust is None else self.trust[rows]
        trusts = trusts[~np.isnan(trusts)]
        is_trusted = not len(trusts) or float(trusts.mean()) >= WRONG
        is_kept = n_broken < MIN_BROKEN_SHARE * n
        if n < MIN_WARNED or (is_kept and is_trusted):
            return ""
        name = source.replace("\\", "/").rpartition("/")[2]
        share = f"{n_broken:,} of {n:,} statements from {name}"
        text = f"{share} {'does' if n_broken == 1 else 'do'} not hold in these groups."
        if kind == "group" and len(trusts):
            support = "hardly bear them out" if trusts.mean() < NO_SUPPORT else "bear them out in part"
            weight = f"{trusts.mean():.2f}"
            text += f" Runs without them {support}, so they were used at a weight of {weight} on average."
        elif not is_trusted:
            text += (
                " The rest of the evidence speaks against many of them: their mean trust is "
                f"{trusts.mean():.2f}."
            )
        way = " (--no-subtypes on the command line)" if name.startswith(SUBTYPES) else ""
        return (
            f"{text} They may be wrong, or about something else than these groups: check them, or leave "
            f"them out{way}."
        )

    def statement(self, number: int) -> AuditedStatement:
        """Return one statement with its outcome."""
        statement, trust = self.statements[number], self._trust_of(number)
        return AuditedStatement(
            number=number,
            text=statement.sentence,
            kind=statement.kind,
            type=statement.type,
            source=statement.where,
            status=STATUSES[self.status[number]],
            cost=float(self.cost[number]),
            note=_join_notes(
                int(self.note[number]), self.details.get(number, ""), statement.note, trust, statement.kind
            ),
            trust=trust,
        )

    def _trust_of(self, number: int) -> float | None:
        return None if self.trust is None or np.isnan(self.trust[number]) else float(self.trust[number])

    def prioritise(self, limit: int) -> IntArray:
        """Return the numbers of the statements to read first.

        Parameters
        ----------
        limit : int
            The largest number of statements.

        Returns
        -------
        array of int
            Broken, contradicted, unknown and kept statements, in this order, and by cost.
        """
        chosen = np.zeros(0, dtype=np.int64)
        for status in READ_FIRST:
            rows = np.flatnonzero(self.status == STATUSES.index(status))
            trust = np.zeros(rows.size) if self.trust is None else np.nan_to_num(self.trust[rows], nan=1.0)
            costly = np.lexsort((trust, -self.cost[rows]))
            chosen = np.concatenate([chosen, rows[costly[: limit - chosen.size]]])
        return chosen

    def rows(self) -> Iterator[tuple[Any, ...]]:
        """Yield the audit as a table, header first."""
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
                map(
                    _join_notes,
                    self.note[rows].tolist(),
                    self._details_of(rows),
                    part.note,
                    self._trusts(rows),
                    repeat(block.kind),
                ),
                ("" if trust is None else f"{trust:.4g}" for trust in self._trusts(rows)),
                strict=False,
            )

    def _details_of(self, rows: slice) -> Iterator[str]:
        return (self.details.get(number, "") for number in range(rows.start, rows.stop))

    def _trusts(self, rows: slice) -> Iterator[float | None]:
        if self.trust is None:
            return repeat(None)
        return (None if np.isnan(trust) else trust for trust in self.trust[rows].tolist())


def audit_result(result: Result) -> Audit:
    """Judge every statement of the knowledge that a result was made with."""
    compiled = result.compiled
    if compiled is None:
        return Audit(Statements(()), np.zeros(0, np.int8), np.zeros(0), np.zeros(0, np.int8))
    kept, judged, details = judge_statements(result, compiled)
    status, note = _assign_statuses(compiled, kept, judged)
    cost = compute_costs(result) if result.statement_costs.size else np.zeros(len(compiled))
    texts = [contradiction.text for contradiction in compiled.contradictions]
    if (more := compiled.n_contradictions - len(texts)) > 0:
        texts.append(f"and {more:,} more")
    return Audit(compiled.statements, status, cost, note, tuple(texts), result.trust, details)


def compute_costs(result: Result) -> NDArray[np.float64]:
    """Return what each statement costs in the objective; rounding errors of it are reported as 0."""
    noise = ROUNDING * max(1.0, abs(result.restarts[result.chosen]) if result.restarts else 0.0)
    return np.where(np.abs(result.statement_costs) < noise, 0.0, result.statement_costs)


def _assign_statuses(compiled: Compiled, kept: BoolArray, judged: BoolArray) -> tuple[Codes, Codes]:
    """Return statuses and notes: a contradiction comes before the outcome, which then becomes the note."""
    outcome = np.where(kept, KEPT, BROKEN)
    contradicted = compiled.contradicted & judged
    status = np.where(judged, np.where(contradicted, CONTRADICTED, outcome), UNKNOWN)
    note = np.where(judged, np.where(contradicted, outcome + 1, 0), np.where(compiled.unknown, 3, 4))
    return status.astype(np.int8), note.astype(np.int8)


def _join_notes(code: int, detail: str, user_note: str, trust: float | None, kind: str) -> str:
    """Join what the audit notes with the user's note."""
    doubt = "" if trust is None else _describe_doubt(trust, kind)
    return "; ".join(part for part in (NOTES[code], detail, doubt, user_note) if part)


def _describe_doubt(trust: float, kind: str) -> str:
    """Say how far a statement is doubted; a group of objects is only ever borne out or not."""
    if trust >= DOUBTFUL:
        return ""
    if kind == "group":
        return NOT_SEEN if trust < WRONG else ""
    return DISAGREES if trust < WRONG else UNSUPPORTED


def judge_statements(result: Result, compiled: Compiled) -> tuple[BoolArray, BoolArray, dict[int, str]]:
    """Tell which statements are kept, which could be judged at all, and what the grouping has for some."""
    kept, judged = np.zeros(len(compiled), dtype=bool), np.zeros(len(compiled), dtype=bool)
    details: dict[int, str] = {}
    for rows in _rows_by_kind(result, compiled):
        if rows.rows.size:
            kind = find_kind(rows.kind)
            kept[rows.rows], judged[rows.rows] = kind.judge(rows), True
            details |= zip(rows.rows.tolist(), kind.describe_outcomes(rows), strict=False)
    return kept, judged, details


def measure_kept_links(result: Result, kind: str) -> dict[str, float]:
    """Return the share of together links joined and of apart links split among the objects of a type."""
    guidance = result.compiled.guidance.get(kind) if result.compiled is not None else None
    if guidance is None or kind not in result.labels:
        return {}
    return measure_link_satisfaction(result.labels[kind], guidance)


def _rows_by_kind(result: Result, compiled: Compiled) -> Iterator[StatementRows]:
    """Yield the statements of each kind and type whose objects are in groups."""
    blocks: dict[tuple[str, str], list[tuple[int, Block]]] = {}
    for first, block in compiled.statements.placed():
        blocks.setdefault((block.kind, block.type), []).append((first, block))
    for (kind, type_name), placed in blocks.items():
        labels = _find_labels(result, kind, type_name)
        if labels is not None:
            about_groups = find_kind(kind).about_groups and type_name == result.centre
            named = find_groups_by_name(result) if about_groups else {}
            n_groups = result.n_groups(type_name) if type_name in result.labels else result.n_groups()
            yield StatementRows(kind, labels, compiled, placed, named, n_groups)


def _find_labels(result: Result, kind: str, type_name: str) -> Labels | None:
    """Return the groups of a type; of one that was not grouped, the groups it is most typical of."""
    if type_name in result.labels or not find_kind(kind).by_typical_group:
        return result.labels.get(type_name)
    return result.object_tables[type_name].typical[0] if type_name in result.object_tables else None
