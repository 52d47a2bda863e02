"""`colligate predict`: put new documents into the groups of a finished run."""

from __future__ import annotations

import csv
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from colligate.cli import options as o
from colligate.cli.console import say, show_json
from colligate.cli.watch import watching
from colligate.cli.wording import visible

if TYPE_CHECKING:
    from colligate.corpus import Corpus
    from colligate.result import Result

HEADER = ("id", "cluster", "name", "confidence")

OutFile = Annotated[
    Path | None,
    typer.Option(
        "--out",
        "-o",
        help="A CSV file to write; without it the table goes to stdout.",
        rich_help_panel=o.OUTPUT,
    ),
]


def predict(
    run: o.RunFolder,
    input: o.Input,
    out: OutFile = None,
    json: o.AsJson = False,
    text: o.TextColumns = None,
    id: o.IdColumn = None,
    encoding: o.Encoding = None,
) -> None:
    """Put the documents of INPUT into the groups of RUN.

    A document without any word that the run knows is in no group; its cluster is -1.
    """
    from colligate.cli.stored import load_run
    from colligate.corpus import Corpus

    with watching() as watch:
        result = load_run(run)
        corpus = Corpus.read(
            input, text=text or None, id=id, encoding=encoding, like=result.corpus, listener=watch.listener
        )
        rows = predicted(result, corpus)
        if out is not None:
            from colligate.result.tables import write_csv

            write_csv(out.expanduser(), [HEADER, *rows])
    if json:
        show_json(_summary(rows, out, watch.messages))
    elif out is None:
        _print([HEADER, *rows])
    else:
        say("written", f"{len(rows):,} documents to {out}")


def predicted(result: Result, corpus: Corpus) -> list[tuple[Any, ...]]:
    """Id, group, name of the group and confidence of every document."""
    from colligate.result.confidence import confidence

    labels, memberships = result.predict(corpus), result.predict_memberships(corpus)
    sure = confidence(labels, memberships)
    return [
        (id, label, result.group_names[label] if label >= 0 else "", round(share, 6))
        for id, label, share in zip(corpus.ids, labels.tolist(), sure.tolist(), strict=True)
    ]


def _print(rows: list[tuple[Any, ...]]) -> None:
    # A terminal obeys control codes in ids and names; a file or another program gets them as they are.
    shown = visible if sys.stdout.isatty() else str
    csv.writer(sys.stdout, lineterminator="\n").writerows([shown(str(cell)) for cell in row] for row in rows)


def _summary(rows: list[tuple[Any, ...]], out: Path | None, warnings: list[str]) -> dict[str, Any]:
    where: dict[str, Any] = {
        "documents": len(rows),
        "out": None if out is None else str(out),
        "warnings": warnings,
    }
    if out is None:
        where["predictions"] = [dict(zip(HEADER, row, strict=True)) for row in rows]
    return where
