"""`colligate import-labels`: make a knowledge file of the answers in an annotation tool."""

from __future__ import annotations

from enum import StrEnum
from pathlib import Path
from typing import Annotated

import typer

from colligate._storage.atomic import expand_path
from colligate.cli import options as o
from colligate.cli.console import print_json, print_message, watch_run
from colligate.errors import InputError, StoreError


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
OutFile = Annotated[
    Path, typer.Option("--out", "-o", help="The knowledge file to write.", rich_help_panel=o.OUTPUT)
]


def import_labels(
    context: typer.Context,
    answers: AnswersFile,
    tool: ToolOption,
    out: OutFile = Path("knowledge.yaml"),
    question: Question = "group",
    overwrite: o.OverwriteFile = False,
    json: o.AsJson = False,
) -> None:
    """Write the answers of annotators as a knowledge file.

    `colligate cluster INPUT --knowledge knowledge.yaml` uses it.
    """
    from colligate.knowledge import Knowledge

    out = expand_path(out)
    if out.exists() and not overwrite:
        raise StoreError(f"{out} already exists; add --overwrite to replace it, or choose another --out")
    with watch_run(context) as watch:
        read = Knowledge.from_label_studio if tool is Tool.label_studio else Knowledge.from_argilla
        knowledge = read(answers, question=question)
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
