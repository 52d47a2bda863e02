"""Storing a network as a folder of Parquet files, and reading it back exactly.

objects-<n>.parquet (name) for every type whose objects have names, relation-<n>.parquet (row, column, weight)
for every relation, and network.json, which says what they are.

The manifest of a stored network: what the folder holds, and the proof that it still holds it.

The names of the files are never taken from it: they follow from the types and relations it lists.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
from scipy import sparse

from colligate._storage.atomic import hash_file, write_folder
from colligate._storage.manifest import (
    BOOLEAN,
    INTEGER,
    NUMBER,
    OBJECTS,
    STRING,
    STRING_MAP,
    Manifest,
    check_files,
    check_schema,
    nullable,
    wrap_read_errors,
)
from colligate.errors import StoreError
from colligate.network.objects import ObjectType, Relation

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping, Sequence
    from pathlib import Path

    from colligate.network.network import Network

NAME = "network.json"
AGAIN = "restore it from a copy, or make the network again"
SEAL = Manifest(
    "colligate-network", 1, "does not describe a stored network; choose the folder that save() wrote", AGAIN
)
PARTS = {"types": OBJECTS, "relations": OBJECTS, "files": STRING_MAP}
TYPE = {"name": STRING, "size": INTEGER, "named": BOOLEAN}
RELATION = {"name": STRING, "rows": STRING, "columns": STRING, "weight": nullable(NUMBER)}


def save(
    types: Mapping[str, ObjectType], relations: Sequence[Relation], folder: Path, *, overwrite: bool = False
) -> None:
    """Write a network to a new folder; nothing half-written ever stands under its name.

    With `overwrite` an older stored network is replaced; a folder that holds anything else is left alone.
    """
    with write_folder(folder, overwrite=overwrite, owned=listed_files) as temporary:
        objects = [_save_type(kind, temporary / objects_file(at)) for at, kind in enumerate(types.values())]
        related = [_save_relation(each, temporary / relation_file(at)) for at, each in enumerate(relations)]
        write_manifest(temporary, objects, related)


def load(make: Callable[..., Network], folder: Path) -> Network:
    """Read a stored network and make it; whatever is missing, damaged or newer is refused by its name."""
    manifest = read_manifest(folder)
    types: dict[str, ObjectType] = {}
    for at, stored in enumerate(manifest["types"]):
        with wrap_read_errors(folder / (objects_file(at) if stored["named"] else NAME), advice=AGAIN):
            types[stored["name"]] = _load_type(stored, folder / objects_file(at))
    relations = []
    for at, stored in enumerate(manifest["relations"]):
        with wrap_read_errors(folder / relation_file(at), advice=AGAIN):
            relations.append(_load_relation(stored, types, folder / relation_file(at)))
    with wrap_read_errors(folder / NAME, advice=AGAIN):
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


def objects_file(number: int) -> str:
    """The file with the names of a type's objects."""
    return f"objects-{number}.parquet"


def relation_file(number: int) -> str:
    """The file with the entries of a relation."""
    return f"relation-{number}.parquet"


def write_manifest(folder: Path, types: list[dict[str, Any]], relations: list[dict[str, Any]]) -> None:
    """Seal a folder: list its types and relations, and its files with their hashes."""
    files = {path.name: hash_file(path) for path in sorted(folder.iterdir())}
    text = SEAL.text({"types": types, "relations": relations, "files": files})
    (folder / NAME).write_text(text, encoding="utf-8")


def read_manifest(folder: Path) -> dict[str, Any]:
    """Read a manifest and check the files it speaks of; whatever is wrong is told by the name of the file."""
    path = folder / NAME
    if not folder.is_dir():
        raise StoreError(f"there is no folder {folder}")
    if not path.is_file():
        raise StoreError(f"{path} is missing: {folder} is not a stored network, or not a whole one")
    found = SEAL.opened(path)
    _check_parts(found, path)
    check_files(folder, NAME, found["files"], "network")
    return found


def listed_files(folder: Path) -> Iterable[str]:
    """The files of a folder that belong to a network stored there, sound or not."""
    try:
        found = SEAL.parsed(folder / NAME)
        _check_parts(found, folder / NAME)
    except StoreError:
        return []
    return [NAME, *found["files"]] if found.get("format") == SEAL.format else []


def _check_parts(manifest: dict[str, Any], path: Path) -> None:
    check_schema(manifest, PARTS, str(path), AGAIN)
    for shape, listed in ((TYPE, manifest["types"]), (RELATION, manifest["relations"])):
        for each in listed:
            check_schema(each, shape, str(path), AGAIN)
    expected = {objects_file(at) for at, kind in enumerate(manifest["types"]) if kind["named"]}
    expected |= {relation_file(at) for at, _ in enumerate(manifest["relations"])}
    if strange := sorted(expected ^ manifest["files"].keys()):
        raise StoreError(f"{path} is damaged: {strange[0]!r:.60} does not fit what it lists; {AGAIN}")
