"""Linking: from texts and a knowledge base to the entities that the texts speak of, and their relations.

What linking found: mentions, what was decided of them, and the triples among them.

From finds, candidates and facts to the cases that a filter decides.
"""

from __future__ import annotations

import hashlib
import re
from collections import Counter, defaultdict
from dataclasses import dataclass, replace
from functools import cached_property
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from colligate.entities.mentions.filters import filter_mentions
from colligate.entities.mentions.gazetteer import Gazetteer
from colligate.entities.mentions.recogniser import Recogniser
from colligate.entities.mentions.search import (
    NAME,
    MentionFinder,
    MentionTable,
    SearchCheckpoint,
    find_mentions,
)
from colligate.entities.relations.extraction import Facts, extract_triples, pair_mentions
from colligate.entities.relations.lexicon import Lexicon
from colligate.entities.tables import Table, entity_table, mention_table, relation_table
from colligate.entities.types import DEFAULT_FILTER, resolve_filter
from colligate.entities.types.candidates import check_types, generate_candidates
from colligate.entities.types.cases import Cases
from colligate.errors import ParameterError
from colligate.progress import ignore_events

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
    from pathlib import Path

    from colligate.entities.kb.base import KnowledgeBase
    from colligate.entities.mentions.search import IntArray
    from colligate.entities.relations.extraction import MentionPair, Triple
    from colligate.entities.types.candidates import Candidate
    from colligate.entities.types.cases import Choice, Filter
    from colligate.progress import Listener


MIN_CONFIDENCE = 0.5


def link(
    ids: Sequence[str],
    texts: Sequence[str],
    base: KnowledgeBase,
    *,
    recogniser: str | Recogniser | None = None,
    filter: str | Filter = DEFAULT_FILTER,
    types: Collection[str] | None = None,
    min_confidence: float = MIN_CONFIDENCE,
    n_jobs: int | None = None,
    listener: Listener = ignore_events,
    checkpoint: Path | None = None,
    cancelled: Callable[[], bool] = lambda: False,
) -> LinkingResult:
    """Find the entities of a knowledge base in documents, with their types and relations.

    `recogniser` is a spaCy model that helps the gazetteer, `filter` decides what an ambiguous name stands for
    (fbsf, dfbsf or cbsf), `types` are the labels of classes at the top that are of interest. Decisions below
    `min_confidence` are left out. `n_jobs` processes look through the documents (None and -1 mean all
    cores); the result does not depend on it. With a `checkpoint`, the search goes on where it was stopped.
    """
    if not 0 <= min_confidence <= 1:
        raise ParameterError(f"min_confidence must be from 0 to 1 in link; got {min_confidence}")
    check_types(types or (), base)
    chosen = resolve_filter(filter)
    known = Recogniser(recogniser) if isinstance(recogniser, str) else recogniser
    finder = MentionFinder(Gazetteer(base.names(), listener), known)
    kept = (
        None if checkpoint is None else SearchCheckpoint(checkpoint, _fingerprint(ids, texts, finder, base))
    )
    found = find_mentions(finder, texts, jobs=n_jobs, listener=listener, kept=kept, cancelled=cancelled)
    named = _named(filter_mentions(found, finder.gazetteer, base), finder.gazetteer, base, listener)
    wanted = Selection(min_confidence, None if types is None else frozenset(types))
    return _decided(list(ids), texts, named, base, chosen, wanted, listener)


class _Named(NamedTuple):
    """Finds with their names numbered anew: only names that occur and may stand for something are left."""

    found: MentionTable
    names: list[str]
    candidates: list[tuple[Candidate, ...]]


def _named(found: MentionTable, gazetteer: Gazetteer, base: KnowledgeBase, listener: Listener) -> _Named:
    numbers = np.unique(found.name)
    read = generate_candidates([gazetteer.owners(number) for number in numbers.tolist()], base, listener)
    some = np.array([bool(one) for one in read], dtype=bool)
    found = found.where(np.isin(found.name, numbers[some]))
    hits = found.hits.copy()
    hits[:, NAME] = np.searchsorted(numbers[some], found.name)
    names = [gazetteer.names[number] for number in numbers[some].tolist()]
    return _Named(MentionTable(hits, found.small), names, [one for one in read if one])


def _decided(
    ids: list[str],
    texts: Sequence[str],
    named: _Named,
    base: KnowledgeBase,
    chosen: Filter,
    wanted: Selection,
    listener: Listener,
) -> LinkingResult:
    found, _, read = named
    met = list(pair_mentions(texts, found, listener))
    both = [_names(found, pair) for pair in met]
    facts = Facts.ask(base, both, [_entities(one) for one in read], listener)
    lexicon = Lexicon.learn(
        (pair.phrase, names, facts.told(*names)) for pair, names in zip(met, both, strict=True)
    )
    cases, case = build_cases(found, read, met, facts)
    linked = LinkingResult(ids, texts, named.names, found, case, cases, chosen.choose(cases), wanted, lexicon)
    told = extract_triples(found, case, linked.case_entities, met, facts, lexicon)
    return linked.with_triples(told)


def _names(found: MentionTable, pair: MentionPair) -> tuple[int, int]:
    return int(found.name[pair.left]), int(found.name[pair.right])


def _entities(read: tuple[Candidate, ...]) -> tuple[str, ...]:
    return tuple(dict.fromkeys(candidate.entity for candidate in read))


