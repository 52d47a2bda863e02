"""The knowledge of a stored result: the statements as told; their guidance is compiled again from them.

One Parquet file holds the rows of all blocks; what a block says once is in the manifest. Outside documents
that came with a statement are stored as corpora of their own.
"""

from __future__ import annotations

import warnings
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from colligate.corpus import Corpus
from colligate.damage import naming
from colligate.errors import KnowledgeWarning
from colligate.knowledge import Block, Compiled, Knowledge
from colligate.result.manifest import AGAIN
from colligate.shape import MAPPINGS, NUMBER, TEXT, TEXTS, TRUTH, WHOLE, check_shape, maybe

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

FILE = "knowledge.parquet"
OUTSIDE = "outside"
SHAPE = {
    "kind": TEXT,
    "type": TEXT,
    "source": TEXT,
    "rows": WHOLE,
    "columns": TEXTS,
    "names": TEXTS,
    "strength": maybe(NUMBER),
    "apart": NUMBER,
    "named": TRUTH,
    "outside": TRUTH,
    "path": maybe(TEXT),
}


@dataclass(frozen=True)
class Column:
    """A column of the file: its name, its Arrow type, and what a block holds of it (None: nothing)."""

    name: str
    kind: str
    of: Callable[[Block], Any]


COLUMNS = (
    Column("subject", "large_string", lambda block: _names(block.subject)),
    Column("subject_at", "int64", lambda block: _positions(block.subject)),
    Column("object", "large_string", lambda block: _names(block.object)),
    Column("object_at", "int64", lambda block: _positions(block.object)),
    Column("code", "int64", lambda block: block.codes),
    Column("strength", "float64", lambda block: None if np.ndim(block.strength) == 0 else block.strength),
    Column("line", "int64", lambda block: block.lines),
    Column("note", "large_string", lambda block: block.notes),
)


def save_knowledge(compiled: Compiled, folder: Path) -> dict[str, Any]:
    """Write the statements; what comes back goes into the manifest."""
    import pyarrow as pa
    import pyarrow.parquet as pq

    blocks = compiled.statements.blocks
    table = {column.name: _gathered(column, blocks) for column in COLUMNS}
    pq.write_table(pa.table(table), folder / FILE, compression="zstd")
    return {"blocks": [_told_once(block, at, folder) for at, block in enumerate(blocks)]}


def load_knowledge(
    stored: dict[str, Any], names: Mapping[str, Sequence[str] | range], folder: Path
) -> Compiled:
    """Read what `save_knowledge` wrote and compile it; the user was warned when it was compiled first."""
    table = _table(_checked(stored), folder / FILE)
    knowledge = Knowledge(unknown="report", contradictions="report")
    start = 0
    for at, told in enumerate(stored["blocks"]):
        knowledge.add(_block(told, table.slice(start, told["rows"]), at, folder))
        start += told["rows"]
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", KnowledgeWarning)
        return knowledge.compile(names)


def _checked(stored: dict[str, Any]) -> int:
    """How many rows the blocks have together, once each was found to be one."""
    check_shape(stored, {"blocks": MAPPINGS}, "the knowledge of a stored result", AGAIN)
    for told in stored["blocks"]:
        check_shape(told, SHAPE, "the knowledge of a stored result", AGAIN)
    return sum(told["rows"] for told in stored["blocks"])


def _table(rows: int, path: Path) -> Any:
    import pyarrow.parquet as pq

    with naming(path, advice=AGAIN), path.open("rb") as stream:
        file = pq.ParquetFile(stream)
        # before it is read, since a small file may unfold to any number of rows
        if file.metadata.num_rows != rows:
            raise ValueError(f"it has {file.metadata.num_rows} rows, its blocks {rows}")
        return file.read()


def _gathered(column: Column, blocks: Sequence[Block]) -> Any:
    import pyarrow as pa

    kind = getattr(pa, column.kind)()
    found = [(block, column.of(block)) for block in blocks]
    return pa.chunked_array(
        [pa.nulls(len(block), kind) if part is None else pa.array(part, type=kind) for block, part in found],
        type=kind,
    )


def _told_once(block: Block, at: int, folder: Path) -> dict[str, Any]:
    if block.corpus is not None:
        (folder / OUTSIDE).mkdir(exist_ok=True)
        block.corpus.save(folder / OUTSIDE / str(at))
    return {
        "kind": block.kind,
        "type": block.type,
        "source": block.source,
        "rows": len(block),
        "columns": [column.name for column in COLUMNS if column.of(block) is not None],
        "names": list(block.names),
        "strength": float(block.strength) if np.ndim(block.strength) == 0 else None,
        "apart": block.apart,
        "named": block.named,
        "outside": block.corpus is not None,
        "path": None if block.path is None else str(block.path),
    }


def _block(told: dict[str, Any], rows: Any, at: int, folder: Path) -> Block:
    found = {name: rows.column(name) for name in told["columns"]}
    if gaps := [name for name, column in found.items() if column.null_count]:
        raise ValueError(f"the {gaps[0]} of a statement is missing")
    plain = {name: _numbers(found[name]) for name in ("code", "strength", "line") if name in found}
    return Block(
        kind=told["kind"],
        type=told["type"],
        subject=_column(found, "subject"),
        source=told["source"],
        object=_column(found, "object"),
        codes=plain.get("code"),
        names=tuple(told["names"]),
        strength=plain["strength"] if told["strength"] is None else float(told["strength"]),
        apart=told["apart"],
        named=told["named"],
        lines=plain.get("line"),
        notes=tuple(found["note"].to_pylist()) if "note" in found else None,
        corpus=Corpus.load(folder / OUTSIDE / str(at)) if told["outside"] else None,
        path=None if told["path"] is None else Path(told["path"]),
    )


def _column(found: Mapping[str, Any], name: str) -> Any:
    if name in found:
        texts = np.empty(len(found[name]), dtype=object)
        texts[:] = found[name].to_pylist()
        return texts
    return _numbers(found[f"{name}_at"]) if f"{name}_at" in found else None


def _numbers(column: Any) -> Any:
    return np.ascontiguousarray(column.combine_chunks().to_numpy(zero_copy_only=False))


def _names(column: Any) -> Any:
    return None if column is None or column.dtype.kind in "iu" else column


def _positions(column: Any) -> Any:
    return None if column is None or column.dtype.kind not in "iu" else column
