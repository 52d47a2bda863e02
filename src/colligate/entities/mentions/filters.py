"""Filters that drop mentions which most likely do not name an entity of the knowledge base.

A name of one word is kept if it is capitalised in most places where case is informative, if it is not shared
by many longer names (David, Smith, University), and if it mostly stands alone: the Reno of Janet Reno is not
a city, neither there nor later in the text. An alias of one word needs support from another name of the same
entity. No name, of one word or several, may be part of something longer (the York of New York), or a metonym
(Boston for the Boston Bruins).
"""

from __future__ import annotations

import unicodedata
from collections import Counter, defaultdict
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, NamedTuple

import numpy as np
from scipy import sparse

from colligate.entities.mentions.tokens import normalise

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence

    from numpy.typing import NDArray

    from colligate.entities.kb.base import KnowledgeBase
    from colligate.entities.mentions.gazetteer import Gazetteer
    from colligate.entities.mentions.search import BoolArray, IntArray, MentionTable

MIN_CAPITALISED = 0.6
"""The least share of informative places in which a name of one word is capitalised."""
MIN_STANDALONE = 0.5
"""The least share of places in which it stands alone."""
MAX_PRECEDED = 0.2
"""From this share of places after a forename, initial or title on, it is a surname everywhere."""
MAX_PRECEDED_IN_DOCUMENT = 0.05
"""From this share on, it is a surname in the documents where such a word comes before it."""

MIN_NAMESAKES = 10
"""So many people whose names begin or end with a word make it a forename or a surname."""
MIN_COMPOUNDS = 30
"""So many names that end with a word, or continue with "of" after it, make it a common noun."""
_MAX_NAMESAKES = 40
_PEOPLE = frozenset({"person", "people", "human", "human being", "persons", "humans"})

MIN_SUPPORT = 0.02
"""The least share of the documents with an alias that have another name of the same entity."""
MIN_ALIAS_DOCUMENTS = 3
"""An alias in fewer documents needs no support."""
_FUNCTION_WORDS = frozenset(("of", "the", "and", "for", "in"))

MIN_NAMED_AFTER = 0.8
"""The share of its members named after something else that makes a class one of namesakes."""
MIN_CLASS_SIZE = 10
MIN_CLASS_SHARE = 0.1
"""The share of a document's names from such a class that makes the document about it."""
MIN_ORIGIN_SHARE = 0.5
"""The share of what the members are named after that makes its class their usual origin."""
_MAX_NAMED_AFTER = 200


def filter_mentions(mentions: MentionTable, gazetteer: Gazetteer, base: KnowledgeBase) -> MentionTable:
    """Drop the mentions of unlikely names."""
    words = np.frombuffer(gazetteer.words, dtype=np.uint8)
    single = words[mentions.name] == 1
    preceded = _share_by_name(mentions, mentions.preceded, len(words))
    accepted = (
        _is_mostly_capitalised(mentions, len(words))
        & (_share_by_name(mentions, mentions.standalone, len(words)) >= MIN_STANDALONE)
        & (preceded < MAX_PRECEDED)
    )
    # what follows queries the knowledge base, so only names that are still accepted are looked up
    names = np.unique(mentions.name[single & accepted[mentions.name]]).tolist()
    accepted[find_shared_surnames(names, gazetteer, base)] = False
    accepted[list(find_unsupported_aliases(mentions, names, gazetteer, base))] = False
    surname_here = _is_preceded_in_document(mentions) & (preceded >= MAX_PRECEDED_IN_DOCUMENT)[mentions.name]
    mentions = mentions.select((~single | (accepted[mentions.name] & ~surname_here)) & mentions.standalone)
    # metonyms come last: they are judged by the other names that are left in a document
    return mentions.select(mentions.locative | ~find_metonyms(mentions, gazetteer, base))


def _is_mostly_capitalised(mentions: MentionTable, n_names: int) -> BoolArray:
    capitalised = np.bincount(mentions.name[mentions.mid_sentence], minlength=n_names)
    lowercase = np.bincount(mentions.lowercase[:, 0], weights=mentions.lowercase[:, 1], minlength=n_names)
    return np.asarray(capitalised >= MIN_CAPITALISED * (capitalised + lowercase))


