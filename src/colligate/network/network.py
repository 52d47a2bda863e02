"""The network: types of objects and sparse non-negative relations between them."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np

from colligate._storage.atomic import expand_path
from colligate.corpus.languages import WordForms
from colligate.errors import InputError, MatrixError
from colligate.network import store
from colligate.network.from_edges import build_two_types, parse_arrays, parse_edges, parse_graph
from colligate.network.from_tables import parse_mentions
from colligate.network.neighbourhood import (
    Neighbourhood,
    build_neighbourhood,
    find_description,
    list_parts,
    orient_matrix,
)
from colligate.network.objects import DOCUMENTS, WORDS, ObjectType
from colligate.shards.matrix import ShardedMatrix

if TYPE_CHECKING:
    import os
    from collections.abc import Mapping, Sequence

    from numpy.typing import NDArray
    from scipy.sparse import csr_array

    from colligate.corpus import Corpus
    from colligate.network.objects import Relation


@dataclass(frozen=True, eq=False, repr=False)
class Network:
    """Types of objects and relations between them. A documents × words matrix is the smallest network in use.

    The schema is free: a star around documents, chains, relations between entities or of a type with itself,
    several relations between the same two types (with different names), types without a relation.

    Parameters
    ----------
    types
        The types by name.
    relations
        The relations, whose names must differ.
    corpus
        The documents' corpus, if there is one: results show its texts. It is not stored.

    Raises
    ------
    InputError
        If there is no type, or a relation does not fit the types.
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
                raise InputError(
                    f"in types, the key {name!r} has a type called {kind.name!r}; use the same name for both"
                )
        if self.corpus is not None and len(self.corpus) != len(self.types.get(DOCUMENTS, ())):
            raise InputError(
                f"the corpus has {len(self.corpus)} documents, but the network has "
                f"{len(self.types.get(DOCUMENTS, ()))}; both must have the same documents"
            )
        self._check_relations()

    def _check_relations(self) -> None:
        seen: set[str] = set()
        for relation in self.relations:
            if relation.name in seen:
                raise InputError(f"two relations are called {relation.name}; give one of them another name")
            seen.add(relation.name)
            for side, size in zip((relation.rows, relation.columns), relation.matrix.shape, strict=True):
                if side not in self.types:
                    raise InputError(
                        f"relation {relation.name} uses the type {side}, which is not in the network; add "
                        "the type, or remove the relation"
                    )
                if size != len(self.types[side]):
                    raise MatrixError(
                        f"the matrix of relation {relation.name} is for {size} {side}, but the network has "
                        f"{len(self.types[side])}; both numbers must be equal"
                    )

    @classmethod
    def from_matrix(
        cls, matrix: object, *, ids: Sequence[str] | None = None, words: Sequence[str] | None = None
    ) -> Network:
        """Make a network of a documents × words matrix; objects without names are known by position."""
        return cls(*build_two_types(matrix, ids, words))

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
        """Make documents × words, and documents × each type of entity in a table of mentions.

        Parameters
        ----------
        corpus
            The documents.
        mentions
            A DataFrame, an Arrow table, a mapping of columns, or the path of a CSV, TSV or Parquet file, with
            the columns document, name, type and optionally count (1 without it). Rows of the same document
            and entity add up. The column subtype is for `colligate.subtype_knowledge`.
        columns
            Other names of the columns: `columns={"name": "entity"}`.
        unknown
            "error" to refuse rows of documents that the corpus lacks, "report" to leave them out with a
            warning.

        Returns
        -------
        Network
            With the types of the table, and the names of their objects in sorted order.
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

        Parameters
        ----------
        edges
            By relation a DataFrame, an Arrow table or a mapping of columns (source, target and optionally
            weight; or two or three columns in that order), or a list of such pairs or triples. Text is a
            name, a whole number a position; repeated edges add up. A key of three, `("people", "knows",
            "people")`, distinguishes relations between the same types. Relations keep their direction.
        names
            All objects of a type in their order, so that those without an edge are included.
        """
        return cls(*parse_edges(edges, names or {}))

    @classmethod
    def from_networkx(cls, graph: Any, *, type: str = "type", weight: str | None = "weight") -> Network:
        """Make a network of a NetworkX graph.

        Objects keep the order of the nodes and are named by them. Each pair of types with an edge is a
        relation: from source to target in a directed graph; otherwise with documents first, then by name of
        the type, and symmetric within one type. Parallel edges add up.

        Parameters
        ----------
        graph
            The graph.
        type
            The attribute of nodes that holds their type.
        weight
            The attribute of edges that holds their weight; an edge without it counts 1.
        """
        return cls(*parse_graph(graph, type, weight))

    @classmethod
    def from_arrays(cls, data: Mapping[Any, Mapping[str, Any]]) -> Network:
        """Make a network of arrays in the format of PyTorch Geometric.

        Parameters
        ----------
        data
            What a HeteroData's `to_dict()` returns: `{("documents", "to", "people"): {"edge_index": 2 × E,
            "edge_weight": E}, "documents": {"num_nodes": n, "names": […]}}`. Weights are 1 if there are none,
            and types may be left out if the edges say enough. The middle word, unless it is "to", becomes
            part of the relation's name. Other attributes are ignored (`y`, `train_mask`, features in
            `edge_attr`), but weights under another name are refused.
        """
        return cls(*parse_arrays(data))

    @classmethod
    def load(cls, folder: str | os.PathLike[str]) -> Network:
        """Load what `save` wrote; an error names the file that is missing, damaged or newer."""
        return store.load(cls, expand_path(folder))

    def save(self, folder: str | os.PathLike[str], *, overwrite: bool = False) -> None:
        """Store the network as a new folder of Parquet files and a network.json."""
        store.save(self.types, self.relations, expand_path(folder), overwrite=overwrite)

    @property
    def names(self) -> dict[str, Sequence[str] | range]:
        """The names of the objects of every type."""
        names = {name: kind.names for name, kind in self.types.items()}
        stem = None if self.corpus is None else self.corpus.analyser.stem
        words = names.get(WORDS, range(0))
        if stem is not None and not isinstance(words, range):
            names[WORDS] = WordForms(words, stem)
        return names

    @property
    def centre(self) -> str:
        """The type that is grouped first: documents if there are any, otherwise the first type."""
        return DOCUMENTS if DOCUMENTS in self.types else next(iter(self.types))

    @cached_property
    def terms(self) -> str | None:
        """The type that describes the centre: words, or else the type with the most entries."""
        part = find_description(self)
        return None if part is None else part.other

    @cached_property
    def counts(self) -> csr_array:
        """The counts of terms for each object of the centre, over all relations between the two."""
        description = find_description(self)
        if description is None:
            raise InputError(
                f"no relation of this network includes {self.centre}; add a relation with {self.centre}"
            )
        # A relation of the centre with itself has a second, flipped part, which is not added.
        parts = [
            part for part in list_parts(self, self.centre) if part.other == description.other != self.centre
        ]
        first, *more = (orient_matrix(self, part) for part in parts or [description])
        return sum(more, start=first)

    @property
    def n_entries(self) -> int:
        """The number of stored entries of all relations."""
        return sum(int(relation.matrix.nnz) for relation in self.relations)

    @property
    def is_sharded(self) -> bool:
        """Whether entries are on the workers of a cluster."""
        return any(isinstance(relation.matrix, ShardedMatrix) for relation in self.relations)

    def nonempty(self, kind: str) -> NDArray[np.bool_]:
        """Return which objects of a type have an entry in some relation."""
        mask = np.zeros(len(self.types[kind]), dtype=bool)
        for relation in self.relations:
            if relation.rows == kind:
                mask |= np.diff(relation.matrix.indptr) > 0
            if relation.columns == kind:
                mask |= relation.filled_columns
        return mask

    def neighbourhood(self, kind: str) -> Neighbourhood:
        """Return all relations of a type side by side, with its objects in the rows."""
        return build_neighbourhood(self, kind)

    def __repr__(self) -> str:
        sizes = [f"{name}: {len(kind):,}" for name, kind in self.types.items()]
        return f"Network({'; '.join([*sizes, *map(str, self.relations)])})"
