"""A question as the terminal shows it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from rich.console import Group
from rich.panel import Panel
from rich.text import Text

from colligate.cli.wording import visible
from colligate.questions import LABEL, PAIR, WORD
from colligate.questions.names import group_labels
from colligate.result.naming import object_name

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from rich.console import RenderableType

    from colligate.questions import Question
    from colligate.result import Result

LONGEST, MOST_LINES, WORDS = 1_200, 12, 6
TITLES = {
    LABEL: "Which group does this document belong to?",
    PAIR: "Do these two belong together?",
    WORD: "Is this word about this group?",
}
CHOICES = "abde"
"""The keys of the groups that a label question offers; c is another key."""
GROUPED = (LABEL, WORD)
"""The questions to which yes means that something belongs to a group."""
ALWAYS = {"s": "skip", "u": "undo", "c": "cluster again", "q": "quit"}


def offered(question: Question) -> dict[str, str]:
    """The keys that a question takes, each with what it means."""
    if question.kind != LABEL:
        return {"y": "yes", "n": "no", **ALWAYS}
    letters = dict.fromkeys(CHOICES[: len(question.groups)], "one of these")
    return {**letters, "y": "the first", "n": "not the first", "m": "another", **ALWAYS}


def keys_line(keys: Mapping[str, str]) -> str:
    """The keys in one line; those with one meaning are told together."""
    by_meaning: dict[str, list[str]] = {}
    for key, meaning in keys.items():
        by_meaning.setdefault(meaning, []).append(key)
    return "   ".join(f"{' '.join(some)}: {meaning}" for meaning, some in by_meaning.items())


def question_text(result: Result, question: Question, number: int, numbers: Sequence[int]) -> RenderableType:
    """The question with what it is about, and the groups to choose from by their lasting `numbers`."""
    title = Text(f"{number}. {TITLES[question.kind]}", style="bold")
    if question.kind == WORD:
        kind = result.network.types[result.terms]
        word = Text(visible(object_name(kind.names, kind.name, question.items[0])), style="bold")
        return Group(title, Panel(word), group_line(result, question.groups[0], numbers))
    parts: list[RenderableType] = [title, *(_document(result, at) for at in question.items)]
    if question.kind == LABEL:
        parts += [
            Text.assemble((f" {letter}  ", "bold"), group_line(result, group, numbers))
            for letter, group in zip(CHOICES, question.groups, strict=False)
        ]
    return Group(*parts)


def _document(result: Result, at: int) -> Panel:
    kind, texts = result.network.types[result.centre], None if result.corpus is None else result.corpus.texts
    text = str(texts[at]) if texts is not None else _words(result, at)
    lines = [line for line in text[:LONGEST].splitlines() if line.strip()][:MOST_LINES]
    name = object_name(kind.names, kind.name, at)
    return Panel(
        Text(visible("\n".join(lines)) or "(no text)"), title=Text(visible(name)), title_align="left"
    )


def _words(result: Result, at: int) -> str:
    """The words of a document without a text, the most frequent first."""
    row, terms = result.counts[[at]], result.network.types[result.terms]
    order = (-row.data).argsort(kind="stable")[:40]
    return " ".join(object_name(terms.names, terms.name, int(row.indices[one])) for one in order)


def group_line(result: Result, group: int, numbers: Sequence[int]) -> Text:
    """A group by its lasting number, its label, and the words that the label does not have."""
    label, words = group_labels(result)[group], result.top_words(WORDS)[group]
    told = set(label.split(", "))
    others = " ".join(word for word, _ in words if word not in told)
    return Text.assemble(f"group {numbers[group]}  ", (visible(label), "bold"), f"  {visible(others)}")
