"""Loading any file that a knowledge base can be made of."""

from __future__ import annotations

from typing import TYPE_CHECKING

from colligate.corpus.readers.opening import plain_suffix
from colligate.errors import KnowledgeBaseError
from colligate.world.base.loading.rdf import FORMATS, rdf_quads
from colligate.world.base.loading.table_rows import TABLES
from colligate.world.base.loading.tables import table_quads

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from pathlib import Path

    from pyoxigraph import Quad, Store

    from colligate.progress import Listener

SUPPORTED = ".nt, .ttl, .rdf, .owl, .xml, .jsonld, .csv, .tsv (each also .gz or .zst) and .parquet"


def load_files(store: Store, paths: Sequence[Path], listener: Listener) -> None:
    """Put the triples of all files into a store; whatever is wrong with one of them is told by its name."""
    for path in paths:
        if not path.is_file():
            raise KnowledgeBaseError(f"there is no file {path}; check the name and the folder")
        store.bulk_extend(_quads(path, listener))


def _quads(path: Path, listener: Listener) -> Iterator[Quad]:
    suffix = plain_suffix(path)
    if suffix in FORMATS:
        return rdf_quads(path, listener)
    if suffix in TABLES:
        return table_quads(path, listener)
    what = f"files ending in {suffix}" if suffix else "files without a suffix"
    raise KnowledgeBaseError(f"cannot load {path}: {what} are not supported; use {SUPPORTED}")
