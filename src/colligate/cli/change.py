"""`colligate change`: change the groups of a run as a file says, and cluster again from there."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from colligate.cli import options as o
from colligate.cli.console import print_json, watch_run
from colligate.cli.output import claim_folder

Changes = Annotated[
    Path,
    typer.Option(
        "--knowledge",
        help="A knowledge file with the section `changes`; it may have statements too.",
        rich_help_panel=o.KNOWLEDGE,
    ),
]


def change(
    context: typer.Context,
    run: o.RunFolder,
    knowledge: Changes,
    out: o.Out = Path("colligate-changed"),
    json: o.AsJson = False,
    overwrite: o.Overwrite = False,
    tables: o.Tables = o.TableFormat.csv,
) -> None:
    """Change the groups of RUN, and cluster again from there.

    The section `changes` of the knowledge file lists what to do, in order: `merge: [3, 7]`,
    `rename: {group: 3, to: Politics}`, `split: {group: 4, into: 3}`, `move: {documents: [a12], to: 5}`,
    `seed: {word: olympic, to: 6}`. A group is its number or its name. The statements of RUN still count.
    Groups keep their numbers and names. The output folder is that of `cluster`.
    """
    from colligate.cli.console import print_run
    from colligate.cli.inputs import load_run
    from colligate.cli.job import Job
    from colligate.errors import KnowledgeError
    from colligate.knowledge import Knowledge

    with claim_folder(out, overwrite=overwrite, resume=False) as folder, watch_run(context) as watch:
        with watch.stage("reading"):
            changes = Knowledge.read(knowledge, unknown="report", contradictions="report")
            result = load_run(run)
        if not changes:
            raise KnowledgeError(f"{knowledge} contains no changes and no statements; add at least one")
        with watch.stage("clustering"):
            changed = result.apply(changes)
        title = f"Groups of {run.name}, changed"
        job = Job("change", context.params, title, folder, watch, table_format=tables.value)
        record = job.write(changed)
    print_json(record) if json else print_run(record)
