"""Build what the report shows from a result: plain data and sentences, without HTML."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from colligate._text import capitalise, join_words
from colligate.corpus.column_views import CATEGORY, DATE, ColumnViews
from colligate.knowledge.text import format_count
from colligate.network.neighbourhood import find_description
from colligate.progress import report
from colligate.report.view import (
    AssociationView,
    AuditView,
    ChangeView,
    ColumnCountsView,
    DocumentView,
    GroupView,
    MapView,
    Nouns,
    ObjectGroupView,
    RelationView,
    ReportView,
    StatementView,
    TraceView,
    TreeRowView,
    TrustView,
    TypeView,
    WordGroupView,
)
from colligate.result import misfits
from colligate.result.association import share_information
from colligate.result.audit import DOUBTFUL
from colligate.result.explain import list_evidence
from colligate.result.groups import average_confidence, name_groups_by_words, name_object
from colligate.result.layout import Layout, lay_out

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from pathlib import Path

    from numpy.typing import NDArray

    from colligate.corpus.column_views import ColumnView
    from colligate.result.association import Contribution
    from colligate.result.audit import Audit
    from colligate.result.result import Result


DOCUMENTS_SHOWN = 5
WORDS_SHOWN = 12
OBJECTS_SHOWN = 6
REASONS_SHOWN = 6
EXCERPT_LENGTH = 300
# Stands for log2 of 0, and for all lifts below it.
MIN_LIFT = -10.0
STATEMENTS_SHOWN = 200
NO_GROUP = "no group"
TYPES_IN_SUMMARY = 3
MEMBERS_SHOWN = 12
COLUMNS_SHOWN = 6
MIN_TREE = 3


def write_report(result: Result, path: Path, title: str | None = None) -> Path:
    """Write the result as one HTML file."""
    from colligate.report.render import write

    write(make_report_view(result, title), path)
    return path


def make_report_view(result: Result, title: str | None = None, columns: Sequence[str] = ()) -> ReportView:
    """Gather everything that the report shows; `columns` of the input come first."""
    labels, count = result.labels[result.centre], result.n_groups()
    places = lay_out(labels, count, result.counts, result.confidence, result.runner_up)
    centre, terms = make_nouns(result)
    return ReportView(
        title=title or f"Groups of {result.centre}",
        summary=summarise(result),
        facts=list_facts(result),
        groups=make_group_views(result, places),
        map=make_point_view(result, places),
        trace=make_trace_view(result),
        association=make_association_view(result),
        audit=make_audit_view(result),
        changes=make_change_view(result),
        warnings=list_warnings(result),
        centre=centre,
        terms=terms,
        types=make_type_views(result),
        relations=make_relation_views(result),
        columns=make_column_views(result, columns),
        tree=make_tree_view(result),
    )


def make_nouns(result: Result) -> tuple[Nouns, Nouns]:
    """Return the singular and plural of the centre and of its terms."""
    kinds = result.network.types
    return Nouns(kinds[result.centre].singular, result.centre), Nouns(
        kinds[result.terms].singular, result.terms
    )


def make_trace_view(result: Result) -> TraceView:
    """Take the objective of the chosen run, and that of every restart."""
    return TraceView(result.history, result.restarts, result.chosen, result.converged)


def make_point_view(result: Result, places: Layout) -> MapView:
    """Take the places of the documents on the map, with the numbers of their groups."""
    x, y = np.round(places.places.T, 4).tolist()
    group = result.numbers_of(result.labels[result.centre][places.documents]).tolist()
    return MapView(x, y, group, places.documents.size, places.total)


def summarise(result: Result) -> str:
    """Summarise the result in one sentence."""
    labels = result.labels[result.centre]
    used = np.unique(labels[labels >= 0]).size
    text = f"{_count_with_groups(labels.size, result.centre, used)} by {result.method}"
    if parts := list(_summarise_types(result)):
        text += f", with {' and '.join(parts)}"
    if result.compiled is None:
        return f"{text}, without knowledge."
    counts = result.audit().counts()
    kept = f"{counts['kept']:,} of {format_count(sum(counts.values()), 'statements')}"
    return f"{text}; {kept} of knowledge {'is' if counts['kept'] == 1 else 'are'} kept."


def _summarise_types(result: Result) -> Iterator[str]:
    """Yield the groups of terms with counts, and further types by name, which may be singular or plural."""
    if result.terms in result.labels and result.terms != result.centre:
        size = result.labels[result.terms].size
        yield _count_with_groups(size, result.terms, result.n_groups(result.terms))
    names = [kind for kind in list_further_types(result) if kind in result.labels]
    if len(names) > TYPES_IN_SUMMARY:
        yield f"{len(names):,} further types"
    elif names:
        yield f"the {'type' if len(names) == 1 else 'types'} {join_words(names)}"


def _count_with_groups(size: int, kind: str, n_groups: int) -> str:
    return f"{format_count(size, kind)} in {format_count(n_groups, 'groups')}"


def list_facts(result: Result) -> list[tuple[str, str]]:
    """List what is needed to repeat the run, and its figures."""
    entries = [("Method", result.method)]
    entries += [(capitalise(kind), f"{len(objects):,}") for kind, objects in result.network.types.items()]
    entries.append(("Groups", f"{result.n_groups():,}"))
    entries += [
        (f"{capitalise(result.network.types[kind].singular)} groups", f"{result.n_groups(kind):,}")
        for kind in result.labels
        if kind != result.centre
    ]
    entries += [
        ("Iterations", f"{result.n_iter:,}" + ("" if result.converged else " (not converged)")),
        ("Restarts", f"{len(result.restarts):,}"),
        ("Seed", "none" if result.seed is None else str(result.seed)),
        *_list_link_facts(result),
    ]
    if result.corpus is not None:
        entries.append(("Source", str(result.corpus.source)))
        if columns := result.corpus.describe_columns():
            entries.append(("Columns", capitalise(columns)))
        if debris := result.corpus.describe_debris():
            entries.append(("Cleaned", capitalise(debris)))
    entries.append(
        ("Parameters", ", ".join(f"{name} = {value}" for name, value in result.parameters.items()))
    )
    return [
        *entries,
        ("Versions", ", ".join(f"{library} {version}" for library, version in result.versions.items())),
    ]


def list_warnings(result: Result) -> list[str]:
    """List what the reader should know before the groups."""
    messages = []
    if not result.converged:
        messages.append("The run stopped before it converged; allow more iterations (max_iter).")
    labels = result.labels[result.centre]
    empty = np.diff(result.neighbourhood.matrix.indptr) == 0
    if bare := int(np.sum((labels < 0) & empty)):
        messages.append(
            f"{_count_with_verb(result, bare, 'has', 'have')} {_describe_lack(result)}. "
            f"{'It is' if bare == 1 else 'They are'} in no group and not on the map."
        )
    left_out = len(misfits.list_left_out(result))
    if left_out:
        messages.append(
            f"{_count_with_verb(result, left_out, 'fits', 'fit')} no group better than random words would. "
            f"{'It is' if left_out == 1 else 'They are'} in no group and not on the map."
        )
    elif unfit := int(np.sum((labels >= 0) & (result.misfit > misfits.LEVEL))):
        messages.append(
            f"{_count_with_verb(result, unfit, 'fits', 'fit')} no group much better than random words would. "
            f"{'It is' if unfit == 1 else 'They are'} in the nearest group, and marked in the column fits."
        )
    if tiny := misfits.list_tiny_groups(result):
        are = "Group {} has" if len(tiny) == 1 else "Groups {} have"
        messages.append(
            f"{are.format(', '.join(map(str, tiny)))} very few {result.centre}: odd ones, as a rule, and no "
            "subject. Merge such groups with others, or choose fewer groups."
        )
    if outside := int(np.sum((labels < 0) & ~empty)) - left_out:
        messages.append(
            f"{_count_with_verb(result, outside, 'is', 'are')} outside every group and not on the map."
        )
    if unused := result.n_groups() - np.unique(labels[labels >= 0]).size:
        are = "is" if unused == 1 else "are"
        messages.append(
            f"{format_count(unused, 'groups')} {are} empty; "
            f"fewer groups may fit these {result.centre} better."
        )
    if result.compiled is not None:
        messages += result.audit().warnings()
    if result.compiled is not None and (unknown := result.audit().counts()["unknown"]):
        messages.append(
            f"{format_count(unknown, 'statements')} could not be used; see the section on knowledge."
        )
    return messages


def _list_link_facts(result: Result) -> list[tuple[str, str]]:
    """List the shares of links that hold; those of the centre first and without its name."""
    kinds = [result.centre, *(kind for kind in result.labels if kind != result.centre)]
    return [
        (f"{capitalise(sign)} links kept" + ("" if kind == result.centre else f", {kind}"), f"{share:.1%}")
        for kind in kinds
        for sign, share in result.link_satisfaction(kind).items()
    ]


def _describe_lack(result: Result) -> str:
    only = len(result.neighbourhood.parts) == 1
    return (
        f"no counted {result.network.types[result.terms].singular}" if only else "nothing that can be counted"
    )


def _count_with_verb(result: Result, number: int, one: str, many: str) -> str:
    return f"{format_count(number, result.centre)} {one if number == 1 else many}"


def make_group_views(result: Result, places: Layout) -> list[GroupView]:
    """Describe every group of the centre with its words, objects and examples."""
    labels, count = result.labels[result.centre], result.n_groups()
    sizes = np.bincount(labels[labels >= 0], minlength=count)
    sure = average_confidence(labels, count, result.confidence)
    coherence, words = result.coherence(WORDS_SHOWN), result.top_words(WORDS_SHOWN)
    examples, objects = result.representatives(DOCUMENTS_SHOWN), _list_objects(result)
    return [
        GroupView(
            number=result.group_numbers[k],
            name=result.group_names[k],
            size=int(sizes[k]),
            share=float(sizes[k] / max(labels.size, 1)),
            confidence=float(sure[k]),
            coherence=None if np.isnan(coherence[k]) else float(coherence[k]),
            words=words[k],
            documents=_make_document_views(result, examples[k]),
            x=float(places.centres[k, 0]),
            y=float(places.centres[k, 1]),
            objects=[(kind, tops[k]) for kind, tops in objects.items()],
            **_describe_by_model(result, k),
        )
        for k in _report_groups(count)
    ]


def _report_groups(count: int) -> Iterator[int]:
    """Yield the groups, and report each to the progress bar."""
    for group in range(count):
        report("writing the report", group, count + 1)
        yield group


def _describe_by_model(result: Result, group: int) -> dict[str, str]:
    """Return what a language model wrote about a group, and its words; nothing if it wrote nothing."""
    description = result.descriptions[group]
    if not description.name:
        return {}
    return {
        "word_name": name_groups_by_words(result)[group],
        "description": description.text,
        "described_by": description.model,
    }


def make_tree_view(result: Result) -> list[TreeRowView]:
    """Draw the hierarchy of the groups; nothing for fewer than three, which can join in one way only."""
    if result.n_groups() < MIN_TREE:
        return []
    return [
        TreeRowView(lines, node.name, node.size, None if node.children else node.groups[0])
        for lines, node in result.hierarchy().rows()
    ]


def make_association_view(result: Result) -> AssociationView | None:
    """Compute the lift of every group of terms in every group: log2 of observed over expected."""
    mass = _find_mass(result)
    if mass is None or result.terms not in result.labels:
        return None
    expected = np.outer(mass.sum(axis=1), mass.sum(axis=0))
    lift = np.full(mass.shape, MIN_LIFT)
    observed = (mass > 0) & (expected > 0)
    lift[observed] = np.maximum(np.log2(mass[observed] / expected[observed]), MIN_LIFT)
    lift[expected == 0] = 0.0
    return AssociationView(_make_word_groups(result), lift.tolist(), mass.tolist())


def make_column_views(result: Result, first: Sequence[str] = ()) -> list[ColumnCountsView]:
    """Count the documents of every group by the named columns, then by others.

    The others are the first columns of categories or dates with several values.
    """
    columns = ColumnViews(result.corpus)
    named = [columns.find(name) for name in dict.fromkeys(first)]
    shown = [
        column
        for name, column in columns.all.items()
        if name not in first and column.kind in (CATEGORY, DATE) and len(column.bins.labels) > 1
    ]
    return [make_column_view(result, column) for column in (*named, *shown[:COLUMNS_SHOWN])]


def make_column_view(result: Result, column: ColumnView) -> ColumnCountsView:
    """Count the documents of every group by one column."""
    count = result.n_groups()
    table = column.count_by_group(result.labels[result.centre].astype(np.int64), count)[:count]
    return ColumnCountsView(
        column.name, column.unit, column.bins.labels, table[:, :-1].tolist(), table[:, -1].tolist()
    )


def list_further_types(result: Result) -> list[str]:
    """List the types beside the centre and its terms."""
    return [kind for kind in result.network.types if kind not in (result.centre, result.terms)]


def name_document(result: Result, position: int) -> str:
    """Name a document."""
    return name_object(result.network.types[result.centre].names, result.centre, position)


def read_title(result: Result, position: int) -> str:
    """Return the title of a document; empty if the input has no titles."""
    corpus = result.corpus
    return "" if corpus is None or corpus.title_column is None else corpus.heading(position)


def read_excerpt(result: Result, position: int, *, after_title: bool = False) -> str:
    """Return the beginning of a document's text, or of what follows its title; empty without texts."""
    corpus = result.corpus
    if corpus is None or corpus.texts is None:
        return ""
    text, titles = corpus.texts[position], corpus.title_column
    if after_title and titles is not None:
        text = text.removeprefix(str(titles[position].as_py() or ""))
    return make_excerpt(text)


