"""The live statements of a journal as a knowledge file, in the format that users write.

The file is all that a run gets. It is written and read back before anything is clustered, so that the command
line with the same file does the same. A later statement overrides an earlier one, and an earlier knowledge
file, about the same documents, words or pairs.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field, replace
from itertools import groupby
from typing import TYPE_CHECKING, Any

import numpy as np

from colligate.errors import ContradictionError, KnowledgeError, UnknownNameError
from colligate.knowledge import Knowledge, find_kind
from colligate.knowledge.compile import ADVICE
from colligate.knowledge.kinds.category import category_block
from colligate.knowledge.statements import EXEMPLAR_SUFFIX, FROZEN_SUFFIX, STUDIO_NOTE
from colligate.studio.actions import find_action
from colligate.studio.knowledge_file import TEMPORARY, compile_text, dump_text, read_text

if TYPE_CHECKING:
    from collections.abc import Hashable, Iterable, Iterator, Mapping
    from pathlib import Path

    from numpy.typing import NDArray

    from colligate.knowledge import Block, Compiled, Contradiction
    from colligate.studio.group_names import GroupNames
    from colligate.studio.project import Entry, Project

    Pair = frozenset[str]


@dataclass
class ActionLog:
    """What the statements amount to: the latest about every document, word and pair, each with its source.

    `file` is the knowledge file before them. Labels and categories have the number of a group, or its name if
    there were no groups yet. `link_sets` are links of more than two objects. `named` are the names of groups,
    `merged` maps a group to the one that it is a part of now, and `frozen` has groups.
    """

    file: str = ""
    labels: dict[str, tuple[int | str, str]] = field(default_factory=dict)
    outside: dict[str, str] = field(default_factory=dict)
    categories: dict[str, tuple[int | str, str]] = field(default_factory=dict)
    links: dict[tuple[str, Pair], tuple[str, tuple[str, ...], str]] = field(default_factory=dict)
    link_sets: list[tuple[str, str, tuple[str, ...], str]] = field(default_factory=list)
    named: dict[int, str] = field(default_factory=dict)
    merged: dict[int, int] = field(default_factory=dict)
    frozen: set[int] = field(default_factory=set)

    def label(self, documents: Iterable[str], group: int | str, source: str) -> None:
        """Label documents; their earlier labels no longer count."""
        for document in documents:
            self.outside.pop(document, None)
            # removed first, so that the document moves to the end: the file has the order of the statements
            self.labels.pop(document, None)
            self.labels[document] = (group, source)

    def name(self, group: int, name: str) -> None:
        """Name a group; another group that had the name, and may be gone, no longer has it."""
        self.named = {number: known for number, known in self.named.items() if known != name}
        self.named[group] = name

    def add_exemplars(self, documents: Iterable[str], group: int | str, source: str) -> None:
        """Label those exemplars of a group that no statement is about."""
        self._label_free(documents, group, f"{source} {EXEMPLAR_SUFFIX}")

    def freeze(self, documents: Iterable[str], group: int, source: str) -> None:
        """Label those documents of a frozen group that no statement is about."""
        self.frozen.add(group)
        self._label_free(documents, group, f"{source} {FROZEN_SUFFIX}")

    def _label_free(self, documents: Iterable[str], group: int | str, source: str) -> None:
        free = [name for name in documents if name not in self.labels and name not in self.outside]
        self.label(free, group, source)


def log_actions(entries: Iterable[Entry]) -> ActionLog:
    """Apply live statements in their order."""
    log = ActionLog()
    for entry in _drop_revoked(entries):
        find_action(entry.kind).apply(entry.body, describe_source(entry), log)
    return log


def _drop_revoked(entries: Iterable[Entry]) -> list[Entry]:
    kept: list[Entry] = []
    for entry in entries:
        action = find_action(entry.kind)
        kept = [earlier for earlier in kept if not action.revokes(entry.body, earlier)]
        kept.append(entry)
    return kept


def superseded(live: Iterable[Entry]) -> dict[int, int]:
    """Map the numbers of statements without effect to the later statement that counts instead.

    A statement is superseded once later statements decide everything that it decided.
    """
    undecided: dict[int, set[Hashable]] = {}
    decided_by: dict[Hashable, int] = {}
    replaced: dict[int, int] = {}
    for entry in live:
        action = find_action(entry.kind)
        subjects = set(action.subjects(entry.body))
        for subject in (*subjects, *action.ends(entry.body)):
            earlier = decided_by.pop(subject, None)
            if earlier is None:
                continue
            undecided[earlier].discard(subject)
            if not undecided[earlier]:
                replaced[earlier] = entry.seq
        undecided[entry.seq] = subjects
        decided_by |= dict.fromkeys(subjects, entry.seq)
    return {number: _follow(replaced, number) for number in replaced}


def _follow(replaced: Mapping[int, int], number: int) -> int:
    while number in replaced:
        number = replaced[number]
    return number


def knowledge_text(log: ActionLog, names: GroupNames, folder: Path, centre: str, terms: str) -> str:
    """Write the knowledge file of a log; its paths are relative to `folder`."""
    # a file without further statements stays as the user wrote it, comments included
    if log == ActionLog(file=log.file, named=log.named, merged=log.merged) and not log.merged:
        return log.file
    return dump_text(_merge(read_text(log.file, folder), log, names, centre, terms), folder)


def _merge(earlier: Knowledge, log: ActionLog, names: GroupNames, centre: str, terms: str) -> Knowledge:
    """Take the earlier knowledge that the log does not override, then the log."""
    merged = Knowledge(unknown=earlier.unknown, contradictions=earlier.contradictions)
    merged.add(*_remaining_blocks(earlier.statements.blocks, log, names, centre, terms))
    for source, rows in groupby(log.labels.items(), key=lambda row: row[1][1]):
        labels = {document: names.label(group) for document, (group, _) in rows}
        merged.label(labels, type=centre, source=source)
    for document, source in log.outside.items():
        merged.outside([document], type=centre, source=source)
    for word, (group, source) in log.categories.items():
        merged.add(category_block(names.label(group), terms, [word], 1.0, source))
    pairs = [(kind, type_name, items, source) for (type_name, _), (kind, items, source) in log.links.items()]
    for kind, type_name, items, source in (*pairs, *log.link_sets):
        getattr(merged, kind)(source=source, **{type_name: [items]})
    return merged


def _remaining_blocks(
    blocks: Iterable[Block], log: ActionLog, names: GroupNames, centre: str, terms: str
) -> Iterator[Block]:
    documents = log.labels.keys() | log.outside.keys()
    overridden: Mapping[tuple[str, str], Any] = {
        ("label", centre): documents,
        ("outside", centre): documents,
        ("category", terms): log.categories,
    }
    for block in blocks:
        keep = _remaining_rows(block, overridden.get((block.kind, block.type)), log)
        remaining = block if keep.all() else block.select(keep)
        kind = find_kind(block.kind)
        if kind.names_groups:
            remaining = replace(remaining, names=tuple(map(names.label, remaining.names)))
        elif block.type == centre and kind.about_groups:
            subject = [names.label(name) for name in remaining.subject.tolist()]
            remaining = replace(remaining, subject=np.array(subject, dtype=object))
        if len(remaining):
            yield remaining


def _remaining_rows(block: Block, overridden: Any, log: ActionLog) -> NDArray[np.bool_]:
    names = block.subject.tolist()
    # documents from another corpus cannot be meant by a statement here
    if block.corpus is not None:
        return np.ones(len(block), dtype=bool)
    if overridden is not None:
        return np.array([name not in overridden for name in names])
    if block.object is not None:
        pairs = zip(names, block.object.tolist(), strict=True)
        return np.array([(block.type, frozenset(pair)) not in log.links for pair in pairs])
    return np.ones(len(block), dtype=bool)


def describe_source(entry: Entry) -> str:
    """Return the source of a statement as the file notes it: its number in the studio, when, who and why."""
    who = f", {entry.who}" if entry.who else ""
    why = f": {entry.why}" if entry.why else ""
    return f"{STUDIO_NOTE}{entry.seq}, {entry.at}{who}{why}"


def number_sources(entries: Iterable[Entry]) -> dict[str, int]:
    """Map the sources of statements, as the file notes them, to their numbers."""
    return {_normalise_spaces(describe_source(entry)): entry.seq for entry in entries}


def find_number(note: str, sources: Mapping[str, int]) -> int | None:
    """Return the number of the statement that a line of the file came from, if it came from one of these.

    The whole note counts: a file that another project exported has statements of the same numbers.
    """
    stated = note.removesuffix(EXEMPLAR_SUFFIX).removesuffix(FROZEN_SUFFIX)
    return sources.get(_normalise_spaces(stated))


def _normalise_spaces(text: str) -> str:
    return " ".join(text.split())


def reject_contradictions(project: Project, kind: str, body: Mapping[str, Any]) -> None:
    """Refuse a statement that adds a contradiction; existing contradictions may stay."""
    live, entry = project.journal.live(), project.journal.draft(kind, body)
    after = _compile(project, [*live, entry])
    if after is None or not after.n_contradictions:
        return
    # compiled only now: most statements add no contradiction
    before = _compile(project, live)
    if after.n_contradictions > (before.n_contradictions if before is not None else 0):
        sources = number_sources([*live, entry])
        raise ContradictionError(_explain_contradiction(after, entry.seq, sources, project.folder))


def reject_unusable_text(project: Project, text: str) -> None:
    """Refuse the text of a knowledge file with an error, an unknown name or a contradiction, by its lines."""
    knowledge = read_text(text, project.folder)
    if not knowledge:
        return
    refuse_changes(knowledge)
    knowledge.unknown = knowledge.contradictions = "error"
    try:
        knowledge.compile(project.network.names)
    except (UnknownNameError, ContradictionError) as error:
        message, _, _ = str(error).partition(ADVICE)
        raise type(error)(_remove_folder(message, project.folder)) from error


def refuse_changes(knowledge: Knowledge) -> None:
    """Refuse changes to groups in a text: the page makes them."""
    if knowledge.changes:
        raise KnowledgeError(
            f"the knowledge file has a section 'changes' ({knowledge.changes[0].act}), which the studio "
            "does not accept; remove this section, and change the groups on the page or with "
            "`colligate change`"
        )


def _compile(project: Project, entries: list[Entry]) -> Compiled | None:
    return compile_text(project.write_knowledge(log_actions(entries)), project.folder, project.network.names)


def _explain_contradiction(after: Compiled, new: int, sources: Mapping[str, int], folder: Path) -> str:
    """Describe a contradiction by the numbers of the statements against the new one, with advice."""
    contradiction = next(
        (each for each in after.contradictions if new in _list_numbers(after, each, sources)),
        after.contradictions[-1],
    )
    text = contradiction.text
    for row in (*contradiction.claims, *contradiction.chain):
        statement = after.statements[row]
        name = _name_source(find_number(statement.note, sources), new)
        # one at a time: two statements can have one place
        text = text.replace(f"({statement.where})", f"({name})", 1)
    numbers = _list_numbers(after, contradiction, sources)
    against = sorted({number for number in numbers if number is not None and number != new})
    undo = (
        f"undo statement {' or '.join(map(str, against))} first" if against else "change the knowledge file"
    )
    return (
        f"this contradicts earlier statements: {_remove_folder(text, folder)}; {undo}, on the page Knowledge"
    )


def _list_numbers(
    compiled: Compiled, contradiction: Contradiction, sources: Mapping[str, int]
) -> list[int | None]:
    rows = (*contradiction.claims, *contradiction.chain)
    return [find_number(compiled.statements[row].note, sources) for row in rows]


def _name_source(number: int | None, new: int) -> str:
    if number is None:
        return "the knowledge file"
    return "this statement" if number == new else f"statement {number}"


def _remove_folder(text: str, folder: Path) -> str:
    """Leave out the temporary folder that the file was read from."""
    folders = {str(folder), str(folder.absolute()), str(folder.resolve())}
    # the longest first, since one path can begin with another
    prefixes = "|".join(map(re.escape, sorted(folders, key=len, reverse=True)))
    return re.sub(rf"(?:{prefixes})/{re.escape(TEMPORARY)}[^/\s]*/", "", text)
