"""Why a document is in its group: the words, objects and links for it and against the second-best group."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from colligate import registry
from colligate._text import list_first
from colligate.errors import InputError
from colligate.knowledge.names import parse_position
from colligate.knowledge.text import format_count
from colligate.result.cards import describe_why, make_why_card
from colligate.result.groups import find_labels, find_runner_up, find_type, name_object

if TYPE_CHECKING:
    from collections.abc import Iterator

    from numpy.typing import NDArray

    from colligate.knowledge.guidance import GroupLinks, Guidance, PairLinks
    from colligate.network import ObjectType
    from colligate.result.result import Result

    Floats = NDArray[np.float64]
    Evidence = tuple[tuple[str, str, float], ...]
    Link = tuple[str, float]

# In the objective of this family, the objects of a category are linked with each other.
LINK_FAMILY = "information"


@dataclass(frozen=True, repr=False)
class Why:
    """The reasons for the group of one document.

    Attributes
    ----------
    document : str
        The name of the document, or of the object of another type.
    group, runner_up : int
        Its group and the second-best one; -1 for none.
    words : tuple of (str, float)
        Words with their evidence: what a word adds to the score of the group, minus what it adds to the
        score of the second-best group.
    links : tuple of (str, float)
        Sentences with their pull: positive towards the group, negative towards the second-best group.
    objects : tuple of (str, str, float)
        Type, name and evidence of objects of further types.
    group_name, runner_up_name : str
        The names of the two groups; empty for none.
    """

    document: str
    group: int
    runner_up: int
    words: tuple[tuple[str, float], ...]
    links: tuple[tuple[str, float], ...]
    objects: tuple[tuple[str, str, float], ...] = ()
    group_name: str = ""
    runner_up_name: str = ""

    def __repr__(self) -> str:
        return describe_why(self)

    def _repr_html_(self) -> str:
        return make_why_card(self)


def explain_object(result: Result, document: str | int, limit: int = 12, kind: str | None = None) -> Why:
    """Explain the group of a document by the strongest `limit` words, objects and links; see `Result.why`."""
    kind = kind or result.centre
    labels, object_type = find_labels(result, kind), find_type(result, kind)
    position = find_object(object_type, document)
    group = int(labels[position])
    rival = _find_rival(result, kind, position, group)
    links = describe_links(result, kind, position, group, rival)
    if group >= 0:
        links = sorted(links, key=lambda link: -abs(link[1]))
    evidence = _collect_evidence(result, position, group, rival) if kind == result.centre else ()
    words = tuple((name, value) for type_name, name, value in evidence if type_name == result.terms)
    objects = tuple(part for part in evidence if part[0] != result.terms)
    name = name_object(object_type.names, kind, position)
    # the last name is that of no group, at position -1
    names = (*(result.group_names if kind == result.centre else result.names_of(kind)), "")
    return Why(
        name,
        group,
        rival,
        words[:limit],
        tuple(links[:limit]),
        objects[:limit],
        group_name=names[group],
        runner_up_name=names[rival],
    )


def list_evidence(
    result: Result, positions: NDArray[np.int64], limit: int
) -> list[tuple[tuple[str, float], ...]]:
    """List the strongest words and objects of several documents."""
    evidence: list[tuple[tuple[str, float], ...]] = []
    for position in positions.tolist():
        group = int(result.labels[result.centre][position])
        rival = _find_rival(result, result.centre, position, group)
        evidence.append(
            tuple(
                (name, value) for _, name, value in _collect_evidence(result, position, group, rival)[:limit]
            )
        )
    return evidence


def find_object(kind: ObjectType, name: str | int) -> int:
    """Return the position of an object: text is a name, a whole number a position, as in knowledge."""
    noun, names = kind.singular, kind.names
    if isinstance(name, str) and not isinstance(names, range):
        try:
            return names.index(name)
        except ValueError:
            there = list_first(names, write=repr)
            raise InputError(f"there is no {noun} {name!r} in this result, but {there}") from None
    position = parse_position(name, len(names)) if isinstance(name, str) else name
    if is_integer(position) and 0 <= position < len(names):
        return int(position)
    raise InputError(
        f"there is no {noun} {name!r} in this result; "
        f"give an id as text, or a position from 0 to {len(names) - 1} as a whole number"
    )


def is_integer(value: object) -> bool:
    """Whether a value is a whole number; True and False are not."""
    return isinstance(value, int | np.integer) and not isinstance(value, bool)


def _find_rival(result: Result, kind: str, position: int, group: int) -> int:
    """Return the second-best group; where all memberships in it round to 0, decide by the scores."""
    if group < 0 or kind not in result.memberships:
        return -1
    row = slice(position, position + 1)
    rival = int(find_runner_up(result.labels[kind][row], result.memberships[kind][row])[0])
    if rival >= 0 or result.n_groups(kind) < 2 or kind != result.centre:
        return rival
    matrix = result.neighbourhood.matrix[[position]]
    scores = np.array(
        registry.find_method(result.method).predict_scores(result.model, matrix)[0], dtype=np.float64
    )
    scores[group] = -np.inf
    return int(scores.argmax())


def _collect_evidence(result: Result, position: int, group: int, rival: int) -> Evidence:
    """Return type, name and evidence of everything the document is related to, strongest first."""
    matrix = result.neighbourhood.matrix
    start, end = matrix.indptr[position], matrix.indptr[position + 1]
    columns = matrix.indices[start:end].astype(np.int64)
    if columns.size == 0 or rival < 0:
        return ()
    table = registry.find_method(result.method).evidence(result.model, columns, matrix.data[start:end])
    value = table[:, group] - table[:, rival]
    evidence = [
        (kind, name_object(result.network.types[kind].names, kind, object_position), total)
        for kind, object_position, total in _sum_by_object(result, columns, value)
        if total
    ]
    return tuple(sorted(evidence, key=lambda part: -abs(part[2])))


def _sum_by_object(
    result: Result, columns: NDArray[np.int64], value: Floats
) -> Iterator[tuple[str, int, float]]:
    """Yield type, position and evidence of each object, summed over the relations that lead to it."""
    parts = result.neighbourhood.parts
    for kind in dict.fromkeys(part.other for part in parts):
        inside = [(columns >= part.start) & (columns < part.stop) for part in parts if part.other == kind]
        starts = [part.start for part in parts if part.other == kind]
        object_columns = np.concatenate(
            [columns[mask] - start for mask, start in zip(inside, starts, strict=True)]
        )
        objects, place = np.unique(object_columns, return_inverse=True)
        sums = np.bincount(
            place, weights=np.concatenate([value[mask] for mask in inside]), minlength=objects.size
        )
        yield from zip([kind] * objects.size, objects.tolist(), sums.tolist(), strict=True)


@dataclass(frozen=True)
class _Placement:
    """Where one object is: its group and the second-best group, among the labels of its type."""

    result: Result
    kind: str
    position: int
    group: int
    rival: int

    @property
    def labels(self) -> NDArray[np.int32]:
        return self.result.labels[self.kind]

    def lead(self, objects: NDArray[np.int64]) -> int:
        """Count how many more of the objects are in the group than in its rival."""
        return self._count_in(self.group, objects) - self._count_in(self.rival, objects)

    def describe(self, phrase: str, objects: NDArray[np.int64]) -> str:
        """Make the sentence of a link with several objects."""
        return f"belongs {phrase}; {self._count_in(self.group, objects):,} of them in this group"

    def _count_in(self, group: int, objects: NDArray[np.int64]) -> int:
        return int(np.sum(self.labels[objects] == group)) if group >= 0 else 0


def describe_links(result: Result, kind: str, position: int, group: int, rival: int) -> list[Link]:
    """Describe every link of an object; its pull is negative where it draws to the rival."""
    guidance = result.compiled.guidance.get(kind) if result.compiled is not None else None
    if guidance is None:
        return []
    place = _Placement(result, kind, position, group, rival)
    labels = guidance.label_groups()
    implied = (*guidance.groups, *(() if labels is None else (labels,)))
    return [
        *_describe_pairs(place, guidance.pairs),
        *(link for groups in implied for link in _describe_group_links(place, groups)),
        *_describe_categories(place, _list_category_links(result, guidance)),
    ]


def _describe_pairs(place: _Placement, pairs: PairLinks) -> Iterator[Link]:
    names = place.result.network.types[place.kind].names
    for pair in np.flatnonzero((pairs.left == place.position) | (pairs.right == place.position)).tolist():
        # One end is the object itself, so the rest of the sum is the other end.
        partner = int(pairs.left[pair] + pairs.right[pair] - place.position)
        label, sign = int(place.labels[partner]), int(pairs.sign[pair])
        how = "together with" if sign > 0 else "apart from"
        sentence = f"belongs {how} {name_object(names, place.kind, partner)}, which is "
        side = 0 if label < 0 else int(label == place.group) - int(label == place.rival)
        yield sentence + _describe_label(place, label), sign * side * float(pairs.strength[pair])


def _describe_label(place: _Placement, label: int) -> str:
    if label < 0:
        return "in no group"
    return "in the same group" if label == place.group else f"in {place.result.names_of(place.kind)[label]!r}"


def _describe_group_links(place: _Placement, groups: GroupLinks) -> Iterator[Link]:
    for named in np.unique(groups.group[groups.member == place.position]).tolist():
        inside = _find_members(groups, named, place.position)
        outside = np.setdiff1d(groups.member[groups.group != named], [place.position])
        for strength, linked, phrase in (
            (groups.together, inside, "together with {} of the same group {!r}"),
            (-groups.apart, outside, "apart from {} of groups other than {!r}"),
        ):
            if strength and linked.size:
                lead = place.lead(linked)
                filled = phrase.format(format_count(linked.size, place.kind), groups.names[named])
                yield place.describe(filled, linked), strength * lead if lead else 0.0


def _list_category_links(result: Result, guidance: Guidance) -> tuple[GroupLinks, ...]:
    """Return the categories as links, for methods that treat them so."""
    if guidance.seeds is None or registry.find_method(result.method).family != LINK_FAMILY:
        return ()
    return guidance.seed_groups()


def _describe_categories(place: _Placement, levels: tuple[GroupLinks, ...]) -> Iterator[Link]:
    """Yield one sentence for each category of an object; the pulls of its strength levels add up."""
    within = [np.unique(level.group[level.member == place.position]).tolist() for level in levels]
    for category in within[0] if within else ():
        members = _find_members(levels[0], category, place.position)
        pull = sum(
            level.together * place.lead(_find_members(level, category, place.position))
            for level, categories in zip(levels, within, strict=True)
            if category in categories
        )
        if members.size:
            count = format_count(members.size, place.kind)
            phrase = f"together with {count} in the same category {levels[0].names[category]!r}"
            yield place.describe(phrase, members), pull


def _find_members(groups: GroupLinks, named: int, position: int) -> NDArray[np.int64]:
    """Return the other members of a group."""
    return np.setdiff1d(groups.member[groups.group == named], [position])
