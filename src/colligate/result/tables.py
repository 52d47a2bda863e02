"""The tables of a result: documents, clusters, words, knowledge, and more for a network; files of CSV.

A network of several relations also has a table for each further type, relations and contributions. Where the
centre is not documents, its table is named after its type. Texts may come from strangers, and spreadsheets
run formulas, so no cell of a CSV file may start like a formula. `table_files` writes Excel and Parquet too.
"""

from __future__ import annotations

import csv
import re
import unicodedata
from contextlib import ExitStack
from datetime import date
from typing import TYPE_CHECKING, Any

import numpy as np

from colligate._array import mutual_information
from colligate._storage.atomic import write_file
from colligate.corpus import Texts
from colligate.network import DOCUMENTS, WORDS
from colligate.result.association import share_information
from colligate.result.groups import (
    average_confidence,
    find_runner_up,
    find_type,
    measure_confidence,
    name_object,
)

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping
    from pathlib import Path

    from numpy.typing import NDArray

    from colligate.result.result import Result


TOP_WORDS = 12
CSV_BATCH_ROWS = 1024


OBJECT_HEADER = (
    "name",
    "cluster",
    "cluster_name",
    "confidence",
    "runner_up",
    "count",
    "typical_group",
    "typical_name",
    "score",
)
RESERVED = (DOCUMENTS, WORDS, "clusters", "knowledge", "relations", "contributions")
DEVICES = ("con", "prn", "aux", "nul", *(f"{port}{n}" for port in ("com", "lpt") for n in range(10)))
MAX_SLUG = 40
NAMELESS = "type"
Row = tuple[Any, ...]
# The last four are full-width forms, which spreadsheets treat like the ASCII ones.
FORMULA_STARTS = ("=", "+", "-", "@", "\t", "\r", "\n", "＝", "＋", "－", "＠")
NUMBER = re.compile(r"[+-]?[0-9]+(\.[0-9]+)?([eE][+-]?[0-9]+)?")


def make_tables(result: Result) -> dict[str, Any]:
    """Make every table by its name: rows, header first, or a `pyarrow.Table`; no audit without knowledge."""
    names = name_tables(result.network.types)
    tables: dict[str, Any] = {
        names[result.centre]: documents_table(result),
        "clusters": make_cluster_rows(result),
    }
    for kind in result.network.types:
        if kind != result.centre:
            described = kind == result.terms == WORDS
            tables[names[kind]] = make_word_rows(result) if described else make_object_rows(result, kind)
    if len(result.network.relations) > 1:
        tables |= {
            "relations": make_relation_rows(result),
            "contributions": make_contribution_rows(result),
        }
    if result.compiled is not None:
        tables["knowledge"] = result.audit().rows()
    return tables


def documents_table(result: Result, text: bool = True, columns: bool = True) -> Any:
    """Return a `pyarrow.Table` with a row per document of the centre.

    First the id and what the run computed, then `stated` (whether the user labelled the document or put it
    outside), and with `columns` its title and the input's columns; with `text` its text last. An input
    column with the name of another column is called `input_` and its name.
    """
    import pyarrow as pa

    names = result.network.types[result.centre].names
    labels, runner_up = result.labels[result.centre], result.runner_up
    groups = pa.array((*result.group_names, None), pa.large_string())
    table = {
        "id": pa.array([str(name) for name in names], pa.large_string()),
        "cluster": pa.array(result.numbers_of(labels), pa.int32()),
        "name": groups.take(pa.array(np.where(labels >= 0, labels, len(groups) - 1))),
        "confidence": pa.array(np.round(result.confidence.astype(np.float64), 6)),
        "runner_up": pa.array(result.numbers_of(runner_up), pa.int32(), mask=runner_up < 0),
    }
    if result.stability is not None:
        shares = np.round(result.stability.astype(np.float64), 4)
        table["stability"] = pa.array(shares, mask=np.isnan(shares))
    if (moved := list_former_groups(result)) is not None:
        table["moved_from"] = pa.array([name or None for name in moved], pa.large_string())
    table[f"{result.terms}_counted"] = _make_count_column(result.counts.sum(axis=1, dtype=np.float64))
    table["stated"] = pa.array(find_stated(result))
    corpus = result.corpus
    if columns and corpus is not None:
        title = corpus.title_column
        if title is not None:
            table["title"] = title.cast(pa.large_string())
        others = [name for name in corpus.columns if name != corpus.roles.title]
        labelled = _avoid_names(others, (*table, "title", "text"))
        table |= {label: corpus.columns[name] for name, label in zip(others, labelled, strict=True)}
    if text and corpus is not None and corpus.texts is not None:
        table["text"] = Texts.of(corpus.texts).column
    return pa.table(table)


