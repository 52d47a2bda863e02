"""`colligate predict`: assign new documents to the groups of a finished run."""

from __future__ import annotations

import csv
import sys
import warnings
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from colligate._storage.atomic import expand_path
from colligate._text import join_words
from colligate.cli import options as o
from colligate.cli.console import escape_control, print_json, print_message, watch_run
from colligate.cli.output import refuse_existing
from colligate.errors import InputError, KnowledgeWarning, Parameter, StoreError

if TYPE_CHECKING:
    from collections.abc import Container, Mapping, Sequence

    from colligate.corpus import Corpus
    from colligate.network import Network
    from colligate.result import Result


HEADER = ("id", "cluster", "name", "confidence")
OutFile = Annotated[
    Path | None,
    typer.Option(
        "--out",
        "-o",
        help="The CSV file to write; by default the table goes to stdout.",
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
    """Assign the documents of INPUT to the groups of RUN.

    A document without any known word or mention is in no group; its cluster is -1.
    """
    from colligate.cli.inputs import read_later_documents

    if out is not None:
        out = expand_path(out)
        _refuse_out(out, {"INPUT": input, "RUN": run, "--mentions": mentions}, overwrite)
    with watch_run(context) as watch:
        result, corpus = read_later_documents(run, input, watch, text=text or None, id=id, encoding=encoding)
        rows = predict_rows(result, corpus.ids, add_mentions(result, corpus, mentions, unknown.value))
        if out is not None:
            from colligate.result.tables import write_csv

            write_csv(out, [HEADER, *rows])
    if json:
        print_json(_summarise(rows, out, watch.messages))
    elif out is None:
        _print_rows([HEADER, *rows])
    else:
        print_message("written", f"{len(rows):,} documents to {out}")


def _refuse_out(out: Path, inputs: Mapping[str, Path | None], overwrite: bool) -> None:
    """Refuse to overwrite inputs, folders, or (without --overwrite) any file."""
    if not out.exists():
        return
    real = out.resolve()
    if not real.is_file():
        raise StoreError(f"{out} is not a file; --out needs a file")
    for name, place in ((name, expand_path(path)) for name, path in inputs.items() if path is not None):
        if place.exists() and (place.resolve() in (real, *real.parents) or place.samefile(real)):
            raise StoreError(
                f"{out} is not replaced, because it belongs to {name} ({place}); choose another --out"
            )
    refuse_existing(out, overwrite=overwrite)


def predict_rows(result: Result, ids: Sequence[str], new: Corpus | Network) -> list[tuple[Any, ...]]:
    """Return id, group, group name and confidence of every document."""
    from colligate.result.groups import measure_confidence

    labels, memberships = result.predict(new), result.predict_memberships(new)
    sure = measure_confidence(labels, memberships)
    return [
        (id, number, result.group_names[label] if label >= 0 else "", round(share, 6))
        for id, label, number, share in zip(
            ids, labels.tolist(), result.numbers_of(labels).tolist(), sure.tolist(), strict=True
        )
    ]


def _print_rows(rows: list[tuple[Any, ...]]) -> None:
    # Escape control codes for a terminal only; files and programs get ids and names unchanged.
    from colligate.result.tables import escape_formula

    shown = escape_control if sys.stdout.isatty() else str
    csv.writer(sys.stdout, lineterminator="\n").writerows(
        [shown(str(escape_formula(cell))) for cell in row] for row in rows
    )


def _summarise(rows: list[tuple[Any, ...]], out: Path | None, warnings: list[str]) -> dict[str, Any]:
    where: dict[str, Any] = {
        "documents": len(rows),
        "out": None if out is None else str(out),
        "warnings": warnings,
    }
    if out is None:
        where["predictions"] = [dict(zip(HEADER, row, strict=True)) for row in rows]
    return where


def add_mentions(result: Result, corpus: Corpus, mentions: Path | None, unknown: str) -> Corpus | Network:
    """Add the mentions of the documents; print a note if they lack a type that the run uses."""
    new = None if mentions is None else _read_mentions(result, corpus, mentions, unknown)
    if lacking := find_missing_types(result, () if new is None else new.types):
        why = "--mentions is not set" if new is None else f"{mentions} has none"
        print_message(
            "note",
            f"the run used {join_words(lacking)} too, but {why}; the new {result.centre} are grouped "
            f"without {join_words(lacking)}",
        )
    return corpus if new is None else new


def _read_mentions(result: Result, corpus: Corpus, mentions: Path, unknown: str) -> Network:
    """Read the mentions whose type the run knows."""
    from colligate.network import DOCUMENTS, WORDS, Network

    new = Network.from_tables(corpus, expand_path(mentions), unknown=unknown)
    known_types = {DOCUMENTS, WORDS, *(part.other for part in result.neighbourhood.parts)}
    unknown_types = [type_name for type_name in new.types if type_name not in known_types]
    if not unknown_types:
        return new
    problem = f"{mentions} contains the types {join_words(unknown_types)}, which the run does not have"
    if unknown == "error":
        raise InputError(
            f"{problem}; remove the rows of these types, or ignore them with ", Parameter("unknown", "report")
        )
    warnings.warn(f"{problem}; the rows of these types are ignored", KnowledgeWarning, stacklevel=2)
    relations = [relation for relation in new.relations if {relation.rows, relation.columns} <= known_types]
    return Network(
        {type_name: objects for type_name, objects in new.types.items() if type_name in known_types},
        tuple(relations),
    )


def find_missing_types(result: Result, known: Container[str]) -> list[str]:
    """List the types that the run uses besides documents and words, and that new documents lack."""
    return [
        type_name
        for type_name in dict.fromkeys(part.other for part in result.neighbourhood.parts)
        if type_name not in (result.centre, result.terms) and type_name not in known
    ]
