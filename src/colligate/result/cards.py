"""What a notebook shows of a result, an audit and an explanation."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from colligate._html import Bar, Dot, Table, make_card
from colligate._text import clean, clip, count_noun, format_percent, format_signed
from colligate.knowledge.statements import shorten_source
from colligate.report.palette import choose_colours

if TYPE_CHECKING:
    from colligate.result.audit import Audit
    from colligate.result.explain import Why
    from colligate.result.result import Result

MAX_GROUPS = 40
LONGEST_NAME = 60
TOP_WORDS = 8
SHOWN_STATEMENTS = 10
# between the colours for light and for dark pages, so that it shows on both
STATUS_COLOURS = {"kept": "#3a9d5d", "broken": "#c2603a", "contradicted": "#b0892f", "unknown": "#8a8f98"}


def make_result_card(result: Result) -> str:
    """Return the card of a result as HTML: its groups, the largest first."""
    table = result.groups.to_arrow()
    sizes = table["size"].to_numpy()
    # the report and the studio give the same colour to the same lasting number
    colours = choose_colours(max(result.group_numbers, default=-1) + 1)
    order = np.argsort(-sizes, kind="stable")[:MAX_GROUPS].tolist()
    largest, top = int(sizes.max(initial=1)), result.top_words(TOP_WORDS)
    rows = []
    for position in order:
        number, colour = result.group_numbers[position], colours[result.group_numbers[position]]
        rows.append(
            [
                number,
                Dot(result.group_names[position], colour),
                int(sizes[position]),
                Bar(float(sizes[position]), largest, colour),
                format_percent(table["confidence"][position].as_py()),
                " ".join(word for word, _ in top[position]),
            ]
        )
    more = table.num_rows - len(rows)
    header = ["group", "name", result.centre, "", "confidence", f"top {result.terms}"]
    note = f"and {count_noun(more, 'smaller group')}" if more else ""
    heading = f"Result: {count_noun(sum(map(int, sizes)), 'object')} in {count_noun(len(sizes), 'group')}"
    heading = heading.replace("objects", result.centre)
    numbers = frozenset({"group", result.centre, "confidence"})
    return make_card(heading, "; ".join(_list_facts(result)), Table(header, rows, note, numbers))


def _list_facts(result: Result) -> list[str]:
    ended = "converged" if result.converged else "did not converge"
    facts = [f"{result.method}, seed {result.seed}, {ended} after {count_noun(result.n_iter, 'iteration')}"]
    if n_outside := int(np.sum(result.labels[result.centre] < 0)):
        facts.append(f"{n_outside:,} in no group")
    others = [kind for kind in result.labels if kind != result.centre]
    facts += [f"{kind} in {count_noun(result.n_groups(kind), 'group')}" for kind in others]
    if result.compiled is not None:
        facts.append(_count_statuses(result.audit()))
    return facts


def _count_statuses(audit: Audit) -> str:
    counts = [f"{count:,} {status}" for status, count in audit.counts().items() if count]
    return f"{count_noun(audit.n_statements, 'statement')}: {', '.join(counts)}"


def describe_audit(audit: Audit) -> str:
    """Return an audit on one line."""
    return f"Audit({_count_statuses(audit) if audit.n_statements else 'no statements'})"


def make_audit_card(audit: Audit) -> str:
    """Return the card of an audit as HTML: statuses, and the statements to read first."""
    if not audit.n_statements:
        return make_card("Audit: no statements")
    counts = Table(
        ["outcome", "statements", ""],
        [
            [
                Dot(status, STATUS_COLOURS[status]),
                count,
                Bar(count, audit.n_statements, STATUS_COLOURS[status]),
            ]
            for status, count in audit.counts().items()
            if count
        ],
        numbers=frozenset({"statements"}),
        narrow=True,
    )
    first = [audit.statement(number) for number in audit.prioritise(SHOWN_STATEMENTS).tolist()]
    rows: list[list[Any]] = [
        [Dot(line.status, STATUS_COLOURS[line.status]), line.text, shorten_source(line.source), line.note]
        for line in first
    ]
    header = ["outcome", "statement", "source", "note"]
    if audit.trust is not None:
        header.append("trust")
        rows = [[*row, line.trust] for row, line in zip(rows, first, strict=True)]
    more = len(audit) - len(rows)
    note = f"and {more:,} more lines; result.statements has all" if more else ""
    facts = " ".join((*audit.contradictions[:2], *audit.warnings()[:2]))
    heading = f"Audit: {count_noun(audit.n_statements, 'statement')}"
    return make_card(heading, facts, counts, Table(header, rows, note, frozenset({"trust"})))


def describe_why(why: Why) -> str:
    """Return an explanation on one line."""
    words = ", ".join(word for word, value in why.words[:3] if value > 0)
    instead = f" rather than {_shorten(why.runner_up_name)!r}" if why.runner_up >= 0 else ""
    group = repr(_shorten(why.group_name)) if why.group_name else "no group"
    return f"Why({_shorten(why.document)} is in {group}{instead}{words and ': '}{_shorten(words)})"


def _shorten(text: str) -> str:
    """Return text of strangers for one line of a terminal."""
    return clip(clean(text), LONGEST_NAME)


def make_why_card(why: Why) -> str:
    """Return the card of an explanation as HTML: what speaks for the group, and what against it."""
    evidence = [*(("word", word, value) for word, value in why.words), *why.objects]
    links = [("link", sentence, value) for sentence, value in why.links]
    rows: list[list[Any]] = []
    # nats of words and strengths of links cannot be compared
    for parts in (evidence, links):
        largest = max((abs(value) for *_, value in parts), default=1.0)
        rows += [[kind, name, format_signed(value, 2), Bar(value, largest)] for kind, name, value in parts]
    group = why.group_name or "no group"
    facts = (
        f"Positive evidence is for this group, negative for the second-best one, {why.runner_up_name}."
        if why.runner_up >= 0
        else ""
    )
    heading = f"{why.document}: in {group}"
    tables = [Table(["kind", "what", "evidence", ""], rows, "", frozenset({"evidence"}))] if rows else []
    return make_card(heading, facts, *tables)