def find_stated(result: Result) -> NDArray[np.bool_]:
    """Tell which documents the user labelled or put outside; exemplars of a group do not count."""
    stated = np.zeros(len(result.network.types[result.centre]), dtype=bool)
    guidance = None if result.compiled is None else result.compiled.guidance.get(result.centre)
    if result.compiled is None or guidance is None:
        return stated
    if guidance.outsiders is not None:
        stated[guidance.outsiders] = True
    if guidance.label_statements is not None:
        labelled = guidance.label_statements >= 0
        exemplar = result.compiled.statements.exemplar
        stated[labelled] |= ~exemplar[guidance.label_statements[labelled]]
    return stated


def _make_count_column(counts: Any) -> Any:
    """Return sums of counts as whole numbers where all of them are."""
    import pyarrow as pa

    numbers = np.asarray(counts, dtype=np.float64)
    if (numbers == np.floor(numbers)).all():
        return pa.array(numbers.astype(np.int64))
    return pa.array([float(f"{value:g}") for value in numbers.tolist()])


def _avoid_names(names: Iterable[str], used: Iterable[str]) -> list[str]:
    """Put `input_` before names that are used; tables of other programs take no notice of case."""
    taken = {name.casefold() for name in used}
    labels = []
    for name in names:
        label = name
        while label.casefold() in taken:
            label = f"input_{label}"
        taken.add(label.casefold())
        labels.append(label)
    return labels


def make_table_rows(table: Any) -> Iterator[Row]:
    """Yield the header and the rows of a `pyarrow.Table` as cells of a CSV file."""
    yield tuple(table.column_names)
    for batch in table.to_batches(max_chunksize=CSV_BATCH_ROWS):
        columns = [column.to_pylist() for column in batch.columns]
        yield from (tuple(map(_format_cell, row)) for row in zip(*columns, strict=True))


def _format_cell(value: Any) -> Any:
    if value is None:
        return ""
    if isinstance(value, bool):
        return "true" if value else "false"
    return value.isoformat() if isinstance(value, date) else value


def make_cluster_rows(result: Result) -> Iterator[Row]:
    """Yield a row per group of documents, with its top objects of every type."""
    labels, count = result.labels[result.centre], result.n_groups()
    sizes = np.bincount(labels[labels >= 0], minlength=count)
    sure = average_confidence(labels, count, result.confidence)
    coherence, tops = (
        result.coherence(TOP_WORDS),
        {kind: _join_top_names(result, kind) for kind in list_describing_types(result)},
    )
    yield ("cluster", "name", "size", "share", "confidence", "coherence", *(f"top_{kind}" for kind in tops))
    for k, number in enumerate(result.group_numbers):
        yield (
            number,
            result.group_names[k],
            int(sizes[k]),
            round(float(sizes[k] / max(labels.size, 1)), 6),
            round(float(sure[k]), 6),
            "" if np.isnan(coherence[k]) else round(float(coherence[k]), 6),
            *(top[k] for top in tops.values()),
        )


def list_describing_types(result: Result) -> list[str]:
    """List the types that describe the groups of the centre: its terms first."""
    return [
        result.terms,
        *(kind for kind in result.network.types if kind not in (result.terms, result.centre)),
    ]


def _join_top_names(result: Result, kind: str) -> list[str]:
    between = " " if kind == WORDS else "; "
    return [between.join(name for name, _ in top) for top in result.top_objects(kind, TOP_WORDS)]


def make_word_rows(result: Result) -> Iterator[Row]:
    """Yield a row per word: its group (if any), its count, and the group it is most typical of."""
    names, groups = result.network.types[WORDS].names, result.group_names
    labels = result.labels.get(WORDS)
    totals = np.asarray(result.counts.sum(axis=0, dtype=np.float64)).tolist()
    typical, scores = result.object_tables[WORDS].typical
    yield ("word", "cluster", "count", "typical_group", "typical_name", "score")
    for position, (group, score) in enumerate(zip(typical.tolist(), scores.tolist(), strict=True)):
        yield (
            name_object(names, WORDS, position),
            "" if labels is None or labels[position] < 0 else int(labels[position]),
            format_number(totals[position]),
            result.group_numbers[group] if group >= 0 else "",
            groups[group] if group >= 0 else "",
            f"{score:.6g}",
        )


def list_former_groups(result: Result) -> list[str] | None:
    """Name the former group of each document that moved; None without a run without knowledge."""
    changes = result.changes()
    if changes is None or result.before is None:
        return None
    names = (*result.names_before, "no group")
    before = result.before[result.centre].tolist()
    return [names[old] if moved else "" for old, moved in zip(before, changes.moved.tolist(), strict=True)]


def make_object_rows(result: Result, kind: str) -> Iterator[Row]:
    """Yield a row per object of a type: its group (if any), its count, its most typical group."""
    names, group_names, centre = find_type(result, kind).names, result.names_of(kind), result.group_names
    yield OBJECT_HEADER
    columns = zip(
        *_list_places(result, kind), count_objects(result, kind), *_list_typical(result, kind), strict=True
    )
    for position, (label, sure, rival, total, group, score) in enumerate(columns):
        yield (
            name_object(names, kind, position),
            label if label >= 0 else "",
            group_names[label] if label >= 0 else "",
            round(sure, 6) if label >= 0 else "",
            rival if rival >= 0 else "",
            format_number(total),
            result.group_numbers[group] if group >= 0 else "",
            centre[group] if group >= 0 else "",
            f"{score:.6g}",
        )


