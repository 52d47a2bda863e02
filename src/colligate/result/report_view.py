"""A result as the report shows it.

What the report tells in sentences and figures: the summary, the facts and the warnings.

The groups of the centre as the report shows them, and the groups of terms they go with.

The knowledge as the report shows it: what became of every statement, and what it changed.

What the report shows of a network beyond documents and words: further types, and the relations.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np

from colligate.knowledge.text import format_count
from colligate.network.neighbourhood import find_description
from colligate.report.view import (
    AssociationView,
    AuditView,
    ChangeView,
    DocumentView,
    GroupView,
    MapView,
    Nouns,
    ObjectGroupView,
    RelationView,
    ReportView,
    StatementView,
    TraceView,
    TrustView,
    TypeView,
    WordGroupView,
)
from colligate.result.association import share_information
from colligate.result.audit import DOUBTFUL
from colligate.result.explain import list_evidence
from colligate.result.groups import average_confidence, name_object
from colligate.result.layout import Layout, lay_out

if TYPE_CHECKING:
    from pathlib import Path

    from numpy.typing import NDArray

    from colligate.result.association import Contribution
    from colligate.result.audit import Audit
    from colligate.result.result import Result


DOCUMENTS_SHOWN = 5
WORDS_SHOWN = 12
OBJECTS_SHOWN = 6
REASONS_SHOWN = 6
EXCERPT_LENGTH = 300
# Beyond this the association is too faint to tell from nothing, and the logarithm of nothing is no number.
MIN_LIFT = -10.0
STATEMENTS_SHOWN = 200
NO_GROUP = "no group"
MEMBERS_SHOWN = 12


def write_report(result: Result, path: Path, title: str | None = None) -> Path:
    """Render the result into one HTML file."""
    from colligate.report.render import write

    write(make_report_view(result, title), path)
    return path


def make_report_view(result: Result, title: str | None = None) -> ReportView:
    """Gather everything the report shows."""
    labels, count = result.labels[result.centre], result.n_groups()
    places = lay_out(labels, count, result.counts, result.confidence, result.runner_up)
    return ReportView(
        title=title or f"Groups of {result.centre}",
        summary=summarise(result),
        facts=list_facts(result),
        groups=make_group_views(result, places),
        map=_make_map_view(result, places),
        trace=_make_trace_view(result),
        association=make_association_view(result),
        audit=make_audit_view(result),
        changes=make_change_view(result),
        warnings=list_warnings(result),
        centre=Nouns(result.network.types[result.centre].singular, result.centre),
        terms=Nouns(result.network.types[result.terms].singular, result.terms),
        types=make_type_views(result),
        relations=make_relation_views(result),
    )


def _make_trace_view(result: Result) -> TraceView:
    found = TraceView(result.history, result.restarts, result.chosen, result.converged)
    stable = result.stability
    if stable is None:
        return found
    labels = result.labels[result.centre]
    groups = [_mean_of_grouped(stable[labels == group]) for group in range(result.n_groups(result.centre))]
    n_ensemble = int(result.model.get("n_ensemble", result.parameters["n_ensemble"]))
    return replace(found, runs=n_ensemble, stability=(groups, _mean_of_grouped(stable)))


def _mean_of_grouped(stable: NDArray[np.float32]) -> float:
    told = stable[~np.isnan(stable)]
    return float(told.mean()) if len(told) else float("nan")


def _make_map_view(result: Result, places: Layout) -> MapView:
    x, y = np.round(places.places.T, 4).tolist()
    group = result.labels[result.centre][places.documents].tolist()
    return MapView(x, y, group, places.documents.size, places.total)


def summarise(result: Result) -> str:
    """The whole result in one sentence."""
    labels = result.labels[result.centre]
    used = np.unique(labels[labels >= 0]).size
    text = f"{labels.size:,} {result.centre} in {used:,} groups by {result.method}"
    if others := [
        f"{result.labels[kind].size:,} {kind} in {result.n_groups(kind):,} groups"
        for kind in result.labels
        if kind != result.centre
    ]:
        text += f", with {' and '.join(filter(None, [', '.join(others[:-1]), others[-1]]))}"
    if result.compiled is None:
        return f"{text}, without knowledge."
    counts = result.audit().counts()
    total, kept = sum(counts.values()), counts["kept"]
    return f"{text}; {kept:,} of {total:,} statements of knowledge are kept."


def list_facts(result: Result) -> list[tuple[str, str]]:
    """What is needed to make the grouping again, and what it came to in numbers."""
    found = [("Method", result.method)]
    found += [(_capitalise(kind), f"{len(objects):,}") for kind, objects in result.network.types.items()]
    found.append(("Groups", f"{result.n_groups():,}"))
    found += [
        (f"{_capitalise(result.network.types[kind].singular)} groups", f"{result.n_groups(kind):,}")
        for kind in result.labels
        if kind != result.centre
    ]
    found += [
        ("Sweeps", f"{result.n_iter:,}" + ("" if result.converged else " (stopped early)")),
        ("Restarts", f"{len(result.restarts):,}"),
        ("Seed", "none" if result.seed is None else str(result.seed)),
        *_list_link_facts(result),
    ]
    if result.corpus is not None:
        found.append(("Source", str(result.corpus.source)))
    found.append(("Parameters", ", ".join(f"{name} = {value}" for name, value in result.parameters.items())))
    return [*found, ("Versions", ", ".join(f"{part} {found}" for part, found in result.versions.items()))]


def list_warnings(result: Result) -> list[str]:
    """What the reader should know first."""
    found = []
    if not result.converged:
        found.append("The run stopped before the objective settled; allow more sweeps (max_iter).")
    labels = result.labels[result.centre]
    empty = np.diff(result.neighbourhood.matrix.indptr) == 0
    if bare := int(np.sum((labels < 0) & empty)):
        found.append(
            f"{_count_with_verb(result, bare, 'holds', 'hold')} {_describe_lack(result)}: "
            "in no group and not on the map."
        )
    if outside := int(np.sum((labels < 0) & ~empty)):
        found.append(
            f"{_count_with_verb(result, outside, 'is', 'are')} outside every group and not on the map."
        )
    if unused := result.n_groups() - np.unique(labels[labels >= 0]).size:
        are = "is" if unused == 1 else "are"
        found.append(
            f"{format_count(unused, 'groups')} {are} empty; "
            f"fewer groups may fit these {result.centre} better."
        )
    if result.compiled is not None and (unknown := result.audit().counts()["unknown"]):
        found.append(
            f"{format_count(unknown, 'statements')} of the knowledge could not be used; see the audit."
        )
    return found


def _list_link_facts(result: Result) -> list[tuple[str, str]]:
    """The share of links kept; those of the centre first and without its name."""
    kinds = [result.centre, *(kind for kind in result.labels if kind != result.centre)]
    return [
        (f"{_capitalise(sign)} links kept" + ("" if kind == result.centre else f", {kind}"), f"{share:.1%}")
        for kind in kinds
        for sign, share in result.link_satisfaction(kind).items()
    ]


def _describe_lack(result: Result) -> str:
    only = len(result.neighbourhood.parts) == 1
    return f"no counted {result.network.types[result.terms].singular}" if only else "nothing that was counted"


def _count_with_verb(result: Result, number: int, one: str, many: str) -> str:
    return f"{format_count(number, result.centre)} {one if number == 1 else many}"


def _capitalise(text: str) -> str:
    return text[:1].upper() + text[1:]


def make_group_views(result: Result, places: Layout) -> list[GroupView]:
    """Every group of the centre with its words, objects and examples."""
    labels, count = result.labels[result.centre], result.n_groups()
    sizes = np.bincount(labels[labels >= 0], minlength=count)
    sure = average_confidence(labels, count, result.confidence)
    coherence, words = result.coherence(WORDS_SHOWN), result.top_words(WORDS_SHOWN)
    examples, objects = result.representatives(DOCUMENTS_SHOWN), _list_objects(result)
    return [
        GroupView(
            number=number,
            name=result.group_names[number],
            size=int(sizes[number]),
            share=float(sizes[number] / max(labels.size, 1)),
            confidence=float(sure[number]),
            coherence=None if np.isnan(coherence[number]) else float(coherence[number]),
            words=words[number],
            documents=_make_document_views(result, examples[number]),
            x=float(places.centres[number, 0]),
            y=float(places.centres[number, 1]),
            objects=[(kind, tops[number]) for kind, tops in objects.items()],
        )
        for number in range(count)
    ]


def make_association_view(result: Result) -> AssociationView | None:
    """How much more or less than expected each group has of each group of terms."""
    mass = _find_mass(result)
    if mass is None or result.terms not in result.labels:
        return None
    expected = np.outer(mass.sum(axis=1), mass.sum(axis=0))
    lift = np.full(mass.shape, MIN_LIFT)
    some = (mass > 0) & (expected > 0)
    lift[some] = np.maximum(np.log2(mass[some] / expected[some]), MIN_LIFT)
    lift[expected == 0] = 0.0
    return AssociationView(_make_word_groups(result), lift.tolist(), mass.tolist())


def list_further_types(result: Result) -> list[str]:
    """The types beside the centre and its terms."""
    return [kind for kind in result.network.types if kind not in (result.centre, result.terms)]


def name_document(result: Result, position: int) -> str:
    """How the report calls a document."""
    return name_object(result.network.types[result.centre].names, result.centre, position)


def read_excerpt(result: Result, position: int) -> str:
    """The beginning of a document's text, where the result has texts."""
    texts = result.corpus.texts if result.corpus is not None else None
    return "" if texts is None else make_excerpt(texts[position])


