"""Variants of `chinc` on a part of 20 Newsgroups with Freebase, to find why entities do not help.

Each makes a network and knowledge from the posts, their groups, and the linked entities. Variants that use
the groups show what would be possible; they are no clustering methods.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from dataclasses import dataclass, field, replace
from functools import cache
from typing import TYPE_CHECKING, Any

import numpy as np
from scipy import sparse

from colligate.entities.shared_names import shared_names
from colligate.network import Network, Relation, subtype_knowledge
from experiments.knowledge_bases import read_triples
from experiments.linked_news import THREE, link_news, read_news
from experiments.paper003_entities import evaluate_subtypes

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping
    from pathlib import Path

    import colligate as cg
    from colligate.entities.tables import Table

BASE, FACTS, PREFIX = "freebase", "freebase_fb15k", "urn:colligate:entity:"
SURE, PURE = 0.9, 0.5
EVERY = 4
MANY = 128
"""Clusters where all types of entities are one, or where more may help."""


@dataclass(frozen=True, eq=False)
class Setup:
    """What a method is given."""

    network: Network
    knowledge: cg.Knowledge | None = None
    parameters: Mapping[str, Any] = field(default_factory=dict)


@cache
def posts(data: Path, part: int = 0) -> tuple[cg.Corpus, np.ndarray]:
    """Every fourth post, beginning with one of the first four, and its group."""
    corpus, labels = read_news(None, data)
    selected = slice(part, None, EVERY)
    texts = None if corpus.texts is None else list(corpus.texts)[selected]
    return replace(corpus, ids=corpus.ids[selected], counts=corpus.counts[selected], texts=texts), labels[
        selected
    ]


def mentions_of(data: Path, part: int = 0, *, three: bool = True) -> Table:
    """People, organisations and places, as in Table 6, or entities of all types; linked in all posts."""
    table = link_news(BASE, None, data, THREE[BASE] if three else None).mentions
    there = set(posts(data, part)[0].ids)
    return where(table, (document in there for document in table["document"]))


def guided(data: Path, table: Table, corpus: cg.Corpus | None = None, **parameters: Any) -> Setup:
    """`chinc` with a table of mentions and its sub-types."""
    network = Network.from_tables(corpus or posts(data)[0], table)
    return Setup(network, subtype_knowledge(table), parameters=parameters)


def where(table: Table, keep: Iterable[bool]) -> Table:
    rows = np.flatnonzero(list(keep)).tolist()
    return {name: [column[position] for position in rows] for name, column in table.items()}


def weighed(factor: float, setup: Setup) -> Setup:
    """All relations but the words by so many times their share."""
    totals = [each.total for each in setup.network.relations]
    weights = [total / sum(totals) * (factor if number else 1.0) for number, total in enumerate(totals)]
    pairs = zip(setup.network.relations, weights, strict=True)
    relations = tuple(replace(each, weight=weight) for each, weight in pairs)
    return replace(setup, network=replace(setup.network, relations=relations))


def sure(data: Path) -> Setup:
    table = mentions_of(data)
    return guided(data, where(table, (sure >= SURE for sure in table["confidence"])))


def telling(data: Path) -> Setup:
    """Only entities of several posts, most of which are of one group."""
    (corpus, labels), table = posts(data), mentions_of(data)
    group = dict(zip(corpus.ids, labels.tolist(), strict=True))
    met: dict[str, Counter[str]] = defaultdict(Counter)
    for document, entity in zip(table["document"], table["entity"], strict=True):
        met[entity][group[document]] += 1
    fit = {key for key, groups in met.items() if 1 < groups.total() < groups.most_common(1)[0][1] / PURE}
    return guided(data, where(table, (entity in fit for entity in table["entity"])))


def shuffled(data: Path) -> Setup:
    """Every entity has the sub-types of another one of its type, drawn at random."""
    table, rng = mentions_of(data), np.random.default_rng(0)
    known = dict(zip(zip(table["type"], table["entity"], strict=True), table["subtype"], strict=True))
    drawn: dict[tuple[str, str], list[str]] = {}
    for kind in THREE[BASE]:
        keys = [key for key in known if key[0] == kind]
        others = rng.permutation(len(keys)).tolist()
        drawn |= {key: known[keys[other]] for key, other in zip(keys, others, strict=True)}
    keys = zip(table["type"], table["entity"], strict=True)
    return guided(data, table | {"subtype": [drawn[key] for key in keys]})


def nameless(data: Path) -> cg.Corpus:
    """The corpus without the words that are a part of some entity's name."""
    corpus = posts(data)[0]
    parts = {word.lower() for name in set(mentions_of(data)["name"]) for word in name.split()}
    keep = np.array([word not in parts for word in corpus.words])
    return replace(corpus, counts=corpus.counts[:, keep], words=np.array(corpus.words)[keep].tolist())


