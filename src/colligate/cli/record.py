"""The record of a run: run.json, and what `--json` prints."""

from __future__ import annotations

from collections.abc import Mapping
from enum import Enum
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from colligate.cli.judging import link_satisfaction
from colligate.cli.output import FORMAT
from colligate.result.tables import TOP_WORDS, cluster_rows

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from colligate.cli.watch import Watch
    from colligate.result import Result

VERSION = 1


def run_record(result: Result, command: str, options: Mapping[str, Any], watch: Watch) -> dict[str, Any]:
    """Everything worth keeping about a run beside its tables, in JSON's terms."""
    labels = result.labels[result.centre]
    return {
        "format": FORMAT,
        "format_version": VERSION,
        "command": command,
        "options": {name: _plain(value) for name, value in sorted(options.items())},
        "method": result.method,
        "parameters": dict(result.parameters),
        "seed": result.seed,
        "versions": dict(result.versions),
        "source": None if result.corpus is None else result.corpus.source,
        "centre": result.centre,
        "terms": result.terms,
        "sizes": {
            **{kind: len(found) for kind, found in result.network.types.items()},
            "in_no_group": int(np.sum(labels < 0)),
            "groups": {kind: result.n_groups(kind) for kind in result.labels},
        },
        "groups": groups(result),
        "metrics": {
            "coherence": _mean(result.coherence(TOP_WORDS)),
            "link_satisfaction": link_satisfaction(result),
            "stability": None if result.stability is None else _mean(result.stability),
        },
        "knowledge": _knowledge(result),
        "changes": _changes(result),
        "trace": {
            "history": list(result.history),
            "sweeps": result.n_iter,
            "converged": bool(result.converged),
            "restarts": list(result.restarts),
            "chosen": result.chosen,
        },
        "warnings": watch.messages,
        "timings": dict(watch.timings),
    }


def groups(result: Result) -> list[dict[str, Any]]:
    """One entry per group of documents, as in clusters.csv, with the top words (or other terms) as a list."""
    header, *rows = cluster_rows(result)
    found = [dict(zip(header, row, strict=True)) for row in rows]
    for entry, words in zip(found, result.top_words(TOP_WORDS), strict=True):
        entry[f"top_{result.terms}"] = [word for word, _ in words]
        entry["coherence"] = None if entry["coherence"] == "" else entry["coherence"]
    return found


def _mean(values: NDArray[Any]) -> float | None:
    """Of those that are told; None if none is."""
    return None if np.isnan(values).all() else float(np.nanmean(values))


def _knowledge(result: Result) -> dict[str, Any] | None:
    if result.compiled is None:
        return None
    audit = result.audit()
    return {
        "statements": len(audit),
        **audit.counts(),
        "doubtful": audit.doubtful,
        "by_kind": audit.by_kind(),
    }


def _changes(result: Result) -> dict[str, Any] | None:
    changes = result.changes()
    if changes is None:
        return None
    return {
        "moved": int(changes.moved.sum()),
        "total": changes.moved.size,
        "agreement_nmi": changes.agreement,
    }


def _plain(value: Any) -> Any:
    if isinstance(value, Enum):
        return value.value
    if isinstance(value, Path):
        return str(value)
    return [_plain(item) for item in value] if isinstance(value, list | tuple) else value
