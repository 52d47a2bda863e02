"""`colligate update`: add documents that came later to the groups of a finished run."""

from __future__ import annotations

from contextlib import ExitStack
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from colligate.cli import options as o
from colligate.cli.console import print_json, print_result, print_run, watch_run
from colligate.cli.output import claim_folder

if TYPE_CHECKING:
    from colligate.result.update_summary import UpdateSummary

MinNewGroup = Annotated[
    int,
    typer.Option(
        "--min-new-group",
        min=2,
        help="The least number of documents that make a new group.",
        rich_help_panel=o.RUN,
    ),
]


def update(
    context: typer.Context,
    run: o.RunFolder,
    input: o.Input,
    out: o.Out = Path("colligate-updated"),
    min_new_group: MinNewGroup = 10,
    json: o.AsJson = False,
    text: o.TextColumns = None,
    id: o.IdColumn = None,
    encoding: o.Encoding = None,
    overwrite: o.Overwrite = False,
    tables: o.Tables = o.TableFormat.csv,
) -> None:
    """Add the documents of INPUT to the groups of RUN, and to new groups where they fit in none.

    The groups of RUN keep their numbers, names and knowledge. Documents that have hardly any earlier ones
    near them and are alike make new groups. The output folder is that of `cluster`, with all documents; RUN
    stays as it is.
    """
    from colligate.cli.inputs import name_input, read_later_documents
    from colligate.cli.job import Job
    from colligate.methods.fit import RunOptions

    with ExitStack() as held:
        folder = held.enter_context(claim_folder(out, overwrite=overwrite))
        watch = held.enter_context(watch_run(context))
        with watch.stage("reading"):
            result, corpus = read_later_documents(
                run, input, watch, text=text or None, id=id, encoding=encoding
            )
        with watch.stage("clustering"):
            updated = result.update(
                corpus, min_new_group=min_new_group, options=RunOptions(listener=watch.listener)
            )
        summary = updated.changes_since(result)
        title = f"Groups of {name_input(run)}, with later documents"
        job = Job("update", context.params, title, folder, watch, table_format=tables.value)
        record = job.write(updated, update=_describe(summary))
    if json:
        print_json(record)
        return
    print_run(record)
    print_result(str(summary))


def _describe(summary: UpdateSummary) -> dict[str, Any]:
    """Describe an update as JSON."""
    return {
        "documents": summary.n_new,
        "groups": [group._asdict() for group in summary.groups],
        "new_groups": [group._asdict() for group in summary.new_groups],
        "in_no_group": summary.in_no_group,
        "moved": [flow._asdict() for flow in summary.flows],
    }
