"""The network of a stored result: relations as npz, names as Parquet, nothing where the corpus says it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
from scipy import sparse

from colligate.network import Network, ObjectType, Relation

if TYPE_CHECKING:
    from pathlib import Path

    from colligate.corpus import Corpus

FOLDER = "network"


def save_network(network: Network, corpus: Corpus | None, folder: Path) -> dict[str, Any]:
    """Write the network; what comes back goes into the manifest."""
    if corpus is not None and _same(network, Network.from_corpus(corpus)):
        return {"same_as": "corpus"}
    (folder / FOLDER).mkdir()
    types = [_save_type(kind, at, folder / FOLDER) for at, kind in enumerate(network.types.values())]
    relations = [_save_relation(each, at, folder / FOLDER) for at, each in enumerate(network.relations)]
    return {"types": types, "relations": relations}


def load_network(stored: dict[str, Any], corpus: Corpus | None, folder: Path) -> Network:
    """Read what `save_network` wrote."""
    if corpus is not None and stored.get("same_as") == "corpus":
        return Network.from_corpus(corpus)
    types = {each["name"]: _load_type(each, at, folder / FOLDER) for at, each in enumerate(stored["types"])}
    relations = [_load_relation(each, at, folder / FOLDER) for at, each in enumerate(stored["relations"])]
    return Network(types, tuple(relations))


def _same(one: Network, other: Network) -> bool:
    if list(one.types) != list(other.types) or len(one.relations) != len(other.relations):
        return False
    if any(_listed(one.types[name]) != _listed(other.types[name]) for name in one.types):
        return False
    return all(_same_relation(a, b) for a, b in zip(one.relations, other.relations, strict=True))


def _listed(kind: ObjectType) -> list[str] | range:
    return kind.names if isinstance(kind.names, range) else list(kind.names)


def _same_relation(one: Relation, other: Relation) -> bool:
    if (one.name, one.weight, one.matrix.shape) != (other.name, other.weight, other.matrix.shape):
        return False
    return all(
        getattr(one.matrix, part).dtype == getattr(other.matrix, part).dtype
        and np.array_equal(getattr(one.matrix, part), getattr(other.matrix, part))
        for part in ("data", "indices", "indptr")
    )


def _save_type(kind: ObjectType, at: int, folder: Path) -> dict[str, Any]:
    if isinstance(kind.names, range):
        return {"name": kind.name, "size": len(kind.names)}
    import pyarrow as pa
    import pyarrow.parquet as pq

    table = pa.table({"name": pa.array(list(kind.names), type=pa.large_string())})
    pq.write_table(table, folder / f"names_{at}.parquet", compression="zstd")
    return {"name": kind.name}


def _load_type(stored: dict[str, Any], at: int, folder: Path) -> ObjectType:
    if "size" in stored:
        return ObjectType(stored["name"], range(stored["size"]))
    import pyarrow.parquet as pq

    with (folder / f"names_{at}.parquet").open("rb") as stream:
        names = pq.ParquetFile(stream).read().column("name").to_pylist()
    return ObjectType(stored["name"], names)


def _save_relation(relation: Relation, at: int, folder: Path) -> dict[str, Any]:
    matrix = relation.matrix
    shape = np.asarray(matrix.shape, dtype=np.int64)
    path = folder / f"relation_{at}.npz"
    np.savez(path, data=matrix.data, indices=matrix.indices, indptr=matrix.indptr, shape=shape)
    return {"rows": relation.rows, "columns": relation.columns, "weight": relation.weight}


def _load_relation(stored: dict[str, Any], at: int, folder: Path) -> Relation:
    with np.load(folder / f"relation_{at}.npz", allow_pickle=False) as arrays:
        parts = arrays["data"], arrays["indices"], arrays["indptr"]
        rows, columns = arrays["shape"].tolist()
    matrix = sparse.csr_array(parts, shape=(rows, columns))
    matrix.check_format(full_check=True)
    return Relation(stored["rows"], stored["columns"], matrix, stored["weight"])
