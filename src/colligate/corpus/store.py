"""Storing a corpus as a folder of open formats, and loading it again with every file checked.

documents.parquet (id, text), words.parquet (word), counts.npz (the arrays of a CSR matrix), and corpus.json:
format, analyser, source, and the SHA-256 of the other files and of itself.
"""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
from scipy import sparse

from colligate._storage.arrays import read_arrays
from colligate._storage.atomic import hash_file, write_folder
from colligate._storage.manifest import (
    OBJECT,
    STRING,
    STRING_MAP,
    check_files,
    check_schema,
    hash_content,
    wrap_read_errors,
)
from colligate.corpus.analyser import Analyser
from colligate.corpus.texts import Texts
from colligate.errors import StoreError

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

FORMAT = 1
MANIFEST_FILE = "corpus.json"
DOCUMENTS = "documents.parquet"
WORDS = "words.parquet"
COUNTS = "counts.npz"
FILES = (DOCUMENTS, WORDS, COUNTS)
SELF = "sha256_of_this"
SHAPE = {"source": STRING, "analyser": OBJECT, "sha256": STRING_MAP}
AGAIN = "restore it from a copy, or make the corpus again"


class CorpusFields(NamedTuple):
    """The parts of a corpus, in the order of its fields."""

    ids: list[str]
    counts: sparse.csr_array
    words: list[str]
    texts: Sequence[str] | None
    analyser: Analyser
    source: str


def save(corpus: CorpusFields, folder: Path, *, overwrite: bool = False) -> None:
    """Write the parts of a corpus to a new folder; nothing half-written ever stands under its name.

    With `overwrite` an older stored corpus is replaced; a folder with anything else in it is left alone.
    """
    with write_folder(folder, overwrite=overwrite, owned=_ours) as temporary:
        _write_tables(corpus, temporary)
        counts = corpus.counts
        np.savez(
            temporary / COUNTS,
            data=counts.data,
            indices=counts.indices,
            indptr=counts.indptr,
            shape=np.asarray(counts.shape, dtype=np.int64),
        )
        manifest = {
            "format": FORMAT,
            "source": corpus.source,
            "analyser": json.loads(corpus.analyser.to_json()),
            "sha256": {name: hash_file(temporary / name) for name in FILES},
        }
        sealed = json.dumps(manifest | {SELF: hash_content(manifest)}, ensure_ascii=False, indent=2)
        (temporary / MANIFEST_FILE).write_text(sealed + "\n", encoding="utf-8")


def load(folder: Path) -> CorpusFields:
    """Read the parts of a corpus; whatever is missing, damaged or newer is refused by its name."""
    manifest = _manifest(folder / MANIFEST_FILE)
    hashes = dict.fromkeys(FILES, "") | manifest["sha256"]
    check_files(folder, MANIFEST_FILE, hashes, "corpus")
    with wrap_read_errors(folder / COUNTS):
        counts = _counts(folder / COUNTS)
    with wrap_read_errors(folder / DOCUMENTS):
        documents = _table(folder / DOCUMENTS, counts.shape[0])
        ids = documents.column("id").to_pylist()
        texts = Texts(documents.column("text")) if "text" in documents.column_names else None
    with wrap_read_errors(folder / WORDS):
        words = _table(folder / WORDS, counts.shape[1]).column("word").to_pylist()
    with wrap_read_errors(folder / MANIFEST_FILE):
        analyser = Analyser.from_json(json.dumps(manifest["analyser"]))
    return CorpusFields(ids, counts, words, texts, analyser, manifest["source"])


def _ours(folder: Path) -> tuple[str, ...]:
    try:
        _manifest(folder / MANIFEST_FILE)
    except StoreError:
        return ()
    return (*FILES, MANIFEST_FILE)


def _write_tables(corpus: CorpusFields, folder: Path) -> None:
    import pyarrow as pa
    import pyarrow.parquet as pq

    documents = {"id": pa.array(corpus.ids, type=pa.large_string())}
    if corpus.texts is not None:
        documents["text"] = Texts.of(corpus.texts).column
    pq.write_table(pa.table(documents), folder / DOCUMENTS, compression="zstd")
    words = pa.table({"word": pa.array(corpus.words, type=pa.large_string())})
    pq.write_table(words, folder / WORDS, compression="zstd")


def _manifest(path: Path) -> dict[str, Any]:
    if not path.parent.is_dir():
        raise StoreError(f"there is no folder {path.parent}")
    if path.is_symlink() or not path.is_file():
        raise StoreError(f"{path} is missing: {path.parent} is not a stored corpus, or not a whole one")
    with wrap_read_errors(path):
        found = json.loads(path.read_text(encoding="utf-8"))
        if not isinstance(found, dict) or not isinstance(found.get("format"), int):
            raise ValueError("it names no format")
        if found["format"] > FORMAT:
            raise StoreError(
                f"{path} is of format {found['format']}, written by a newer Colligate; "
                f"this one reads up to {FORMAT}: upgrade"
            )
        if found.pop(SELF, None) != hash_content(found):
            raise ValueError("it was changed after it was written")
    check_schema(found, SHAPE, str(path), AGAIN)
    return found


def _table(path: Path, rows: int) -> Any:
    import pyarrow.parquet as pq

    with path.open("rb") as stream:
        file = pq.ParquetFile(stream)
        # before it is read, since a small file may unfold to any number of rows
        if file.metadata.num_rows != rows:
            raise StoreError(f"{path.with_name(COUNTS)} does not fit {path.name}, which is stored beside it")
        return file.read()


def _counts(path: Path) -> sparse.csr_array:
    arrays = read_arrays(path)
    data, indices, indptr = (arrays[name] for name in ("data", "indices", "indptr"))
    if data.dtype.kind not in "iu" or data.min(initial=0) < 0:
        raise ValueError("its counts are not whole numbers from 0")
    rows, columns = arrays["shape"].tolist()
    counts = sparse.csr_array((data, indices, indptr), shape=(rows, columns))
    counts.check_format(full_check=True)
    return counts
