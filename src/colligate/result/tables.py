"""The tables of a result, in Arrow: documents, clusters, words, knowledge, and more for a network.

Frames (`frame.py`), CSV, Excel and Parquet (`table_files.py`) all show these tables.
A network of several relations also has a table for each further type, relations and contributions. Where the
centre is not documents, its table is named after its type. Texts may come from strangers, and spreadsheets
run formulas, so no cell of a CSV file may start like a formula.
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
    name_groups_by_words,
    name_object,
)

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence
    from pathlib import Path

    from numpy.typing import NDArray

    from colligate.result.result import Result


TOP_WORDS = 12
CSV_BATCH_ROWS = 1024


# the metadata of a column: how many digits a CSV file shows
DIGITS = b"digits"
# "groups" and "about" are sheets of a workbook
RESERVED = (DOCUMENTS, WORDS, "clusters", "groups", "knowledge", "relations", "contributions", "about")
DEVICES = ("con", "prn", "aux", "nul", *(f"{port}{n}" for port in ("com", "lpt") for n in range(10)))
MAX_SLUG = 40
NAMELESS = "type"
Row = tuple[Any, ...]
# The last four are full-width forms, which spreadsheets treat like the ASCII ones.
FORMULA_STARTS = frozenset("=+-@\t\r\n＝＋－＠")
NUMBER = re.compile(r"[+-]?[0-9]+(\.[0-9]+)?([eE][+-]?[0-9]+)?")


def make_tables(result: Result) -> dict[str, Any]:
    """Make every table by its name, as a `pyarrow.Table`; the audit only with knowledge, and as a stream."""
    names = name_tables(result.network.types)
    tables: dict[str, Any] = {
        names[result.centre]: documents_table(result),
        "clusters": groups_table(result),
    }
    for kind in result.network.types:
        if kind != result.centre:
            tables[names[kind]] = terms_table(result) if kind == result.terms else objects_table(result, kind)
    if len(result.network.relations) > 1:
        tables |= {"relations": relations_table(result), "contributions": contributions_table(result)}
    if result.compiled is not None:
        # there may be more statements than fit in memory
        tables["knowledge"] = result.audit().read()
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
    if (moved := list_former_groups(result)) is not None:
        table["moved_from"] = pa.array([name or None for name in moved], pa.large_string())
    table["fits"] = pa.array(result.fits, mask=np.isnan(result.misfit))
    if result.copy_of is not None:
        table["copy_of"] = pa.array(
            [str(names[row]) if row != k else None for k, row in enumerate(result.copy_of.tolist())],
            pa.large_string(),
        )
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
    # texts in the partitions of a cluster stay there
    if text and corpus is not None and corpus.texts is not None and not result.network.is_sharded:
        table["text"] = Texts.of(corpus.texts).column
    return pa.table(table)


def find_stated(result: Result) -> NDArray[np.bool_]:
    """Tell which documents the user labelled or put outside; exemplars and frozen documents do not count."""
    stated = np.zeros(len(result.network.types[result.centre]), dtype=bool)
    guidance = None if result.compiled is None else result.compiled.guidance.get(result.centre)
    if result.compiled is None or guidance is None:
        return stated
    if guidance.outsiders is not None:
        stated[guidance.outsiders] = True
    if guidance.label_statements is not None:
        labelled = guidance.label_statements >= 0
        statements = result.compiled.statements
        added = statements.exemplar | statements.frozen
        stated[labelled] |= ~added[guidance.label_statements[labelled]]
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


def digits_field(name: str, digits: int) -> Any:
    """Return a column of floats with so many significant digits, which CSV files show without a `.0`."""
    import pyarrow as pa

    return pa.field(name, pa.float64(), metadata={DIGITS: f".{digits}g"})


def round_digits(values: Iterable[float | None], digits: int) -> Iterator[float | None]:
    """Round numbers to significant digits."""
    return (None if value is None else float(f"{value:.{digits}g}") for value in values)


def _make_table(*columns: tuple[Any, Any]) -> Any:
    """Make a table of pairs: a field, or a name and its values, which are text unless they are an array."""
    import pyarrow as pa

    fields, arrays = [], []
    for column, values in columns:
        if isinstance(column, pa.Field):
            field, array = column, pa.array(values, column.type)
        else:
            array = values if isinstance(values, pa.Array) else pa.array(values, pa.large_string())
            field = pa.field(column, array.type)
        fields.append(field)
        arrays.append(array)
    return pa.table(arrays, schema=pa.schema(fields))


def make_table_rows(table: Any) -> Iterator[Row]:
    """Yield the header and the rows of a `pyarrow.Table` or a stream as cells of a CSV file."""
    yield tuple(table.schema.names)
    batches = table.to_batches(max_chunksize=CSV_BATCH_ROWS) if hasattr(table, "to_batches") else table
    for batch in batches:
        cells = [
            _list_cells(field, column) for field, column in zip(table.schema, batch.columns, strict=True)
        ]
        yield from zip(*cells, strict=True)


def _list_cells(field: Any, column: Any) -> list[Any]:
    """Return the cells of a column; there may be millions, so most types need no function for each cell."""
    import pyarrow as pa

    values, kind = column.to_pylist(), pa.types
    if (digits := (field.metadata or {}).get(DIGITS)) is not None:
        form = digits.decode()
        return ["" if value is None else format(value, form) for value in values]
    is_plain = kind.is_large_string(field.type) or kind.is_integer(field.type) or kind.is_floating(field.type)
    if not is_plain:
        return list(map(_format_cell, values))
    return ["" if value is None else value for value in values] if column.null_count else values


def _format_cell(value: Any) -> Any:
    if value is None:
        return ""
    if isinstance(value, bool):
        return "true" if value else "false"
    return value.isoformat() if isinstance(value, date) else value


def groups_table(result: Result) -> Any:
    """Return a `pyarrow.Table` with a row per group of documents, with its top objects of every type."""
    import pyarrow as pa

    labels, count = result.labels[result.centre], result.n_groups()
    sizes = np.bincount(labels[labels >= 0], minlength=count)
    sure = average_confidence(labels, count, result.confidence)
    coherence = np.round(np.asarray(result.coherence(TOP_WORDS), dtype=np.float64), 6)
    return _make_table(
        ("cluster", pa.array(result.group_numbers, pa.int32())),
        ("name", result.group_names),
        *make_description_columns(result).items(),
        ("size", pa.array(sizes, pa.int64())),
        ("share", pa.array(np.round(sizes / max(labels.size, 1), 6))),
        ("confidence", pa.array(np.round(sure.astype(np.float64), 6))),
        ("coherence", pa.array(coherence, mask=np.isnan(coherence))),
        *((f"top_{kind}", _join_top_names(result, kind)) for kind in list_describing_types(result)),
    )


def make_description_columns(result: Result) -> dict[str, Sequence[str]]:
    """Return what a language model wrote about the groups, and their words beside it; nothing without one."""
    if not any(description.name for description in result.descriptions):
        return {}
    return {
        "word_name": name_groups_by_words(result),
        "model_name": [description.name for description in result.descriptions],
        "description": [description.text for description in result.descriptions],
        "named_by": [
            f"{description.model}, prompt {description.prompt}, {description.date}"
            if description.name
            else ""
            for description in result.descriptions
        ],
    }


def list_describing_types(result: Result) -> list[str]:
    """List the types that describe the groups of the centre: its terms first."""
    return [
        result.terms,
        *(kind for kind in result.network.types if kind not in (result.terms, result.centre)),
    ]


def _join_top_names(result: Result, kind: str) -> list[str]:
    between = " " if kind == WORDS else "; "
    return [between.join(name for name, _ in top) for top in result.top_objects(kind, TOP_WORDS)]


def terms_table(result: Result) -> Any:
    """Return the table of what describes the documents: words, or the objects of another type."""
    return words_table(result) if result.terms == WORDS else objects_table(result, result.terms)


def words_table(result: Result) -> Any:
    """Return a row per word: its group (if any), its count, and the group it is most typical of."""
    import pyarrow as pa

    names = result.network.types[WORDS].names
    labels = result.labels.get(WORDS, np.full(len(names), -1, dtype=np.int32))
    typical, scores = result.object_tables[WORDS].typical
    return _make_table(
        ("word", [name_object(names, WORDS, position) for position in range(len(names))]),
        ("word_group", pa.array(labels, pa.int32(), mask=labels < 0)),
        _make_counts(result.counts.sum(axis=0, dtype=np.float64)),
        *_make_typical(result, typical, scores.tolist()),
    )


def _make_counts(counts: Any) -> tuple[Any, Any]:
    """Return the column of counts: whole numbers where all of them are."""
    array = _make_count_column(counts)
    return digits_field("count", 6) if array.type != "int64" else "count", array


def _make_typical(result: Result, group: NDArray[Any], score: list[float]) -> list[tuple[Any, Any]]:
    """Return the columns on the group that each object is most typical of."""
    import pyarrow as pa

    numbers, names = np.array([*result.group_numbers, -1]), (*result.group_names, None)
    return [
        ("typical_group", pa.array(numbers[group], pa.int32(), mask=group < 0)),
        ("typical_name", [names[position] for position in group.tolist()]),
        (digits_field("score", 6), round_digits(score, 6)),
    ]


def list_former_groups(result: Result) -> list[str] | None:
    """Name the former group of each document that moved; None without a run without knowledge."""
    changes = result.changes()
    if changes is None or result.before is None:
        return None
    names = (*result.names_before, "no group")
    before = result.before[result.centre].tolist()
    return [names[old] if moved else "" for old, moved in zip(before, changes.moved.tolist(), strict=True)]


def objects_table(result: Result, kind: str) -> Any:
    """Return a row per object of a type: its group (if any), its count, its most typical group."""
    import pyarrow as pa

    names, group_names = find_type(result, kind).names, (*result.names_of(kind), None)
    labels, sure, rival = _list_places(result, kind)
    typical, scores = _list_typical(result, kind)
    outside = labels < 0
    return _make_table(
        ("name", [name_object(names, kind, position) for position in range(len(names))]),
        ("cluster", pa.array(labels, pa.int32(), mask=outside)),
        ("cluster_name", [group_names[label] for label in labels.tolist()]),
        ("confidence", pa.array(np.round(sure.astype(np.float64), 6), mask=outside)),
        ("runner_up", pa.array(rival, pa.int32(), mask=rival < 0)),
        _make_counts(count_objects(result, kind)),
        *_make_typical(result, typical, scores),
    )


def relations_table(result: Result) -> Any:
    """Return a row per relation; `share` is its part of the weighted information that the groups keep."""
    import pyarrow as pa

    relations, contributions = (
        result.network.relations,
        {part.relation: part for part in result.contributions()},
    )
    shares = share_information(tuple(contributions.values()))
    parts = [contributions.get(relation.name) for relation in relations]
    before = [
        mutual_information(relation.matrix) if part is None else part.before
        for relation, part in zip(relations, parts, strict=True)
    ]
    after = [None if part is None else part.after for part in parts]
    kept = [None if part is None else shares[part.relation] for part in parts]
    return _make_table(
        ("relation", [relation.name for relation in relations]),
        ("rows", [relation.rows for relation in relations]),
        ("columns", [relation.columns for relation in relations]),
        ("entries", pa.array([relation.matrix.nnz for relation in relations], pa.int64())),
        (digits_field("weight", 6), round_digits([each.effective_weight for each in relations], 6)),
        (digits_field("information_before", 6), round_digits(before, 6)),
        (digits_field("information_after", 6), round_digits(after, 6)),
        (digits_field("share", 6), round_digits(kept, 6)),
    )


def contributions_table(result: Result) -> Any:
    """Return a row per relation and group of its types: its contribution in nats and as a share."""
    import pyarrow as pa

    rows: list[Row] = []
    for part in result.contributions():
        for kind, values in part.by_group.items():
            numbers = result.group_numbers if kind == result.centre else range(result.n_groups(kind))
            columns = (numbers, result.names_of(kind), values.tolist(), part.share[kind].tolist())
            rows += [(part.relation, kind, *cells) for cells in zip(*columns, strict=True)]
    relation, kinds, clusters, names, contribution, share = zip(*rows, strict=True) if rows else [()] * 6
    return _make_table(
        ("relation", relation),
        ("type", kinds),
        ("cluster", pa.array(clusters, pa.int32())),
        ("name", names),
        (digits_field("contribution", 6), round_digits(contribution, 6)),
        (digits_field("share", 6), round_digits(share, 6)),
    )


def count_objects(result: Result, kind: str) -> list[float]:
    """Count how often each object of a type occurs, over all its relations."""
    totals = np.zeros(len(result.network.types[kind]))
    for relation in result.network.relations:
        for side, axis in ((relation.rows, 1), (relation.columns, 0)):
            if side == kind:
                totals += np.asarray(relation.matrix.sum(axis=axis, dtype=np.float64))
    return [float(total) for total in totals]


def _list_places(result: Result, kind: str) -> tuple[NDArray[Any], NDArray[Any], NDArray[Any]]:
    """Return group, confidence and second-best group of each object."""
    none = np.full(len(result.network.types[kind]), -1, dtype=np.int32)
    labels = result.labels.get(kind, none)
    if kind not in result.memberships:
        return labels, np.ones(none.size), none
    memberships = result.memberships[kind]
    return labels, measure_confidence(labels, memberships), find_runner_up(labels, memberships)


def _list_typical(result: Result, kind: str) -> tuple[NDArray[Any], list[float]]:
    if kind not in result.object_tables:
        size = len(result.network.types[kind])
        return np.full(size, -1), [0.0] * size
    group, score = result.object_tables[kind].typical
    return group, score.tolist()


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
    if isinstance(cell, str) and cell[:1] in FORMULA_STARTS and not NUMBER.fullmatch(cell):
        return f"'{cell}"
    return cell


def _write_rows(path: Path, rows: Iterable[Row]) -> None:
    with path.open("w", encoding="utf-8", errors="backslashreplace", newline="") as stream:
        csv.writer(stream).writerows(map(escape_formula, row) for row in rows)
