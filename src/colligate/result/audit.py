"""The audit: the outcome of every statement of the knowledge.

A statement that is part of a contradiction is `contradicted`, whether it was kept or broken; one with an
unknown name, or about a type that was not grouped, is `unknown`. Where the method estimates the trust in
statements, those of low trust are marked. The words follow what was measured on right and wrong statements
(experiments/evaluation/trust.py).
"""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import cached_property
from itertools import islice, repeat
from typing import TYPE_CHECKING, Any, TypeVar

import numpy as np
from numpy.typing import NDArray

from colligate.knowledge import StatementRows, Statements, find_kind
from colligate.knowledge.statements import shorten_source
from colligate.knowledge.text import singular
from colligate.result.cards import describe_audit, make_audit_card
from colligate.result.groups import find_groups_by_name
from colligate.result.metrics import measure_link_satisfaction
from colligate.result.tables import digits_field, round_digits

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
# how bad each status is, to choose that of a statement with several lines
SEVERITY = np.array([0, 3, 2, 1])
BATCH_ROWS = 8_192
COST_DIGITS, TRUST_DIGITS = 10, 4
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


@dataclass(frozen=True, eq=False, repr=False)
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
    left_out : str
        A sentence on the documents that are in no group because they are like outsiders; empty without any.
    """

    statements: Statements
    status: Codes
    cost: NDArray[np.float64]
    note: Codes
    contradictions: tuple[str, ...] = ()
    trust: NDArray[np.float64] | None = None
    details: Mapping[int, str] = field(default_factory=dict)
    left_out: str = ""

    def __len__(self) -> int:
        return len(self.statements)

    @cached_property
    def added(self) -> NDArray[np.bool_]:
        """Which lines are about exemplars or frozen documents: nobody stated them, so they count apart."""
        return self.statements.exemplar | self.statements.frozen

    @property
    def n_statements(self) -> int:
        """The number of statements that the user made, without what was added; one can have several lines."""
        return len(self.first_lines)

    @cached_property
    def first_lines(self) -> IntArray:
        """The first line of every statement that the user made."""
        numbers, first = np.unique(self._stated, return_index=True)
        return np.asarray(first[numbers >= 0], dtype=np.int64)

    @cached_property
    def outcomes(self) -> Codes:
        """The worst status of the lines of every statement that the user made: a position in `STATUSES`."""
        worst = np.zeros(self.n_statements, dtype=np.int64)
        stated = self._stated >= 0
        np.maximum.at(worst, self._stated[stated], SEVERITY[self.status[stated]])
        return np.argsort(SEVERITY).astype(np.int8)[worst]

    @cached_property
    def _stated(self) -> IntArray:
        return self.statements.stated

    def __repr__(self) -> str:
        return describe_audit(self)

    def _repr_html_(self) -> str:
        return make_audit_card(self)

    def counts(self) -> dict[str, int]:
        """Count the statements of each status, without what was added; of several lines the worst counts."""
        return self._count_statuses(self.outcomes)

    def exemplar_counts(self) -> dict[str, int]:
        """Count the exemplars of each status."""
        return self._count_statuses(self.status[self.statements.exemplar])

    def frozen_counts(self) -> dict[str, int]:
        """Count the labels of frozen documents of each status."""
        return self._count_statuses(self.status[self.statements.frozen])

    def _count_statuses(self, codes: Codes) -> dict[str, int]:
        counts = np.bincount(codes, minlength=len(STATUSES)).tolist()
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
            begun = (self.first_lines >= first) & (self.first_lines < first + len(block))
            counts = np.bincount(self.outcomes[begun], minlength=len(STATUSES))
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
            begun = (self.first_lines >= first) & (self.first_lines < first + len(block))
            key = (block.kind, block.type, block.source)
            by_source.setdefault(key, []).append(self._least_trust[begun])
        trusts = {key: np.concatenate(parts) for key, parts in by_source.items()}
        return tuple(
            SourceTrust(*key, trust.size, float(np.nanmean(trust)), int((trust < DOUBTFUL).sum()))
            for key, trust in trusts.items()
            if not np.isnan(trust).all()
        )

    @property
    def doubtful(self) -> int:
        """The number of statements that should be checked: their trust is below .7."""
        return 0 if self.trust is None else int((self._least_trust < DOUBTFUL).sum())

    @cached_property
    def _least_trust(self) -> NDArray[np.float64]:
        """The least trust in a line of every statement that the user made; NaN if it is not estimated."""
        assert self.trust is not None
        least = np.full(self.n_statements, np.nan)
        stated = self._stated >= 0
        np.fmin.at(least, self._stated[stated], self.trust[stated])
        return least

    def warnings(self) -> tuple[str, ...]:
        """Return what to know of the knowledge before the groups are read, in sentences.

        There is one for each source whose statements often do not hold, or are trusted little, and one for
        the documents that were left out although no statement says so.
        """
        rows_of: dict[tuple[str, str], list[IntArray]] = {}
        for first, block in self.statements.placed():
            rows_of.setdefault((block.source, block.kind), []).append(np.arange(first, first + len(block)))
        texts = (self._warn(source, kind, np.concatenate(rows)) for (source, kind), rows in rows_of.items())
        return tuple(text for text in (self.left_out, *texts) if text)

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
        name = shorten_source(source)
        share = f"{n_broken:,} of {n:,} statements from {name}"
        text = f"{share} {'does' if n_broken == 1 else 'do'} not hold in these groups."
        if kind == "group" and len(trusts):
            support = "hardly bear them out" if trusts.mean() < NO_SUPPORT else "bear them out in part"
            weight = f"{trusts.mean():.2f}"
            text += f" Runs without them {support}, so they were used at a weight of {weight} on average."
        elif len(trusts) and not trusts.any():
            text += (
                " Runs without them find them hardly more often than by chance, so they were not used: they "
                "only name groups."
            )
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

    def read(self) -> Any:
        """Return the audit as a stream of Arrow batches (`pyarrow.RecordBatchReader`)."""
        import pyarrow as pa

        schema = _make_schema()
        return pa.RecordBatchReader.from_batches(schema, self._read_batches(schema))

    def table(self) -> Any:
        """Return the audit as a `pyarrow.Table`."""
        return self.read().read_all()

    def _read_batches(self, schema: Any) -> Iterator[Any]:
        import pyarrow as pa

        rows = self._list_rows()
        while part := list(islice(rows, BATCH_ROWS)):
            columns = zip(schema.types, zip(*part, strict=True), strict=True)
            yield pa.record_batch([pa.array(values, kind) for kind, values in columns], schema=schema)

    def _list_rows(self) -> Iterator[tuple[Any, ...]]:
        for first, block in self.statements.placed():
            rows, part = slice(first, first + len(block)), Statements((block,))
            yield from zip(
                range(first, first + len(block)),
                repeat(block.kind),
                repeat(block.type),
                (name or None for name in part.subject),
                (name or None for name in part.object),
                part.strength.tolist(),
                repeat(block.source or None),
                (line or None for line in part.line.tolist()),
                (STATUSES[code] for code in self.status[rows].tolist()),
                round_digits(self.cost[rows].tolist(), COST_DIGITS),
                (
                    note or None
                    for note in map(
                        _join_notes,
                        self.note[rows].tolist(),
                        self._details_of(rows),
                        part.note,
                        self._trusts(rows),
                        repeat(block.kind),
                    )
                ),
                round_digits(self._trusts(rows), TRUST_DIGITS),
                strict=False,
            )

    def _details_of(self, rows: slice) -> Iterator[str]:
        return (self.details.get(number, "") for number in range(rows.start, rows.stop))

    def _trusts(self, rows: slice) -> Iterator[float | None]:
        if self.trust is None:
            return repeat(None)
        return (None if np.isnan(trust) else trust for trust in self.trust[rows].tolist())


def _make_schema() -> Any:
    """Return the columns of the audit."""
    import pyarrow as pa

    text = pa.large_string()
    columns = {"number": pa.int64(), "kind": text, "type": text, "subject": text, "object": text}
    columns |= {"strength": pa.float64(), "source": text, "line": pa.int64(), "status": text}
    fields = [pa.field(name, kind) for name, kind in columns.items()]
    cost, trust = digits_field("cost", COST_DIGITS), digits_field("trust", TRUST_DIGITS)
    return pa.schema([*fields, cost, pa.field("note", text), trust])


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
    left_out = _describe_left_out(result, compiled)
    return Audit(compiled.statements, status, cost, note, tuple(texts), result.trust, details, left_out)


def _describe_left_out(result: Result, compiled: Compiled) -> str:
    """Say how many documents with words are in no group though nobody marked them; empty without any."""
    guidance, centre = compiled.guidance.get(result.centre), result.centre
    if guidance is None or not (len(guidance.outsiders) or compiled.outside_corpora):
        return ""
    is_left_out = (result.labels[centre] < 0) & result.network.nonempty(centre)
    is_left_out[guidance.outsiders] = False
    n = int(is_left_out.sum())
    if not n:
        return ""
    what = f"1 other {singular(centre)} was" if n == 1 else f"{n:,} other {centre} were"
    return (
        f"{what} also left out, because {'it is' if n == 1 else 'they are'} like the ones that you marked as "
        f"belonging to no group. Check {'it' if n == 1 else 'them'}: a label keeps a document in its group."
    )


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
            named = find_groups_by_name(result) if about_groups else result.named_groups
            n_groups = result.n_groups(type_name) if type_name in result.labels else result.n_groups()
            start_names = tuple(result.parameters.get("init_names") or ())
            typical_of = _find_typical(result, type_name)
            yield StatementRows(kind, labels, compiled, placed, named, n_groups, start_names, typical_of)


def _find_typical(result: Result, type_name: str) -> BoolArray | None:
    """Tell which objects are typical of which groups of documents; None if they have groups of their own.

    Only a method that binds names to groups has the same groups for all types.
    """
    shares_groups = type_name not in result.labels or "init_names" in result.parameters
    if type_name == result.centre or not shares_groups or type_name not in result.object_tables:
        return None
    return result.object_tables[type_name].typical_of


def _find_labels(result: Result, kind: str, type_name: str) -> Labels | None:
    """Return the groups of a type; of one that was not grouped, the groups it is most typical of."""
    if type_name in result.labels or not find_kind(kind).by_typical_group:
        return result.labels.get(type_name)
    return result.object_tables[type_name].typical[0] if type_name in result.object_tables else None
