"""The tables a run leaves behind: documents.csv, clusters.csv, words.csv, knowledge.csv, and a network's.

A network of more than one relation also has a table for each further type, relations.csv and
contributions.csv. Where the centre is another type than documents, its table is called by that type.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from colligate.network import WORDS
from colligate.result.confidence import group_confidence
from colligate.result.csv_files import write_all
from colligate.result.naming import object_name
from colligate.result.object_tables import contribution_rows, number, object_rows, relation_rows
from colligate.result.table_names import table_names

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator
    from pathlib import Path

    from colligate.result.csv_files import Row
    from colligate.result.result import Result

TOP_WORDS = 12


def write_tables(result: Result, folder: Path) -> list[Path]:
    """Write every table the result has, all or none; knowledge.csv only where there was knowledge."""
    files = table_names(result.network.types)
    contents: dict[str, Iterable[Row]] = {
        files[result.centre]: document_rows(result),
        "clusters.csv": cluster_rows(result),
    }
    for kind in result.network.types:
        if kind != result.centre:
            described = kind == result.terms == WORDS
            contents[files[kind]] = word_rows(result) if described else object_rows(result, kind)
    if len(result.network.relations) > 1:
        contents |= {"relations.csv": relation_rows(result), "contributions.csv": contribution_rows(result)}
    if result.compiled is not None:
        contents["knowledge.csv"] = result.audit().rows()
    write_all({folder / name: rows for name, rows in contents.items()})
    return [folder / name for name in contents]


def document_rows(result: Result) -> Iterator[Row]:
    """One row per document; `moved_from` is the group it would be in without the knowledge."""
    names, groups = result.network.types[result.centre].names, result.group_names
    labels, sure, second = result.labels[result.centre], result.confidence, result.runner_up
    counted = np.asarray(result.counts.sum(axis=1, dtype=np.float64))
    moved, stable = moved_from(result), result.stability
    header = ("id", "cluster", "name", "confidence", "runner_up")
    further = [name for name, told in (("stability", stable), ("moved_from", moved)) if told is not None]
    yield (*header, *further, f"{result.terms}_counted")
    columns = zip(labels.tolist(), sure.tolist(), second.tolist(), counted.tolist(), strict=True)
    for position, (label, sureness, rival, words) in enumerate(columns):
        yield (
            names[position],
            label,
            groups[label] if label >= 0 else "",
            round(sureness, 6),
            rival if rival >= 0 else "",
            *(() if stable is None else (_share(stable[position]),)),
            *(() if moved is None else (moved[position],)),
            number(words),
        )


def _share(value: float) -> float | str:
    return "" if np.isnan(value) else round(float(value), 4)


def cluster_rows(result: Result) -> Iterator[Row]:
    """One row per group of documents; of further types the names of its top objects, by semicolons."""
    labels, count = result.labels[result.centre], result.n_groups()
    sizes = np.bincount(labels[labels >= 0], minlength=count)
    sure = group_confidence(labels, count, result.confidence)
    coherence, tops = (
        result.coherence(TOP_WORDS),
        {kind: _tops(result, kind) for kind in described_by(result)},
    )
    yield ("cluster", "name", "size", "share", "confidence", "coherence", *(f"top_{kind}" for kind in tops))
    for at in range(count):
        yield (
            at,
            result.group_names[at],
            int(sizes[at]),
            round(float(sizes[at] / max(labels.size, 1)), 6),
            round(float(sure[at]), 6),
            "" if np.isnan(coherence[at]) else round(float(coherence[at]), 6),
            *(top[at] for top in tops.values()),
        )


def described_by(result: Result) -> list[str]:
    """The types whose objects tell the groups of the centre apart: its terms first, then the others."""
    return [
        result.terms,
        *(kind for kind in result.network.types if kind not in (result.terms, result.centre)),
    ]


def _tops(result: Result, kind: str) -> list[str]:
    between = " " if kind == WORDS else "; "
    return [between.join(name for name, _ in top) for top in result.top_objects(kind, TOP_WORDS)]


def word_rows(result: Result) -> Iterator[Row]:
    """One row per word: its group of words (if any), its count, and the group it is most typical of."""
    names, groups = result.network.types[WORDS].names, result.group_names
    labels = result.labels.get(WORDS)
    totals = np.asarray(result.counts.sum(axis=0, dtype=np.float64)).tolist()
    typical, scores = result.reach[WORDS].typical
    yield ("word", "cluster", "count", "typical_group", "typical_name", "score")
    for position, (group, score) in enumerate(zip(typical.tolist(), scores.tolist(), strict=True)):
        yield (
            object_name(names, WORDS, position),
            "" if labels is None or labels[position] < 0 else int(labels[position]),
            number(totals[position]),
            group if group >= 0 else "",
            groups[group] if group >= 0 else "",
            f"{score:.6g}",
        )


def moved_from(result: Result) -> list[str] | None:
    """For each document that moved, the name of the group it came from; None without a run before."""
    changes = result.changes()
    if changes is None or result.before is None:
        return None
    names = (*result.names_before, "no group")
    before = result.before[result.centre].tolist()
    return [names[old] if moved else "" for old, moved in zip(before, changes.moved.tolist(), strict=True)]
