"""The file that answers go to: a knowledge file, complete and whole after every one of them.

What a key means as the answer to a question.

A question as the terminal shows it.
"""

from __future__ import annotations

import warnings
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from rich.console import Group
from rich.panel import Panel
from rich.text import Text

from colligate._storage.atomic import expand_path
from colligate.cli.console import escape_control, print_result
from colligate.errors import KnowledgeWarning, StoreError
from colligate.knowledge import Knowledge
from colligate.questions import LABEL, PAIR, WORD
from colligate.questions.answers import label_groups
from colligate.result.groups import object_name

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from rich.console import RenderableType

    from colligate.cli.keys import Lines
    from colligate.knowledge import Compiled
    from colligate.questions import Question
    from colligate.result import Result

SUFFIX = ".answers.yaml"


MAX_CHARACTERS, MAX_LINES, WORDS_SHOWN = 1_200, 12, 6
TITLES = {
    LABEL: "Which group does this document belong to?",
    PAIR: "Do these two belong together?",
    WORD: "Is this word about this group?",
}
CHOICES = "abde"
"""The keys of the groups that a label question offers; c is another key."""
GROUP_QUESTIONS = (LABEL, WORD)
"""The questions to which yes means that something belongs to a group."""
COMMON_KEYS = {"s": "skip", "u": "undo", "c": "cluster again", "q": "quit"}


def choose_answers_path(run: Path, given: Path | None) -> Path:
    """The file given, or one beside the run, whose folder is for the run alone."""
    if given is not None:
        return expand_path(given)
    folder = expand_path(run).resolve()
    return folder.with_name(folder.name + SUFFIX)


class Answers:
    """What was known when the asking began, and the answers since; the last can be taken back."""

    def __init__(self, path: Path, result: Result) -> None:
        self.path = path
        self.resumed = path.exists()
        self._earlier = _read_earlier(path, result)
        self._since: list[Knowledge] = []

    def __len__(self) -> int:
        return len(self._since)

    @property
    def n_stand_ins(self) -> int:
        """How many labels came with the answers of this sitting: an answer itself is one statement."""
        return sum(len(part) - 1 for part in self._since)

    @property
    def since(self) -> tuple[Knowledge, ...]:
        """The answers of this sitting; one taken back and another in its place are not the same."""
        return tuple(self._since)

    @property
    def knowledge(self) -> Knowledge:
        """All that is known by now."""
        found = Knowledge(unknown="report", contradictions="report").merge(self._earlier)
        for part in self._since:
            found.merge(part)
        return found

    def compiled(self, result: Result, more: Knowledge | None = None) -> Compiled:
        """All that is known by now, and more where it is given, as numbers."""
        known = self.knowledge if more is None else self.knowledge + more
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", KnowledgeWarning)
            return known.compile(result.network.names)

    def contradicted(self, told: Knowledge, result: Result) -> str:
        """What an answer contradicts; what contradicted itself before may stay."""
        before, after = self.compiled(result), self.compiled(result, told)
        is_new = after.n_contradictions > before.n_contradictions
        return after.contradictions[-1].text if is_new else ""

    def add(self, answer: Knowledge) -> None:
        """Take in an answer, with what comes with it; it is on the disk when this returns."""
        self._since.append(answer)
        self._write()

    def take_back(self) -> bool:
        """Take the last answer back; False if there is none."""
        if not self._since:
            return False
        self._since.pop()
        self._write()
        return True

    def _write(self) -> None:
        if known := self.knowledge:
            known.write(self.path)
        else:
            self.path.unlink(missing_ok=True)


def _read_earlier(path: Path, result: Result) -> Knowledge:
    """What the file holds; where there is none, what the run was told, so that one file says everything."""
    if path.exists():
        _refuse_comments(path)
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", KnowledgeWarning)
            return Knowledge.read(path, unknown="report", contradictions="report")
    told = Knowledge(unknown="report", contradictions="report")
    return told if result.compiled is None else told.add(*result.compiled.statements.blocks)


def _refuse_comments(path: Path) -> None:
    """The file is written anew with every answer, and comments would be lost."""
    lines = path.read_text(encoding="utf-8-sig", errors="replace").splitlines()
    for number, line in enumerate(lines, start=1):
        if line.lstrip().startswith("#"):
            raise StoreError(
                f"{path}:{number}: the file has comments, which would be lost; add the answers to another "
                "file with --answers"
            )


@dataclass(frozen=True)
class Reply:
    """An answer; the group of the result that it names, where it names one; and what it does, to be told."""

    answer: bool | str
    group: int | None = None
    does: str = ""


