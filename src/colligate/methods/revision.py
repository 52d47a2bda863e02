"""Changes to the groups of a result: the documents that each change moves, and the next run from there.

Groups go by their lasting numbers (`Result.group_numbers`). A change moves documents between groups before
the run: those that the user named, and those that are clearly alike. The run then starts from the changed
groups, and a document leaves its group only for much stronger evidence (`STAY`), so that a change moves
what it says and little else.
"""

from __future__ import annotations

import warnings
from dataclasses import replace
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from colligate import registry
from colligate.errors import InputError, KnowledgeError, KnowledgeWarning
from colligate.knowledge import Knowledge, find_kind
from colligate.knowledge.changes import MERGE, MOVE, RENAME, SEED, find_group
from colligate.knowledge.kinds.category import category_block
from colligate.knowledge.yaml_file import BUILT_IN_CODE
from colligate.methods.mixture.features import LatentSpace
from colligate.methods.spherical import make_tfidf_directions, tfidf
from colligate.methods.split import split_cluster
from colligate.methods.start_file import StartGroups, supports_start

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from numpy.typing import NDArray

    from colligate.knowledge.changes import Change
    from colligate.methods.fit import RunOptions
    from colligate.result import Result

    Rows = NDArray[np.int64]
    Flags = NDArray[np.bool_]

# `init_weight` of a run from changed groups: less lets documents of merged groups leave again
STAY = 3.0
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
        self.labels: Rows = result.numbers_of(place_all(result))
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
        numbers = np.unique(self.labels[self.labels >= 0])
        position = {number: k for k, number in enumerate(numbers.tolist())}
        groups = {self.result.centre: np.searchsorted(numbers, self.labels)}
        terms = self.result.network.terms
        if terms is not None and terms in self.result.labels:
            groups[terms] = self.result.labels[terms].astype(np.int64)
        temperature = self.result.model.get("temperature")
        return StartGroups(
            groups,
            numbers=tuple(numbers.tolist()),
            names=tuple(self.names.get(number, "") for number in numbers.tolist()),
            labels={name: position[number] for name, number in (labels or {}).items() if number in position},
            words=tuple(words),
            temperature=None if temperature is None else float(temperature),
            weight=STAY,
        )


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
    result = groups.result
    importance = measure_importance(result, word)
    rows = np.flatnonzero((importance > 0) & (groups.labels != target) & ~held)
    position = {number: k for k, number in enumerate(result.group_numbers)}
    if target in position:
        memberships = np.log(np.maximum(result.memberships[result.centre][rows], MIN_MEMBERSHIP))
        now = np.array([position.get(number, -1) for number in groups.labels[rows].tolist()], dtype=np.int64)
        gap = np.where(now >= 0, memberships[np.arange(len(rows)), now], 0.0)
        moves = gap - memberships[:, position[target]] < WORD_NATS * importance[rows]
    else:
        moves = importance[rows] > 0.5
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


def measure_importance(result: Result, word: int) -> NDArray[np.float64]:
    """Return the tf-idf of a word in every document, relative to the most important word there."""
    weights = tfidf(result.counts)
    largest = np.asarray(weights.max(axis=1).todense()).ravel()
    column = np.asarray(weights[:, [word]].todense()).ravel()
    return np.asarray(column / np.maximum(largest, MIN_MEMBERSHIP))


def find_directions(result: Result) -> Any:
    """Return documents as unit rows: in the latent space of the method, or by their tf-idf."""
    if "basis" not in result.model:
        return make_tfidf_directions(result.counts)[0].unit
    space = LatentSpace(result.model["idf"], result.model["basis"])
    rows = space.project(result.neighbourhood.matrix)
    return rows / np.maximum(np.sqrt(np.square(rows).sum(axis=1, keepdims=True)), MIN_MEMBERSHIP)


def _mean_direction(rows: Any) -> NDArray[np.float64]:
    return _normalise(np.asarray(rows.sum(axis=0), dtype=np.float64).ravel())


def _normalise(vector: NDArray[np.float64]) -> NDArray[np.float64]:
    return np.asarray(vector / max(float(np.sqrt(vector @ vector)), MIN_MEMBERSHIP))


# --- changes from Python and the command line ---


def apply_changes(
    result: Result, knowledge: Knowledge, options: RunOptions | None = None, **parameters: Any
) -> Result:
    """Carry out the changes of knowledge on a result, and cluster again with its statements as well.

    Names alone need no run.
    """
    revision = Revision(result)
    for change in knowledge.changes:
        revision.apply(change)
    if knowledge.changes and not len(knowledge) and all(c.act == RENAME for c in knowledge.changes):
        names = revision.groups.names
        return replace(result, given_names=tuple(names.get(k, "") for k in result.group_numbers))
    revision.carry_out(knowledge)
    return revision.fit(revision.add_knowledge(knowledge), options, **parameters)


