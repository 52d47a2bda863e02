"""`colligate import-labels`: make a knowledge file of the answers in an annotation tool."""

from __future__ import annotations

from enum import StrEnum
from pathlib import Path
from typing import Annotated

import typer

from colligate._storage.atomic import expand_path
from colligate.cli import options as o
from colligate.cli.console import print_json, print_message, watch_run
from colligate.cli.output import refuse_existing
from colligate.errors import InputError
from colligate.knowledge.annotations import DOCUMENT_KEY, QUESTION


class Tool(StrEnum):
    """Annotation tools."""

    label_studio = "label-studio"
    argilla = "argilla"


AnswersFile = Annotated[
    Path,
    typer.Argument(
        metavar="ANSWERS",
        help="An export of Label Studio (JSON or JSON-MIN), or a folder or file of records of Argilla.",
    ),
]
ToolOption = Annotated[Tool, typer.Option("--from", help="The tool that wrote ANSWERS.")]
Question = Annotated[str, typer.Option("--question", help="The name of the question, or of the choices.")]
IdKey = Annotated[
    str | None,
    typer.Option(
        "--id", help=f"The key of the documents' ids in tasks of Label Studio; by default {DOCUMENT_KEY}."
    ),
]
OutFile = Annotated[
    Path, typer.Option("--out", "-o", help="The knowledge file to write.", rich_help_panel=o.OUTPUT)
]


def import_labels(
    context: typer.Context,
    answers: AnswersFile,
    tool: ToolOption,
    out: OutFile = Path("knowledge.yaml"),
    question: Question = QUESTION,
    id: IdKey = None,
    overwrite: o.OverwriteFile = False,
    json: o.AsJson = False,
) -> None:
    """Write the answers of annotators as a knowledge file.

    `colligate cluster INPUT --knowledge knowledge.yaml` uses it.
    """
    from colligate.knowledge import Knowledge

    out = expand_path(out)
    refuse_existing(out, overwrite=overwrite)
    if tool is Tool.argilla and id is not None:
        raise typer.BadParameter(
            "records of Argilla have their ids; leave out this option", param_hint="--id"
        )
    with watch_run(context) as watch:
        if tool is Tool.label_studio:
            knowledge = Knowledge.from_label_studio(answers, question=question, id=id or DOCUMENT_KEY)
        else:
            knowledge = Knowledge.from_argilla(answers, question=question)
        if not knowledge:
            raise InputError(
                f"{answers} has no answers to the question {question!r}; name another question with "
                "--question"
            )
        knowledge.write(out)
    if json:
        print_json({"statements": len(knowledge), "out": str(out), "warnings": watch.messages})
    else:
        print_message("written", f"{len(knowledge):,} statements to {out}")
