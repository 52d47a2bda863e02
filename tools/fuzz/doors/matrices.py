"""Matrices, networks and tables of entities."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
from scipy import sparse

import colligate as cg
from tools.fuzz import mutation
from tools.fuzz.doors.base import Door, make_corpus

if TYPE_CHECKING:
    import random


class Matrices(Door):
    """Sparse and dense matrices with wrong index arrays, entries, types and shapes."""

    name = "matrices"

    def prepare(self) -> None:
        # loading compiled code takes longer than any input
        for method in ("kmeans", "itcc", "nmf"):
            for dtype in ("i4", "f4", "f8"):
                matrix = np.eye(4, dtype=dtype)
                cg.make(method, n_clusters=2, n_init=1, max_iter=2).fit(matrix).predict(matrix)

    def attack(self, rng: random.Random) -> None:
        rows, columns = rng.randrange(1, 12), rng.randrange(1, 9)
        dense = np.random.default_rng(rng.randrange(2**32)).poisson(1.0, (rows, columns))
        kind = rng.choice(("csr", "csc", "coo", "bsr", "lil", "dok", "dia", "dense", "csr_matrix"))
        if kind == "dense":
            matrix: Any = mutation.mutate_array(rng, dense.astype(rng.choice(("i4", "f4", "f8"))))
        elif kind == "csr_matrix":
            matrix = sparse.csr_matrix(dense.astype("f8"))
        else:
            matrix = sparse.coo_array(dense.astype(rng.choice(("i4", "f4", "f8")))).asformat(kind)
        for name in ("data", "indices", "indptr"):
            if kind not in ("dense", "lil", "dok") and hasattr(matrix, name) and rng.random() < 0.5:
                try:
                    setattr(matrix, name, mutation.mutate_array(rng, np.array(getattr(matrix, name))))
                except (ValueError, TypeError, AttributeError):
                    return
        if kind == "coo" and rng.random() < 0.7:
            for places in matrix.coords:
                if len(places):
                    places[rng.randrange(len(places))] = rng.choice((0, -1, 5, 100, 2**31 - 1))
        method = cg.make(
            rng.choice(("kmeans", "itcc", "nmf")), n_clusters=rng.choice((1, 2, 3)), n_init=1, max_iter=2
        )
        fitted = method.fit(matrix)
        fitted.predict(matrix)


class Networks(Door):
    """Lists of edges, arrays and tables of entities."""

    name = "networks"
    TABLE = "document,name,type,count\nd0,Rome,city,2\nd1,Bonn,city,1\nd2,NASA,agency,1\nd0,NASA,agency,3\n"
    EDGES = (("documents", "people"), ("people", "knows", "people"), ("documents", "words"))

    def prepare(self) -> None:
        import pyarrow as pa
        import pyarrow.parquet as pq

        self.corpus = make_corpus()
        rows = [line.split(",") for line in self.TABLE.splitlines()]
        columns = {name: [row[place] for row in rows[1:]] for place, name in enumerate(rows[0])}
        columns["count"] = [int(count) for count in columns["count"]]
        pq.write_table(pa.table(columns), self.folder / "sound.parquet")
        self.sound = {
            ".csv": self.TABLE.encode(),
            ".tsv": self.TABLE.replace(",", "\t").encode(),
            ".parquet": (self.folder / "sound.parquet").read_bytes(),
        }

    def attack(self, rng: random.Random) -> None:
        kind = rng.randrange(3)
        if kind == 0:
            suffix = rng.choice(list(self.sound))
            path = self.folder / f"mentions{suffix}"
            path.write_bytes(self.change_table(rng, suffix))
            network = cg.Network.from_tables(self.corpus, path, unknown="report")
        elif kind == 1:
            edges = {key: self.make_edges(rng) for key in rng.sample(self.EDGES, rng.choice((1, 2)))}
            network = cg.Network.from_edges(edges)
        else:
            network = cg.Network.from_arrays(self.make_arrays(rng))
        repr(network)
        # beyond some dozens of objects the time goes into the fit, which other doors try
        if len(network.relations) == 1 and sum(map(len, network.types.values())) < 100:
            cg.make("kmeans", n_clusters=2, n_init=1, max_iter=2).fit(network)

    def change_table(self, rng: random.Random, suffix: str) -> bytes:
        """Change the bytes of a table, or one of its cells."""
        if suffix == ".parquet" or rng.random() < 0.4:
            return mutation.mutate_bytes(rng, self.sound[suffix])
        cells = [line.split(",") for line in self.TABLE.splitlines()]
        row = rng.choice(cells)
        row[rng.randrange(len(row))] = rng.choice(
            (*mutation.INTERESTING_TEXTS, *map(str, mutation.INTERESTING_NUMBERS), "city", "documents", "d0")
        )
        separator = "," if suffix == ".csv" else "\t"
        return "\n".join(separator.join(row) for row in cells).encode("utf-8", "replace")

    @staticmethod
    def make_edges(rng: random.Random) -> list[Any]:
        """Make edges by name or by position, some of them wrong."""
        rows: list[Any] = [
            (rng.choice("abc"), rng.choice("xyz"), rng.randrange(1, 4)) for _ in range(rng.randrange(1, 8))
        ]
        return mutation.mutate_value(rng, [list(row) for row in rows])

    @staticmethod
    def make_arrays(rng: random.Random) -> dict[Any, dict[str, Any]]:
        """Make the arrays of graph libraries: `edge_index`, weights and numbers of objects."""
        n_edges = rng.randrange(1, 9)
        numbers = np.random.default_rng(rng.randrange(2**32))
        index = numbers.integers(0, 4, (2, n_edges))
        weights = numbers.random(n_edges)
        edges: dict[str, Any] = {"edge_index": index, "edge_weight": weights}
        name = rng.choice(list(edges))
        edges[name] = mutation.mutate_array(rng, edges[name])
        count = rng.choice((4, 4, 4, 3, 0, -1, 2**40, "4", None, 1.5))
        return {
            "documents": {"num_nodes": count},
            "people": {"num_nodes": 4},
            ("documents", "to", "people"): edges,
        }