def make_excerpt(text: str, length: int = EXCERPT_LENGTH) -> str:
    """Return the beginning of a text with white space folded, cut at the end of a word."""
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
            name_document(result, position),
            read_excerpt(result, position, after_title=True),
            float(result.confidence[position]),
            [*why],
            read_title(result, position),
        )
        for position, why in zip(positions.tolist(), reasons, strict=True)
    ]


def _find_mass(result: Result) -> NDArray[np.float64] | None:
    part = find_description(result.network)
    mass = None if part is None else result.association.get(result.network.relations[part.relation].name)
    return mass.T if mass is not None and part is not None and part.flipped else mass


def _make_word_groups(result: Result) -> list[WordGroupView]:
    return [
        WordGroupView(group.number, group.size, [name for name, _ in group.members])
        for group in result.groups_of(result.terms, WORDS_SHOWN)
    ]


def make_audit_view(result: Result) -> AuditView | None:
    """Describe the audit, with the statements to read first; None without knowledge."""
    if result.compiled is None:
        return None
    audit = result.audit()
    titles = _make_titles(audit, (result.centre, result.terms))
    order = audit.prioritise(len(audit))
    order = order[~audit.added[order]]
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
        for row in (audit.statement(number) for number in order[:STATEMENTS_SHOWN].tolist())
    ]
    by_kind = {titles[key]: counts for key, counts in audit.by_kind_and_type().items()}
    trusted = [
        TrustView(
            titles[source.kind, source.type], source.source, source.statements, source.trust, source.doubtful
        )
        for source in audit.sources()
    ]
    return AuditView(
        audit.n_statements,
        by_kind,
        statements,
        audit.contradictions,
        trusted,
        audit.exemplar_counts(),
        audit.frozen_counts(),
        lines=len(order),
    )


