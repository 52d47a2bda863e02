"""Answers of `colligate ask`: the keys that are read, what they mean, how a question looks, the answers file.

The answers file is a knowledge file. It is complete after every answer.
"""

from __future__ import annotations

import os
import sys
import warnings
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from rich.console import Group
from rich.panel import Panel
from rich.text import Text

from colligate._storage.atomic import expand_path
from colligate._storage.plain_file import read_bounded
from colligate.cli.console import escape_control, print_result
from colligate.errors import KnowledgeWarning, StoreError
from colligate.knowledge import Knowledge
from colligate.knowledge.changes import check_group_name
from colligate.questions import LABEL, PAIR, WORD
from colligate.questions.answers import label_groups, read_document, use_labels
from colligate.result.groups import name_object

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from rich.console import RenderableType

    from colligate.knowledge import Compiled
    from colligate.questions import Question
    from colligate.result import Result

SUFFIX = ".answers.yaml"


MAX_CHARACTERS, MAX_LINES, WORDS_SHOWN = 1_200, 12, 6
TITLES = {
    LABEL: "Which group does this document belong to?",
    PAIR: "Do these two belong together?",
    WORD: "Which group is this word about?",
}
# The keys of the groups that a question offers; c clusters again.
CHOICES = "abde"
# Questions where yes means that an object belongs to a group.
GROUP_QUESTIONS = (LABEL, WORD)
END_OF_INPUT = "\x04"
COMMON_KEYS = {"s": "skip", "u": "undo", "c": "cluster again", "q": "quit"}


def choose_answers_path(run: Path, requested: Path | None) -> Path:
    """Return the requested file, or one beside the run's folder."""
    if requested is not None:
        return expand_path(requested)
    folder = expand_path(run).resolve()
    return folder.with_name(folder.name + SUFFIX)


class Answers:
    """The knowledge before the first question, and the answers since; the last answer can be undone."""

    def __init__(self, path: Path, result: Result) -> None:
        self.path = path
        self.resumed = path.exists()
        self._earlier = _read_earlier(path, result)
        self._since: list[Knowledge] = []
        # The earlier knowledge before each answer: an answer can remove statements of models from it.
        self._history: list[Knowledge] = []

    def __len__(self) -> int:
        return len(self._since)

    @property
    def n_exemplars(self) -> int:
        """How many exemplar labels came with the answers; an answer itself is one statement."""
        return sum(len(part) - 1 for part in self._since)

    @property
    def since(self) -> tuple[Knowledge, ...]:
        """The answers of this session."""
        return tuple(self._since)

    @property
    def knowledge(self) -> Knowledge:
        """All knowledge so far."""
        merged = Knowledge(unknown="report", contradictions="report").merge(self._earlier)
        for part in self._since:
            merged.merge(part)
        return merged

    def compiled(self, result: Result, more: Knowledge | None = None) -> Compiled:
        """Compile all knowledge so far, with `more`."""
        knowledge = self.knowledge if more is None else self.knowledge + more
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", KnowledgeWarning)
            return knowledge.compile(result.network.names)

    def contradicted(self, answer: Knowledge, result: Result) -> str:
        """Describe the contradiction that an answer would add; empty if it adds none."""
        before, after = self.compiled(result), self.compiled(result, answer)
        is_new = after.n_contradictions > before.n_contradictions
        return after.contradictions[-1].text if is_new else ""

    def add(self, answer: Knowledge, without: Knowledge | None = None) -> None:
        """Add an answer with its exemplars; it is on the disk when this returns.

        `without` is the earlier knowledge without the statements of models that the answer overrules.
        """
        self._history.append(self._earlier)
        self._earlier = self._earlier if without is None else without
        self._since.append(answer)
        self._write()

    def overrule_models(self, answer: Knowledge, result: Result) -> Knowledge | None:
        """Return the earlier knowledge without the statements of models that an answer of the user overrules.

        None if the answer contradicts statements of the user as well.
        """
        before, after = self.compiled(result), self.compiled(result, answer)
        # the earlier statements come first in both
        n_earlier = len(self._earlier)
        involved = after.contradicted[:n_earlier] & ~before.contradicted[:n_earlier]
        drop = involved & self._earlier.statements.by_model
        kept = Knowledge(unknown="report", contradictions="report")
        kept.changes = self._earlier.changes
        for first, block in self._earlier.statements.placed():
            kept.add(block.select(~drop[first : first + len(block)]))
        trial = sum(self._since, start=kept) + answer
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", KnowledgeWarning)
            left = trial.compile(result.network.names).n_contradictions
        return kept if left <= before.n_contradictions else None

    def take_back(self) -> bool:
        """Undo the last answer; return False if there is none."""
        if not self._since:
            return False
        self._since.pop()
        self._earlier = self._history.pop()
        self._write()
        return True

    def _write(self) -> None:
        if knowledge := self.knowledge:
            knowledge.write(self.path)
        else:
            self.path.unlink(missing_ok=True)


