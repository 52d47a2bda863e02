"""Changes to the groups of a result as a knowledge file lists them, and the next run from there.

Changes are carried out one after the other, then the further statements. Names in statements must be those of
groups: a name that no group has is refused, since the run would give it to the group that fits best.
"""

from __future__ import annotations

import json
import re
from dataclasses import replace
from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np

from colligate import registry
from colligate.corpus.encoders import COLUMN, WORD_VECTORS, is_trusted_name, list_embeddings
from colligate.errors import InputError, KnowledgeError, ParameterError
from colligate.knowledge import Knowledge, find_kind
from colligate.knowledge.changes import (
    MERGE,
    MOVE,
    NEW,
    RENAME,
    SEED,
    check_group_name,
    find_group,
    format_group,
)
from colligate.knowledge.kinds.category import category_block
from colligate.knowledge.kinds.label import label_block
from colligate.knowledge.statements import CHANGE_NOTE
from colligate.knowledge.text import format_count, format_name
from colligate.methods.change_outcomes import CarriedOut
from colligate.methods.fit import RunOptions
from colligate.methods.folding import Folding
from colligate.methods.guidance import check_knowledge
from colligate.methods.revision import (
    RevisedGroups,
    find_alike,
    find_word_documents,
    plan_apart,
    plan_moves,
    plan_together,
)
from colligate.methods.split import split_cluster
from colligate.methods.start_file import StartGroups, supports_start
from colligate.result.groups import find_groups_by_name, refer_to_group

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence

    from colligate.knowledge import Block
    from colligate.knowledge.changes import Change
    from colligate.methods.revision import Flags
    from colligate.result import Result

NUMBERED = re.compile(r"group \d+")
MAX_LISTED = 10


def apply_changes(
    result: Result, knowledge: Knowledge, options: RunOptions | None = None, **parameters: Any
) -> Result:
    """Carry out the changes of knowledge on a result, and cluster again with its statements as well."""
    return ChangePlan(result, knowledge).fit(options, **parameters)


