"""`colligate evaluate`: compare a finished run with known labels."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import numpy as np
import typer

from colligate._text import list_first
from colligate.cli import options as o
from colligate.cli.console import (
    SETS,
    describe_links,
    make_metrics_table,
    print_json,
    print_result,
    watch_run,
)
from colligate.errors import CorpusError, Parameter
from colligate.network import DOCUMENTS
from colligate.result import metrics
from colligate.result.groups import find_labels

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
        "--label", help="The column of labels; empty labels are skipped.", rich_help_panel=o.READING
    ),
]
TypeName = Annotated[
    str | None,
    typer.Option("--type", help="The type of the labelled objects; by default documents."),
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

    Each metric is computed for all labelled documents and, if there was knowledge, for documents without
    statements, whose groups the knowledge does not give. With --type, objects of another type are compared.
    """
    from colligate.cli.inputs import load_run, read_labels

    with watch_run(context) as watch:
        result = load_run(run)
        evaluation = evaluate_result(result, read_labels(labels, label, id, encoding, watch.listener), type)
    evaluation |= {"link_satisfaction": measure_links(result), "warnings": watch.messages}
    print_json(evaluation) if json else _print_evaluation(evaluation)


def _print_evaluation(evaluation: dict[str, Any]) -> None:
    print_result(f"{evaluation['matched']:,} of {evaluation['objects']:,} {evaluation['type']} have a label.")
    # Without knowledge no object is named, and both sets are the same.
    sets = ("all",) if evaluation["unnamed"] == evaluation["matched"] else tuple(SETS)
    rows = []
    for run, suffix in (("result", ""), ("without_knowledge", ", run without knowledge")):
        scores = evaluation.get(run, {})
        rows += [
            (SETS[name].format(evaluation["type"]) + suffix, scores[name]) for name in sets if name in scores
        ]
    print_result(make_metrics_table(rows))
    if line := describe_links(evaluation["link_satisfaction"]):
        print_result(line)


def evaluate_result(
    result: Result, truth_by_id: Mapping[str, str], type_name: str | None = None
) -> dict[str, Any]:
    """Measure the result, and the run without knowledge if there is one, on all and on unnamed objects."""
    type_name = type_name or result.centre
    labels = find_labels(result, type_name)
    truth, labelled = _align_labels(result, truth_by_id, type_name)
    sets = {"all": labelled, "unnamed": labelled & ~_find_named(result, type_name)}
    evaluation: dict[str, Any] = {
        "matched": int(labelled.sum()),
        "type": type_name,
        "objects": labelled.size,
        **({DOCUMENTS: labelled.size} if type_name == DOCUMENTS else {}),
        "unnamed": int(sets["unnamed"].sum()),
        "result": _measure(truth, labels, sets),
    }
    if result.before is not None and type_name in result.before:
        evaluation["without_knowledge"] = _measure(truth, result.before[type_name], sets)
    return evaluation


def measure_links(result: Result) -> dict[str, dict[str, float]]:
    """Return the share of links that hold, for each grouped type."""
    by_type = {type_name: result.link_satisfaction(type_name) for type_name in result.labels}
    return {type_name: shares for type_name, shares in by_type.items() if shares}


def _measure(truth: Any, labels: Any, sets: Mapping[str, Any]) -> dict[str, dict[str, float]]:
    return {name: metrics.evaluate(truth, labels, mask) for name, mask in sets.items() if mask.any()}


def _align_labels(
    result: Result, truth_by_id: Mapping[str, str], type_name: str
) -> tuple[NDArray[np.int64], NDArray[np.bool_]]:
    """Number the labels in the order of the objects, and mark the objects that have one."""
    names = result.network.types[type_name].names
    ids = [str(name) for name in names]
    if strangers := sorted(truth_by_id.keys() - set(ids)):
        raise CorpusError(
            f"{len(strangers):,} of {len(truth_by_id):,} ids in the table of labels do not exist among "
            f"the {type_name} of the run: {list_first(strangers, SHOWN, repr)}; use a table for the "
            f"{type_name} of this run, or name the id column with ",
            Parameter("id", ...),
        )
    if not truth_by_id:
        raise CorpusError("no row of the table has a label; name the column of labels with --label")
    codes = {label: code for code, label in enumerate(sorted(set(truth_by_id.values())))}
    truth = np.array([codes[truth_by_id[id]] if id in truth_by_id else -1 for id in ids], dtype=np.int64)
    return truth, truth >= 0


def _find_named(result: Result, type_name: str) -> NDArray[np.bool_]:
    """Mark the objects of a type that any statement names."""
    named = np.zeros(len(result.network.types[type_name]), dtype=bool)
    compiled = result.compiled
    if compiled is None:
        return named
    for first, block in compiled.statements.placed():
        if block.type == type_name:
            rows = slice(first, first + len(block))
            for index in (compiled.subject_index[rows], compiled.object_index[rows]):
                named[index[index >= 0]] = True
    return named
