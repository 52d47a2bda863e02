"""Which finds are names, and not everyday words or parts of other names.

A word is taken for a name if it is capital in most places where that tells anything, and if many others do
not share it: "David" is one of a thousand people, "Smith" too, and "University" is a part of many names. It
must also stand alone in most places, and no other word may lead it in many: the Reno of Janet Reno is no
city, neither there nor further on. No name, of one word or several, may be a part of something longer (the
York of New York), or stand for something that is called after it.

Words that are parts of many longer names, and so name none of them: given and family names, University.

Aliases of one word that nothing in the documents vouches for.

Knowledge bases list every code and nickname that something has ever gone by, and most of them mean
something else to others: RSA is a cipher, and South Africa. An alias is taken if some of the documents that
have it also call the same thing by another of its names; for a word of the label, or its initials, any
documents will do.

Names that stand for something else that is called after them: Boston for the Boston Bruins.

Most members of some classes, such as teams, are called after something else, mostly a place, and go by its
name alone where the talk is of them. So where a document names several things of such a class, the name of
something of the kind that they are called after tells nothing.
"""

from __future__ import annotations

import unicodedata
from collections import Counter, defaultdict
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, NamedTuple

import numpy as np
from scipy import sparse

from colligate.entities.mentions.gazetteer import labels
from colligate.entities.mentions.search import ALONE, LED, PLACED, TELLING
from colligate.entities.mentions.tokens import normalise

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence

    from numpy.typing import NDArray

    from colligate.entities.kb.base import KnowledgeBase
    from colligate.entities.mentions.gazetteer import Gazetteer
    from colligate.entities.mentions.search import MentionTable


CAPITAL = 0.6
"""The least share of capital places."""
LONE = 0.5
"""The least share of places where a word stands alone."""
FAMILY = 0.2
"""The share of places with another word before it that makes a word a family name, whoever has it."""
SOME = 0.05
"""The share that makes it one in the documents where it has a word before it."""


NAMESAKES = 10
"""So many people whose names begin or end with a word make it a given or a family name."""
HEADS = 30
"""So many names that end with a word, or go on with "of" behind it, make it a common noun."""
_ASKED = 40
_PEOPLE = frozenset({"person", "people", "human", "human being", "persons", "humans"})


VOUCHED = 0.02
"""The least share of the documents with an alias that have another name of the same thing."""
_SMALL = frozenset(("of", "the", "and", "for", "in"))
FEWEST = 3
"""In fewer documents nothing is expected."""


MOST = 0.8
"""The share of the members of a class called after something that makes it such a class."""
FEWEST_COMPANY = 10
COMPANY = 0.1
"""The share of the names of a document, of things of such a class, that makes the talk be of them."""
USUAL = 0.5
"""The share of what they are called after that makes its class the kind."""
_CLASSES_ASKED = 200


def filter_mentions(found: MentionTable, gazetteer: Gazetteer, base: KnowledgeBase) -> MentionTable:
    """The finds without those of unlikely names."""
    words = np.frombuffer(gazetteer.words, dtype=np.uint8)
    single = words[found.name] == 1
    led = _share(found, LED, len(words))
    fit = _mostly_capital(found, len(words)) & (_share(found, ALONE, len(words)) >= LONE) & (led < FAMILY)
    names = np.unique(found.name[single & fit[found.name]]).tolist()
    fit[find_shared_surnames(names, gazetteer, base)] = False
    fit[list(find_unsupported_aliases(found, names, gazetteer, base))] = False
    known = fit[found.name] & ~(_led_somewhere(found) & (led >= SOME)[found.name])
    found = found.where((~single | known) & (found.hits[:, ALONE] > 0))
    return found.where((found.hits[:, PLACED] > 0) | ~find_metonyms(found, gazetteer, base))


def _mostly_capital(found: MentionTable, size: int) -> NDArray[np.bool_]:
    telling = found.name[found.hits[:, TELLING] > 0]
    capital = np.bincount(telling, minlength=size)
    small = np.bincount(found.small[:, 0], weights=found.small[:, 1], minlength=size)
    return np.asarray(capital >= CAPITAL * (capital + small))


def _share(found: MentionTable, column: int, size: int) -> NDArray[np.float64]:
    """In which share of its places each name is as a column says."""
    such = np.bincount(found.name, weights=found.hits[:, column], minlength=size)
    return np.asarray(such / np.maximum(np.bincount(found.name, minlength=size), 1))


def _led_somewhere(found: MentionTable) -> NDArray[np.bool_]:
    """Which finds are in a document that has a word before the same name in some place."""
    place = found.document * (int(found.name.max(initial=0)) + 1) + found.name
    return np.isin(place, place[found.hits[:, LED] > 0])