def interpret_key(question: Question, key: str, result: Result) -> Reply:
    """What one of the keys that are offered says, but for `m`."""
    if key == "n":
        return Reply(False)
    if question.kind not in GROUP_QUESTIONS:
        return Reply(True)
    group = question.groups[0 if key == "y" else CHOICES.index(key)]
    return Reply(label_groups(result)[group], group if question.kind == LABEL else None)


def ask_for_group(result: Result, numbers: Sequence[int], known: Compiled, hands: Lines) -> Reply | None:
    """Ask for the group by its number or name, or for a new name; None if nothing is given."""
    order = sorted(range(len(numbers)), key=lambda group: numbers[group])
    print_result(*(render_group(result, group, numbers) for group in order))
    print_result("Its group: the number or name of one of these, or a new name:")
    text = (hands.line() or "").strip()
    if not text:
        return None
    labels = label_groups(result)
    for group in order:
        if text == str(numbers[group]) or text.casefold() == labels[group].casefold():
            return Reply(labels[group], group, f"it is in group {numbers[group]}, {labels[group]}")
    return _make_new_label(text, result, known)


def _make_new_label(text: str, result: Result, known: Compiled) -> Reply:
    """A label that no group has: one that was given since the groups were made, or a new one."""
    guidance = known.guidance.get(result.centre)
    given = () if guidance is None else guidance.label_names
    for label in given:
        if text.casefold() == label.casefold():
            return Reply(label, None, f"it has the label {label}, which was given before")
    does = f"{text} is a new label, which no group has yet; cluster again (c) to see its group"
    if len(given) >= result.n_groups():
        does += f". There are now {len(given) + 1} labels for {result.n_groups()} groups: some share one"
    return Reply(text, None, does)


def list_keys(question: Question) -> dict[str, str]:
    """The keys that a question takes, each with what it means."""
    if question.kind != LABEL:
        return {"y": "yes", "n": "no", **COMMON_KEYS}
    letters = dict.fromkeys(CHOICES[: len(question.groups)], "one of these")
    return {**letters, "y": "the first", "n": "not the first", "m": "another", **COMMON_KEYS}


def format_keys(keys: Mapping[str, str]) -> str:
    """The keys in one line; those with one meaning are told together."""
    by_meaning: dict[str, list[str]] = {}
    for key, meaning in keys.items():
        by_meaning.setdefault(meaning, []).append(key)
    return "   ".join(f"{' '.join(some)}: {meaning}" for meaning, some in by_meaning.items())


def render_question(
    result: Result, question: Question, number: int, numbers: Sequence[int]
) -> RenderableType:
    """The question with what it is about, and the groups to choose from by their lasting `numbers`."""
    title = Text(f"{number}. {TITLES[question.kind]}", style="bold")
    if question.kind == WORD:
        kind = result.network.types[result.terms]
        word = Text(escape_control(object_name(kind.names, kind.name, question.items[0])), style="bold")
        return Group(title, Panel(word), render_group(result, question.groups[0], numbers))
    parts: list[RenderableType] = [title, *(_render_document(result, at) for at in question.items)]
    if question.kind == LABEL:
        parts += [
            Text.assemble((f" {letter}  ", "bold"), render_group(result, group, numbers))
            for letter, group in zip(CHOICES, question.groups, strict=False)
        ]
    return Group(*parts)


def _render_document(result: Result, at: int) -> Panel:
    kind, texts = result.network.types[result.centre], None if result.corpus is None else result.corpus.texts
    text = str(texts[at]) if texts is not None else _list_words(result, at)
    lines = [line for line in text[:MAX_CHARACTERS].splitlines() if line.strip()][:MAX_LINES]
    name = object_name(kind.names, kind.name, at)
    return Panel(
        Text(escape_control("\n".join(lines)) or "(no text)"),
        title=Text(escape_control(name)),
        title_align="left",
    )


def _list_words(result: Result, at: int) -> str:
    """The words of a document without a text, the most frequent first."""
    row, terms = result.counts[[at]], result.network.types[result.terms]
    order = (-row.data).argsort(kind="stable")[:40]
    return " ".join(object_name(terms.names, terms.name, int(row.indices[one])) for one in order)


def render_group(result: Result, group: int, numbers: Sequence[int]) -> Text:
    """A group by its lasting number, its label, and the words that the label does not have."""
    label, words = label_groups(result)[group], result.top_words(WORDS_SHOWN)[group]
    told = set(label.split(", "))
    others = " ".join(word for word, _ in words if word not in told)
    return Text.assemble(
        f"group {numbers[group]}  ", (escape_control(label), "bold"), f"  {escape_control(others)}"
    )