def make_excerpt(text: str, length: int = EXCERPT_LENGTH) -> str:
    """The beginning of a text with white space folded, cut at the end of a word."""
    beginning = text.lstrip()[: 8 * length]
    folded = " ".join(beginning.split())
    if len(folded) <= length and len(beginning) < 8 * length:
        return folded
    cut = folded[: length + 1].rpartition(" ")[0] or folded[:length]
    return f"{cut[:length].rstrip()} …"


def _list_objects(result: Result) -> dict[str, list[list[tuple[str, float]]]]:
    return {
        kind: result.top_objects(kind, OBJECTS_SHOWN)
        for kind in list_further_types(result)
        if kind in result.object_tables
    }


def _make_document_views(result: Result, positions: NDArray[np.int64]) -> list[DocumentView]:
    reasons = list_evidence(result, positions, REASONS_SHOWN)
    return [
        DocumentView(
            name_document(result, at), read_excerpt(result, at), float(result.confidence[at]), [*why]
        )
        for at, why in zip(positions.tolist(), reasons, strict=True)
    ]


def _find_mass(result: Result) -> NDArray[np.float64] | None:
    part = find_description(result.network)
    mass = None if part is None else result.association.get(result.network.relations[part.relation].name)
    return mass.T if mass is not None and part is not None and part.flipped else mass


