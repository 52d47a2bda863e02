"""`colligate link`: find the entities of a knowledge base in documents, with their types and relations."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from colligate._storage.atomic import expand_path
from colligate.cli import options as o
from colligate.cli.console import Watch, print_json, print_result, watch_run
from colligate.cli.job import catch_interrupts, write_json
from colligate.cli.options import RETRIES, TIMEOUT, Retries, Timeout
from colligate.cli.output import FORMAT, RECORD, REPORT, OutputFolder, claim_folder
from colligate.errors import CancelledError

if TYPE_CHECKING:
    from colligate.entities.linker import LinkingResult
    from colligate.entities.tables import Table

TABLES = ("entities.csv", "mentions.csv", "relations.csv")
VERSION = 1


class FilterName(StrEnum):
    """The semantic filters."""

    fbsf = "fbsf"
    dfbsf = "dfbsf"
    cbsf = "cbsf"


Base = Annotated[
    str, typer.Option("--kb", metavar="FOLDER|FILE|URL", help="The knowledge base, or a SPARQL endpoint.")
]
Types = Annotated[
    list[str] | None,
    typer.Option("--type", help="A type to keep, such as Person; repeat the option for more."),
]
FilterOption = Annotated[
    FilterName, typer.Option("--filter", help="How to decide what an ambiguous name means.")
]
Model = Annotated[
    str | None, typer.Option("--recogniser", help="A spaCy model that finds more names (extra: entities).")
]
Processes = Annotated[
    int | None,
    typer.Option(
        "--jobs", min=1, help="The number of processes; by default all cores. It does not change the result."
    ),
]
MinConfidence = Annotated[
    float, typer.Option("--min-confidence", min=0, max=1, help="Leave out decisions with a lower confidence.")
]


def link(
    context: typer.Context,
    input: o.Input,
    kb: Base,
    type: Types = None,
    filter: FilterOption = FilterName.cbsf,
    min_confidence: MinConfidence = 0.5,
    recogniser: Model = None,
    out: o.Out = Path("colligate-link"),
    resume: o.Resume = False,
    overwrite: o.Overwrite = False,
    json: o.AsJson = False,
    text: o.TextColumns = None,
    id: o.IdColumn = None,
    encoding: o.Encoding = None,
    jobs: Processes = None,
    timeout: Timeout = TIMEOUT,
    retries: Retries = RETRIES,
) -> None:
    """Find the entities of a knowledge base in the documents of INPUT, with their types and relations.

    The output folder receives entities.csv, mentions.csv (for `colligate cluster --mentions`),
    relations.csv, report.html, which shows texts with their entities marked, and run.json. After Ctrl-C or a
    failure, the same command with --resume continues.
    """
    from colligate.cli.inputs import name_input
    from colligate.corpus.corpus import collect_documents
    from colligate.corpus.readers import ColumnRequest, open_source
    from colligate.entities.kb.endpoint import RequestPolicy
    from colligate.entities.kb.store import open_base
    from colligate.entities.linker import link as link_entities

    if resume and overwrite:
        raise typer.BadParameter(
            "--resume continues the run in the folder, and --overwrite replaces this run; use only one of "
            "these options"
        )
    with claim_folder(out, overwrite=overwrite, resume=resume) as folder, watch_run(context) as watch:
        with watch.stage("opening"):
            policy = RequestPolicy(timeout=timeout, retries=retries)
            base = open_base(kb, policy=policy, listener=watch.listener)
        with watch.stage("reading"):
            source = open_source(expand_path(input), ColumnRequest.of(text or None, id), encoding)
            documents = collect_documents(source, watch.listener)
        with watch.stage("linking"), _explain_stop(folder) as stopped:
            linked = link_entities(
                documents.ids,
                documents.texts,
                base,
                recogniser=recogniser,
                filter=filter.value,
                types=type or None,
                min_confidence=min_confidence,
                n_jobs=jobs,
                listener=watch.listener,
                checkpoint=folder.checkpoint,
                cancelled=stopped,
            )
        record = _write(linked, f"Entities of {name_input(input)}", context.params, folder, watch)
    print_json(record) if json else _show(record)


@contextmanager
def _explain_stop(folder: OutputFolder) -> Iterator[Any]:
    try:
        with catch_interrupts() as stopped:
            yield stopped
    except (CancelledError, KeyboardInterrupt):
        resume = f"the progress is in {folder.checkpoint}; continue with the same command and --resume"
        raise CancelledError(resume if folder.checkpoint.is_file() else "nothing was written") from None


def _write(
    linked: LinkingResult, title: str, options: dict[str, Any], folder: OutputFolder, watch: Watch
) -> dict[str, Any]:
    from colligate.report.linked import write_page
    from colligate.result.tables import write_csv_files

    with folder.writing() as new:
        with watch.stage("tables"):
            tables = (linked.entities, linked.mentions, linked.relations)
            write_csv_files({new / name: _rows(table) for name, table in zip(TABLES, tables, strict=True)})
        with watch.stage("page"):
            write_page(linked, title, new / REPORT)
        record = _record(linked, options, watch)
        write_json(new / RECORD, record)
    return record | {"out": str(folder.path), "report": str(folder.report)}


def _rows(table: Table) -> Iterator[tuple[Any, ...]]:
    yield tuple(table)
    for row in zip(*table.values(), strict=True):
        yield tuple("|".join(cell) if isinstance(cell, list) else cell for cell in row)


def _record(linked: LinkingResult, options: dict[str, Any], watch: Watch) -> dict[str, Any]:
    seconds = watch.timings.get("linking", 0.0)
    return {
        "format": FORMAT,
        "format_version": VERSION,
        "command": "link",
        "options": dict(sorted(options.items())),
        "documents": len(linked.ids),
        "documents_with_entities": len(set(linked.mentions["document"])),
        "entities": dict(Counter(linked.entities["type"]).most_common()),
        "mentions": sum(linked.mentions["count"]),
        "relations": len(linked.relations["head"]),
        "documents_per_second": round(len(linked.ids) / seconds, 1) if seconds else None,
        "tables": list(TABLES),
        "warnings": watch.messages,
        "timings": dict(watch.timings),
    }


def _show(record: dict[str, Any]) -> None:
    n_linked, n_documents = record["documents_with_entities"], record["documents"]
    print_result(
        f"{n_linked:,} of {n_documents:,} documents mention entities, {record['mentions']:,} times in all."
    )
    for kind, count in record["entities"].items():
        print_result(f"  {kind}: {count:,}")
    print_result(f"Sentences that relate two entities: {record['relations']:,}.")
    print_result(f"Report: {record['report']}")
