"""Changes to the groups of a result: the documents that each change moves, and the next run from there.

Groups go by their lasting numbers (`Result.group_numbers`). A change moves documents between groups before
the run: those that the user named, and those that are clearly alike. The run then starts from the changed
groups, and a document leaves its group only for much stronger evidence (`STAY`), so that a change moves
what it says and little else.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple
from weakref import WeakKeyDictionary

import numpy as np

from colligate import registry
from colligate.methods.spherical import make_tfidf_directions, tfidf
from colligate.methods.start_file import StartGroups
from colligate.result.descriptions import Description
from colligate.result.groups import (
    keep_names,
    name_groups_by_words,
)

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from numpy.typing import NDArray
    from scipy.sparse import csc_array

    from colligate.result import Result

    Rows = NDArray[np.int64]
    Flags = NDArray[np.bool_]

# `init_weight` of a run from changed groups: less lets documents of merged groups leave again
STAY = 7.0
# Documents follow those that are moved if they are nearer to them than to their group by this much (cosine),
# and the new group is their second best; chosen on WebKB, R8, DBLP and 20 newsgroups.
ALIKE_MARGIN = 0.2
# At most so many follow each: on DBLP titles most would follow wrongly, whatever the rule.
MAX_FOLLOWERS = 3
# The weight of the new group beside the moved documents in what a document is compared with.
ALIKE_TARGET = 0.5
# The nats that a seed word adds to its group in a document of which it is the most important word; chosen
# on WebKB, R8, OHSUMED and 20 newsgroups, so that three in four documents that move do so rightly.
WORD_NATS = 8.0
MIN_MEMBERSHIP = 1e-6
# It costs more than the documents of a word, and every word of a result needs it.
_importance: WeakKeyDictionary[Result, csc_array] = WeakKeyDictionary()


class Move(NamedTuple):
    """Documents (rows) that go from one group to another, by their lasting numbers; -1 is no group."""

    source: int
    target: int
    rows: tuple[int, ...]


class RevisedGroups:
    """The groups of a result while changes are made; `labels` has the number of every document's group."""

    def __init__(self, result: Result, directions: Any = None) -> None:
        self.result = result
        self._directions = directions
        self.before: Rows = result.numbers_of(place_all(result))
        self.labels: Rows = self.before.copy()
        names = zip(result.group_numbers, result.given_names, strict=True)
        self.names = {number: name for number, name in names if name}

    def has(self, number: int) -> bool:
        """Tell whether a group has documents."""
        return bool(np.any(self.labels == number))

    def members(self, number: int) -> Rows:
        """Return the documents of a group."""
        return np.flatnonzero(self.labels == number)

    def unused(self) -> int:
        """Return a number that no group has or had."""
        return max([*self.result.group_numbers, *self.labels.tolist(), *self.names], default=-1) + 1

    @property
    def directions(self) -> Any:
        """The directions of documents; see `find_directions`."""
        if self._directions is None:
            self._directions = find_directions(self.result)
        return self._directions

    def move(self, moves: Iterable[Move]) -> None:
        """Move documents."""
        for move in moves:
            self.labels[list(move.rows)] = move.target

    def to_start(self, labels: Mapping[str, int] | None = None, words: Iterable[str] = ()) -> StartGroups:
        """Return the start of the next run.

        `labels` has the group of each name in the knowledge, and `words` the names that are only words.
        """
        numbers = self._order_numbers()
        position = {number: k for k, number in enumerate(numbers)}
        groups = {self.result.centre: np.array([position.get(number, 0) for number in self.labels.tolist()])}
        terms = self.result.network.terms
        if terms is not None and terms in self.result.labels:
            groups[terms] = self.result.labels[terms].astype(np.int64)
        temperature, doubt = (self.result.model.get(name) for name in ("temperature", "doubt"))
        calibration = self.result.model.get("calibration_clusters")
        return StartGroups(
            groups,
            numbers=numbers,
            names=tuple(self.names.get(number, "") for number in numbers),
            labels={name: position[number] for name, number in (labels or {}).items() if number in position},
            words=tuple(words),
            word_names=self._keep_word_names(numbers),
            descriptions=self._keep_descriptions(numbers),
            temperature=None if temperature is None else float(temperature),
            doubt=None if doubt is None else float(doubt),
            calibration_clusters=None if calibration is None else int(calibration),
            weight=STAY,
        )

    def _order_numbers(self) -> tuple[int, ...]:
        """Return the groups that have documents: those of the result in its order, then new ones."""
        present = np.unique(self.labels[self.labels >= 0]).tolist()
        known = self.result.group_numbers
        return tuple(
            [number for number in known if number in present] + [n for n in present if n not in known]
        )

    def _keep_word_names(self, numbers: Sequence[int]) -> tuple[str, ...]:
        """Return the words that name the groups which the changes leave nearly as they were."""
        words = dict(zip(self.result.group_numbers, name_groups_by_words(self.result), strict=True))
        return keep_names(words, self.before, self.labels, numbers, "")

    def _keep_descriptions(self, numbers: Sequence[int]) -> tuple[Description, ...]:
        """Return what a language model wrote about the groups which the changes leave nearly as they were."""
        descriptions = dict(zip(self.result.group_numbers, self.result.descriptions, strict=True))
        return keep_names(descriptions, self.before, self.labels, numbers, Description())


