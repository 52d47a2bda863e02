"""Groups by a column of the input: counts, shares with intervals, and words, in each period or class."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
from scipy import sparse

from colligate._array import find_interval
from colligate.corpus.column_views import DATE, ColumnViews
from colligate.errors import InputError

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from colligate.corpus.column_views import ColumnView
    from colligate.result.result import Result

WORDS_LISTED = 5
MIN_DOCUMENTS = 5
"""The words of fewer documents say more about the documents than about the group."""


def find_column(result: Result, name: str, *, time: bool = False) -> ColumnView:
    """Return a column of the input; with `time`, refuse one without dates in one line."""
    if result.corpus is None:
        raise InputError(f"there is no column {name!r:.120}, because this input has no columns")
    return check_column(ColumnViews(result.corpus).find(name), time=time)


def check_column(column: ColumnView, *, time: bool) -> ColumnView:
    """Refuse a column without dates if they are wanted, with the first value that is none."""
    if time and column.kind != DATE:
        value = next(filter(None, column.texts()), "")
        example = f", such as {value!r:.60}" if value else ""
        raise InputError(
            f"the values of column {column.name!r:.120} cannot be read as dates{example}; write them like "
            "2024-05-31, or name another column"
        )
    return column


def tabulate_by_column(result: Result, name: str, *, time: bool = False) -> Any:
    """Return a `pyarrow.Table` with a row for each value or period and group; see `Result.over`."""
    import pyarrow as pa

    column, n_groups = find_column(result, name, time=time), result.n_groups()
    labels = result.labels[result.centre].astype(np.int64)
    periods = column.bins.labels
    counts = column.count_by_group(labels, n_groups)[:n_groups, :-1].T
    totals = counts.sum(axis=1, keepdims=True)
    low, high = find_interval(counts, totals)
    words = _list_words(result, column.bins.codes, labels, counts)
    n_rows, shape = counts.size, counts.shape
    return pa.table(
        {
            column.unit or "value": pa.array(
                np.repeat(np.array(periods, dtype=object), n_groups), pa.large_string()
            ),
            "cluster": pa.array(np.tile(np.array(result.group_numbers), len(periods)), pa.int32()),
            "name": pa.array([*result.group_names] * len(periods), pa.large_string()),
            "documents": pa.array(counts.ravel()),
            "of": pa.array(np.broadcast_to(totals, shape).ravel()),
            **{
                label: pa.array(np.round(values.ravel(), 4), mask=np.isnan(values.ravel()))
                for label, values in {
                    "share": np.where(totals > 0, counts / np.maximum(totals, 1), np.nan),
                    "low": low,
                    "high": high,
                }.items()
            },
            "words": pa.array([words.get(cell) for cell in range(n_rows)], pa.large_string()),
        }
    )


def tabulate_by_columns(result: Result, names: Sequence[str]) -> Any:
    """Return one `pyarrow.Table` for several columns, whose names are in its first column."""
    import pyarrow as pa

    tables = []
    for name in dict.fromkeys(names):
        table = tabulate_by_column(result, name)
        table = table.rename_columns(["value", *table.column_names[1:]])
        tables.append(table.add_column(0, "column", pa.array([name] * table.num_rows, pa.large_string())))
    return pa.concat_tables(tables)


def _list_words(
    result: Result, codes: NDArray[np.int64], labels: NDArray[np.int64], counts: NDArray[np.int64]
) -> dict[int, str]:
    """Return the characteristic words of every cell with enough documents, by the number of the cell."""
    if result.corpus is None:
        return {}
    n_groups, names = counts.shape[1], result.network.types[result.terms].names
    cells = np.where((codes >= 0) & (labels >= 0), codes * n_groups + labels, -1)
    rows = np.flatnonzero(cells >= 0)
    places = (np.ones(len(rows)), (cells[rows], rows))
    incidence = sparse.csr_array(sparse.coo_array(places, shape=(counts.size, len(labels))))
    presence = (result.counts > 0).astype(np.float64)
    table = sparse.csr_array(incidence @ presence)
    shares = np.asarray(presence.sum(axis=0)).ravel() / max(len(labels), 1)
    words = {}
    for cell in np.flatnonzero(counts.ravel() >= MIN_DOCUMENTS).tolist():
        part = slice(table.indptr[cell], table.indptr[cell + 1])
        columns, n_documents = table.indices[part], table.data[part]
        size = counts.ravel()[cell]
        scores = n_documents * np.log(np.maximum(n_documents / size / shares[columns], 1.0))
        best = np.lexsort((columns, -np.round(scores, 9)))[:WORDS_LISTED]
        words[cell] = ", ".join(str(names[column]) for column in columns[best[scores[best] > 0]].tolist())
    return words
