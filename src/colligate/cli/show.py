"""What a run found, as tables and lines for a person."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from rich.table import Table
from rich.text import Text

from colligate.cli.console import show
from colligate.cli.wording import visible
from colligate.knowledge.wording import counted
from colligate.network import WORDS

WORDS_SHOWN = 8
METRICS = ("accuracy", "nmi", "ari", "rand", "purity")
SETS = {"all": "all labelled {}", "unnamed": "those that no knowledge names"}


def show_run(record: Mapping[str, Any]) -> None:
    """Print the groups, what became of the knowledge, and where the report is."""
    if suggestion := record.get("suggestion"):
        tried = ", ".join(f"{number} {nats:.2f}" for number, nats in suggestion["curve"])
        show(f"{suggestion['n_clusters']} groups are suggested. How far neighbours agree, in nats: {tried}.")
    show(groups_table(record["groups"], record["terms"]))
    if outside := record["sizes"]["in_no_group"]:
        show(f"In no group: {counted(outside, record['centre'])}.")
    for line in (_knowledge_line(record["knowledge"]), _changes_line(record)):
        if line:
            show(line)
    show(f"Report: {record['report']}")


def groups_table(groups: Sequence[Mapping[str, Any]], terms: str) -> Table:
    """One row per group: number, name, size, top words (or other terms), confidence."""
    table = Table("group", "name", header_style="bold")
    table.add_column("size", justify="right")
    table.add_column(Text(visible(f"top {terms}")))
    table.add_column("confidence", justify="right")
    between = " " if terms == WORDS else "; "
    for group in groups:
        words = between.join(group[f"top_{terms}"][:WORDS_SHOWN])
        cells = (
            str(group["cluster"]),
            group["name"],
            f"{group['size']:,}",
            words,
            f"{group['confidence']:.0%}",
        )
        table.add_row(*(Text(visible(cell)) for cell in cells))
    return table


def metrics_table(rows: Sequence[tuple[str, Mapping[str, float]]]) -> Table:
    """One row per set of metrics."""
    table = Table("", header_style="bold")
    for name in METRICS:
        table.add_column(name.upper() if len(name) == 3 else name, justify="right")
    for name, found in rows:
        table.add_row(Text(visible(name)), *(f"{found[metric]:.3f}" for metric in METRICS))
    return table


def links_line(shares: Mapping[str, Mapping[str, float]]) -> str:
    """How many of the links hold, by type; empty where there are none."""
    told = [
        f"{share:.1%} of {sign} links between {kind}"
        for kind, found in shares.items()
        for sign, share in found.items()
    ]
    return f"Links kept: {', '.join(told)}." if told else ""


def _knowledge_line(found: Mapping[str, Any] | None) -> str:
    if found is None:
        return ""
    told = [
        f"{found[name]:,} {name}" for name in ("kept", "broken", "contradicted", "unknown") if found[name]
    ]
    doubtful = found.get("doubtful", 0)
    verb = "disagrees" if doubtful == 1 else "disagree"
    doubt = f" {doubtful:,} of them {verb} with everything else." if doubtful else ""
    statements = counted(found["statements"], "statements")
    return f"Knowledge: {statements}: {', '.join(told)}.{doubt} See knowledge.csv."


def _changes_line(record: Mapping[str, Any]) -> str:
    found = record["changes"]
    if found is None:
        return ""
    return (
        f"The knowledge moved {found['moved']:,} of {counted(found['total'], record['centre'])} "
        f"to another group (NMI of both runs: {found['agreement_nmi']:.3f})."
    )
