"""The tables a run leaves behind: documents.csv, clusters.csv, words.csv and knowledge.csv.

Whatever is text in them may come from somebody else's documents, and the tables are opened in spreadsheets.
"""

from __future__ import annotations

import csv
import re
from contextlib import ExitStack
from typing import TYPE_CHECKING, Any

import numpy as np

from colligate.files import writing_file
from colligate.result.confidence import group_confidence
from colligate.result.group_words import typical_group
from colligate.result.naming import object_name

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator
    from pathlib import Path

    from colligate.result.result import Result

Row = tuple[Any, ...]
TOP_WORDS = 12
# the last four are as wide as East Asian characters, and taken for the same
FORMULA = ("=", "+", "-", "@", "\t", "\r", "\n", "＝", "＋", "－", "＠")
NUMBER = re.compile(r"[+-]?[0-9]+(\.[0-9]+)?([eE][+-]?[0-9]+)?")


def write_tables(result: Result, folder: Path) -> list[Path]:
    """Write every table the result has, all or none; knowledge.csv only where there was knowledge."""
    contents = {
        "documents.csv": document_rows(result),
        "clusters.csv": cluster_rows(result),
        "words.csv": word_rows(result),
    }
    if result.compiled is not None:
        contents["knowledge.csv"] = result.audit().rows()
    with ExitStack() as complete:
        for name, rows in contents.items():
            _write_rows(complete.enter_context(writing_file(folder / name)), rows)
    return [folder / name for name in contents]


def write_csv(path: Path, rows: Iterable[Row]) -> None:
    """Write rows as UTF-8 CSV, harmless; text that UTF-8 cannot hold is written with backslashes."""
    with writing_file(path) as temporary:
        _write_rows(temporary, rows)


def _write_rows(path: Path, rows: Iterable[Row]) -> None:
    with path.open("w", encoding="utf-8", errors="backslashreplace", newline="") as stream:
        csv.writer(stream).writerows(map(harmless, row) for row in rows)


def harmless(cell: Any) -> Any:
    """The cell as a CSV file has it: text that a spreadsheet would take for a formula gets a quote first.

    A number stays as it is.
    """
    if isinstance(cell, str) and cell.startswith(FORMULA) and not NUMBER.fullmatch(cell):
        return f"'{cell}"
    return cell


def document_rows(result: Result) -> Iterator[Row]:
    """One row per document; `moved_from` is the group it would be in without the knowledge."""
    names, groups = result.network.types["documents"].names, result.group_names
    labels, sure, second = result.labels["documents"], result.confidence, result.runner_up
    counted = np.asarray(result.counts.sum(axis=1, dtype=np.float64))
    moved = moved_from(result)
    header = ("id", "cluster", "name", "confidence", "runner_up")
    yield (*header, *(() if moved is None else ("moved_from",)), "words_counted")
    columns = zip(labels.tolist(), sure.tolist(), second.tolist(), counted.tolist(), strict=True)
    for position, (label, confidence, rival, words) in enumerate(columns):
        yield (
            names[position],
            label,
            groups[label] if label >= 0 else "",
            round(confidence, 6),
            rival if rival >= 0 else "",
            *(() if moved is None else (moved[position],)),
            f"{words:g}" if words % 1 else int(words),
        )


def cluster_rows(result: Result) -> Iterator[Row]:
    """One row per group of documents."""
    labels, count = result.labels["documents"], result.n_groups()
    sizes = np.bincount(labels[labels >= 0], minlength=count)
    sure = group_confidence(labels, count, result.confidence)
    coherence, words = result.coherence(TOP_WORDS), result.top_words(TOP_WORDS)
    yield ("cluster", "name", "size", "share", "confidence", "coherence", "top_words")
    for number in range(count):
        yield (
            number,
            result.group_names[number],
            int(sizes[number]),
            round(float(sizes[number] / max(labels.size, 1)), 6),
            round(float(sure[number]), 6),
            "" if np.isnan(coherence[number]) else round(float(coherence[number]), 6),
            " ".join(word for word, _ in words[number]),
        )


def word_rows(result: Result) -> Iterator[Row]:
    """One row per word: its group of words (if any), its count, and the group it is most typical of."""
    names, groups = result.network.types["words"].names, result.group_names
    labels = result.labels.get("words")
    totals = np.asarray(result.counts.sum(axis=0, dtype=np.float64)).tolist()
    typical, scores = typical_group(result.word_scores)
    yield ("word", "cluster", "count", "typical_group", "typical_name", "score")
    for position, (group, score) in enumerate(zip(typical.tolist(), scores.tolist(), strict=True)):
        yield (
            object_name(names, "words", position),
            "" if labels is None or labels[position] < 0 else int(labels[position]),
            f"{totals[position]:g}" if totals[position] % 1 else int(totals[position]),
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
    before = result.before["documents"].tolist()
    return [names[old] if moved else "" for old, moved in zip(before, changes.moved.tolist(), strict=True)]
