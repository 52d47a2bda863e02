"""A result as the report shows it."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from colligate.report.view import (
    AssociationView,
    AuditView,
    ChangeView,
    DocumentView,
    GroupView,
    MapView,
    ReportView,
    StatementView,
    TraceView,
    WordGroupView,
)
from colligate.result.confidence import group_confidence
from colligate.result.group_words import strongest_members, word_weights
from colligate.result.layout import Layout, layout
from colligate.result.naming import object_name
from colligate.result.why import word_evidence

if TYPE_CHECKING:
    from pathlib import Path

    from colligate.result.result import Result

DOCUMENTS_SHOWN = 5
WORDS_SHOWN = 12
REASONS_SHOWN = 6
STATEMENTS_SHOWN = 200
EXCERPT = 300
# Beyond this the association is too faint to tell from nothing, and the logarithm of nothing is no number.
FAINTEST = -10.0
NO_GROUP = "no group"


def write_report(result: Result, path: Path, title: str | None = None) -> Path:
    """Render the result into one HTML file."""
    from colligate.report.render import write

    write(report_view(result, title), path)
    return path


def report_view(result: Result, title: str | None = None) -> ReportView:
    """Gather everything the report shows."""
    places = layout(
        result.labels["documents"], result.n_groups(), result.counts, result.confidence, result.runner_up
    )
    return ReportView(
        title=title or "Groups of documents",
        summary=_summary(result),
        facts=_facts(result),
        groups=_groups(result, places),
        map=_map(result, places),
        trace=TraceView(result.history, result.restarts, result.chosen, result.converged),
        association=_association(result),
        audit=_audit(result),
        changes=_changes(result),
        warnings=_warnings(result),
    )


def excerpt(text: str, length: int = EXCERPT) -> str:
    """The beginning of a text with white space folded, cut at the end of a word."""
    beginning = text.lstrip()[: 8 * length]
    folded = " ".join(beginning.split())
    if len(folded) <= length and len(beginning) < 8 * length:
        return folded
    cut = folded[: length + 1].rpartition(" ")[0] or folded[:length]
    return f"{cut[:length].rstrip()} …"


def _summary(result: Result) -> str:
    labels = result.labels["documents"]
    used = np.unique(labels[labels >= 0]).size
    text = f"{labels.size:,} documents in {used:,} groups by {result.method}"
    if "words" in result.labels:
        text += f", with {result.labels['words'].size:,} words in {result.n_groups('words'):,} groups"
    if result.compiled is None:
        return f"{text}, without knowledge."
    counts = result.audit().counts()
    total, kept = sum(counts.values()), counts["kept"]
    return f"{text}; {kept:,} of {total:,} statements of knowledge are kept."


def _facts(result: Result) -> list[tuple[str, str]]:
    facts = [
        ("Method", result.method),
        ("Documents", f"{len(result.network.types['documents']):,}"),
        ("Words", f"{len(result.network.types['words']):,}"),
        ("Groups", f"{result.n_groups():,}"),
    ]
    if "words" in result.labels:
        facts.append(("Word groups", f"{result.n_groups('words'):,}"))
    facts += [
        ("Sweeps", f"{result.n_iter:,}" + ("" if result.converged else " (stopped early)")),
        ("Restarts", f"{len(result.restarts):,}"),
        ("Seed", "none" if result.seed is None else str(result.seed)),
    ]
    facts += [
        (f"{sign} links kept".capitalize(), f"{share:.1%}")
        for sign, share in result.link_satisfaction().items()
    ]
    if result.corpus is not None:
        facts.append(("Source", str(result.corpus.source)))
    facts.append(("Parameters", ", ".join(f"{name} = {value}" for name, value in result.parameters.items())))
    return [*facts, ("Versions", ", ".join(f"{part} {found}" for part, found in result.versions.items()))]


def _groups(result: Result, places: Layout) -> list[GroupView]:
    labels, count = result.labels["documents"], result.n_groups()
    sizes = np.bincount(labels[labels >= 0], minlength=count)
    sure = group_confidence(labels, count, result.confidence)
    coherence, words = result.coherence(WORDS_SHOWN), result.top_words(WORDS_SHOWN)
    examples = result.representatives(DOCUMENTS_SHOWN)
    return [
        GroupView(
            number=number,
            name=result.group_names[number],
            size=int(sizes[number]),
            share=float(sizes[number] / max(labels.size, 1)),
            confidence=float(sure[number]),
            coherence=None if np.isnan(coherence[number]) else float(coherence[number]),
            words=words[number],
            documents=_documents(result, examples[number]),
            x=float(places.centres[number, 0]),
            y=float(places.centres[number, 1]),
        )
        for number in range(count)
    ]


def _documents(result: Result, positions: np.ndarray[tuple[int], np.dtype[np.int64]]) -> list[DocumentView]:
    reasons = word_evidence(result, positions, REASONS_SHOWN)
    return [
        DocumentView(_id(result, at), _text(result, at), float(result.confidence[at]), [*why])
        for at, why in zip(positions.tolist(), reasons, strict=True)
    ]


def _map(result: Result, places: Layout) -> MapView:
    x, y = np.round(places.places.T, 4).tolist()
    group = result.labels["documents"][places.documents].tolist()
    return MapView(x, y, group, places.documents.size, places.total)


def _association(result: Result) -> AssociationView | None:
    mass = result.association.get("documents × words")
    if mass is None or "words" not in result.labels:
        return None
    expected = np.outer(mass.sum(axis=1), mass.sum(axis=0))
    lift = np.full(mass.shape, FAINTEST)
    some = (mass > 0) & (expected > 0)
    lift[some] = np.maximum(np.log2(mass[some] / expected[some]), FAINTEST)
    lift[expected == 0] = 0.0
    return AssociationView(_word_groups(result), lift.tolist(), mass.tolist())


def _word_groups(result: Result) -> list[WordGroupView]:
    labels, count = result.labels["words"], result.n_groups("words")
    names = result.network.types["words"].names
    weights = word_weights(result.word_scores, result.labels["documents"], result.counts)
    sizes = np.bincount(labels[labels >= 0], minlength=count)
    members = strongest_members(labels, count, weights, WORDS_SHOWN)
    return [
        WordGroupView(number, int(sizes[number]), [object_name(names, "words", at) for at in part.tolist()])
        for number, part in enumerate(members)
    ]


def _audit(result: Result) -> AuditView | None:
    if result.compiled is None:
        return None
    audit = result.audit()
    statements = [
        StatementView(
            number=row.number,
            text=row.text,
            kind=row.kind,
            source=row.source,
            status=row.status,
            cost=row.cost,
            note=row.note,
        )
        for row in (audit.statement(at) for at in audit.worth_reading(STATEMENTS_SHOWN).tolist())
    ]
    return AuditView(len(audit), audit.by_kind(), statements, audit.contradictions)


def _changes(result: Result) -> ChangeView | None:
    changes = result.changes()
    if changes is None or result.before is None:
        return None
    before, after = (*result.names_before, NO_GROUP), (*result.group_names, NO_GROUP)
    rows, columns = (
        size if changes.flow.sum(axis=1 - side)[-1] else size - 1
        for side, size in enumerate(changes.flow.shape)
    )
    old, new = result.before["documents"], result.labels["documents"]
    examples = [
        (_id(result, at), before[old[at]], after[new[at]], _text(result, at))
        for at in changes.examples.tolist()
    ]
    return ChangeView(
        moved=int(changes.moved.sum()),
        total=changes.moved.size,
        agreement=changes.agreement,
        before_names=before[:rows],
        after_names=after[:columns],
        flow=changes.flow[:rows, :columns].tolist(),
        examples=examples,
    )


def _warnings(result: Result) -> list[str]:
    found = []
    if not result.converged:
        found.append("The run stopped before the objective settled; allow more sweeps (max_iter).")
    labels = result.labels["documents"]
    empty = np.diff(result.counts.indptr) == 0
    if wordless := int(np.sum((labels < 0) & empty)):
        told = _counted(wordless, "document holds", "documents hold")
        found.append(f"{told} no counted word: in no group and not on the map.")
    if outside := int(np.sum((labels < 0) & ~empty)):
        told = _counted(outside, "document is", "documents are")
        found.append(f"{told} outside every group and not on the map.")
    if unused := result.n_groups() - np.unique(labels[labels >= 0]).size:
        told = _counted(unused, "group is", "groups are")
        found.append(f"{told} empty; fewer groups may fit these documents better.")
    if result.compiled is not None and (unknown := result.audit().counts()["unknown"]):
        told = _counted(unknown, "statement", "statements")
        found.append(f"{told} of the knowledge could not be used; see the audit.")
    return found


def _counted(count: int, one: str, many: str) -> str:
    return f"{count:,} {one if count == 1 else many}"


def _id(result: Result, position: int) -> str:
    return object_name(result.network.types["documents"].names, "documents", position)


def _text(result: Result, position: int) -> str:
    texts = result.corpus.texts if result.corpus is not None else None
    return "" if texts is None else excerpt(texts[position])
