"""`colligate evaluate`: hold a finished run against labels that are known."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Any

import typer

from colligate.cli import options as o
from colligate.cli.console import show, show_json
from colligate.cli.watch import watching

LabelsFile = Annotated[
    Path,
    typer.Option(
        "--labels", help="A .csv, .tsv, .jsonl or .parquet file (also .gz, .zst) of ids and labels."
    ),
]
LabelColumn = Annotated[
    str,
    typer.Option(
        "--label", help="The column of labels; empty ones are not judged.", rich_help_panel=o.READING
    ),
]

TypeName = Annotated[
    str | None,
    typer.Option("--type", help="The type of the objects that have labels; as a rule documents."),
]


def evaluate(
    context: typer.Context,
    run: o.RunFolder,
    labels: LabelsFile,
    id: o.IdColumn = None,
    label: LabelColumn = "label",
    type: TypeName = None,
    encoding: o.Encoding = None,
    json: o.AsJson = False,
) -> None:
    """Compare the groups of RUN with known labels: accuracy, NMI, ARI, Rand index, purity, and links kept.

    Everything is told twice: over all labelled documents, and over those that no statement of the knowledge
    names, because the others were given away. With --type, objects of another type are judged.
    """
    from colligate.cli.judging import judged, link_satisfaction
    from colligate.cli.labels import read_labels
    from colligate.cli.stored import load_run

    with watching(context) as watch:
        result = load_run(run)
        found = judged(result, read_labels(labels, label, id, encoding, watch.listener), type)
    found |= {"link_satisfaction": link_satisfaction(result), "warnings": watch.messages}
    show_json(found) if json else _show(found)


def _show(found: dict[str, Any]) -> None:
    from colligate.cli.show import SETS, links_line, metrics_table

    show(f"{found['matched']:,} of {found['objects']:,} {found['type']} have a label.")
    rows = [(SETS[name].format(found["type"]), metrics) for name, metrics in found["result"].items()]
    rows += [
        (f"{SETS[name].format(found['type'])}, run without knowledge", metrics)
        for name, metrics in found.get("without_knowledge", {}).items()
    ]
    show(metrics_table(rows))
    if line := links_line(found["link_satisfaction"]):
        show(line)