class ChangePlan:
    """Changes to a result and further statements, carried out before the next run.

    Parameters
    ----------
    result : Result
        The result that is changed.
    knowledge : Knowledge
        The changes and the statements.
    names : mapping of str to int
        Further names of groups, by their lasting numbers.
    makes_groups : bool
        Whether a name that no group has makes a new group, and is not refused.

    Attributes
    ----------
    groups : RevisedGroups
        The groups after the changes.
    labels : dict of str to int
        The group of each name in the knowledge.
    carried_out : list of CarriedOut
        What each change did.
    """

    def __init__(
        self,
        result: Result,
        knowledge: Knowledge,
        names: Mapping[str, int] | None = None,
        *,
        makes_groups: bool = False,
    ) -> None:
        check_knowledge(knowledge)
        self.groups = RevisedGroups(result)
        self.added = knowledge
        self.labelled: dict[str, tuple[str, Change]] = {}
        self.seeds: dict[str, tuple[str, Change]] = {}
        by_name = find_groups_by_name(result).items()
        bound = {name: result.group_numbers[group] for name, group in by_name}
        self.labels = {**(names or {}), **bound}
        self.aliases: dict[str, str] = {}
        self.merged: dict[int, int] = {}
        self.notes: list[str] = []
        self.makes_groups = makes_groups
        self.carried_out: list[CarriedOut] = []
        for change in knowledge.changes:
            try:
                self.carried_out.append(self._carry_out(change))
            except (KnowledgeError, InputError) as error:
                raise type(error)(f"{change.where}: {error}" if change.line else str(error)) from None
        if not self.renames_only:
            self._carry_out_statements()
            self._refuse_empty_groups()

    @cached_property
    def _rows(self) -> dict[str, int]:
        """The row of every document by its id."""
        result = self.groups.result
        return {str(name): row for row, name in enumerate(result.network.types[result.centre].names)}

    @cached_property
    def _columns(self) -> dict[str, int]:
        """The column of every word."""
        result = self.groups.result
        return {str(name): column for column, name in enumerate(result.network.types[result.terms].names)}

    @cached_property
    def _held(self) -> Flags:
        """The documents that have a label; they do not follow others."""
        result = self.groups.result
        guidance = None if result.compiled is None else result.compiled.guidance.get(result.centre)
        if guidance is None or guidance.labels is None:
            return np.zeros(len(self.groups.labels), dtype=bool)
        return np.asarray(guidance.labels >= 0)

    @property
    def renames_only(self) -> bool:
        """Whether nothing but names changes; that needs no run."""
        return not len(self.added) and all(change.act == RENAME for change in self.added.changes)

    @property
    def start(self) -> StartGroups:
        """The groups that the next run starts from."""
        return self.groups.to_start(self.labels, self.groups.result.provisional_names)

    def describe_names(self) -> list[str]:
        """Say which group each merged group and each name in further statements means, and which are new."""
        names, known = self._names(), self.groups.result.group_numbers
        before = dict(zip(known, self.groups.result.group_names, strict=True))
        lines = list(dict.fromkeys(self.notes))
        lines += [
            f"group {number} is new"
            + ("" if names[number] == refer_to_group(number) else f": {format_group(names[number])}")
            for number in sorted(names)
            if number not in known and self.groups.has(number)
        ]
        for name in _list_names(self.added):
            number = self.labels[self.aliases[name]]
            if number in before:
                called = "" if before[number] == name else f", which is called {format_group(before[number])}"
                lines.append(f"the name {format_group(name)} means group {number}{called}")
        return lines

    def fit(
        self, options: RunOptions | None = None, knowledge: Knowledge | None = None, **parameters: Any
    ) -> Result:
        """Cluster again from the changed groups, with the parameters of the result, or others.

        `knowledge` is that of the run: by default that of the result, with changes and further statements.
        Names alone need no run.
        """
        result = self.groups.result
        if self.renames_only and knowledge is None:
            names = self.groups.names
            return replace(result, given_names=tuple(names.get(k, "") for k in result.group_numbers))
        method = registry.find_method(result.method)
        if not supports_start(method):
            raise InputError(
                f"the groups of {result.method} cannot be changed, because this method cannot start "
                "from existing groups; cluster with another method, such as colligate"
            )
        knowledge, start = knowledge or self._collect_knowledge(), self.start
        values = refit_parameters(result, parameters) | start.parameters(result.network, method)
        model = method(**values)
        network = replace(result.network, corpus=result.corpus)
        options = replace(options or RunOptions(), fold_duplicates=Folding.of_result(result))
        model.fit(network, knowledge=knowledge or None, options=options)
        return start.number_groups(model.result_)

    # --- one change ---

    def _carry_out(self, change: Change) -> CarriedOut:
        """Carry out one change, and note what it did."""
        before = self.carried_out[-1].after if self.carried_out else self.groups.labels.copy()
        names = dict(self.groups.names)
        if change.act == NEW:
            targets = [self._make_group(str(change.groups[0]))]
        elif change.act in (MOVE, SEED):
            targets = [self._find_target(change.groups[0])]
            self._move(change, targets[0]) if change.act == MOVE else self._seed(change, targets[0])
        else:
            targets = [self._find(group) for group in change.groups]
            if change.act == RENAME:
                self._rename(targets[0], change.name)
            elif change.act == MERGE:
                self._merge(targets[0], targets[1:])
            else:
                self._split(targets[0], change.into)
        # one array for both, because thousands of changes may leave the groups as they are
        after = before if np.array_equal(before, self.groups.labels) else self.groups.labels.copy()
        return CarriedOut(change, tuple(targets), before, after, names != self.groups.names)

    def _names(self) -> dict[int, str]:
        """Return the name of each group; one that has none yet goes by its number."""
        result = self.groups.result
        names = dict(zip(result.group_numbers, result.group_names, strict=True)) | self.groups.names
        new = np.setdiff1d(self.groups.labels, [-1, *names]).tolist()
        return {**names, **{number: refer_to_group(number) for number in new}}

    def _find(self, group: int | str) -> int:
        """Return a group that has documents, by number or name."""
        number = self._look_up(group)
        if number is None or not self.groups.has(number):
            raise self._refuse(group)
        return number

    def _refuse(self, group: int | str) -> KnowledgeError:
        called = f"group {group}" if isinstance(group, int) else f"group called {group!r:.80}"
        return KnowledgeError(f"there is no {called}; the groups are {self._list_groups():.400}")

    def _look_up(self, group: int | str) -> int | None:
        """Return a group by number or name, None if there is none; a merged one is the group it is in now."""
        names = self._names()
        number = find_group(group, list(names), list(names.values()))
        if number in self.merged:
            now = self._resolve(number)
            self.notes.append(f"group {number} was merged into group {now}, so {now} is meant")
            return now
        return number

    def _resolve(self, number: int) -> int:
        """Return the group that a group was merged into, or itself."""
        while number in self.merged:
            number = self.merged[number]
        return number

    def _list_groups(self) -> str:
        """List the groups that have documents, each with its number and name."""
        names = sorted(self._names().items())
        return "; ".join(f"{number} {format_name(name)}" for number, name in names if self.groups.has(number))

    def _find_target(self, group: int | str) -> int:
        """Return a group by number or name; a name that no group has makes a new group."""
        number = self._look_up(group)
        if number is None and isinstance(group, int):
            raise self._refuse(group)
        return self._make_group(str(group)) if number is None else number

    def _make_group(self, name: str) -> int:
        """Make a group that has no documents yet."""
        new = self.groups.unused()
        self._rename(new, name)
        self._bind(self.groups.names[new], new)
        return new

    def _rename(self, number: int, name: str) -> None:
        others = ((k, other) for k, other in self._names().items() if k != number and self.groups.has(k))
        check_group_name(name, others)
        self.groups.names[number] = name.strip()

    def _move(self, change: Change, target: int) -> None:
        """Move documents, and those that are clearly alike; the named ones stay there."""
        groups, ids = self.groups, change.documents
        if unknown := [id for id in ids if id not in self._rows]:
            raise KnowledgeError(
                f"{unknown[0]!r:.80} is not among the {groups.result.centre} of the result; check the id"
            )
        moves = plan_moves(groups, [self._rows[id] for id in ids], target)
        groups.move([*moves, *find_alike(groups, moves, self._held)])
        self._hold(ids)
        self.labelled |= dict.fromkeys(ids, (self._name_in_knowledge(target), change))

    def _seed(self, change: Change, target: int) -> None:
        if change.word not in self._columns:
            raise KnowledgeError(
                f"{change.word!r:.80} is not among the {self.groups.result.terms} of the result; check the "
                "spelling, or choose another one"
            )
        column = self._columns[change.word]
        self.groups.move(find_word_documents(self.groups, column, target, self._held))
        self.seeds[change.word] = (self._name_in_knowledge(target), change)

    def _merge(self, kept: int, gone: Sequence[int]) -> None:
        if kept in gone:
            raise KnowledgeError("a group cannot be merged with itself; name two groups")
        for number in gone:
            self.groups.move(plan_moves(self.groups, self.groups.members(number).tolist(), kept))
            self.groups.names.pop(number, None)
            self.merged[number] = kept
            self.labels |= {name: kept for name, group in self.labels.items() if group == number}

    def _split(self, number: int, into: int) -> None:
        """Divide a group into parts; the first keeps its number and its name."""
        groups = self.groups
        _, *parts = split_cluster(groups.result.counts, groups.members(number), into)
        for part in parts:
            groups.move(plan_moves(groups, part.tolist(), groups.unused()))

    # --- further statements ---

    def _carry_out_statements(self) -> None:
        """Move documents as further statements say: labels first, then seed words and links in their order.

        Documents with a label follow no others.
        """
        result = self.groups.result
        self._bind_names()
        blocks = [block for block in self.added.statements.blocks if block.corpus is None]
        labels = [block for block in blocks if (block.kind, block.type) == ("label", result.centre)]
        self._place_documents(labels)
        for block in blocks:
            if (block.kind, block.type) == ("category", result.terms):
                self._place_words(block)
            elif block.kind in ("together", "apart") and block.type == result.centre:
                self._link(block)

    def _bind_names(self) -> None:
        """Bind each name of further statements to the group that is called so; refuse any other name.

        `group 3` means the group with this number.
        """
        groups = {number: (self._resolve(number), name) for number, name in self._names().items()}
        by_number = {refer_to_group(number): group for number, (group, _) in groups.items()}
        old = {name: group for number, (group, name) in groups.items() if number in self.merged}
        by_name = {name: group for number, (group, name) in groups.items() if number not in self.merged}
        names = _list_names(self.added)
        meant = {**by_number, **old, **self.labels, **by_name}
        new = [name for name in names if name not in meant]
        if new and not self.makes_groups:
            raise KnowledgeError(self._explain_new_names(new))
        for name in names:
            self.aliases[name] = self._bind(name, meant[name] if name in meant else self._make_group(name))

    def _bind(self, name: str, number: int) -> str:
        """Bind a name to a group; return it, or another if earlier statements use it for another group."""
        label = name if self.labels.get(name, number) == number else f"{name} ({number})"
        self.labels[label] = number
        return label

    def _explain_new_names(self, new: Sequence[str]) -> str:
        """Say that no group has these names, and how to say which group each means."""
        groups, result = self._names(), self.groups.result
        lines = []
        for name in new[:MAX_LISTED]:
            numbers = [number for number in self._find_labelled(name) if number >= 0]
            lines.append(f"- {{new: {json.dumps(name, ensure_ascii=False)}}}")
            if numbers:
                most = max(set(numbers), key=numbers.count)
                share = (
                    f"{numbers.count(most):,} of {format_count(len(numbers), result.centre)} with this label"
                )
                lines[-1] = (
                    f"- {{rename: {{group: {most}, to: {json.dumps(name, ensure_ascii=False)}}}}}"
                    f"  # group {most} ({format_group(groups[most])}) has {share}"
                )
        more = f"\n… and {len(new) - MAX_LISTED} more" if len(new) > MAX_LISTED else ""
        return (
            f"no group is called {format_group(new[0])}; the groups are {self._list_groups():.400}. Use "
            "the name of a group, or its number as in 'group 3'. Or give the name to a group with the change "
            "`rename`, or to a new group with `new`, for example:\nchanges:\n" + "\n".join(lines) + more
        )

    def _find_labelled(self, name: str) -> list[int]:
        """Return the groups of the documents that a name of the further statements labels."""
        centre = self.groups.result.centre
        return [
            int(self.groups.labels[self._rows[str(document)]])
            for block in self.added.statements.blocks
            if block.kind == "label" and block.type == centre and block.codes is not None
            for document, code in zip(block.subject.tolist(), block.codes.tolist(), strict=True)
            if block.names[code] == name and str(document) in self._rows
        ]

    def _refuse_empty_groups(self) -> None:
        """Refuse a new group without documents: the run would give its name to another group."""
        known = self.groups.result.group_numbers
        for number, name in self.groups.names.items():
            if number not in known and not self.groups.has(number):
                raise KnowledgeError(
                    f"the new group {format_group(name)} gets no documents: no label is about it, and no "
                    "document is mainly about its words; move documents to it, or choose an existing group"
                )

    def _hold(self, ids: Iterable[str]) -> None:
        """Mark documents that have a label now."""
        self._held[[self._rows[id] for id in ids if id in self._rows]] = True

    def _link(self, block: Block) -> None:
        """Move linked documents, so that they are together, or apart."""
        if block.object is None:
            return
        plan = plan_together if block.kind == "together" else plan_apart
        for pair in zip(map(str, block.subject.tolist()), map(str, block.object.tolist()), strict=True):
            if all(id in self._rows for id in pair):
                self.groups.move(plan(self.groups, [self._rows[id] for id in pair], self._held))

    def _place_documents(self, blocks: Iterable[Block]) -> None:
        """Move the labelled documents that are in other groups, all documents of a group at once."""
        target_of = {id: target for block in blocks for id, target in self._list_targets(block)}
        rows: dict[int, list[int]] = {}
        for id, target in target_of.items():
            if id in self._rows:
                rows.setdefault(target, []).append(self._rows[id])
        self._hold(target_of)
        for target in rows:
            moves = plan_moves(self.groups, rows[target], target)
            self.groups.move([*moves, *find_alike(self.groups, moves, self._held)])

    def _place_words(self, block: Block) -> None:
        """Move the documents of seed words that are in other groups."""
        for word, target in self._list_targets(block):
            if word in self._columns:
                column = self._columns[word]
                self.groups.move(find_word_documents(self.groups, column, target, self._held))

    def _list_targets(self, block: Block) -> Iterator[tuple[str, int]]:
        """List the subjects of a block, each with the group that it belongs to."""
        if block.codes is not None:
            for subject, code in zip(map(str, block.subject.tolist()), block.codes.tolist(), strict=True):
                yield subject, self.labels[self.aliases[block.names[code]]]

    # --- the knowledge of the next run ---

    def _collect_knowledge(self) -> Knowledge:
        """Return the knowledge of the result that is not overruled, that of the changes, and the added."""
        result = self.groups.result
        knowledge = Knowledge(unknown="report", contradictions="report")
        decided = {("documents", id) for id in self.labelled} | {("words", word) for word in self.seeds}
        for block in self.added.statements.blocks:
            decided |= set(self._list_subjects(block))
        for block in () if result.compiled is None else result.compiled.statements.blocks:
            subjects = self._list_subjects(block)
            keep = [subject is None or subject not in decided for subject in subjects]
            knowledge.add(block.select(np.array(keep, dtype=bool)))
        for change in self.added.changes:
            labels = {document: name for document, (name, by) in self.labelled.items() if by is change}
            seeds = {word: name for word, (name, by) in self.seeds.items() if by is change}
            if labels:
                knowledge.add(_locate(label_block(result.centre, labels, change.source), change))
            for word, name in seeds.items():
                block = category_block(name, result.terms, [word], 1.0, change.source)
                knowledge.add(_locate(block, change))
        for block in self.added.statements.blocks:
            if find_kind(block.kind).names_groups:
                block = replace(block, names=tuple(self.aliases[name] for name in block.names))
            knowledge.add(block)
        renumbered = [self._renumber(block) for block in knowledge.statements.blocks]
        return Knowledge(unknown="report", contradictions="report").add(*renumbered)

    def _list_subjects(self, block: Block) -> list[Any]:
        """Return what each statement decides, so that a later one about the same overrules it; else None."""
        result, names = self.groups.result, [str(name) for name in block.subject.tolist()]
        if block.corpus is None and block.type == result.centre and block.kind in ("label", "outside"):
            return [("documents", name) for name in names]
        if block.type == result.terms and block.kind == "category":
            return [("words", name) for name in names]
        if block.kind in ("together", "apart") and block.object is not None:
            pairs = zip(names, map(str, block.object.tolist()), strict=True)
            return [(block.type, frozenset(pair)) for pair in pairs]
        return [None] * len(block)

    def _renumber(self, block: Block) -> Block:
        """Refer to a group that was merged by the number of the group that it is a part of now."""
        if not find_kind(block.kind).names_groups:
            return block
        names = [
            refer_to_group(self.labels[name]) if NUMBERED.fullmatch(name) and name in self.labels else name
            for name in block.names
        ]
        for name, old in zip(names, block.names, strict=True):
            if old in self.labels:
                self.labels[name] = self.labels[old]
        return replace(block, names=tuple(names))

    def _name_in_knowledge(self, number: int) -> str:
        """Return the name that the knowledge has for a group: an earlier one, the user's, or its number.

        The words of a group are no name: they may be those of another group in another run.
        """
        for name, group in self.labels.items():
            if group == number:
                return name
        return self._bind(self.groups.names.get(number) or refer_to_group(number), number)