def _share_by_name(mentions: MentionTable, flag: BoolArray, n_names: int) -> NDArray[np.float64]:
    """Return the share of each name's mentions that have a flag."""
    flagged = np.bincount(mentions.name, weights=flag, minlength=n_names)
    return np.asarray(flagged / np.maximum(np.bincount(mentions.name, minlength=n_names), 1))


def _is_preceded_in_document(mentions: MentionTable) -> BoolArray:
    """Return which mentions are in a document where a word comes before the same name somewhere."""
    key = mentions.document * (int(mentions.name.max(initial=0)) + 1) + mentions.name
    return np.isin(key, key[mentions.preceded])


@dataclass
class _LongerNames:
    """The longer names that contain a word: entities (a sample) by its position, and a count."""

    beginning: set[str] = field(default_factory=set)
    ending: set[str] = field(default_factory=set)
    n_compounds: int = 0

    def is_common(self, people: set[str]) -> bool:
        """Return whether the word is a forename, a surname or a common noun."""
        namesakes = max(len(self.beginning & people), len(self.ending & people))
        return namesakes >= MIN_NAMESAKES or self.n_compounds >= MIN_COMPOUNDS


def find_shared_surnames(names: Sequence[int], gazetteer: Gazetteer, base: KnowledgeBase) -> list[int]:
    """Find the names of one word that are forenames, surnames or common nouns in many longer names."""
    longer = _find_longer_names(names, gazetteer)
    entities = set().union(*(containing.beginning | containing.ending for containing in longer.values()))
    people = _select_people(sorted(entities), base)
    return [name for name, containing in longer.items() if containing.is_common(people)]


def _find_longer_names(names: Sequence[int], gazetteer: Gazetteer) -> dict[int, _LongerNames]:
    longer = {name: _LongerNames() for name in names}
    by_word = {normalise(gazetteer.names[name]): longer[name] for name in names}

    def sample(entities: set[str], name: int) -> None:
        # a word may be part of thousands of names; a sample is enough to see what it is
        if len(entities) < _MAX_NAMESAKES:
            entities.update(owner.entity for owner in gazetteer.owners(name))

    for number, name in enumerate(gazetteer.names):
        words = normalise(name).split()
        if len(words) < 2:
            continue
        if first := by_word.get(words[0]):
            first.n_compounds += words[1] == "of"
            sample(first.beginning, number)
        if last := by_word.get(words[-1]):
            # the end of `Bank of America` or `Paris, Texas` is a name, not a common noun
            last.n_compounds += words[-2] not in ("of", "in", "at") and not words[-2].endswith(",")
            sample(last.ending, number)
    return longer


def _select_people(entities: Sequence[str], base: KnowledgeBase) -> set[str]:
    if not entities:
        return set()
    hierarchy = base.hierarchy()
    return {
        entity
        for entity, classes in base.types(entities).items()
        if any(hierarchy.label(step).lower() in _PEOPLE for leaf in classes for step in hierarchy.path(leaf))
    }


def find_unsupported_aliases(
    mentions: MentionTable, names: Sequence[int], gazetteer: Gazetteer, base: KnowledgeBase
) -> Iterator[int]:
    """Find the names that are only aliases, and that the documents do not support.

    Knowledge bases list every code and nickname of an entity, and most of these mean something else as well:
    RSA is a cipher, and South Africa. An alias is supported if some of the documents that have it also have
    another name of the same entity. For a word of the label, or its initials, any document will do.
    """
    owners = {name: [owner.entity for owner in gazetteer.owners(name)] for name in names}
    labels = base.labels([entity for entities in owners.values() for entity in entities])
    aliases = {
        name: entities
        for name, entities in owners.items()
        if all(_is_alias(gazetteer.names[name], labels.get(entity, ())) for entity in entities)
    }
    documents = _documents_by_name(mentions)
    by_entity = _names_by_entity(mentions, {e for entities in aliases.values() for e in entities}, gazetteer)
    for name, entities in aliases.items():
        with_alias = documents[name]
        with_other_name = {
            entity: set().union(*(documents[number] for number in by_entity[entity] - {name}))
            for entity in entities
        }
        if len(with_alias) >= MIN_ALIAS_DOCUMENTS and not any(
            len(with_alias & with_other_name[entity]) >= MIN_SUPPORT * len(with_alias)
            or (with_other_name[entity] and _resembles(gazetteer.names[name], labels[entity]))
            for entity in entities
        ):
            yield name