def place_all(result: Result) -> Rows:
    """Return the group of every document; one in no group is placed where its words fit best."""
    labels = result.labels[result.centre].astype(np.int64)
    unplaced = np.flatnonzero(labels < 0)
    if len(unplaced):
        method = registry.find_method(result.method)
        scores = method.predict_scores(result.model, result.neighbourhood.matrix[unplaced])
        labels[unplaced] = np.asarray(scores)[:, : result.n_groups()].argmax(axis=1)
    return labels


# --- what a change moves ---


def plan_moves(groups: RevisedGroups, rows: Iterable[int], target: int) -> list[Move]:
    """List the moves of documents into a group, one for each group that they come from."""
    chosen = np.array(sorted(set(rows)), dtype=np.int64)
    sources = groups.labels[chosen]
    return [
        Move(int(source), target, tuple(chosen[sources == source].tolist()))
        for source in np.unique(sources)
        if source != target
    ]


def find_alike(groups: RevisedGroups, moves: Sequence[Move], held: Flags) -> list[Move]:
    """Find the documents that follow moved ones, because they are nearer to them than to their own group.

    The new group must be their second best, and the nearest come first. Documents that are `held`, by a
    statement of the user, do not follow.
    """
    directions = groups.directions
    following = []
    for source, target, rows in moves:
        rest = np.setdiff1d(groups.members(source), rows)
        candidates = rest[~held[rest]]
        if source < 0 or not len(candidates):
            continue
        example = _mean_direction(directions[list(rows)])
        aimed = _mean_direction(directions[groups.members(target)])
        example = _normalise(example + ALIKE_TARGET * aimed)
        remaining = _mean_direction(directions[rest])
        nearer = np.asarray(directions[candidates] @ (example - remaining)).ravel()
        follows = (nearer > ALIKE_MARGIN) & _fits_second_best(groups.result, candidates, source, target)
        nearest = candidates[follows][np.argsort(-nearer[follows], kind="stable")]
        if len(nearest):
            kept = nearest[: MAX_FOLLOWERS * len(rows)]
            following.append(Move(source, target, tuple(sorted(kept.tolist()))))
    return following


def count_nearer(groups: RevisedGroups, rows: Sequence[int], held: Flags) -> int:
    """Count the documents, without the `held` ones, that are nearer to these than to their own group."""
    directions, n_nearer = groups.directions, 0
    example = _mean_direction(directions[list(rows)])
    for number in np.unique(groups.labels[groups.labels >= 0]).tolist():
        members = groups.members(number)
        difference = example - _mean_direction(directions[members])
        candidates = members[~held[members]]
        n_nearer += int((np.asarray(directions[candidates] @ difference).ravel() > 0).sum())
    return n_nearer


def _fits_second_best(result: Result, rows: Rows, source: int, target: int) -> Flags:
    """Tell for which documents a group is the likeliest beside their own; all, if it is a new group."""
    position = {number: k for k, number in enumerate(result.group_numbers)}
    if target not in position:
        return np.ones(len(rows), dtype=bool)
    others = np.array(result.memberships[result.centre][rows])
    if source in position:
        others[:, position[source]] = -1.0
    return np.asarray(others.argmax(axis=1) == position[target])


