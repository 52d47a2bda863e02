"""Storing a network as a folder of Parquet files, and reading it back exactly.

objects-<n>.parquet (name) for every type whose objects have names, relation-<n>.parquet (row, column, weight)
for every relation, and network.json, which says what they are.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
from scipy import sparse

from colligate.damage import naming
from colligate.files import writing_folder
from colligate.network.manifest import (
    AGAIN,
    NAME,
    listed_files,
    objects_file,
    read_manifest,
    relation_file,
    write_manifest,
)
from colligate.network.objects import ObjectType
from colligate.network.relation import Relation

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence
    from pathlib import Path

    from colligate.network.network import Network


def save(
    types: Mapping[str, ObjectType], relations: Sequence[Relation], folder: Path, *, overwrite: bool = False
) -> None:
    """Write a network to a new folder; nothing half-written ever stands under its name.

    With `overwrite` an older stored network is replaced; a folder that holds anything else is left alone.
    """
    with writing_folder(folder, overwrite=overwrite, ours=listed_files) as temporary:
        objects = [_save_type(kind, temporary / objects_file(at)) for at, kind in enumerate(types.values())]
        related = [_save_relation(each, temporary / relation_file(at)) for at, each in enumerate(relations)]
        write_manifest(temporary, objects, related)


def load(make: Callable[..., Network], folder: Path) -> Network:
    """Read a stored network and make it; whatever is missing, damaged or newer is refused by its name."""
    manifest = read_manifest(folder)
    types: dict[str, ObjectType] = {}
    for at, stored in enumerate(manifest["types"]):
        with naming(folder / (objects_file(at) if stored["named"] else NAME), advice=AGAIN):
            types[stored["name"]] = _load_type(stored, folder / objects_file(at))
    relations = []
    for at, stored in enumerate(manifest["relations"]):
        with naming(folder / relation_file(at), advice=AGAIN):
            relations.append(_load_relation(stored, types, folder / relation_file(at)))
    with naming(folder / NAME, advice=AGAIN):
        if len(types) < len(manifest["types"]):
            raise ValueError("it lists a type twice")
        return make(types, tuple(relations))


def _save_type(kind: ObjectType, path: Path) -> dict[str, Any]:
    named = not isinstance(kind.names, range)
    if named:
        import pyarrow as pa

        _write({"name": pa.array(list(kind.names), type=pa.large_string())}, path)
    return {"name": kind.name, "size": len(kind), "named": named}


def _save_relation(relation: Relation, path: Path) -> dict[str, Any]:
    matrix = relation.matrix
    rows = np.repeat(np.arange(matrix.shape[0], dtype=matrix.indices.dtype), np.diff(matrix.indptr))
    _write({"row": rows, "column": matrix.indices, "weight": matrix.data}, path)
    return {
        "name": relation.name,
        "rows": relation.rows,
        "columns": relation.columns,
        "weight": None if relation.weight is None else float(relation.weight),
    }


def _load_type(stored: dict[str, Any], path: Path) -> ObjectType:
    names = _read(path).column("name").to_pylist() if stored["named"] else range(stored["size"])
    kind = ObjectType(stored["name"], names)
    if len(kind) != stored["size"]:
        raise ValueError(f"it holds {len(kind)} objects, not {stored['size']}")
    return kind


def _load_relation(stored: dict[str, Any], types: Mapping[str, ObjectType], path: Path) -> Relation:
    table = _read(path)
    row, column, weight = (
        np.ascontiguousarray(table.column(name).to_numpy()) for name in ("row", "column", "weight")
    )
    shape = len(types[stored["rows"]]), len(types[stored["columns"]])
    if len(row) and not (row.min() >= 0 and row.max() < shape[0] and np.all(row[1:] >= row[:-1])):
        raise ValueError("its rows are out of order or out of range")
    ends = np.cumsum(np.bincount(row, minlength=shape[0]))
    indptr = np.concatenate([[0], ends]).astype(column.dtype)
    matrix = sparse.csr_array((weight, column, indptr), shape=shape)
    return Relation(stored["rows"], stored["columns"], matrix, stored["weight"], stored["name"])


def _write(columns: dict[str, Any], path: Path) -> None:
    import pyarrow as pa
    import pyarrow.parquet as pq

    pq.write_table(pa.table(columns), path, compression="zstd")


def _read(path: Path) -> Any:
    import pyarrow.parquet as pq

    with path.open("rb") as stream:
        return pq.ParquetFile(stream).read()
