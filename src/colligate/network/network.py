"""The network: types of objects and sparse non-negative relations between them."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np

from colligate._storage.atomic import expand_path
from colligate.errors import InputError, MatrixError
from colligate.network import store
from colligate.network.assembly import build_two_types
from colligate.network.from_edges import parse_arrays, parse_edges, parse_graph
from colligate.network.from_tables import parse_mentions
from colligate.network.neighbourhood import (
    Neighbourhood,
    build_neighbourhood,
    find_description,
    list_parts,
    orient_matrix,
)
from colligate.network.objects import DOCUMENTS, ObjectType

if TYPE_CHECKING:
    import os
    from collections.abc import Mapping, Sequence

    from numpy.typing import NDArray
    from scipy.sparse import csr_array

    from colligate.corpus import Corpus
    from colligate.network.objects import Relation


@dataclass(frozen=True, eq=False, repr=False)
class Network:
    """Types and relations. A documents × words matrix is the smallest network in use.

    The schema is free: a star around documents, chains, relations between entities or of a type with itself,
    several relations between the same two types (with names of their own), types without any relation.
    `corpus` is where the documents come from, if they do: results show its texts. It is not stored.
    """

    types: Mapping[str, ObjectType]
    relations: tuple[Relation, ...]
    corpus: Corpus | None = None

    def __post_init__(self) -> None:
        object.__setattr__(self, "types", dict(self.types))
        object.__setattr__(self, "relations", tuple(self.relations))
        if not self.types:
            raise InputError("a network needs at least one type of objects; got none")
        for name, kind in self.types.items():
            if name != kind.name:
                raise InputError(f"the type {kind.name} is listed as {name!r}; list it under its own name")
        self._refuse_misfits()

    @classmethod
    def from_matrix(cls, matrix: object) -> Network:
        """Make a two-type network of a documents × words matrix; objects are named by position."""
        return cls(*build_two_types(matrix, None, None))

    @classmethod
    def from_corpus(cls, corpus: Corpus) -> Network:
        """Make the documents × words network of a corpus."""
        return cls(*build_two_types(corpus.counts, corpus.ids, corpus.words), corpus)

    @classmethod
    def from_tables(
        cls,
        corpus: Corpus,
        mentions: Any,
        *,
        columns: Mapping[str, str] | None = None,
        unknown: str = "error",
    ) -> Network:
        """Make documents × words, and documents × each type of entity that a table says they mention.

        `mentions` is a DataFrame, an Arrow table, a mapping of columns, or the path of a CSV, TSV or Parquet
        file, with the columns document, name, type and, where there is one, count (1 without it); rows of the
        same document and entity add up. `columns` renames them: `columns={"name": "entity"}`. The types are
        called as the table calls them; names are sorted.
        Rows of documents that the corpus lacks stop the call, or with `unknown="report"` are left out with a
        warning. What the table's sub-types tell is made by `colligate.network.subtype_knowledge`.
        """
        return cls(*parse_mentions(corpus, mentions, columns, unknown), corpus)

    @classmethod
    def from_edges(
        cls,
        edges: Mapping[tuple[str, ...], Any],
        *,
        names: Mapping[str, Sequence[str] | range] | None = None,
    ) -> Network:
        """Make a network of edge lists: `{("documents", "people"): edges, …}`.

        Edges are a DataFrame, an Arrow table or a mapping of columns (source, target, and weight where there
        is one; or two or three columns in that order), or a list of such pairs or triples. Text is a name,
        a whole number a position; repeated edges add up. `names` gives all the objects of a type in their
        order, so that those without an edge are there too. A key of three, `("people", "knows", "people")`,
        tells relations between the same types apart. A relation is kept in the direction it is given in.
        """
        return cls(*parse_edges(edges, names or {}))

    @classmethod
    def from_networkx(cls, graph: Any, *, type: str = "type", weight: str | None = "weight") -> Network:
        """Make a network of a NetworkX graph, whose nodes carry their type and edges may carry a weight.

        Objects keep the order of the nodes and are named by them. Each pair of types with an edge is a
        relation: from source to target in a directed graph; otherwise with documents first, then by name of
        the type, and symmetric within one type. Parallel edges add up; an edge without a weight counts 1.
        """
        return cls(*parse_graph(graph, type, weight))

    @classmethod
    def from_arrays(cls, data: Mapping[Any, Mapping[str, Any]]) -> Network:
        """Make a network of arrays in the manner of PyTorch Geometric (a HeteroData's `to_dict()`).

        `{("documents", "to", "people"): {"edge_index": 2 × E, "edge_weight": E}, "documents": {"num_nodes":
        n, "names": […]}}`: weights are 1 where there are none, and types may be left out where the edges
        say enough. The middle word, unless it is "to", becomes a part of the relation's name. Other
        attributes (`y`, `train_mask`, features in `edge_attr`) are ignored; what may be weights under another
        name is refused.
        """
        return cls(*parse_arrays(data))

    @classmethod
    def load(cls, folder: str | os.PathLike[str]) -> Network:
        """Load what `save` wrote; a damaged, incomplete or newer one is refused by the name of the file."""
        return store.load(cls, expand_path(folder))

    def save(self, folder: str | os.PathLike[str], *, overwrite: bool = False) -> None:
        """Store the network as a new folder of Parquet files and a network.json."""
        store.save(self.types, self.relations, expand_path(folder), overwrite=overwrite)

    @property
    def names(self) -> dict[str, Sequence[str] | range]:
        """The names of the objects of every type."""
        return {name: kind.names for name, kind in self.types.items()}

    @property
    def centre(self) -> str:
        """The type that is grouped first: documents where there are any, otherwise the first type."""
        return DOCUMENTS if DOCUMENTS in self.types else next(iter(self.types))

    @cached_property
    def terms(self) -> str | None:
        """The type that describes the centre: words where it has any, else what it has the most of."""
        part = find_description(self)
        return None if part is None else part.other

    @cached_property
    def counts(self) -> csr_array:
        """How often each object of the centre has each of its terms, over all relations between the two."""
        described = find_description(self)
        if described is None:
            raise InputError(
                f"{self.centre} take part in no relation of this network; relate them to something"
            )
        # a relation of the centre with itself has a second, flipped part
        alike = [
            part for part in list_parts(self, self.centre) if part.other == described.other != self.centre
        ]
        first, *further = (orient_matrix(self, part) for part in alike or [described])
        return sum(further, start=first)

    def nonempty(self, kind: str) -> NDArray[np.bool_]:
        """Which objects of a type have an entry in some relation."""
        found = np.zeros(len(self.types[kind]), dtype=bool)
        for relation in self.relations:
            if relation.rows == kind:
                found |= np.diff(relation.matrix.indptr) > 0
            if relation.columns == kind:
                found[relation.matrix.indices] = True
        return found

    def neighbourhood(self, kind: str) -> Neighbourhood:
        """All relations of a type next to each other, by its objects."""
        return build_neighbourhood(self, kind)

    def __repr__(self) -> str:
        sizes = [f"{name}: {len(kind):,}" for name, kind in self.types.items()]
        return f"Network({'; '.join([*sizes, *map(str, self.relations)])})"

    def _refuse_misfits(self) -> None:
        if self.corpus is not None and len(self.corpus) != len(self.types.get(DOCUMENTS, ())):
            raise InputError("the corpus of a network must hold its documents; they differ in number")
        seen: set[str] = set()
        for relation in self.relations:
            if relation.name in seen:
                raise InputError(f"two relations are called {relation.name}; give one another name=")
            seen.add(relation.name)
            for side, size in zip((relation.rows, relation.columns), relation.matrix.shape, strict=True):
                if side not in self.types:
                    raise InputError(f"relation {relation.name} speaks of {side}, a type the network lacks")
                if size != len(self.types[side]):
                    raise MatrixError(
                        f"relation {relation.name} has {size} {side}, the network {len(self.types[side])}"
                    )