def find_word_documents(groups: RevisedGroups, word: int, target: int, held: Flags) -> list[Move]:
    """Find the documents that a seed word moves into a group: it is important in them, and they fit there.

    A document moves if the group is less than `WORD_NATS` × the importance of the word less probable than
    its own group. A new group takes those of which the word is one of the most important.
    """
    result, importance = groups.result, measure_importance(groups.result)
    column = slice(importance.indptr[word], importance.indptr[word + 1])
    rows, weights = importance.indices[column], importance.data[column]
    is_free = (weights > 0) & (groups.labels[rows] != target) & ~held[rows]
    rows, weights = rows[is_free], weights[is_free]
    position = {number: k for k, number in enumerate(result.group_numbers)}
    if target in position:
        memberships = np.log(np.maximum(result.memberships[result.centre][rows], MIN_MEMBERSHIP))
        now = np.array([position.get(number, -1) for number in groups.labels[rows].tolist()], dtype=np.int64)
        gap = np.where(now >= 0, memberships[np.arange(len(rows)), now], 0.0)
        moves = gap - memberships[:, position[target]] < WORD_NATS * weights
    else:
        moves = weights > 0.5
    return plan_moves(groups, rows[moves].tolist(), target)


def plan_together(groups: RevisedGroups, rows: Sequence[int], held: Flags) -> list[Move]:
    """Move documents that belong together into one of their groups: that of a held one, or the likeliest."""
    present = np.unique(groups.labels[[row for row in rows if held[row]] or list(rows)])
    if len(present) == 0 or present[0] < 0:
        return []
    likeliest = present[_log_memberships(groups, rows, present).sum(axis=0).argmax()]
    free = [row for row in rows if not held[row]]
    return plan_moves(groups, free, int(likeliest))


def plan_apart(groups: RevisedGroups, rows: Sequence[int], held: Flags) -> list[Move]:
    """Move documents that belong apart out of a shared group, each into its likeliest group that is free.

    Held documents stay, then the surest.
    """
    if len(np.unique(groups.labels[list(rows)])) == len(rows):
        return []
    numbers = np.unique(groups.labels[groups.labels >= 0])
    log_p = _log_memberships(groups, rows, numbers)
    order = sorted(range(len(rows)), key=lambda k: (not held[rows[k]], -log_p[k].max()))
    taken: set[int] = set()
    moves: list[Move] = []
    for k in order:
        row, now = rows[k], int(groups.labels[rows[k]])
        if now in taken and not held[row]:
            ranked = numbers[np.argsort(-log_p[k], kind="stable")].tolist()
            target = next((number for number in ranked if number not in taken), now)
            moves += plan_moves(groups, [row], target)
            now = target
        taken.add(now)
    return moves


def _log_memberships(groups: RevisedGroups, rows: Sequence[int], numbers: Any) -> NDArray[np.float64]:
    """Return rows × groups; a group that is newer than the result has its documents, and no others."""
    result, position = groups.result, {number: k for k, number in enumerate(groups.result.group_numbers)}
    shares = np.full((len(rows), len(numbers)), MIN_MEMBERSHIP)
    for k, number in enumerate(numbers.tolist()):
        if number in position:
            shares[:, k] = result.memberships[result.centre][list(rows), position[number]]
        shares[groups.labels[list(rows)] == number, k] += MIN_MEMBERSHIP
    return np.asarray(np.log(np.maximum(shares, MIN_MEMBERSHIP)))


def measure_importance(result: Result) -> csc_array:
    """Return documents × words: the tf-idf of a word, relative to the most important word of the document."""
    if result not in _importance:
        weights = tfidf(result.counts)
        largest = np.maximum(weights.max(axis=1).toarray().ravel(), MIN_MEMBERSHIP)
        weights.data = weights.data / np.repeat(largest, np.diff(weights.indptr))
        _importance[result] = weights.tocsc()
    return _importance[result]


def find_directions(result: Result) -> Any:
    """Return documents as unit rows: in the latent space of the method, or by their tf-idf."""
    return make_tfidf_directions(result.counts)[0].unit if result.directions is None else result.directions


def _mean_direction(rows: Any) -> NDArray[np.float64]:
    return _normalise(np.asarray(rows.sum(axis=0), dtype=np.float64).ravel())


def _normalise(vector: NDArray[np.float64]) -> NDArray[np.float64]:
    return np.asarray(vector / max(float(np.sqrt(vector @ vector)), MIN_MEMBERSHIP))