def make_relation_rows(result: Result) -> Iterator[Row]:
    """Yield a row per relation; `share` is its part of the weighted information that the groups keep."""
    contributions = {part.relation: part for part in result.contributions()}
    shares = share_information(tuple(contributions.values()))
    yield (
        "relation",
        "rows",
        "columns",
        "entries",
        "weight",
        "information_before",
        "information_after",
        "share",
    )
    for relation in result.network.relations:
        part = contributions.get(relation.name)
        before = mutual_information(relation.matrix) if part is None else part.before
        after = ("", "") if part is None else (part.after, shares[relation.name])
        yield (
            relation.name,
            relation.rows,
            relation.columns,
            relation.matrix.nnz,
            *(_format_float(value) for value in (relation.effective_weight, before, *after)),
        )


def make_contribution_rows(result: Result) -> Iterator[Row]:
    """Yield a row per relation and group of its types: its contribution in nats and as a share."""
    yield ("relation", "type", "cluster", "name", "contribution", "share")
    for part in result.contributions():
        for kind, values in part.by_group.items():
            columns = zip(result.names_of(kind), values.tolist(), part.share[kind].tolist(), strict=True)
            numbers = result.group_numbers if kind == result.centre else range(result.n_groups(kind))
            for cluster, (name, value, share) in zip(numbers, columns, strict=True):
                yield (part.relation, kind, cluster, name, _format_float(value), _format_float(share))


def count_objects(result: Result, kind: str) -> list[float]:
    """Count how often each object of a type occurs, over all its relations."""
    totals = np.zeros(len(result.network.types[kind]))
    for relation in result.network.relations:
        for side, axis in ((relation.rows, 1), (relation.columns, 0)):
            if side == kind:
                totals += np.asarray(relation.matrix.sum(axis=axis, dtype=np.float64))
    return [float(total) for total in totals]


def format_number(value: float) -> str | int:
    """Format a count: whole numbers without decimals."""
    return f"{value:g}" if value % 1 else int(value)


def _list_places(result: Result, kind: str) -> tuple[list[int], list[float], list[int]]:
    """Return group, confidence and second-best group of each object."""
    none = np.full(len(result.network.types[kind]), -1, dtype=np.int32)
    labels = result.labels.get(kind, none)
    if kind not in result.memberships:
        return labels.tolist(), np.ones(none.size).tolist(), none.tolist()
    memberships = result.memberships[kind]
    return (
        labels.tolist(),
        measure_confidence(labels, memberships).tolist(),
        find_runner_up(labels, memberships).tolist(),
    )


def _list_typical(result: Result, kind: str) -> tuple[list[int], list[float]]:
    if kind not in result.object_tables:
        size = len(result.network.types[kind])
        return [-1] * size, [0.0] * size
    group, score = result.object_tables[kind].typical
    return group.tolist(), score.tolist()


def _format_float(value: Any) -> str:
    return value if isinstance(value, str) else f"{value:.6g}"


def name_tables(kinds: Iterable[str]) -> dict[str, str]:
    """Name the table of each type: documents, words, or the type's name as a slug.

    A number is added where the name, in any case, is that of another table or of a Windows device.
    """
    used, names = {*RESERVED, *DEVICES}, {}
    for kind in kinds:
        name = kind if kind in (DOCUMENTS, WORDS) else _find_unused(make_slug(kind), used)
        used.add(name.casefold())
        names[kind] = name
    return names


def make_slug(kind: str) -> str:
    """Return the letters and digits of a name, joined by hyphens."""
    plain = unicodedata.normalize("NFKC", kind)
    return re.sub(r"[\W_]+", "-", plain)[:MAX_SLUG].strip("-") or NAMELESS


def _find_unused(name: str, used: set[str]) -> str:
    number, candidate = 2, name
    while candidate.casefold() in used:
        candidate, number = f"{name}-{number}", number + 1
    return candidate


def write_csv(path: Path, rows: Iterable[Row]) -> None:
    """Write rows as UTF-8 CSV without formulas; characters that UTF-8 lacks get backslash escapes."""
    write_csv_files({path: rows})


def write_csv_files(tables: Mapping[Path, Iterable[Row]]) -> None:
    """Write several tables, all or none."""
    with ExitStack() as complete:
        for path, rows in tables.items():
            _write_rows(complete.enter_context(write_file(path)), rows)


def escape_formula(cell: Any) -> Any:
    """Put a quote before text that a spreadsheet would run as a formula; numbers stay as they are."""
    if isinstance(cell, str) and cell.startswith(FORMULA_STARTS) and not NUMBER.fullmatch(cell):
        return f"'{cell}"
    return cell


def _write_rows(path: Path, rows: Iterable[Row]) -> None:
    with path.open("w", encoding="utf-8", errors="backslashreplace", newline="") as stream:
        csv.writer(stream).writerows(map(escape_formula, row) for row in rows)
