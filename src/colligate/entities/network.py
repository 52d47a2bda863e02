"""The network of a corpus and of what was linked in it, and what the sub-types tell."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING, Any

import numpy as np
from scipy import sparse

from colligate.errors import ParameterError
from colligate.network import Network, Relation

if TYPE_CHECKING:
    from collections.abc import Iterator

    from colligate.corpus import Corpus
    from colligate.entities.linker import LinkingResult
    from colligate.entities.tables import Table
    from colligate.network import ObjectType

_ENDS = ("head_type", "head_name", "tail_type", "tail_name")


def entity_network(corpus: Corpus, linked: LinkingResult, *, min_documents: int = 1) -> Network:
    """Documents × words, documents × each type of entity, and types × types by the triples that were found.

    Entities of fewer than `min_documents` documents are left out. A triple counts in both directions: types
    are related once, in the order of their names.
    """
    mentions = common_mentions(linked, min_documents)
    if not mentions["document"]:
        return Network.from_corpus(corpus)
    network = Network.from_tables(corpus, mentions)
    more = tuple(_relations(network.types, linked.relations))
    return Network(network.types, network.relations + more, corpus)


def common_mentions(linked: LinkingResult, min_documents: int = 1) -> Table:
    """The mentions of entities that enough documents speak of, for `subtype_knowledge` as well."""
    if min_documents < 1:
        raise ParameterError(f"min_documents must be at least 1; got {min_documents}")
    table = linked.mentions
    keys = list(zip(table["entity"], table["type"], strict=True))
    spread = Counter(keys)
    keep = [at for at, key in enumerate(keys) if spread[key] >= min_documents]
    return {name: [column[at] for at in keep] for name, column in table.items()}


def _relations(types: dict[str, ObjectType] | Any, table: Table) -> Iterator[Relation]:
    edges: dict[tuple[str, str], list[tuple[int, int]]] = {}
    places = {kind: {name: at for at, name in enumerate(found.names)} for kind, found in types.items()}
    for ends in zip(*(table[name] for name in _ENDS), strict=True):
        for rows, row, columns, column in (ends, ends[2:] + ends[:2]):
            source, target = places.get(rows, {}).get(row), places.get(columns, {}).get(column)
            if rows <= columns and source is not None and target is not None:
                edges.setdefault((rows, columns), []).append((source, target))
    for (rows, columns), found in sorted(edges.items()):
        yield Relation(rows, columns, _counted(found, len(types[rows]), len(types[columns])))


def _counted(edges: list[tuple[int, int]], rows: int, columns: int) -> sparse.csr_array:
    row, column = np.array(edges, dtype=np.int32).T
    ones = np.ones(len(edges), dtype=np.int64)
    return sparse.coo_array((ones, (row, column)), shape=(rows, columns)).tocsr()