def _make_word_groups(result: Result) -> list[WordGroupView]:
    return [
        WordGroupView(group.number, group.size, [name for name, _ in group.members])
        for group in result.groups(result.terms, WORDS_SHOWN)
    ]


def make_audit_view(result: Result) -> AuditView | None:
    """The account of the knowledge, with the statements to read first; None without knowledge."""
    if result.compiled is None:
        return None
    audit = result.audit()
    titles = _make_titles(audit, (result.centre, result.terms))
    statements = [
        StatementView(
            number=row.number,
            text=row.text,
            kind=titles[row.kind, row.type],
            source=row.source,
            status=row.status,
            cost=row.cost,
            note=row.note,
            doubtful=row.trust is not None and row.trust < DOUBTFUL,
        )
        for row in (audit.statement(at) for at in audit.worth_reading(STATEMENTS_SHOWN).tolist())
    ]
    by_kind = {titles[key]: counts for key, counts in audit.by_kind_and_type().items()}
    trusted = [
        TrustView(titles[own.kind, own.type], own.source, own.statements, own.trust, own.doubtful)
        for own in audit.sources()
    ]
    return AuditView(len(audit), by_kind, statements, audit.contradictions, trusted)


def _make_titles(audit: Audit, usual: tuple[str, str]) -> dict[tuple[str, str], str]:
    """What statements of a kind about a type are called: the type is named wherever it could be another."""
    found = list(audit.by_kind_and_type())
    kinds, plain = [kind for kind, _ in found], all(type_name in usual for _, type_name in found)
    return {
        (kind, type_name): kind if plain and kinds.count(kind) == 1 else f"{kind} · {type_name}"
        for kind, type_name in found
    }


def make_change_view(result: Result) -> ChangeView | None:
    """Where the objects of the centre went because of the knowledge; None where it was not compared."""
    changes = result.changes()
    if changes is None or result.before is None:
        return None
    before, after = (*result.names_before, NO_GROUP), (*result.group_names, NO_GROUP)
    rows, columns = (
        size if changes.flow.sum(axis=1 - side)[-1] else size - 1
        for side, size in enumerate(changes.flow.shape)
    )
    old, new = result.before[result.centre], result.labels[result.centre]
    examples = [
        (name_document(result, at), before[old[at]], after[new[at]], read_excerpt(result, at))
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


def make_type_views(result: Result) -> list[TypeView]:
    """Every further type that was grouped, with its groups."""
    found = result.contributions()
    return [
        _make_type_view(result, kind, found) for kind in list_further_types(result) if kind in result.labels
    ]


def make_relation_views(result: Result) -> list[RelationView]:
    """Every relation with what it contributed; nothing where there is only one, or nothing is known of it."""
    found = result.contributions()
    if len(found) < 2:
        return []
    entries = {relation.name: relation.matrix.nnz for relation in result.network.relations}
    shares = share_information(found)
    return [
        RelationView(
            name=part.relation,
            entries=entries[part.relation],
            weight=part.weight,
            before=part.before,
            after=part.after,
            share=shares[part.relation],
            by_group=part.share[result.centre].tolist() if result.centre in part.share else None,
        )
        for part in found
    ]


def _make_type_view(result: Result, kind: str, found: tuple[Contribution, ...]) -> TypeView:
    told_by = _rank_relations(found, kind, result.n_groups(kind))
    groups = [
        ObjectGroupView(
            group.number,
            group.name,
            group.size,
            [name for name, _ in group.members],
            group.goes_with,
            told_by[group.number],
        )
        for group in result.groups(kind, MEMBERS_SHOWN)
    ]
    return TypeView(Nouns(result.network.types[kind].singular, kind), len(result.network.types[kind]), groups)


def _rank_relations(
    found: tuple[Contribution, ...], kind: str, n_groups: int
) -> list[list[tuple[str, float]]]:
    """By group of a type: its relations with their shares, the largest first; none where only one tells."""
    own = [(part.relation, part.share[kind]) for part in found if kind in part.share]
    if len(own) < 2:
        return [[] for _ in range(n_groups)]
    return [
        sorted(((name, float(share[at])) for name, share in own if share[at] > 0), key=lambda told: -told[1])
        for at in range(n_groups)
    ]