def _is_alias(name: str, labels: Collection[str]) -> bool:
    """Return whether a name differs from all labels; without a label there is no telling."""
    return bool(labels) and _strip_accents(name) not in map(_strip_accents, labels)


def _resembles(name: str, labels: Iterable[str]) -> bool:
    """Return whether a name is a word of a label or its initials."""
    return any(_strip_accents(name) in _words_and_initials(label) for label in labels)


def _words_and_initials(label: str) -> set[str]:
    words = _strip_accents(label).split()
    content_words = [word for word in words if word not in _FUNCTION_WORDS]
    return {*words, *("".join(word[0] for word in chosen) for chosen in (words, content_words))}


def _strip_accents(name: str) -> str:
    """Strip a name of accents and punctuation."""
    letters = unicodedata.normalize("NFKD", normalise(name))
    # NFKD makes accents separate characters, which are not alphanumeric
    return " ".join("".join(c if c.isalnum() or c == " " else "" for c in letters).split())


def _documents_by_name(mentions: MentionTable) -> dict[int, set[int]]:
    documents: dict[int, set[int]] = defaultdict(set)
    for document, name in zip(mentions.document.tolist(), mentions.name.tolist(), strict=True):
        documents[name].add(document)
    return documents


def _names_by_entity(mentions: MentionTable, entities: set[str], gazetteer: Gazetteer) -> dict[str, set[int]]:
    names: dict[str, set[int]] = defaultdict(set)
    for number in set(mentions.name.tolist()):
        for owner in gazetteer.owners(number):
            if owner.entity in entities:
                names[owner.entity].add(number)
    return names


class _NameFacts(NamedTuple):
    """By name its entities and those named after it; by entity its classes."""

    owners: Mapping[int, set[str]]
    named_after: Mapping[int, set[str]]
    classes: Mapping[str, Sequence[str]]


def find_metonyms(mentions: MentionTable, gazetteer: Gazetteer, base: KnowledgeBase) -> BoolArray:
    """Find the mentions that may mean something named after the entity: Boston for the Boston Bruins.

    Most members of some classes, such as teams, are named after something else, mostly a place, and go by
    its name alone in documents about them. In a document that names several members of such a class, a name
    of the class's usual origin is therefore ambiguous.
    """
    numbers, column = np.unique(mentions.name, return_inverse=True)
    names = numbers.tolist()
    facts = _collect_facts(names, gazetteer, base)
    namesake_classes = _find_namesake_classes(facts)
    if not namesake_classes:
        return np.zeros(len(mentions), dtype=bool)
    member_of = _name_class_matrix(names, facts.owners, facts, namesake_classes)
    origin_of = _name_class_matrix(names, facts.named_after, facts, namesake_classes)
    row, names_class, may_be_about = _document_classes(mentions, column, member_of)
    usual_origin_of = _find_usual_origins(names, facts, origin_of)
    ambiguous = names_class[row].multiply(usual_origin_of[column]) + may_be_about[row].multiply(
        origin_of[column]
    )
    # a name that is itself of the class is no metonym for it
    return np.asarray((ambiguous > member_of[column]).sum(axis=1) > 0)


def _collect_facts(names: Sequence[int], gazetteer: Gazetteer, base: KnowledgeBase) -> _NameFacts:
    owners = {name: {owner.entity for owner in gazetteer.owners(name)} for name in names}
    by_prefix = _entities_by_prefix(names, gazetteer)
    # an entity with both names is not named after itself
    named_after = {name: entities - owners[name] for name, entities in by_prefix.items()}
    entities = sorted(set().union(*owners.values(), *named_after.values()))
    return _NameFacts(owners, named_after, base.types(entities))