def _make_titles(audit: Audit, usual: tuple[str, str]) -> dict[tuple[str, str], str]:
    """Title the statements of each kind and type; the type is named where there could be doubt."""
    pairs = list(audit.by_kind_and_type())
    kinds, plain = [kind for kind, _ in pairs], all(type_name in usual for _, type_name in pairs)
    return {
        (kind, type_name): kind if plain and kinds.count(kind) == 1 else f"{kind} · {type_name}"
        for kind, type_name in pairs
    }


def make_change_view(result: Result) -> ChangeView | None:
    """Describe which documents changed group because of the knowledge; None without a run without it."""
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
        (
            name_document(result, position),
            before[old[position]],
            after[new[position]],
            read_excerpt(result, position),
        )
        for position in changes.examples.tolist()
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
    """Describe every further type that was grouped."""
    contributions = result.contributions()
    return [
        _make_type_view(result, kind, contributions)
        for kind in list_further_types(result)
        if kind in result.labels
    ]


def make_relation_views(result: Result) -> list[RelationView]:
    """Describe what each relation contributed; nothing if fewer than two have an association."""
    contributions = result.contributions()
    if len(contributions) < 2:
        return []
    entries = {relation.name: relation.matrix.nnz for relation in result.network.relations}
    shares = share_information(contributions)
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
        for part in contributions
    ]


def _make_type_view(result: Result, kind: str, contributions: tuple[Contribution, ...]) -> TypeView:
    relations = _rank_relations(contributions, kind, result.n_groups(kind))
    groups = [
        ObjectGroupView(
            group.number,
            group.name,
            group.size,
            [name for name, _ in group.members],
            group.goes_with,
            relations[group.number],
        )
        for group in result.groups_of(kind, MEMBERS_SHOWN)
    ]
    return TypeView(Nouns(result.network.types[kind].singular, kind), len(result.network.types[kind]), groups)


def _rank_relations(
    contributions: tuple[Contribution, ...], kind: str, n_groups: int
) -> list[list[tuple[str, float]]]:
    """Rank the relations of each group of a type by their share; nothing if there is only one."""
    shares_by_relation = [(part.relation, part.share[kind]) for part in contributions if kind in part.share]
    if len(shares_by_relation) < 2:
        return [[] for _ in range(n_groups)]
    return [
        sorted(
            ((name, float(share[group])) for name, share in shares_by_relation if share[group] > 0),
            key=lambda entry: -entry[1],
        )
        for group in range(n_groups)
    ]