@dataclass
class _Longer:
    """The longer names that a word is a part of: some of their entities by its place, and a count."""

    begun: set[str] = field(default_factory=set)
    ended: set[str] = field(default_factory=set)
    headed: int = 0

    def is_shared(self, people: set[str]) -> bool:
        """Whether the word is a given name, a family name or a common noun."""
        most = max(len(self.begun & people), len(self.ended & people))
        return most >= NAMESAKES or self.headed >= HEADS


def find_shared_surnames(numbers: Sequence[int], gazetteer: Gazetteer, base: KnowledgeBase) -> list[int]:
    """Those of some names of one word that are parts of many others."""
    longer = _longer(numbers, gazetteer)
    people = _people(sorted({entity for one in longer.values() for entity in one.begun | one.ended}), base)
    return [number for number, found in longer.items() if found.is_shared(people)]


def _longer(numbers: Sequence[int], gazetteer: Gazetteer) -> dict[int, _Longer]:
    found = {number: _Longer() for number in numbers}
    by_word = {normalise(gazetteer.names[number]): found[number] for number in numbers}
    for number, name in enumerate(gazetteer.names):
        words = normalise(name).split()
        if len(words) < 2:
            continue
        if begun := by_word.get(words[0]):
            begun.headed += words[1] == "of"
            _take(begun.begun, number, gazetteer)
        if ended := by_word.get(words[-1]):
            ended.headed += words[-2] not in ("of", "in", "at") and not words[-2].endswith(",")
            _take(ended.ended, number, gazetteer)
    return found


def _take(some: set[str], number: int, gazetteer: Gazetteer) -> None:
    if len(some) < _ASKED:
        some.update(owner.entity for owner in gazetteer.owners(number))


def _people(entities: Sequence[str], base: KnowledgeBase) -> set[str]:
    if not entities:
        return set()
    hierarchy = base.hierarchy()
    return {
        entity
        for entity, kinds in base.types(entities).items()
        if any(hierarchy.label(above).lower() in _PEOPLE for kind in kinds for above in hierarchy.path(kind))
    }


def find_unsupported_aliases(
    found: MentionTable, numbers: Sequence[int], gazetteer: Gazetteer, base: KnowledgeBase
) -> Iterator[int]:
    """Those of some names that are aliases and not vouched for."""
    owners = {number: [owner.entity for owner in gazetteer.owners(number)] for number in numbers}
    called = labels((entity for some in owners.values() for entity in some), base)
    aliases = {
        number: some
        for number, some in owners.items()
        if all(_is_alias(gazetteer.names[number], called.get(entity, set())) for entity in some)
    }
    documents = _documents(found)
    names = _names(found, {entity for some in aliases.values() for entity in some}, gazetteer)
    for number, some in aliases.items():
        own = documents[number]
        others = {entity: _union(names[entity] - {number}, documents) for entity in some}
        if len(own) >= FEWEST and not any(
            len(own & others[entity]) >= VOUCHED * len(own)
            or (others[entity] and not _is_far(gazetteer.names[number], called[entity]))
            for entity in some
        ):
            yield number


def _is_alias(name: str, called: set[str]) -> bool:
    """Whether a name is no label; without a label nobody knows."""
    return bool(called) and _bare(name) not in map(_bare, called)


def _is_far(name: str, called: set[str]) -> bool:
    """Whether a name has nothing to do with any label."""
    return not any(_bare(name) in _words_and_initials(label) for label in called)


def _words_and_initials(label: str) -> set[str]:
    words = _bare(label).split()
    telling = [word for word in words if word not in _SMALL]
    return {*words, *("".join(word[0] for word in some) for some in (words, telling))}


def _bare(name: str) -> str:
    """The letters of a name, without accents and signs."""
    letters = unicodedata.normalize("NFKD", normalise(name))
    return " ".join("".join(one if one.isalnum() or one == " " else "" for one in letters).split())


def _documents(found: MentionTable) -> dict[int, set[int]]:
    documents: dict[int, set[int]] = defaultdict(set)
    for document, name in zip(found.document.tolist(), found.name.tolist(), strict=True):
        documents[name].add(document)
    return documents


def _names(found: MentionTable, entities: set[str], gazetteer: Gazetteer) -> dict[str, set[int]]:
    """The names of each entity that the documents have."""
    names: dict[str, set[int]] = defaultdict(set)
    for number in set(found.name.tolist()):
        for owner in gazetteer.owners(number):
            if owner.entity in entities:
                names[owner.entity].add(number)
    return names


def _union(numbers: set[int], documents: dict[int, set[int]]) -> set[int]:
    return set().union(*(documents[number] for number in numbers))


class _Known(NamedTuple):
    """By name the entities that have it and those that are called after it; the classes of all of them."""

    owners: Mapping[int, set[str]]
    after: Mapping[int, set[str]]
    classes: Mapping[str, Sequence[str]]


