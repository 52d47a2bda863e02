"""`colligate change`: change the groups of a run as a file says, and cluster again from there."""

from __future__ import annotations

import warnings
from contextlib import ExitStack
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from colligate._storage.atomic import expand_path
from colligate.cli import options as o
from colligate.cli.console import (
    make_groups_table,
    print_json,
    print_message,
    print_result,
    print_run,
    watch_run,
)
from colligate.cli.output import START, claim_folder, find_origin
from colligate.errors import KnowledgeError, UnknownNameError

if TYPE_CHECKING:
    from collections.abc import Mapping

    from colligate.methods.change_plan import ChangePlan
    from colligate.methods.start_file import StartGroups
    from colligate.result import Result

Changes = Annotated[
    Path | None,
    typer.Option(
        "--knowledge",
        help="A knowledge file with the section `changes`; it may have statements too.",
        rich_help_panel=o.KNOWLEDGE,
    ),
]
Refine = Annotated[
    str | None,
    typer.Option(
        "--refine",
        help="Divide this group (its number or name) and keep the rest; no knowledge file is needed.",
        metavar="GROUP",
        rich_help_panel=o.KNOWLEDGE,
    ),
]
Into = Annotated[
    int,
    typer.Option(
        "--into",
        min=2,
        help="The number of parts for --refine.",
        rich_help_panel=o.KNOWLEDGE,
    ),
]
DryRun = Annotated[
    bool,
    typer.Option(
        "--dry-run",
        help="Show which documents would move and how each change would end; write nothing.",
        rich_help_panel=o.OUTPUT,
    ),
]


def change(
    context: typer.Context,
    run: o.RunFolder,
    knowledge: Changes = None,
    refine: Refine = None,
    into: Into = 2,
    out: o.Out = Path("colligate-changed"),
    dry_run: DryRun = False,
    json: o.AsJson = False,
    overwrite: o.Overwrite = False,
    tables: o.Tables = o.TableFormat.csv,
) -> None:
    """Change the groups of RUN, and cluster again from there.

    The section `changes` of the knowledge file lists what to do, in order: `merge: [3, 7]`,
    `rename: {group: 3, to: Politics}`, `split: {group: 4, into: 3}`, `move: {documents: [a12], to: 5}`,
    `seed: {word: olympic, to: 6}`, `new: Athletics`. A group is its number or its name. Labels and categories
    must have the name of a group, or its number as in `group 3`; a name that no group has is refused. The
    statements of RUN still count. Groups keep their numbers and names. The output folder is that of
    `cluster`. With --dry-run nothing is written. `--refine 4 --into 3` divides group 4 without a file.
    """
    from colligate.cli.inputs import load_run, name_input
    from colligate.cli.job import Job, describe_groups
    from colligate.knowledge import Knowledge
    from colligate.knowledge.changes import read_groups
    from colligate.methods.change_plan import ChangePlan
    from colligate.methods.fit import RunOptions

    if knowledge is None and refine is None:
        raise typer.BadParameter("name a knowledge file, or a group to --refine", param_hint="--knowledge")
    with ExitStack() as held:
        folder = None if dry_run else held.enter_context(claim_folder(out, overwrite=overwrite))
        watch = held.enter_context(watch_run(context))
        with watch.stage("reading"):
            changes = Knowledge(unknown="report", contradictions="report")
            if knowledge is not None:
                changes = Knowledge.read(knowledge, unknown="report", contradictions="report")
            if refine is not None:
                changes.change("split", *read_groups([refine]), into=into)
            result = load_run(run)
            if knowledge is not None:
                _refuse_unknown_names(knowledge, result)
        if not changes:
            raise KnowledgeError(f"{knowledge} contains no changes and no statements; add at least one")
        plan = ChangePlan(result, changes)
        names = plan.describe_names()
        for line in names:
            print_message("note", line)
        with watch.stage("clustering"):
            changed = plan.fit(RunOptions(listener=watch.listener))
        outcome = {"names": names, **_describe_outcome(plan, changed)}
        if folder is not None:
            title = f"Groups of {name_input(run)}, changed"
            job = Job("change", context.params, title, folder, watch, table_format=tables.value)
            start = _find_start(plan, changed, expand_path(run))
            record = job.write(changed, start=start, origin=find_origin(expand_path(run)), outcome=outcome)
        else:
            groups = describe_groups(changed)
            record = {"command": "change", "groups": groups, "outcome": outcome, "warnings": watch.messages}
    if json:
        print_json(record)
        return
    if folder is None:
        print_result(make_groups_table(record["groups"], result.terms))
    else:
        print_run(record)
    _print_outcome(outcome, result.centre)
    if folder is None:
        print_result("This was a dry run: nothing was written.")


def _refuse_unknown_names(path: Path, result: Result) -> None:
    """Refuse ids and words that the run does not have: without their statements, it is another change."""
    from colligate.knowledge import Knowledge
    from colligate.knowledge.compile import ADVICE

    with warnings.catch_warnings():
        # contradictions are reported once the changes are made
        warnings.simplefilter("ignore")
        try:
            Knowledge.read(path, contradictions="report").compile(result.network.names)
        except UnknownNameError as error:
            raise UnknownNameError(f"{str(error).partition(ADVICE)[0]}{ADVICE}.") from error


def _describe_outcome(plan: ChangePlan, changed: Result) -> dict[str, Any]:
    """Describe how each change ended, and how many documents went from which group to which."""
    from colligate.methods.change_outcomes import judge_changes, name_group
    from colligate.result.update_summary import list_flows

    before = plan.groups.result
    return {
        "changes": [
            {
                "line": outcome.change.line,
                "change": outcome.change.describe(),
                "verdict": outcome.verdict,
                "reason": outcome.reason,
            }
            for outcome in judge_changes(plan.carried_out, changed)
        ],
        "moved": [
            {
                "from": flow.source,
                "to": flow.target,
                "documents": flow.documents,
                "from_name": name_group(before, flow.source),
                "to_name": name_group(changed, flow.target),
            }
            for flow in list_flows(before, changed)
        ],
    }


def _print_outcome(outcome: Mapping[str, Any], centre: str) -> None:
    """Print how each change ended, and which documents moved."""
    from colligate.knowledge.text import format_count

    for row in outcome["changes"]:
        reason = f" ({row['reason']})" if row["reason"] else ""
        line = f"line {row['line']}, " if row["line"] else ""
        print_result(f"{line}{row['change']}: {row['verdict']}{reason}")
    moved = sum(row["documents"] for row in outcome["moved"])
    print_result(f"{format_count(moved, centre)} moved to another group{':' if moved else '.'}")
    for row in outcome["moved"]:
        print_result(f"  {row['documents']:,}: {row['from_name']} → {row['to_name']}")


def _find_start(plan: ChangePlan, changed: Result, run: Path) -> StartGroups:
    """Return the groups that a run started from.

    New names need no run, so the start is that of the run before, with these names; a run without a start
    needs only numbers and names.
    """
    from colligate.methods.start_file import StartGroups, read_start

    if not plan.renames_only:
        return plan.start
    origin = find_origin(run)
    paths = [run / START, *([expand_path(origin["start"])] if origin and origin["start"] else [])]
    path = next((path for path in paths if path.is_file()), None)
    start = StartGroups({}) if path is None else read_start(path, changed.network)
    return replace(
        start,
        numbers=changed.group_numbers,
        names=changed.given_names,
        word_names=changed.word_names,
        descriptions=changed.descriptions,
    )