def _fingerprint(ids: Sequence[str], texts: Sequence[str], finder: MentionFinder, base: KnowledgeBase) -> str:
    """What the finds depend on: the documents, the names, and the recogniser."""
    digest = hashlib.sha256(repr((base.info(), finder.recogniser and finder.recogniser.model)).encode())
    for parts in (finder.gazetteer.names, ids, texts):
        digest.update(f"\x00{len(parts)}".encode())
        for part in parts:
            digest.update(part.encode("utf-8", "surrogatepass") + b"\x00")
    return digest.hexdigest()


@dataclass(frozen=True)
class Selection:
    """Which decisions are taken: those that are sure enough, and of a type of interest."""

    min_confidence: float
    types: frozenset[str] | None = None

    def taken(
        self, chosen: Candidate, candidates: tuple[Candidate, ...], confidence: float
    ) -> Candidate | None:
        """The one taken, if any: the chosen one, or the same entity as something of interest."""
        if confidence < self.min_confidence:
            return None
        if self.types is None or chosen.type in self.types:
            return chosen
        same = (one for one in candidates if one.entity == chosen.entity and one.type in (self.types or ()))
        return next(same, None)


@dataclass(frozen=True, eq=False)
class LinkingResult:
    """The entities of documents. `found` are all mentions, `case` their cases, `choice` what was decided.

    The tables are columns by name, and hold the decisions that are `wanted`.
    """

    ids: list[str]
    texts: Sequence[str]
    names: list[str]
    occurrences: MentionTable
    case: IntArray
    cases: Cases
    choice: Choice
    wanted: Selection
    lexicon: Lexicon
    triples: tuple[Triple, ...] = ()

    def with_triples(self, triples: Iterable[Triple]) -> LinkingResult:
        """The same with triples."""
        return replace(self, triples=tuple(triples))

    @cached_property
    def decisions(self) -> list[Candidate | None]:
        """By case the candidate that was chosen; None where nothing is decided."""
        columns = (self.cases.name.tolist(), self.choice.candidate.tolist(), self.choice.confidence.tolist())
        return [self._taken(*row) for row in zip(*columns, strict=True)]

    @cached_property
    def case_entities(self) -> list[str | None]:
        """By case the entity that was chosen."""
        return [None if candidate is None else candidate.entity for candidate in self.decisions]

    @cached_property
    def display_names(self) -> Mapping[tuple[str, str], str]:
        """By entity and type the name that the documents use most; entities of one type differ in it."""
        used: dict[tuple[str, str], Counter[str]] = defaultdict(Counter)
        rows = zip(self.cases.name.tolist(), self.cases.count.tolist(), self.decisions, strict=True)
        for name, count, candidate in rows:
            if candidate is not None:
                used[candidate.entity, candidate.type][self.names[name]] += count
        return _told_apart(
            {key: min(names, key=lambda name: (-names[name], name)) for key, names in used.items()}
        )

    @cached_property
    def mentions(self) -> Table:
        """A row for each document and entity in it, as `Network.from_tables` takes it."""
        return mention_table(self)

    @cached_property
    def entities(self) -> Table:
        """A row for each entity and type: what it is called, its sub-types, and how much speaks of it."""
        return entity_table(self.mentions)

    @cached_property
    def relations(self) -> Table:
        """A row for each triple that a sentence says, and the sentence."""
        return relation_table(self)

    def _taken(self, name: int, chosen: int, confidence: float) -> Candidate | None:
        if chosen < 0:
            return None
        candidates = self.cases.candidates[name]
        return self.wanted.taken(candidates[chosen], candidates, confidence)


def _told_apart(called: dict[tuple[str, str], str]) -> dict[tuple[str, str], str]:
    """Entities of one type and name get the end of their ids in brackets, or the whole if ends are alike."""
    apart = called
    for told in (_end, str):
        shared = Counter((kind, name) for (_, kind), name in apart.items())
        apart = {
            (entity, kind): f"{called[entity, kind]} ({told(entity)})" if shared[kind, name] > 1 else name
            for (entity, kind), name in apart.items()
        }
    return apart


def _end(entity: str) -> str:
    return re.split("[/#:]", entity.rstrip("/#:"))[-1] or entity


def build_cases(
    found: MentionTable,
    candidates: Sequence[tuple[Candidate, ...]],
    pairs: Iterable[MentionPair],
    facts: Facts,
) -> tuple[Cases, IntArray]:
    """One case for each name in each document, and the case of every find."""
    width = max(len(candidates), 1)
    keys, case, count = np.unique(
        found.document * width + found.name, return_inverse=True, return_counts=True
    )
    backed = _backed(found, case, candidates, pairs, facts)
    return Cases(keys // width, keys % width, count.astype(np.int64), candidates, backed), case.astype(
        np.int64
    )


def _backed(
    found: MentionTable,
    case: IntArray,
    candidates: Sequence[tuple[Candidate, ...]],
    pairs: Iterable[MentionPair],
    facts: Facts,
) -> Counter[tuple[int, int]]:
    """In how many sentences each candidate of each case is backed."""
    backed: Counter[tuple[int, int]] = Counter()
    for pair in pairs:
        left, right = int(found.name[pair.left]), int(found.name[pair.right])
        met = list(facts.between(left, right))
        for at, name, side in ((pair.left, left, 0), (pair.right, right, 1)):
            entities = {(one, other)[side] for one, other, _ in met}
            backed.update((int(case[at]), number) for number in _among(candidates[name], entities))
    return backed


def _among(candidates: tuple[Candidate, ...], entities: set[str]) -> list[int]:
    return [number for number, candidate in enumerate(candidates) if candidate.entity in entities]