def _entities_by_prefix(names: Sequence[int], gazetteer: Gazetteer) -> dict[int, set[str]]:
    """Return for each name the entities with a longer name that begins with it."""
    by_text = {normalise(gazetteer.names[name]): name for name in names}
    longest = max((text.count(" ") + 1 for text in by_text), default=0)
    entities: dict[int, set[str]] = defaultdict(set)
    for number, text in enumerate(gazetteer.names):
        words = normalise(text).split()
        # one word less than the name: it does not begin with itself
        for length in range(1, min(len(words), longest + 1)):
            prefix = by_text.get(" ".join(words[:length]))
            if prefix is not None and len(entities[prefix]) < _MAX_NAMED_AFTER:
                entities[prefix].update(owner.entity for owner in gazetteer.owners(number))
    return entities


def _find_namesake_classes(facts: _NameFacts) -> dict[str, int]:
    """Number the classes whose members are mostly named after something else."""
    members = _count_classes(facts.classes, facts.classes)
    named_after = _count_classes(set().union(*facts.named_after.values()), facts.classes)
    classes = [
        kind
        for kind, size in members.items()
        if size >= MIN_CLASS_SIZE and named_after[kind] >= MIN_NAMED_AFTER * size
    ]
    return {kind: number for number, kind in enumerate(sorted(classes))}


def _count_classes(entities: Iterable[str], classes: Mapping[str, Sequence[str]]) -> Counter[str]:
    return Counter(kind for entity in entities for kind in classes.get(entity, ()))


def _name_class_matrix(
    names: Sequence[int], entities: Mapping[int, set[str]], facts: _NameFacts, columns: Mapping[str, int]
) -> sparse.csr_array:
    """Return names × classes: 1 where one of a name's `entities` belongs to a class."""
    pairs = {
        (row, columns[kind])
        for row, name in enumerate(names)
        for entity in entities.get(name, ())
        for kind in facts.classes.get(entity, ())
        if kind in columns
    }
    row_index, column_index = np.array(sorted(pairs), dtype=np.int64).reshape(-1, 2).T
    ones = np.ones(len(row_index))
    return sparse.csr_array((ones, (row_index, column_index)), shape=(len(names), len(columns)))


class _DocumentClasses(NamedTuple):
    """The document row of each mention; documents × classes: named there, and possibly the subject."""

    row: IntArray
    names_class: sparse.csr_array
    may_be_about: sparse.csr_array


def _document_classes(
    mentions: MentionTable, column: IntArray, member_of: sparse.csr_array
) -> _DocumentClasses:
    """Return which classes each document names, and which it may be about.

    A document may also be about a class if many of its names usually occur in documents that name it: lists
    of results contain places only.
    """
    documents, row = np.unique(mentions.document, return_inverse=True)
    shape = len(documents), member_of.shape[0]
    names = sparse.csr_array((np.ones(len(mentions)), (row, column)), shape=shape)
    names.sum_duplicates()
    # a name counts once in a document, however often it occurs
    names.data[:] = 1.0
    # every row and column has a mention, so no total is 0
    shares = _divide_rows(names, names.sum(axis=1))
    names_class = ((shares @ member_of) >= MIN_CLASS_SHARE).astype(np.float64)
    usual_company = _divide_rows((names.T @ names_class).tocsr(), names.sum(axis=0))
    may_be_about = (shares @ member_of.maximum(usual_company)) >= MIN_CLASS_SHARE
    return _DocumentClasses(row, names_class, may_be_about.astype(np.float64))


def _find_usual_origins(
    names: Sequence[int], facts: _NameFacts, origin_of: sparse.csr_array
) -> sparse.csr_array:
    """Return names × namesake classes: 1 where a name is of a kind that the members are named after."""
    every_class = sorted(_count_classes(facts.classes, facts.classes))
    columns = {kind: number for number, kind in enumerate(every_class)}
    kinds = _name_class_matrix(names, facts.owners, facts, columns)
    usual = (origin_of.T @ kinds).toarray() >= MIN_ORIGIN_SHARE * origin_of.sum(axis=0)[:, np.newaxis]
    return ((kinds @ sparse.csr_array(usual.T.astype(np.float64))) > 0).astype(np.float64)


def _divide_rows(matrix: sparse.csr_array, totals: NDArray[np.float64]) -> sparse.csr_array:
    return sparse.csr_array(sparse.diags_array(1.0 / totals) @ matrix)
