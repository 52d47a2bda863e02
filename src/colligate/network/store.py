"""Storing a network as a folder of Parquet files, and reading it back exactly.

objects-<n>.parquet (name) for every type whose objects have names, relation-<n>.parquet (row, column, weight)
for every relation, and network.json, the manifest. File names are never taken from the manifest: they follow
from the types and relations that it lists.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
from scipy import sparse

from colligate._storage.atomic import write_folder
from colligate._storage.manifest import (
    BOOLEAN,
    INTEGER,
    NUMBER,
    STRING,
    STRING_MAP,
    Manifest,
    nullable,
    wrap_read_errors,
)
from colligate._storage.tables import read_table
from colligate.errors import StoreError
from colligate.network.objects import ObjectType, Relation

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence
    from pathlib import Path

    from colligate.network.network import Network

ADVICE = "restore it from a copy, or make the network again"
LARGEST_UNNAMED = 10**9
"""Objects without names take no bytes in the file, but memory once they are read."""
TYPE = {"name": STRING, "singular": STRING, "size": INTEGER, "named": BOOLEAN}
RELATION = {"name": STRING, "rows": STRING, "columns": STRING, "weight": nullable(NUMBER), "in_text": BOOLEAN}
MANIFEST = Manifest(
    name="network.json",
    format="colligate-network",
    version=4,
    what="network",
    schema={"types": [TYPE], "relations": [RELATION], "files": STRING_MAP},
    hint="choose the folder that save() wrote",
    advice=ADVICE,
)


def save(
    types: Mapping[str, ObjectType], relations: Sequence[Relation], folder: Path, *, overwrite: bool = False
) -> None:
    """Write a network to a new folder, which appears only when it is complete.

    With `overwrite` an older stored network is replaced; a folder with anything else in it is not changed.
    """
    with write_folder(folder, overwrite=overwrite, owned=MANIFEST.list_files) as temporary:
        content = {
            "types": [_save_type(kind, temporary / objects_file(n)) for n, kind in enumerate(types.values())],
            "relations": [
                _save_relation(each, temporary / relation_file(n)) for n, each in enumerate(relations)
            ],
        }
        MANIFEST.write(temporary, content)


def load(make: Callable[..., Network], folder: Path) -> Network:
    """Read a stored network and make it; an error names the file that is missing, damaged or newer."""
    content = MANIFEST.read(folder)
    _check_file_names(content, folder / MANIFEST.name)
    types: dict[str, ObjectType] = {}
    for number, stored in enumerate(content["types"]):
        path = folder / objects_file(number)
        with wrap_read_errors(path if stored["named"] else folder / MANIFEST.name, advice=ADVICE):
            types[stored["name"]] = _load_type(stored, path)
    relations = []
    for number, stored in enumerate(content["relations"]):
        path = folder / relation_file(number)
        with wrap_read_errors(path, advice=ADVICE):
            relations.append(_load_relation(stored, types, path))
    with wrap_read_errors(folder / MANIFEST.name, advice=ADVICE):
        if len(types) < len(content["types"]):
            raise ValueError("it lists a type twice")
        return make(types, tuple(relations))


def _save_type(kind: ObjectType, path: Path) -> dict[str, Any]:
    named = not isinstance(kind.names, range)
    if named:
        import pyarrow as pa

        _write({"name": pa.array(list(kind.names), type=pa.large_string())}, path)
    return {"name": kind.name, "singular": kind.singular, "size": len(kind), "named": named}


def _save_relation(relation: Relation, path: Path) -> dict[str, Any]:
    matrix = relation.matrix
    rows = np.repeat(np.arange(matrix.shape[0], dtype=matrix.indices.dtype), np.diff(matrix.indptr))
    _write({"row": rows, "column": matrix.indices, "weight": matrix.data}, path)
    return {
        "name": relation.name,
        "rows": relation.rows,
        "columns": relation.columns,
        "weight": None if relation.weight is None else float(relation.weight),
        "in_text": relation.in_text,
    }


def _load_type(stored: dict[str, Any], path: Path) -> ObjectType:
    names: Any = range(stored["size"])
    if stored["named"]:
        names = read_table(path, stored["size"], ["name"]).column("name").to_pylist()
    elif stored["size"] > LARGEST_UNNAMED:
        raise ValueError(f"there are {stored['size']:,} objects of the type {stored['name']!a:.60}")
    kind = ObjectType(stored["name"], names, stored["singular"])
    if len(kind) != stored["size"]:
        raise ValueError(f"it has {len(kind)} objects, not {stored['size']}")
    return kind


def _load_relation(stored: dict[str, Any], types: Mapping[str, ObjectType], path: Path) -> Relation:
    table = read_table(path, numbers=["row", "column", "weight"])
    row, column, weight = (
        np.ascontiguousarray(table.column(name).to_numpy()) for name in ("row", "column", "weight")
    )
    if row.dtype.kind not in "iu" or column.dtype.kind not in "iu":
        raise ValueError("its rows and columns must be whole numbers")
    shape = len(types[stored["rows"]]), len(types[stored["columns"]])
    if len(column) and not (column.min() >= 0 and column.max() < shape[1]):
        raise ValueError("its columns are out of range")
    if len(row) and not (row.min() >= 0 and row.max() < shape[0] and np.all(row[1:] >= row[:-1])):
        raise ValueError("its rows are out of order or out of range")
    ends = np.cumsum(np.bincount(row, minlength=shape[0]))
    indptr = np.concatenate([[0], ends]).astype(column.dtype)
    matrix = sparse.csr_array((weight, column, indptr), shape=shape)
    return Relation(
        stored["rows"], stored["columns"], matrix, stored["weight"], stored["name"], stored["in_text"]
    )


def _write(columns: dict[str, Any], path: Path) -> None:
    import pyarrow as pa
    import pyarrow.parquet as pq

    pq.write_table(pa.table(columns), path, compression="zstd")


def objects_file(number: int) -> str:
    """The file with the names of a type's objects."""
    return f"objects-{number}.parquet"


def relation_file(number: int) -> str:
    """The file with the entries of a relation."""
    return f"relation-{number}.parquet"


def _check_file_names(content: dict[str, Any], path: Path) -> None:
    expected = {objects_file(number) for number, kind in enumerate(content["types"]) if kind["named"]}
    expected |= {relation_file(number) for number, _ in enumerate(content["relations"])}
    if unexpected := sorted(expected ^ content["files"].keys()):
        raise StoreError(
            f"{path} is damaged: {unexpected[0]!r:.60} does not match the types and relations in this file; "
            f"{ADVICE}"
        )
