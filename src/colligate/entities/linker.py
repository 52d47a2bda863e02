"""The linker: which entities of a knowledge base documents mention, their types, and their relations."""

from __future__ import annotations

import hashlib
import re
from collections import Counter, defaultdict
from dataclasses import dataclass, replace
from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np

from colligate._text import count_noun
from colligate.entities.mentions.filters import filter_mentions
from colligate.entities.mentions.gazetteer import Gazetteer
from colligate.entities.mentions.recogniser import Recogniser
from colligate.entities.mentions.search import MentionFinder, MentionTable, SearchCheckpoint, find_mentions
from colligate.entities.relations.extraction import Facts, extract_triples, pair_mentions
from colligate.entities.relations.lexicon import Lexicon
from colligate.entities.tables import Table, entity_table, mention_table, relation_table
from colligate.entities.types import DEFAULT_FILTER, resolve_filter
from colligate.entities.types.candidates import check_types, generate_candidates
from colligate.entities.types.cases import Cases
from colligate.errors import InputError, Parameter, ParameterError
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

    Parameters
    ----------
    ids, texts
        The documents.
    base
        The knowledge base, as `open_base` returns it.
    recogniser
        A spaCy model, or its name, that finds names besides the gazetteer.
    filter
        How to decide what an ambiguous name means: "fbsf", "dfbsf", "cbsf" or a `Filter`.
    types
        The labels of the top classes to keep; all by default.
    min_confidence
        Decisions below this confidence are left out.
    n_jobs
        The number of processes (None and -1: all cores); the result does not depend on it.
    listener
        Receives progress events.
    checkpoint
        A file from which an interrupted search for names continues.
    cancelled
        Called between batches of documents; True stops the search.

    Returns
    -------
    LinkingResult
        With the tables `mentions`, `entities` and `relations`.

    Raises
    ------
    InputError
        If `ids` and `texts` are not of one length.
    ParameterError
        If a parameter is outside its domain, or the knowledge base lacks one of the types.
    CancelledError
        If `cancelled` returned True.
    """
    if len(ids) != len(texts):
        raise InputError(
            f"link needs one id for each text; got {count_noun(len(ids), 'id')} "
            f"and {count_noun(len(texts), 'text')}"
        )
    if not 0 <= min_confidence <= 1:
        raise ParameterError(
            Parameter("min_confidence"),
            f" must be from 0 to 1 in link; got {min_confidence}",
            parameter="min_confidence",
        )
    check_types(types or (), base)
    chosen_filter = resolve_filter(filter)
    selection = Selection(min_confidence, None if types is None else frozenset(types))
    if isinstance(recogniser, str):
        recogniser = Recogniser(recogniser)
    finder = MentionFinder(Gazetteer(base.names(), listener), recogniser)
    search_checkpoint = (
        None if checkpoint is None else SearchCheckpoint(checkpoint, _fingerprint(ids, texts, finder, base))
    )
    mentions = find_mentions(
        finder, texts, jobs=n_jobs, listener=listener, checkpoint=search_checkpoint, cancelled=cancelled
    )
    mentions = filter_mentions(mentions, finder.gazetteer, base)
    mentions, names, candidates = _keep_known(mentions, finder.gazetteer, base, listener)
    pairs = list(pair_mentions(texts, mentions, listener))
    entities = [tuple(dict.fromkeys(candidate.entity for candidate in listed)) for listed in candidates]
    pair_names = [pair.names(mentions) for pair in pairs]
    facts = Facts.query(base, pair_names, entities, listener)
    lexicon = Lexicon.learn(
        (pair.phrase, names_of_pair, facts.relations(*names_of_pair))
        for pair, names_of_pair in zip(pairs, pair_names, strict=True)
    )
    cases, case = build_cases(mentions, candidates, pairs, facts)
    choice = chosen_filter.choose(cases)
    linked = LinkingResult(list(ids), texts, names, mentions, case, cases, choice, selection, lexicon)
    triples = extract_triples(mentions, case, linked.case_entities, pairs, facts, lexicon)
    return replace(linked, triples=tuple(triples))


def _fingerprint(ids: Sequence[str], texts: Sequence[str], finder: MentionFinder, base: KnowledgeBase) -> str:
    """Hash what the mentions depend on: the documents, the names, and the recogniser."""
    digest = hashlib.sha256(repr((base.info(), finder.recogniser and finder.recogniser.model)).encode())
    for parts in (finder.gazetteer.names, ids, texts):
        digest.update(f"\x00{len(parts)}".encode())
        for part in parts:
            digest.update(part.encode("utf-8", "surrogatepass") + b"\x00")
    return digest.hexdigest()


def _keep_known(
    mentions: MentionTable, gazetteer: Gazetteer, base: KnowledgeBase, listener: Listener
) -> tuple[MentionTable, list[str], list[tuple[Candidate, ...]]]:
    """Keep the mentions of names with candidates, and return these names, numbered anew, with both."""
    numbers = np.unique(mentions.name)
    candidates = generate_candidates(
        [gazetteer.owners(number) for number in numbers.tolist()], base, listener
    )
    kept = numbers[np.array([bool(listed) for listed in candidates], dtype=bool)]
    names = [gazetteer.names[number] for number in kept.tolist()]
    return mentions.select_names(kept), names, [listed for listed in candidates if listed]


def build_cases(
    mentions: MentionTable,
    candidates: Sequence[tuple[Candidate, ...]],
    pairs: Iterable[MentionPair],
    facts: Facts,
) -> tuple[Cases, IntArray]:
    """Make one case for each name in each document, and return the case of every mention."""
    width = max(len(candidates), 1)
    keys, inverse, count = np.unique(
        mentions.document * width + mentions.name, return_inverse=True, return_counts=True
    )
    case = inverse.astype(np.int64)
    backing: Counter[tuple[int, int]] = Counter()
    for pair in pairs:
        names = pair.names(mentions)
        facts_of_pair = list(facts.between(*names))
        for side, mention in enumerate((pair.left, pair.right)):
            related = {fact[side] for fact in facts_of_pair}
            backing.update(
                (int(case[mention]), number)
                for number, candidate in enumerate(candidates[names[side]])
                if candidate.entity in related
            )
    return Cases(keys // width, keys % width, count.astype(np.int64), candidates, backing), case


@dataclass(frozen=True)
class Selection:
    """Which decisions to keep: those that are certain enough, and of a type of interest."""

    min_confidence: float
    types: frozenset[str] | None = None

    def apply(
        self, chosen: Candidate, candidates: tuple[Candidate, ...], confidence: float
    ) -> Candidate | None:
        """Return the chosen candidate, or its entity with a type of interest; None to leave it out."""
        if confidence < self.min_confidence:
            return None
        if self.types is None or chosen.type in self.types:
            return chosen
        same_entity = (candidate for candidate in candidates if candidate.entity == chosen.entity)
        return next((candidate for candidate in same_entity if candidate.type in self.types), None)


@dataclass(frozen=True, eq=False)
class LinkingResult:
    """The entities of documents.

    Attributes
    ----------
    ids, texts
        The documents.
    names
        The names that were found, by number.
    occurrences
        All mentions of these names.
    case
        The case of each mention: a name in a document.
    cases
        The candidates of each case.
    choice
        What the filter chose for each case.
    selection
        Which of these decisions the tables contain.
    lexicon
        Which relation a phrase means.
    triples
        The relations that sentences say and the knowledge base confirms.
    """

    ids: list[str]
    texts: Sequence[str]
    names: list[str]
    occurrences: MentionTable
    case: IntArray
    cases: Cases
    choice: Choice
    selection: Selection
    lexicon: Lexicon
    triples: tuple[Triple, ...] = ()

    @cached_property
    def decisions(self) -> list[Candidate | None]:
        """By case the candidate that was chosen; None if nothing is decided."""
        columns = (self.cases.name.tolist(), self.choice.candidate.tolist(), self.choice.confidence.tolist())
        return [self._decide(*row) for row in zip(*columns, strict=True)]

    def _decide(self, name: int, chosen: int, confidence: float) -> Candidate | None:
        if chosen < 0:
            return None
        candidates = self.cases.candidates[name]
        return self.selection.apply(candidates[chosen], candidates, confidence)

    @cached_property
    def case_entities(self) -> list[str | None]:
        """By case the entity that was chosen."""
        return [None if candidate is None else candidate.entity for candidate in self.decisions]

    @cached_property
    def display_names(self) -> Mapping[tuple[str, str], str]:
        """By entity and type the name that the documents use most, made unique within a type."""
        usage: dict[tuple[str, str], Counter[str]] = defaultdict(Counter)
        rows = zip(self.cases.name.tolist(), self.cases.count.tolist(), self.decisions, strict=True)
        for name, count, candidate in rows:
            if candidate is not None:
                usage[candidate.entity, candidate.type][self.names[name]] += count
        return _make_unique(
            {key: min(counts, key=lambda name: (-counts[name], name)) for key, counts in usage.items()}
        )

    @cached_property
    def mentions(self) -> Table:
        """A row for each document and entity in it, as `Network.from_tables` takes it."""
        return mention_table(self)

    @cached_property
    def entities(self) -> Table:
        """A row for each entity and type: name, sub-types, and numbers of documents and mentions."""
        return entity_table(self.mentions)

    @cached_property
    def relations(self) -> Table:
        """A row for each triple that a sentence states, with the sentence."""
        return relation_table(self)


def _make_unique(names: dict[tuple[str, str], str]) -> dict[tuple[str, str], str]:
    """Add the end of the id to names that entities of a type share, or the whole id if ends are alike."""
    unique = names
    for suffix in (_last_part, str):
        shared = Counter((kind, name) for (_, kind), name in unique.items())
        unique = {
            (entity, kind): f"{names[entity, kind]} ({suffix(entity)})" if shared[kind, name] > 1 else name
            for (entity, kind), name in unique.items()
        }
    return unique


def _last_part(entity: str) -> str:
    return re.split("[/#:]", entity.rstrip("/#:"))[-1] or entity