def thinned(data: Path, share: float) -> cg.Corpus:
    """The corpus with so many of its words, each occurrence drawn by itself; entities are not thinned."""
    corpus = posts(data)[0]
    counts = corpus.counts.tocsr(copy=True)
    counts.data = np.random.default_rng(0).binomial(counts.data.astype(np.int64), share)
    counts.eliminate_zeros()
    keep = np.unique(counts.indices)
    return replace(corpus, counts=counts[:, keep], words=np.array(corpus.words)[keep].tolist())


def pooled(data: Path, part: int = 0) -> Table:
    """Entities of all types as objects of one."""
    table = mentions_of(data, part, three=False)
    names = [f"{name} ({kind})" for name, kind in zip(table["name"], table["type"], strict=True)]
    return table | {"name": names, "type": ["entities"] * len(names)}


def as_one_type(data: Path, *more: Relation, part: int = 0) -> Setup:
    network = Network.from_tables(posts(data, part)[0], pooled(data, part))
    network = replace(network, relations=network.relations + more)
    return Setup(network, parameters={"n_entity_clusters": MANY})


def with_facts(data: Path, part: int = 0) -> Setup:
    """What the knowledge base says of two entities that posts speak of, whether a sentence says it or not."""
    table = pooled(data, part)
    names = as_one_type(data, part=part).network.types["entities"].names
    place = {name: positions for positions, name in enumerate(names)}
    positions = defaultdict(set)
    for entity, name in zip(table["entity"], table["name"], strict=True):
        positions[entity].add(place[name])
    pairs = sorted(
        {pair for fact in read_triples(data, FACTS) for pair in _ends(positions, fact[0], fact[2])}
    )
    rows, columns = np.array(pairs).T
    matrix = sparse.csr_array((np.ones(len(pairs)), (rows, columns)), shape=(len(names), len(names)))
    return as_one_type(data, Relation("entities", "entities", matrix), part=part)


def _ends(positions: Mapping[str, set[int]], head: str, tail: str) -> list[tuple[int, int]]:
    return [
        (a, b) for a in positions.get(PREFIX + head, ()) for b in positions.get(PREFIX + tail, ()) if a != b
    ]


def of_several(data: Path) -> Setup:
    """Only entities of at least two posts, each counted by how rare it is (tf-idf)."""
    table = mentions_of(data)
    spread = Counter(table["entity"])
    table = where(table, (spread[entity] > 1 for entity in table["entity"]))
    idf = {entity: np.log(len(posts(data)[0]) / many) for entity, many in spread.items()}
    counts = zip(table["count"], table["entity"], strict=True)
    return guided(data, table | {"count": [count * idf[entity] for count, entity in counts]})


def linked_documents(data: Path) -> Setup:
    """Posts that share five names and more are together as well."""
    corpus, setup = posts(data)[0], guided(data, mentions_of(data))
    links = shared_names(corpus.ids, mentions_of(data, three=False), min_shared=5)
    assert setup.knowledge is not None
    return replace(setup, knowledge=setup.knowledge + links.knowledge())


def with_subtypes(data: Path) -> Setup:
    """Sub-types of all types as objects of their own."""
    table = evaluate_subtypes(mentions_of(data, three=False))
    network = Network.from_tables(posts(data)[0], table)
    return Setup(network, parameters={"n_entity_clusters": 40})


def together_only(data: Path) -> Setup:
    setup = guided(data, mentions_of(data))
    return replace(setup, knowledge=subtype_knowledge(mentions_of(data), apart=0.0))


def plain(data: Path, **parameters: Any) -> Setup:
    return guided(data, mentions_of(data), **parameters)


def times(factor: float, data: Path) -> Setup:
    return weighed(factor, plain(data))
