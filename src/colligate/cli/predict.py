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
from colligate.errors import StoreError
from colligate.files import located

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from colligate.corpus import Corpus
    from colligate.network import Network
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
    context: typer.Context,
    run: o.RunFolder,
    input: o.Input,
    mentions: o.NewMentions = None,
    out: OutFile = None,
    json: o.AsJson = False,
    text: o.TextColumns = None,
    id: o.IdColumn = None,
    encoding: o.Encoding = None,
    unknown: o.UnknownMentions = o.Policy.error,
    overwrite: o.OverwriteFile = False,
) -> None:
    """Put the documents of INPUT into the groups of RUN.

    A document without any word that the run knows, and without any known mention, is in no group; its cluster
    is -1.
    """
    from colligate.cli.newcomers import refuse_uncountable, with_mentions
    from colligate.cli.stored import load_run
    from colligate.corpus import Corpus

    if out is not None:
        out = located(out)
        _refuse_out(out, {"INPUT": input, "RUN": run, "--mentions": mentions}, overwrite)
    with watching(context) as watch:
        result = load_run(run)
        refuse_uncountable(result, run)
        corpus = Corpus.read(
            input, text=text or None, id=id, encoding=encoding, like=result.corpus, listener=watch.listener
        )
        rows = predicted(result, corpus.ids, with_mentions(result, corpus, mentions, unknown.value))
        if out is not None:
            from colligate.result.csv_files import write_csv

            write_csv(out, [HEADER, *rows])
    if json:
        show_json(_summary(rows, out, watch.messages))
    elif out is None:
        _print([HEADER, *rows])
    else:
        say("written", f"{len(rows):,} documents to {out}")


def _refuse_out(out: Path, given: Mapping[str, Path | None], overwrite: bool) -> None:
    """Refuse to lose anything that is not the outcome of an earlier prediction, even if asked to."""
    if not out.exists():
        return
    real = out.resolve()
    if not real.is_file():
        raise StoreError(f"{out} is not a file; --out needs one")
    for name, place in ((name, located(path)) for name, path in given.items() if path is not None):
        if place.exists() and (place.resolve() in (real, *real.parents) or place.samefile(real)):
            raise StoreError(f"{out} belongs to {name}, {place}; choose another --out")
    if not overwrite:
        raise StoreError(f"{out} exists already; add --overwrite to replace it, or choose another --out")


def predicted(result: Result, ids: Sequence[str], new: Corpus | Network) -> list[tuple[Any, ...]]:
    """Id, group, name of the group and confidence of every document."""
    from colligate.result.confidence import confidence

    labels, memberships = result.predict(new), result.predict_memberships(new)
    sure = confidence(labels, memberships)
    return [
        (id, label, result.group_names[label] if label >= 0 else "", round(share, 6))
        for id, label, share in zip(ids, labels.tolist(), sure.tolist(), strict=True)
    ]


def _print(rows: list[tuple[Any, ...]]) -> None:
    # A terminal obeys control codes in ids and names; a file or another program gets them as they are.
    from colligate.result.csv_files import harmless

    shown = visible if sys.stdout.isatty() else str
    csv.writer(sys.stdout, lineterminator="\n").writerows(
        [shown(str(harmless(cell))) for cell in row] for row in rows
    )


def _summary(rows: list[tuple[Any, ...]], out: Path | None, warnings: list[str]) -> dict[str, Any]:
    where: dict[str, Any] = {
        "documents": len(rows),
        "out": None if out is None else str(out),
        "warnings": warnings,
    }
    if out is None:
        where["predictions"] = [dict(zip(HEADER, row, strict=True)) for row in rows]
    return where