def _read_earlier(path: Path, result: Result) -> Knowledge:
    """Read the answers file; without one, start from the knowledge of the run, so that one file has all.

    Each group has one name in it, the present one.
    """
    knowledge = Knowledge(unknown="report", contradictions="report")
    if path.exists():
        _refuse_comments(path)
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", KnowledgeWarning)
            knowledge = Knowledge.read(path, unknown="report", contradictions="report")
    elif result.compiled is not None:
        knowledge.add(*result.compiled.statements.blocks)
    return use_labels(knowledge, result)


def _refuse_comments(path: Path) -> None:
    """Refuse a file with comments: every answer rewrites the file and would lose them."""
    lines = read_bounded(path).decode("utf-8-sig", "replace").splitlines()
    for number, line in enumerate(lines, start=1):
        if line.lstrip().startswith("#"):
            raise StoreError(
                f"{path}:{number}: the file has comments, and writing answers would delete them; choose "
                "another file with --answers"
            )


@dataclass(frozen=True)
class Reply:
    """An answer, the group that it names (if any), and a note for the user."""

    answer: bool | str
    group: int | None = None
    note: str = ""


def interpret_key(question: Question, key: str, result: Result) -> Reply:
    """Turn a key into a reply; `m` asks for a group first (`ask_for_group`)."""
    if key == "n":
        return Reply(False)
    if question.kind not in GROUP_QUESTIONS:
        return Reply(True)
    group = question.groups[0 if key == "y" else CHOICES.index(key)]
    return Reply(label_groups(result)[group], group)


def ask_for_group(result: Result, compiled: Compiled, keys: LineInput) -> Reply | None:
    """Ask for a group by number or name, or for a new name; return None for an empty line."""
    numbers = result.group_numbers
    order = sorted(range(len(numbers)), key=lambda group: numbers[group])
    print_result(*(render_group(result, group) for group in order))
    print_result("Type the number or name of a group, or a new name:")
    text = (keys.read_line() or "").strip()
    if not text:
        return None
    labels = label_groups(result)
    for group in order:
        if text == str(numbers[group]) or text.casefold() == labels[group].casefold():
            return Reply(labels[group], group, f"the answer is group {numbers[group]}, {labels[group]}")
    return _make_new_label(text, result, compiled)


def _make_new_label(text: str, result: Result, compiled: Compiled) -> Reply:
    """Reply with a label that no group has: one of an earlier answer, or a new one."""
    guidance = compiled.guidance.get(result.centre)
    labels = () if guidance is None else guidance.label_names
    for label in labels:
        if text.casefold() == label.casefold():
            return Reply(label, None, f"the answer is {label}, a label that you used in an earlier answer")
    check_group_name(text)
    note = f"{text} is a new label; cluster again (c) to see its group"
    if len(labels) >= result.n_groups():
        note += f". {len(labels) + 1} labels now share {result.n_groups()} groups"
    return Reply(text, None, note)


def list_keys(question: Question) -> dict[str, str]:
    """List the keys that answer a question, with their meanings."""
    if question.kind not in GROUP_QUESTIONS:
        return {"y": "yes", "n": "no", **COMMON_KEYS}
    letters = dict.fromkeys(CHOICES[: len(question.groups)], "one of these")
    return {**letters, "y": "the first", "n": "not the first", "m": "another", **COMMON_KEYS}