def _locate(block: Block, change: Change) -> Block:
    """Note the line of a change with the statements that it makes."""
    note = f"{CHANGE_NOTE}{change.line}: {change.describe()}" if change.line else ""
    lines = np.full(len(block), change.line, dtype=np.int64)
    return replace(block, lines=lines, notes=(note,) * len(block))


def _list_names(knowledge: Knowledge) -> list[str]:
    """List the names of groups in statements, each once."""
    blocks = [block for block in knowledge.statements.blocks if find_kind(block.kind).names_groups]
    return list(dict.fromkeys(name for block in blocks for name in block.names))


def _refuse_unknown_encoders(embeddings: Any) -> None:
    """Refuse models of other packages that only the stored result names: loading one can run code."""
    for entry in list_embeddings(embeddings):
        is_plain = (
            not isinstance(entry, str)
            or entry in WORD_VECTORS
            or entry.startswith((COLUMN, "array ", "encoder "))
        )
        if not is_plain and not is_trusted_name(entry):
            raise InputError(
                f"the result names the model {entry!a:.60} for its vectors; loading a model can run code. If "
                f"you trust it, pass embeddings={entry!r:.60}"
            )


def refit_parameters(result: Result, parameters: Mapping[str, Any]) -> dict[str, Any]:
    """Return the parameters of a result; arrays and encoders are not stored and must be passed again."""
    registry.check_parameter_names(result.method, parameters)
    if "n_clusters" in parameters:
        raise ParameterError(
            "n_clusters cannot be set here, because the groups of the result and its changes determine the "
            "number; merge or split groups, or make a new fit",
            parameter="n_clusters",
        )
    replaced = {"n_clusters", "n_init", "init", "word_init", "init_names", "init_weight"}
    replaced |= {"temperature", "doubt"}
    known = {name: value for name, value in result.parameters.items() if name not in replaced}
    names = registry.find_method(result.method)._get_param_names()
    if unknown := sorted(known.keys() - set(names)):
        raise InputError(
            f"the result has a parameter {unknown[0]!a:.60}, which {result.method} does not have; load it "
            "with the version of Colligate that saved it"
        )
    for name, value in known.items():
        if name == "embeddings" and name not in parameters:
            _refuse_unknown_encoders(value)
        entries = [
            entry for entry in (value if isinstance(value, list) else [value]) if isinstance(entry, str)
        ]
        for what in ("array", "encoder"):
            if name not in parameters and any(entry.startswith(f"{what} ") for entry in entries):
                raise InputError(
                    f"the result was made with an {what} as {name}, and results do not store this {what}; "
                    f"pass {name}=… again"
                )
    return {**known, "random_state": result.seed, **parameters}
