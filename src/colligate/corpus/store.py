"""Storing a corpus as a folder of open formats, and loading it again with every file checked.

documents.parquet (id, text), words.parquet (word), counts.npz (the arrays of a CSR matrix), columns.parquet
(the input's other columns, if there are any), and corpus.json, the manifest with the source, the analyser's
options and the roles of the columns.
"""

from __future__ import annotations

from dataclasses import asdict
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
from scipy import sparse

from colligate._array import check_sparse
from colligate._storage.array_schema import INTEGERS, LARGEST_EMPTY, ArraySpec, check_arrays
from colligate._storage.arrays import read_arrays, write_arrays
from colligate._storage.atomic import write_folder
from colligate._storage.manifest import (
    INTEGER_MAP,
    OBJECT,
    STRING,
    STRING_MAP,
    STRINGS,
    Manifest,
    check_schema,
    nullable,
    wrap_read_errors,
)
from colligate._storage.tables import RowCountError, read_table
from colligate.corpus.analyser import Analyser
from colligate.corpus.columns import ColumnRoles, DocumentColumns, make_columns
from colligate.corpus.texts import Texts
from colligate.errors import StoreError

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from pathlib import Path

DOCUMENTS, WORDS, COUNTS = FILES = ("documents.parquet", "words.parquet", "counts.npz")
COLUMNS = "columns.parquet"
ADVICE = "restore it from a copy, or make the corpus again"
COUNT_TYPES = tuple(f"{sign}int{bits}" for sign in ("", "u") for bits in (8, 16, 32, 64))
MANIFEST = Manifest(
    name="corpus.json",
    format="colligate-corpus",
    version=2,
    what="corpus",
    schema={"source": STRING, "analyser": OBJECT, "files": STRING_MAP},
    hint="choose the folder that save() wrote",
    advice=ADVICE,
)
COUNTS_SCHEMA = {
    "data": ArraySpec(("entries",), COUNT_TYPES),
    "indices": ArraySpec(("entries",), INTEGERS, least=0),
    "indptr": ArraySpec(("starts",), INTEGERS, least=0),
    "shape": ArraySpec((2,), INTEGERS, least=0),
}
ROLES = {"text": STRINGS, "id": nullable(STRING), "title": nullable(STRING), "left_out": STRINGS}


class CorpusFields(NamedTuple):
    """The parts of a corpus, in the order of its fields."""

    ids: list[str]
    counts: sparse.csr_array
    words: list[str]
    texts: Sequence[str] | None
    analyser: Analyser
    source: str
    columns: DocumentColumns
    roles: ColumnRoles
    debris: Mapping[str, int]


def save(corpus: CorpusFields, folder: Path, *, overwrite: bool = False) -> None:
    """Write a corpus to a new folder, which appears only when it is complete.

    With `overwrite` an older stored corpus is replaced; a folder with anything else in it is not changed.
    """
    with write_folder(folder, overwrite=overwrite, owned=MANIFEST.list_files) as temporary:
        _write_tables(corpus, temporary)
        counts = corpus.counts
        arrays = {"data": counts.data, "indices": counts.indices, "indptr": counts.indptr}
        write_arrays(temporary / COUNTS, {**arrays, "shape": np.asarray(counts.shape, dtype=np.int64)})
        content = {"source": corpus.source, "analyser": corpus.analyser.to_dict()}
        content |= {"roles": asdict(corpus.roles), "debris": dict(corpus.debris)}
        MANIFEST.write(temporary, content)


def load(folder: Path) -> CorpusFields:
    """Read the parts of a corpus; an error names the file that is missing, damaged or newer."""
    content = MANIFEST.read(folder)
    with wrap_read_errors(folder / COUNTS, advice=ADVICE):
        counts = _read_counts(folder / COUNTS)
    with wrap_read_errors(folder / DOCUMENTS, advice=ADVICE):
        documents = _read_table(folder / DOCUMENTS, counts.shape[0], ["id"])
        ids = documents.column("id").to_pylist()
        texts = None
        if "text" in documents.column_names:
            texts = Texts(documents.column("text").cast("large_string"))
            if documents.column("text").null_count:
                raise ValueError("a text is missing")
    with wrap_read_errors(folder / WORDS, advice=ADVICE):
        words = _read_table(folder / WORDS, counts.shape[1], ["word"]).column("word").to_pylist()
    with wrap_read_errors(folder / MANIFEST.name, advice=ADVICE):
        analyser = Analyser.from_dict(content["analyser"])
    columns = DocumentColumns()
    if (folder / COLUMNS).exists():
        with wrap_read_errors(folder / COLUMNS, advice=ADVICE):
            columns = make_columns(_read_table(folder / COLUMNS, counts.shape[0]))
    roles = _read_roles(content, folder)
    # corpora stored before texts were cleaned have no debris
    debris = content.get("debris", {})
    check_schema({"debris": debris}, {"debris": INTEGER_MAP}, folder / MANIFEST.name, ADVICE)
    return CorpusFields(ids, counts, words, texts, analyser, content["source"], columns, roles, debris)


def _read_roles(content: dict[str, Any], folder: Path) -> ColumnRoles:
    """Return the roles of the columns; corpora stored before there were any have none."""
    if "roles" not in content:
        return ColumnRoles()
    check_schema(content, {"roles": OBJECT}, folder / MANIFEST.name, ADVICE)
    roles = content["roles"]
    check_schema(roles, ROLES, folder / MANIFEST.name, ADVICE)
    return ColumnRoles(tuple(roles["text"]), roles["id"], roles["title"], tuple(roles["left_out"]))


def _write_tables(corpus: CorpusFields, folder: Path) -> None:
    import pyarrow as pa
    import pyarrow.parquet as pq

    documents = {"id": pa.array(corpus.ids, type=pa.large_string())}
    if corpus.texts is not None:
        documents["text"] = Texts.of(corpus.texts).column
    pq.write_table(pa.table(documents), folder / DOCUMENTS, compression="zstd")
    words = pa.table({"word": pa.array(corpus.words, type=pa.large_string())})
    pq.write_table(words, folder / WORDS, compression="zstd")
    if corpus.columns.table is not None:
        pq.write_table(corpus.columns.table, folder / COLUMNS, compression="zstd")


def _read_table(path: Path, rows: int, texts: Sequence[str] = ()) -> Any:
    try:
        return read_table(path, rows, texts)
    except RowCountError as error:
        raise StoreError(
            f"{path.with_name(COUNTS)} does not fit {path.name} in the same folder; {ADVICE}"
        ) from error


def _read_counts(path: Path) -> sparse.csr_array:
    arrays = read_arrays(path)
    data, indices, indptr = (arrays[name] for name in ("data", "indices", "indptr"))
    if data.dtype.kind not in "iu" or data.min(initial=0) < 0:
        raise ValueError("its counts must be whole numbers of at least 0")
    check_arrays(arrays, COUNTS_SCHEMA, {}, "the counts")
    rows, columns = arrays["shape"].tolist()
    if rows != len(indptr) - 1 or columns > LARGEST_EMPTY * 100:
        raise ValueError(f"its shape {rows}×{columns} does not fit its entries")
    counts = sparse.csr_array((data, indices, indptr), shape=(rows, columns))
    check_sparse(counts)
    return counts
