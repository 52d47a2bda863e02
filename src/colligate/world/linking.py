"""Linking: from texts and a knowledge base to the entities that the texts speak of, and their relations."""

from __future__ import annotations

import hashlib
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from colligate.errors import ParameterError
from colligate.progress import nobody
from colligate.world.evidence import cases_of
from colligate.world.filters import DEFAULT, filter_of
from colligate.world.filters.readings import check_types, readings
from colligate.world.linked import Linked, Wanted
from colligate.world.mentions.finding import Finder, find
from colligate.world.mentions.found import NAME, Found
from colligate.world.mentions.gazetteer import Gazetteer
from colligate.world.mentions.kept import Kept
from colligate.world.mentions.likely import likely
from colligate.world.mentions.recogniser import Recogniser
from colligate.world.parsing.facts import Facts
from colligate.world.parsing.lexicon import Lexicon
from colligate.world.parsing.pairs import pairs
from colligate.world.parsing.triples import triples

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Sequence
    from pathlib import Path

    from colligate.progress import Listener
    from colligate.world.base.interface import KnowledgeBase
    from colligate.world.filters.choice import Filter
    from colligate.world.filters.readings import Reading
    from colligate.world.parsing.pairs import Pair

LEAST = 0.5


def link(
    ids: Sequence[str],
    texts: Sequence[str],
    base: KnowledgeBase,
    *,
    recogniser: str | Recogniser | None = None,
    filter: str | Filter = DEFAULT,
    types: Collection[str] | None = None,
    least_confidence: float = LEAST,
    n_jobs: int | None = None,
    listener: Listener = nobody,
    checkpoint: Path | None = None,
    cancelled: Callable[[], bool] = lambda: False,
) -> Linked:
    """Find the entities of a knowledge base in documents, with their types and relations.

    `recogniser` is a spaCy model that helps the gazetteer, `filter` decides what an ambiguous name stands for
    (fbsf, dfbsf or cbsf), `types` are the labels of classes at the top that are of interest. Decisions below
    `least_confidence` are left out. `n_jobs` processes look through the documents (None and -1 mean all
    cores); the result does not depend on it. With a `checkpoint`, the search goes on where it was stopped.
    """
    if not 0 <= least_confidence <= 1:
        raise ParameterError(f"least_confidence must be from 0 to 1 in link; got {least_confidence}")
    check_types(types or (), base)
    chosen = filter_of(filter)
    known = Recogniser(recogniser) if isinstance(recogniser, str) else recogniser
    finder = Finder(Gazetteer(base.names(), listener), known)
    kept = None if checkpoint is None else Kept(checkpoint, _fingerprint(ids, texts, finder, base))
    found = find(finder, texts, jobs=n_jobs, listener=listener, kept=kept, cancelled=cancelled)
    named = _named(likely(found, finder.gazetteer, base), finder.gazetteer, base, listener)
    wanted = Wanted(least_confidence, None if types is None else frozenset(types))
    return _decided(list(ids), texts, named, base, chosen, wanted, listener)


class _Named(NamedTuple):
    """Finds with their names numbered anew: only names that occur and may stand for something are left."""

    found: Found
    names: list[str]
    readings: list[tuple[Reading, ...]]


def _named(found: Found, gazetteer: Gazetteer, base: KnowledgeBase, listener: Listener) -> _Named:
    numbers = np.unique(found.name)
    read = readings([gazetteer.owners(number) for number in numbers.tolist()], base, listener)
    some = np.array([bool(one) for one in read], dtype=bool)
    found = found.where(np.isin(found.name, numbers[some]))
    hits = found.hits.copy()
    hits[:, NAME] = np.searchsorted(numbers[some], found.name)
    names = [gazetteer.names[number] for number in numbers[some].tolist()]
    return _Named(Found(hits, found.small), names, [one for one in read if one])


def _decided(
    ids: list[str],
    texts: Sequence[str],
    named: _Named,
    base: KnowledgeBase,
    chosen: Filter,
    wanted: Wanted,
    listener: Listener,
) -> Linked:
    found, _, read = named
    met = list(pairs(texts, found, listener))
    both = [_names(found, pair) for pair in met]
    facts = Facts.ask(base, both, [_entities(one) for one in read], listener)
    lexicon = Lexicon.learn(
        (pair.phrase, names, facts.told(*names)) for pair, names in zip(met, both, strict=True)
    )
    cases, case = cases_of(found, read, met, facts)
    linked = Linked(ids, texts, named.names, found, case, cases, chosen.choose(cases), wanted, lexicon)
    told = triples(found, case, linked.case_entities, met, facts, lexicon)
    return linked.with_triples(told)


def _names(found: Found, pair: Pair) -> tuple[int, int]:
    return int(found.name[pair.left]), int(found.name[pair.right])


def _entities(read: tuple[Reading, ...]) -> tuple[str, ...]:
    return tuple(dict.fromkeys(reading.entity for reading in read))


def _fingerprint(ids: Sequence[str], texts: Sequence[str], finder: Finder, base: KnowledgeBase) -> str:
    """What the finds depend on: the documents, the names, and the recogniser."""
    digest = hashlib.sha256(repr((base.info(), finder.recogniser and finder.recogniser.model)).encode())
    for parts in (finder.gazetteer.names, ids, texts):
        digest.update(f"\x00{len(parts)}".encode())
        for part in parts:
            digest.update(part.encode("utf-8", "surrogatepass") + b"\x00")
    return digest.hexdigest()
