"""`colligate evaluate`: hold a finished run against labels that are known.

Judging a result by known labels, on all labelled objects and on those that no knowledge names.
"""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import numpy as np
import typer

from colligate.cli import options as o
from colligate.cli.console import print_json, print_result, watch_run
from colligate.errors import CorpusError, Parameter
from colligate.network import DOCUMENTS
from colligate.result import metrics
from colligate.result.groups import labels_of

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from colligate.result import Result

LabelsFile = Annotated[
    Path,
    typer.Option(
        "--labels", help="A .csv, .tsv, .jsonl or .parquet file (also .gz, .zst) of ids and labels."
    ),
]
LabelColumn = Annotated[
    str,
    typer.Option(
        "--label", help="The column of labels; empty ones are not judged.", rich_help_panel=o.READING
    ),
]
TypeName = Annotated[
    str | None,
    typer.Option("--type", help="The type of the objects that have labels; as a rule documents."),
]

SHOWN = 5


def evaluate(
    context: typer.Context,
    run: o.RunFolder,
    labels: LabelsFile,
    id: o.IdColumn = None,
    label: LabelColumn = "label",
    type: TypeName = None,
    encoding: o.Encoding = None,
    json: o.AsJson = False,
) -> None:
    """Compare the groups of RUN with known labels: accuracy, NMI, ARI, Rand index, purity, and links kept.

    Everything is told twice: over all labelled documents, and over those that no statement of the knowledge
    names, because the others were given away. With --type, objects of another type are judged.
    """
    from colligate.cli.inputs import load_run, read_labels

    with watch_run(context) as watch:
        result = load_run(run)
        found = evaluate_result(result, read_labels(labels, label, id, encoding, watch.listener), type)
    found |= {"link_satisfaction": measure_links(result), "warnings": watch.messages}
    print_json(found) if json else _print_evaluation(found)


def _print_evaluation(found: dict[str, Any]) -> None:
    from colligate.cli.console import SETS, describe_links, make_metrics_table

    print_result(f"{found['matched']:,} of {found['objects']:,} {found['type']} have a label.")
    rows = [(SETS[name].format(found["type"]), metrics) for name, metrics in found["result"].items()]
    rows += [
        (f"{SETS[name].format(found['type'])}, run without knowledge", metrics)
        for name, metrics in found.get("without_knowledge", {}).items()
    ]
    print_result(make_metrics_table(rows))
    if line := describe_links(found["link_satisfaction"]):
        print_result(line)


def evaluate_result(result: Result, known: Mapping[str, str], kind: str | None = None) -> dict[str, Any]:
    """Metrics of the result, and of the run without knowledge where it was made, each over both sets."""
    kind = kind or result.centre
    labels = labels_of(result, kind)
    truth, labelled = _align_labels(result, known, kind)
    sets = {"all": labelled, "unnamed": labelled & ~_find_named(result, kind)}
    found: dict[str, Any] = {
        "matched": int(labelled.sum()),
        "type": kind,
        "objects": labelled.size,
        **({DOCUMENTS: labelled.size} if kind == DOCUMENTS else {}),
        "unnamed": int(sets["unnamed"].sum()),
        "result": _measure(truth, labels, sets),
    }
    if result.before is not None and kind in result.before:
        found["without_knowledge"] = _measure(truth, result.before[kind], sets)
    return found


def measure_links(result: Result) -> dict[str, dict[str, float]]:
    """For each type that was grouped, the share of its links that hold."""
    found = {kind: result.link_satisfaction(kind) for kind in result.labels}
    return {kind: shares for kind, shares in found.items() if shares}


def _measure(truth: Any, labels: Any, sets: Mapping[str, Any]) -> dict[str, dict[str, float]]:
    return {name: metrics.evaluate(truth, labels, mask) for name, mask in sets.items() if mask.any()}


def _align_labels(
    result: Result, known: Mapping[str, str], kind: str
) -> tuple[NDArray[np.int64], NDArray[np.bool_]]:
    """The labels as numbers in the order of the objects, and which objects have one."""
    names = result.network.types[kind].names
    ids = [str(name) for name in names]
    if strangers := sorted(known.keys() - set(ids)):
        more = f" and {len(strangers) - SHOWN:,} more" if len(strangers) > SHOWN else ""
        told = ", ".join(map(repr, strangers[:SHOWN]))
        raise CorpusError(
            f"{len(strangers):,} of {len(known):,} labelled ids are not in the run: {told}{more}; "
            f"give the labels of the {kind} that were clustered, and the right column with ",
            Parameter("id", ...),
        )
    if not known:
        raise CorpusError("there is no label; the column of labels is empty")
    codes = {label: code for code, label in enumerate(sorted(set(known.values())))}
    truth = np.array([codes[known[id]] if id in known else -1 for id in ids], dtype=np.int64)
    return truth, truth >= 0


def _find_named(result: Result, kind: str) -> NDArray[np.bool_]:
    """Which objects of a type some statement of the knowledge names."""
    named = np.zeros(len(result.network.types[kind]), dtype=bool)
    compiled = result.compiled
    if compiled is None:
        return named
    for first, block in compiled.statements.placed():
        if block.type == kind:
            rows = slice(first, first + len(block))
            for index in (compiled.subject_index[rows], compiled.object_index[rows]):
                named[index[index >= 0]] = True
    return named