class Revision:
    """Changes to a result: the groups after them, the labels and seed words they add, and the names used."""

    def __init__(self, result: Result) -> None:
        self.groups = RevisedGroups(result)
        self.labelled: dict[str, str] = {}
        self.seeds: dict[str, str] = {}
        named = result.named_groups.items()
        self.labels = {name: result.group_numbers[group] for name, group in named}

    def apply(self, change: Change) -> None:
        """Carry out one change."""
        if change.act in (MOVE, SEED):
            target = self._find_target(change.groups[0])
            self._move(change.documents, target) if change.act == MOVE else self._seed(change.word, target)
            return
        groups = [self._find(group) for group in change.groups]
        if change.act == RENAME:
            self._rename(groups[0], change.name)
        elif change.act == MERGE:
            self._merge(groups[0], groups[1:])
        else:
            self._split(groups[0], change.into)

    def carry_out(self, knowledge: Knowledge) -> None:
        """Move documents as further statements say: labels, seed words and links, in their order.

        A name means the group that is called so. A name that no group has is left to the run.
        """
        result = self.groups.result
        rows = {str(name): row for row, name in enumerate(result.network.types[result.centre].names)}
        self._bind_names(knowledge)
        held = self._held()
        for block in knowledge.statements.blocks:
            if block.corpus is not None or (block.kind, block.type) not in (
                ("label", result.centre),
                ("category", result.terms),
                ("together", result.centre),
                ("apart", result.centre),
            ):
                continue
            for row, subject in enumerate(map(str, block.subject.tolist())):
                if block.object is not None:
                    self._link(block.kind, held, [rows.get(subject), rows.get(str(block.object[row]))])
                elif block.codes is not None and (name := block.names[int(block.codes[row])]) in self.labels:
                    self._place(block.kind, subject, self.labels[name], rows, held)

    def fit(
        self, knowledge: Knowledge | None, options: RunOptions | None = None, **parameters: Any
    ) -> Result:
        """Cluster again from the changed groups, with the parameters of the result, or others."""
        result = self.groups.result
        method = registry.find_method(result.method)
        if not supports_start(method):
            raise InputError(
                f"the groups of {result.method} cannot be changed, because this method cannot start "
                "from existing groups; cluster with another method, such as colligate"
            )
        start = self.groups.to_start(self.labels)
        values = _refit_parameters(result, parameters) | start.parameters(result.network, method)
        model = method(**values)
        network = replace(result.network, corpus=result.corpus)
        model.fit(network, knowledge=knowledge or None, options=options)
        return start.number_groups(model.result_)

    def _names(self) -> dict[int, str]:
        result = self.groups.result
        return dict(zip(result.group_numbers, result.group_names, strict=True)) | self.groups.names

    def _find(self, group: int | str) -> int:
        names = self._names()
        number = find_group(group, list(names), list(names.values()))
        if number is None or not self.groups.has(number):
            raise KnowledgeError(
                f"there is no group {group!r:.80}; the groups are {', '.join(map(repr, names.values())):.400}"
            )
        return number

    def _find_target(self, group: int | str) -> int:
        """Return a group by number or name; a name that no group has makes a new group."""
        names = self._names()
        number = find_group(group, list(names), list(names.values()))
        if number is not None:
            return number
        new = self.groups.unused()
        self.groups.names[new] = str(group)
        return new

    def _rename(self, number: int, name: str) -> None:
        if any(other == name for group, other in self._names().items() if group != number):
            raise KnowledgeError(
                f"another group is called {name!r:.80}; choose another name, or merge the two groups"
            )
        self.groups.names[number] = name

    def _move(self, ids: Sequence[str], target: int) -> None:
        """Move documents, and those that are clearly alike; the named ones stay there."""
        groups, centre = self.groups, self.groups.result.centre
        position = {str(name): row for row, name in enumerate(groups.result.network.types[centre].names)}
        if unknown := [name for name in ids if name not in position]:
            raise KnowledgeError(f"{unknown[0]!r:.80} is not among the {centre} of the result; check the id")
        moves = plan_moves(groups, [position[name] for name in ids], target)
        groups.move([*moves, *find_alike(groups, moves, self._held())])
        self.labelled |= dict.fromkeys(ids, self._name_in_knowledge(target))

    def _seed(self, word: str, target: int) -> None:
        result = self.groups.result
        words = list(result.network.types[result.terms].names)
        if word not in words:
            raise KnowledgeError(
                f"{word!r:.80} is not among the {result.terms} of the result; check the spelling, or choose "
                "another one"
            )
        self.groups.move(find_word_documents(self.groups, words.index(word), target, self._held()))
        self.seeds[word] = self._name_in_knowledge(target)

    def _merge(self, kept: int, gone: Iterable[int]) -> None:
        for number in gone:
            self.groups.move(plan_moves(self.groups, self.groups.members(number).tolist(), kept))
            self.groups.names.pop(number, None)
            self.labels |= {name: kept for name, group in self.labels.items() if group == number}

    def _split(self, number: int, into: int) -> None:
        """Divide a group into parts; the first keeps its number and its name."""
        groups = self.groups
        _, *parts = split_cluster(groups.result.counts, groups.members(number), into)
        for part in parts:
            groups.move(plan_moves(groups, part.tolist(), groups.unused()))

    def _bind_names(self, knowledge: Knowledge) -> None:
        """Bind a name of further statements to the group that is called so."""
        by_name = {name: number for number, name in self._names().items()}
        for block in knowledge.statements.blocks:
            if find_kind(block.kind).names_groups:
                known = {name: by_name[name] for name in block.names if name in by_name}
                self.labels = known | self.labels
                if new := [name for name in block.names if name not in self.labels]:
                    warnings.warn(
                        f"no group is called {new[0]!r:.80}; the group with most of its documents gets this "
                        "name. To make a new group, use the change `move` or `seed`.",
                        KnowledgeWarning,
                        stacklevel=2,
                    )

    def _link(self, kind: str, held: Flags, rows: Sequence[int | None]) -> None:
        known = [row for row in rows if row is not None]
        if len(known) == len(rows):
            plan = plan_together if kind == "together" else plan_apart
            self.groups.move(plan(self.groups, known, held))

    def _place(self, kind: str, subject: str, target: int, rows: Mapping[str, int], held: Flags) -> None:
        """Move a labelled document, or the documents of a seed word, that are in another group."""
        words = self.groups.result.network.types[self.groups.result.terms].names
        if kind == "category" and subject in words:
            column = list(words).index(subject)
            self.groups.move(find_word_documents(self.groups, column, target, held))
        elif kind == "label" and subject in rows:
            moves = plan_moves(self.groups, [rows[subject]], target)
            self.groups.move([*moves, *find_alike(self.groups, moves, held)])

    def add_knowledge(self, added: Knowledge) -> Knowledge:
        """Return the knowledge of the result that the changes do not overrule, theirs, and what is added."""
        result = self.groups.result
        knowledge = Knowledge(unknown="report", contradictions="report")
        overruled = {
            ("label", result.centre): set(self.labelled),
            ("outside", result.centre): set(self.labelled),
            ("category", result.terms): set(self.seeds),
        }
        blocks = () if result.compiled is None else result.compiled.statements.blocks
        for block in blocks:
            names = overruled.get((block.kind, block.type), set())
            knowledge.add(block.select(np.array([str(name) not in names for name in block.subject.tolist()])))
        if self.labelled:
            knowledge.label(self.labelled, type=result.centre)
        for word, name in self.seeds.items():
            knowledge.add(category_block(name, result.terms, [word], 1.0, BUILT_IN_CODE))
        return knowledge.add(*added.statements.blocks)

    def _held(self) -> Flags:
        """Mark the documents that have a label; they do not follow others."""
        result = self.groups.result
        held = np.zeros(len(self.groups.labels), dtype=bool)
        guidance = None if result.compiled is None else result.compiled.guidance.get(result.centre)
        if guidance is not None and guidance.labels is not None:
            held |= guidance.labels >= 0
        names = result.network.types[result.centre].names
        held |= np.array([str(name) in self.labelled for name in names], dtype=bool)
        return held

    def _name_in_knowledge(self, number: int) -> str:
        """Return the name that the knowledge has for a group, or a new one."""
        for name, group in self.labels.items():
            if group == number:
                return name
        name = self._names()[number]
        label = name if name not in self.labels else f"{name} ({number})"
        self.labels[label] = number
        return label


def _refit_parameters(result: Result, parameters: Mapping[str, Any]) -> dict[str, Any]:
    """Return the parameters of a result; an array among them is not stored and must be passed again."""
    replaced = {"n_clusters", "n_init", "init", "word_init", "init_names", "init_weight", "temperature"}
    known = {name: value for name, value in result.parameters.items() if name not in replaced}
    for name, value in known.items():
        if name not in parameters and isinstance(value, str) and value.startswith("array "):
            raise InputError(
                f"the result was made with an array as {name}, and results do not store this array; "
                f"pass {name}=… again"
            )
    return {**known, "random_state": result.seed, **parameters}
