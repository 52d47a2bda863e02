"""Which source reads an object of Python: a path, texts in a list, array or Series, a frame, or a dataset."""

from __future__ import annotations

import numbers
import os
from collections.abc import Iterator, Mapping, Sequence
from itertools import islice
from typing import TYPE_CHECKING, Any

import numpy as np

from colligate._storage.atomic import expand_path
from colligate.corpus.columns import is_pandas
from colligate.corpus.readers.base import MemorySource, is_missing
from colligate.corpus.readers.tables import FrameSource
from colligate.errors import CorpusError

if TYPE_CHECKING:
    from colligate.corpus.readers.base import ColumnRequest, Source

LONGEST_SHOWN = 60
# so many first values decide what a list has
SEARCHED = 1000
TEXT_KINDS = "OUST"
NUMBER_KINDS = "biufc"
# what NumPy makes an array of
ARRAY_PROTOCOLS = ("__array__", "__array_interface__", "__array_struct__")
FORMS = (
    "a list, array or Series of texts, a data frame, an Arrow table, a path, a Corpus, a Network, or a "
    "matrix of documents × words"
)


def find_source(documents: Any, request: ColumnRequest, encoding: str | None = None) -> Source | None:
    """Return the source that reads documents of any form; None for a matrix, or what may be one."""
    if isinstance(documents, str | os.PathLike):
        return _open_path(documents, request, encoding)
    if isinstance(documents, bytes | bytearray):
        raise CorpusError(f"bytes are not documents; pass {FORMS}")
    documents = _import_column(documents)
    table = _find_frame(documents)
    if table is not None:
        return None if has_only_numbers(table) else FrameSource(table, request)
    values = _find_values(documents)
    return None if values is None else MemorySource(values)


def _open_path(path: Any, request: ColumnRequest, encoding: str | None) -> Source:
    from colligate.corpus.readers import open_source

    expanded = expand_path(path)
    if isinstance(path, str) and not _exists(expanded):
        shown = path if len(path) <= LONGEST_SHOWN else f"{path[:LONGEST_SHOWN]}…"
        raise CorpusError(
            f"there is no file or folder {shown!r}; if this is the text of a document, pass a list of texts"
        )
    return open_source(expanded, request, encoding)


def _exists(path: Any) -> bool:
    try:
        return bool(path.exists())
    except (OSError, ValueError):
        # longer than a path can be, or with a character that no path can have
        return False


def _find_frame(documents: Any) -> Any:
    """Return a table of any package as one that FrameSource reads; None if this is no table."""
    package = type(documents).__module__.partition(".")[0]
    if package == "datasets":
        return _read_dataset(documents)
    if is_pandas(documents):
        return documents
    return documents if hasattr(documents, "__arrow_c_stream__") and _has_columns(documents) else None


def _has_columns(documents: Any) -> bool:
    return any(hasattr(documents, name) for name in ("column_names", "columns", "schema"))


def _import_column(documents: Any) -> Any:
    """Return what has an Arrow stream and no columns yet as an Arrow column, or as the table that it is."""
    package = type(documents).__module__.partition(".")[0]
    if package == "polars" and hasattr(documents, "collect"):
        # a lazy frame warns when it is asked for its columns
        return documents.collect()
    if package == "pandas" or _has_columns(documents):
        return documents
    if not hasattr(documents, "__arrow_c_stream__"):
        return documents
    import pyarrow as pa

    column = pa.chunked_array(documents)
    if not pa.types.is_struct(column.type):
        return column
    batches = [pa.RecordBatch.from_struct_array(chunk) for chunk in column.chunks]
    return pa.Table.from_batches(batches, pa.schema(list(column.type)))


def _read_dataset(documents: Any) -> Any:
    """Return a dataset of Hugging Face as an Arrow table, with its selection and order of rows."""
    if isinstance(documents, Mapping):
        splits = ", ".join(map(repr, islice(documents, 10)))
        raise CorpusError(f"this dataset has the splits {splits}; choose one, as in dataset[{'train'!r}]")
    if hasattr(documents, "with_format") and hasattr(documents, "num_rows"):
        return documents.with_format("arrow")[:]
    if isinstance(documents, Sequence):
        return None
    raise CorpusError(
        f"{type(documents).__name__} has no rows in memory; load the dataset without streaming, or pass its "
        "texts"
    )


def has_only_numbers(frame: Any) -> bool:
    """Tell whether all columns of a frame are numbers: then it is a matrix of documents × words."""
    import pyarrow as pa

    if is_pandas(frame):
        # the columns of a frame without rows may have any type
        kinds = [getattr(kind, "kind", "O") for kind in frame.dtypes] if len(frame) else []
        return bool(kinds) and all(kind in NUMBER_KINDS for kind in kinds)
    schema = getattr(frame, "schema", None)
    if not isinstance(schema, pa.Schema):
        if not hasattr(frame, "__arrow_c_schema__"):
            return bool(frame.columns) and _are_numbers(pa.table(frame).schema)
        schema = pa.schema(frame)
    return bool(len(schema)) and _are_numbers(schema)


def _are_numbers(schema: Any) -> bool:
    import pyarrow as pa

    is_type = pa.types
    return all(
        is_type.is_integer(kind) or is_type.is_floating(kind) or is_type.is_boolean(kind)
        for kind in schema.types
    )


def _find_values(documents: Any) -> Any:
    """Return the texts of a list, array or Series; None for a matrix, an error for anything else in a row."""
    if isinstance(documents, Iterator):
        return documents
    if isinstance(documents, Mapping) and not hasattr(documents, "ndim"):
        raise _no_texts_error(f"a {type(documents).__name__}")
    if documents is None or isinstance(documents, numbers.Number):
        raise _no_texts_error(repr(documents))
    if getattr(documents, "ndim", 1) != 1:
        _refuse_table_of_texts(documents)
        return None
    if isinstance(documents, np.ndarray):
        if documents.dtype.kind not in TEXT_KINDS:
            raise _no_texts_error("an array of numbers")
        values: Any = documents.tolist()
    elif type(documents).__module__.partition(".")[0] == "pandas":
        values = documents.tolist()
    elif hasattr(documents, "to_pylist"):
        values = documents.to_pylist()
    elif isinstance(documents, Sequence):
        values = documents
    elif any(hasattr(documents, name) for name in ARRAY_PROTOCOLS):
        return None
    else:
        raise _no_texts_error(f"a {type(documents).__name__}")
    first = next((value for value in islice(values, SEARCHED) if not is_missing(value)), "")
    if isinstance(first, str):
        return values
    if isinstance(first, numbers.Number | np.number):
        raise _no_texts_error(f"a {type(documents).__name__} of numbers")
    if isinstance(first, Mapping | bytes | bytearray | set):
        raise _no_texts_error(f"a {type(documents).__name__} of {type(first).__name__}")
    if isinstance(first, Sequence) and any(isinstance(value, str) for value in islice(first, SEARCHED)):
        raise _no_texts_error(f"a {type(documents).__name__} of lists of texts")
    return None


def _refuse_table_of_texts(documents: Any) -> None:
    kind = getattr(getattr(documents, "dtype", None), "kind", "")
    if kind in ("U", "S", "T") or (
        kind == "O" and any(isinstance(cell, str) for cell in islice(documents.flat, SEARCHED))
    ):
        raise _no_texts_error("an array of texts in rows and columns")


def _no_texts_error(what: str) -> CorpusError:
    return CorpusError(f"{what} is not a list of texts. Reshape your data, or pass {FORMS}")
