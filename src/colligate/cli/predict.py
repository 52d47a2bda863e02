"""`colligate predict`: put new documents into the groups of a finished run.

New documents for the groups of a finished run: their words, and what they mention.
"""

from __future__ import annotations

import csv
import sys
import warnings
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from colligate._storage.atomic import expand_path
from colligate.cli import options as o
from colligate.cli.console import escape_control, print_json, print_message, watch_run
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
    from colligate.cli.inputs import load_run
    from colligate.corpus import Corpus

    if out is not None:
        out = expand_path(out)
        _refuse_out(out, {"INPUT": input, "RUN": run, "--mentions": mentions}, overwrite)
    with watch_run(context) as watch:
        result = load_run(run)
        refuse_uncountable(result, run)
        corpus = Corpus.read(
            input, text=text or None, id=id, encoding=encoding, like=result.corpus, listener=watch.listener
        )
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


def _refuse_out(out: Path, given: Mapping[str, Path | None], overwrite: bool) -> None:
    """Refuse to lose anything that is not the outcome of an earlier prediction, even if asked to."""
    if not out.exists():
        return
    real = out.resolve()
    if not real.is_file():
        raise StoreError(f"{out} is not a file; --out needs one")
    for name, place in ((name, expand_path(path)) for name, path in given.items() if path is not None):
        if place.exists() and (place.resolve() in (real, *real.parents) or place.samefile(real)):
            raise StoreError(f"{out} belongs to {name}, {place}; choose another --out")
    if not overwrite:
        raise StoreError(f"{out} exists already; add --overwrite to replace it, or choose another --out")


def predict_rows(result: Result, ids: Sequence[str], new: Corpus | Network) -> list[tuple[Any, ...]]:
    """Id, group, name of the group and confidence of every document."""
    from colligate.result.confidence import confidence

    labels, memberships = result.predict(new), result.predict_memberships(new)
    sure = confidence(labels, memberships)
    return [
        (id, label, result.group_names[label] if label >= 0 else "", round(share, 6))
        for id, label, share in zip(ids, labels.tolist(), sure.tolist(), strict=True)
    ]


def _print_rows(rows: list[tuple[Any, ...]]) -> None:
    # A terminal obeys control codes in ids and names; a file or another program gets them as they are.
    from colligate.result.tables import harmless

    shown = escape_control if sys.stdout.isatty() else str
    csv.writer(sys.stdout, lineterminator="\n").writerows(
        [shown(str(harmless(cell))) for cell in row] for row in rows
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
    """The documents with what they mention; a note names the types that the run knows and they lack."""
    new = None if mentions is None else _read_mentions(result, corpus, mentions, unknown)
    if lacking := find_missing_types(result, () if new is None else new.types):
        why = "without --mentions" if new is None else f"since {mentions} has none"
        print_message(
            "note",
            f"the run also knows its {result.centre} by their {_join_names(lacking)}; {why}, "
            "the new ones are placed by the rest alone",
        )
    return corpus if new is None else new


def _read_mentions(result: Result, corpus: Corpus, mentions: Path, unknown: str) -> Network:
    """The documents and what they mention of the types that the run knows."""
    from colligate.network import DOCUMENTS, WORDS, Network

    new = Network.from_tables(corpus, expand_path(mentions), unknown=unknown)
    known = {DOCUMENTS, WORDS, *(part.other for part in result.around.parts)}
    strange = [kind for kind in new.types if kind not in known]
    if not strange:
        return new
    told = f"{mentions} speaks of {_join_names(strange)}, which the run does not know"
    if unknown == "error":
        raise InputError(
            f"{told}; take them out of the table, or go on without them with ", Parameter("unknown", "report")
        )
    warnings.warn(f"{told}; they are left out", KnowledgeWarning, stacklevel=2)
    relations = [relation for relation in new.relations if {relation.rows, relation.columns} <= known]
    return Network({kind: own for kind, own in new.types.items() if kind in known}, tuple(relations))


def find_missing_types(result: Result, known: Container[str]) -> list[str]:
    """The further types that speak for the groups of the centre, and are not known of new objects of it."""
    return [
        kind
        for kind in dict.fromkeys(part.other for part in result.around.parts)
        if kind not in (result.centre, result.terms) and kind not in known
    ]


def refuse_uncountable(result: Result, run: Path) -> None:
    """Say what can be done on the command line where the words cannot be made again."""
    from colligate.network import WORDS

    if result.corpus is not None:
        why = result.corpus.analyser.unusable
    elif result.terms != WORDS:
        why = f"its {result.centre} are described by {result.terms}"
    else:
        named = not isinstance(result.network.types[WORDS].names, range)
        why = "" if named else "it was made from a matrix whose words have no names"
    if why:
        raise InputError(
            f"the words of new documents cannot be counted as those of {run} were: {why}. Put them into its "
            "groups in Python, where Result.load and Result.predict take what is needed, or make the run "
            "with `colligate cluster`"
        )


def _join_names(names: list[str]) -> str:
    return " and ".join(filter(None, [", ".join(names[:-1]), names[-1]]))