def format_keys(keys: Mapping[str, str]) -> str:
    """Write the keys in one line; keys with the same meaning stand together."""
    by_meaning: dict[str, list[str]] = {}
    for key, meaning in keys.items():
        by_meaning.setdefault(meaning, []).append(key)
    return "   ".join(f"{' '.join(letters)}: {meaning}" for meaning, letters in by_meaning.items())


def render_question(result: Result, question: Question, number: int) -> RenderableType:
    """Draw a question with its objects and the groups to choose from, by their lasting numbers."""
    parts: list[RenderableType] = [Text(f"{number}. {TITLES[question.kind]}", style="bold")]
    if question.kind == WORD:
        kind = result.network.types[result.terms]
        word = escape_control(name_object(kind.names, kind.name, question.items[0]))
        parts.append(Panel(Text(word, style="bold")))
    else:
        parts += [_render_document(result, document) for document in question.items]
    if question.kind in GROUP_QUESTIONS:
        parts += [
            Text.assemble((f" {letter}  ", "bold"), render_group(result, group))
            for letter, group in zip(CHOICES, question.groups, strict=False)
        ]
    return Group(*parts)


def _render_document(result: Result, document: int) -> Panel:
    objects, text = result.network.types[result.centre], read_document(result, document)
    lines = [line for line in text[:MAX_CHARACTERS].splitlines() if line.strip()][:MAX_LINES]
    name = name_object(objects.names, objects.name, document)
    return Panel(
        Text(escape_control("\n".join(lines)) or "(no text)"),
        title=Text(escape_control(name)),
        title_align="left",
    )


def render_group(result: Result, group: int) -> Text:
    """Draw a group: its lasting number, its label, and further words."""
    label, words = label_groups(result)[group], result.top_words(WORDS_SHOWN)[group]
    in_label = set(label.split(", "))
    further = " ".join(word for word, _ in words if word not in in_label)
    return Text.assemble(
        f"group {result.group_numbers[group]}  ",
        (escape_control(label), "bold"),
        f"  {escape_control(further)}",
    )


class LineInput:
    """Answers from a pipe or a file: one on each line."""

    def read_key(self) -> str | None:
        """Return the next answer; None at the end."""
        line = sys.stdin.readline()
        return line.strip() or " " if line else None

    def read_line(self) -> str | None:
        """Return a line of text; None at the end."""
        line = sys.stdin.readline()
        return line.strip() if line else None

    def show(self, result: Result, question: Question, number: int) -> None:
        """Show a question and its keys."""
        print_result("", render_question(result, question, number), format_keys(list_keys(question)))


class KeyInput(LineInput):
    """Answers from a terminal: one key each, without Enter.

    The terminal stays in cbreak mode between questions. `click.getchar` would switch modes for every key, and
    lose keys that are pressed in between.
    """

    def __init__(self) -> None:
        import termios

        self._saved_mode = termios.tcgetattr(sys.stdin.fileno())
        self._enter_cbreak()

    def read_key(self) -> str | None:
        """Return the next key; None at the end."""
        key = os.read(sys.stdin.fileno(), 1).decode(errors="replace")
        return None if key in ("", END_OF_INPUT) else key

    def read_line(self) -> str | None:
        """Return a line of text, shown while it is typed."""
        self.restore()
        try:
            return super().read_line()
        finally:
            self._enter_cbreak()

    def show(self, result: Result, question: Question, number: int) -> None:
        """Show a question; keys pressed before it was shown are discarded."""
        import termios

        termios.tcflush(sys.stdin.fileno(), termios.TCIFLUSH)
        super().show(result, question, number)

    def restore(self) -> None:
        """Restore the mode of the terminal."""
        import termios

        termios.tcsetattr(sys.stdin.fileno(), termios.TCSADRAIN, self._saved_mode)

    def _enter_cbreak(self) -> None:
        import termios
        import tty

        tty.setcbreak(sys.stdin.fileno(), termios.TCSADRAIN)


@contextmanager
def open_keys() -> Iterator[LineInput]:
    """Read keys from a terminal, lines from anything else; restore the terminal at the end."""
    if not sys.stdin.isatty() or sys.platform == "win32":  # Windows has no termios
        yield LineInput()
        return
    keys = KeyInput()
    try:
        yield keys
    finally:
        keys.restore()
