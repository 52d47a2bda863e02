"""The network of a corpus and of the entities that were linked in it."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np
from scipy import sparse

from colligate.errors import Parameter, ParameterError
from colligate.network import Network, Relation
from colligate.network.objects import WORDS

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from colligate.corpus import Corpus
    from colligate.entities.linker import LinkingResult
    from colligate.entities.tables import Table
    from colligate.network import ObjectType

_ENDS = ("head_type", "head_name", "tail_type", "tail_name")


def entity_network(corpus: Corpus, linked: LinkingResult, *, min_documents: int = 1) -> Network:
    """Build the network of documents, words and entities.

    It has documents × words, documents × each type of entity, and types × types with the triples. A triple
    counts in both directions: types are related once, in the order of their names. A name is in the words of
    its document too, so the relations to entities are marked as `in_text`.

    Parameters
    ----------
    corpus
        The documents that were linked.
    linked
        The result of `link`.
    min_documents
        Entities in fewer documents are left out.
    """
    mentions = common_mentions(linked, min_documents)
    if not mentions["document"]:
        return Network.from_corpus(corpus)
    network = Network.from_tables(corpus, mentions)
    mentioned = tuple(replace(relation, in_text=relation.columns != WORDS) for relation in network.relations)
    relations = tuple(_relate_types(network.types, linked.relations))
    return Network(network.types, mentioned + relations, corpus)


def common_mentions(linked: LinkingResult, min_documents: int = 1) -> Table:
    """Return the mentions of entities in at least `min_documents` documents."""
    if min_documents < 1:
        raise ParameterError(
            Parameter("min_documents"),
            f" must be at least 1; got {min_documents}",
            parameter="min_documents",
        )
    table = linked.mentions
    keys = list(zip(table["entity"], table["type"], strict=True))
    documents = Counter(keys)
    kept = [row for row, key in enumerate(keys) if documents[key] >= min_documents]
    return {name: [column[row] for row in kept] for name, column in table.items()}


def _relate_types(types: Mapping[str, ObjectType], table: Table) -> Iterator[Relation]:
    edges: dict[tuple[str, str], list[tuple[int, int]]] = {}
    positions = {
        kind: {name: position for position, name in enumerate(objects.names)}
        for kind, objects in types.items()
    }
    for ends in zip(*(table[name] for name in _ENDS), strict=True):
        for rows, row, columns, column in (ends, ends[2:] + ends[:2]):
            source, target = positions.get(rows, {}).get(row), positions.get(columns, {}).get(column)
            if rows <= columns and source is not None and target is not None:
                edges.setdefault((rows, columns), []).append((source, target))
    for (rows, columns), pairs in sorted(edges.items()):
        source, target = np.array(pairs, dtype=np.int32).T
        ones = np.ones(len(pairs), dtype=np.int64)
        shape = len(types[rows]), len(types[columns])
        yield Relation(rows, columns, sparse.coo_array((ones, (source, target)), shape=shape).tocsr())
