"""Judging a result by known labels, on all labelled documents and on those that no knowledge names."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

import numpy as np

from colligate.errors import CorpusError
from colligate.network import DOCUMENTS
from colligate.result.metrics import evaluate

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from colligate.result import Result

SHOWN = 5


def judged(result: Result, known: Mapping[str, str]) -> dict[str, Any]:
    """Metrics of the result, and of the run without knowledge where it was made, each over both sets."""
    truth, labelled = _aligned(result, known)
    sets = {"all": labelled, "unnamed": labelled & ~_named(result)}
    found: dict[str, Any] = {
        "matched": int(labelled.sum()),
        "documents": labelled.size,
        "unnamed": int(sets["unnamed"].sum()),
        "result": _metrics(truth, result.labels[DOCUMENTS], sets),
    }
    if result.before is not None:
        found["without_knowledge"] = _metrics(truth, result.before[DOCUMENTS], sets)
    return found


def link_satisfaction(result: Result) -> dict[str, dict[str, float]]:
    """For each type that was grouped, the share of its links that hold."""
    found = {kind: result.link_satisfaction(kind) for kind in result.labels}
    return {kind: shares for kind, shares in found.items() if shares}


def _metrics(truth: Any, labels: Any, sets: Mapping[str, Any]) -> dict[str, dict[str, float]]:
    return {name: evaluate(truth, labels, mask) for name, mask in sets.items() if mask.any()}


def _aligned(result: Result, known: Mapping[str, str]) -> tuple[NDArray[np.int64], NDArray[np.bool_]]:
    """The labels as numbers in the order of the documents, and which documents have one."""
    names = result.network.types[DOCUMENTS].names
    ids = [str(name) for name in names]
    if strangers := sorted(known.keys() - set(ids)):
        more = f" and {len(strangers) - SHOWN:,} more" if len(strangers) > SHOWN else ""
        told = ", ".join(map(repr, strangers[:SHOWN]))
        raise CorpusError(
            f"{len(strangers):,} of {len(known):,} labelled ids are not in the run: {told}{more}; "
            "give the labels of the documents that were clustered, and the right column with id=..."
        )
    if not known:
        raise CorpusError("there is no label; the column of labels is empty")
    codes = {label: code for code, label in enumerate(sorted(set(known.values())))}
    truth = np.array([codes[known[id]] if id in known else -1 for id in ids], dtype=np.int64)
    return truth, truth >= 0


def _named(result: Result) -> NDArray[np.bool_]:
    """Which documents some statement of the knowledge names."""
    named = np.zeros(len(result.network.types[DOCUMENTS]), dtype=bool)
    compiled = result.compiled
    if compiled is None:
        return named
    for first, block in compiled.statements.placed():
        if block.type == DOCUMENTS:
            rows = slice(first, first + len(block))
            for index in (compiled.subject_index[rows], compiled.object_index[rows]):
                named[index[index >= 0]] = True
    return named
