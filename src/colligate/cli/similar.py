"""`colligate similar`: list the documents that are most similar to one document of a run."""

from __future__ import annotations

from typing import Annotated

import typer
from rich.table import Table
from rich.text import Text

from colligate.cli import options as o
from colligate.cli.console import escape_control, print_json, print_result, watch_run

Document = Annotated[str, typer.Argument(metavar="DOCUMENT", help="The id of a document of the run.")]
Number = Annotated[int, typer.Option("--number", "-n", min=1, help="How many documents to list.")]


def similar(
    context: typer.Context, run: o.RunFolder, document: Document, number: Number = 10, json: o.AsJson = False
) -> None:
    """List the documents of RUN that are most similar to DOCUMENT, whatever their group.

    Similar documents in other groups often show an error of the groups.
    """
    from colligate.cli.inputs import load_run

    with watch_run(context):
        result = load_run(run)
        others = result.similar(document, number)
        numbers = result.numbers_of(result.labels[result.centre]).tolist()
        corpus = result.corpus
        rows = [
            {
                "id": other.document,
                "similarity": round(other.similarity, 4),
                "cluster": numbers[other.position],
                "name": result.group_names[other.group] if other.group >= 0 else None,
                "heading": "" if corpus is None else corpus.heading(other.position),
            }
            for other in others
        ]
    if json:
        print_json({"document": document, "similar": rows})
        return
    if not rows:
        print_result(f"No document is similar to {document}: it has no counted word in common with others.")
        return
    table = Table("id", "similarity", "group", "heading", header_style="bold")
    for row in rows:
        group = "none" if row["name"] is None else f"{row['cluster']} {row['name']}"
        cells = (str(row["id"]), f"{row['similarity']:.2f}", group, str(row["heading"]))
        table.add_row(*(Text(escape_control(cell)) for cell in cells))
    print_result(table)