def find_metonyms(found: MentionTable, gazetteer: Gazetteer, base: KnowledgeBase) -> NDArray[np.bool_]:
    """Which finds may speak of something that is called after their names."""
    numbers, column = np.unique(found.name, return_inverse=True)
    known = _known(numbers.tolist(), gazetteer, base)
    taken = _taken(known)
    if not taken:
        return np.zeros(len(found), dtype=bool)
    has, own = (_classes_of(numbers.tolist(), some, known, taken) for some in (known.owners, known.after))
    row, named, talk = _company(found, column, has)
    kin = _kin(numbers.tolist(), known, own)
    doubtful = named[row].multiply(kin[column]) + talk[row].multiply(own[column])
    return np.asarray((doubtful > has[column]).sum(axis=1) > 0)


def _kin(numbers: Sequence[int], known: _Known, own: sparse.csr_array) -> sparse.csr_array:
    """Names × classes: whether a name is of the kind that the members of a class are called after."""
    every = {kind: at for at, kind in enumerate(sorted(_counted(known.classes, known.classes)))}
    kinds = _classes_of(numbers, known.owners, known, every)
    usual = (own.T @ kinds).toarray() >= USUAL * own.sum(axis=0)[:, np.newaxis]
    return ((kinds @ sparse.csr_array(usual.T.astype(np.float64))) > 0).astype(np.float64)


class _Company(NamedTuple):
    """The row of each find's document; by document, which classes it names, and which the talk may be of."""

    row: NDArray[np.int64]
    named: sparse.csr_array
    talk: sparse.csr_array


def _company(found: MentionTable, column: NDArray[np.int64], has: sparse.csr_array) -> _Company:
    """What the names of each document are.

    The talk may also be of a class where many names are usually met in documents that name it: lists of
    results have places only.
    """
    documents, row = np.unique(found.document, return_inverse=True)
    shape = len(documents), has.shape[0]
    names = sparse.csr_array((np.ones(len(found)), (row, column)), shape=shape)
    names.sum_duplicates()
    names.data[:] = 1.0
    parts = _divided(names, names.sum(axis=1))
    named = ((parts @ has) >= COMPANY).astype(np.float64)
    usual = _divided((names.T @ named).tocsr(), names.sum(axis=0))
    return _Company(row, named, ((parts @ has.maximum(usual)) >= COMPANY).astype(np.float64))


def _divided(table: sparse.csr_array, totals: NDArray[np.float64]) -> sparse.csr_array:
    return sparse.csr_array(sparse.diags_array(1.0 / totals) @ table)


def _known(numbers: Sequence[int], gazetteer: Gazetteer, base: KnowledgeBase) -> _Known:
    owners = {number: {owner.entity for owner in gazetteer.owners(number)} for number in numbers}
    after = {number: some - owners[number] for number, some in _begun(numbers, gazetteer).items()}
    entities = sorted(set().union(*owners.values(), *after.values()))
    return _Known(owners, after, base.types(entities))


def _begun(numbers: Sequence[int], gazetteer: Gazetteer) -> dict[int, set[str]]:
    """For each name the entities with a longer name that begins with it."""
    by_name = {normalise(gazetteer.names[number]): number for number in numbers}
    longest = max((name.count(" ") + 1 for name in by_name), default=0)
    found: dict[int, set[str]] = defaultdict(set)
    for number, name in enumerate(gazetteer.names):
        words = normalise(name).split()
        for length in range(1, min(len(words), longest + 1)):
            begun = by_name.get(" ".join(words[:length]))
            if begun is not None and len(found[begun]) < _CLASSES_ASKED:
                found[begun].update(owner.entity for owner in gazetteer.owners(number))
    return found


def _taken(known: _Known) -> dict[str, int]:
    """The classes whose members are mostly called after something, by number."""
    members = _counted(known.classes, known.classes)
    called = _counted(set().union(*known.after.values()), known.classes)
    most = [kind for kind, many in members.items() if many >= FEWEST_COMPANY and called[kind] >= MOST * many]
    return {kind: at for at, kind in enumerate(sorted(most))}


def _counted(entities: Iterable[str], classes: Mapping[str, Sequence[str]]) -> Counter[str]:
    return Counter(kind for entity in entities for kind in classes.get(entity, ()))


def _classes_of(
    numbers: Sequence[int], entities: Mapping[int, set[str]], known: _Known, taken: Mapping[str, int]
) -> sparse.csr_array:
    """Names × classes: whether some entities of a name are of a class."""
    pairs = {
        (row, taken[kind])
        for row, number in enumerate(numbers)
        for entity in entities.get(number, ())
        for kind in known.classes.get(entity, ())
        if kind in taken
    }
    rows, columns = np.array(sorted(pairs), dtype=np.int64).reshape(-1, 2).T
    return sparse.csr_array((np.ones(len(rows)), (rows, columns)), shape=(len(numbers), len(taken)))
