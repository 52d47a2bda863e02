"""`colligate ask`: the questions about a run whose answers would help most, answered in the terminal.

One sitting of questions and answers in the terminal.
"""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import numpy as np
import typer

from colligate import registry
from colligate.cli import options as o
from colligate.cli.answers import Reply, ask_for_group, format_keys, interpret_key, list_keys, render_question
from colligate.cli.console import print_message, print_result, show_progress, watch_run
from colligate.errors import InputError
from colligate.knowledge.text import singular
from colligate.methods.fit import RunOptions
from colligate.questions import Question, knowledge_from_answer, propose
from colligate.questions.answers import label_exemplars
from colligate.questions.propose import find_askable_kinds
from colligate.result.changes import changes, next_identities

if TYPE_CHECKING:
    from collections.abc import Collection, Sequence

    from colligate.cli.answers import Answers
    from colligate.cli.keys import Lines
    from colligate.knowledge import Compiled, Knowledge
    from colligate.result import Result


AnswersFile = Annotated[
    Path | None,
    typer.Option(
        "--answers",
        "-a",
        help="The knowledge file that answers are added to; RUN.answers.yaml without it.",
        rich_help_panel=o.KNOWLEDGE,
    ),
]
Kinds = Annotated[
    list[str] | None,
    typer.Option(
        "--kind",
        help="Ask this kind alone: label, pair or word; give it again for more.",
        rich_help_panel=o.RUN,
    ),
]
Limit = Annotated[
    int | None, typer.Option("--most", "-n", min=1, help="Ask so many at most.", rich_help_panel=o.RUN)
]
NewModel = Annotated[
    Path | None,
    typer.Option(
        "--out",
        "-o",
        help="A new folder for the result after clustering again, which can be asked about in turn.",
        rich_help_panel=o.OUTPUT,
    ),
]


def ask(
    context: typer.Context,
    run: o.RunFolder,
    answers: AnswersFile = None,
    kind: Kinds = None,
    most: Limit = None,
    out: NewModel = None,
) -> None:
    """Ask the questions about RUN that would help most.

    Answer by the single keys that stand below each question: y and n, a letter for a group, m for another one
    by number or name, s to skip, u to undo, c to cluster again from the groups as they are, q to quit. Groups
    keep their numbers. Every answer is in the knowledge file before the next question comes. From a pipe, one
    answer is read on a line.
    """
    from colligate._storage.atomic import expand_path
    from colligate.cli.answers import Answers, choose_answers_path
    from colligate.cli.inputs import load_run
    from colligate.cli.keys import answering
    from colligate.errors import CancelledError, StoreError

    if out is not None and expand_path(out).exists():
        raise StoreError(f"{out} exists already; choose another --out")
    with watch_run(context):
        result = load_run(run)
        sitting = AskLoop(result, Answers(choose_answers_path(run, answers), result), kind or None)
    try:
        with answering() as hands:
            sitting.go_on(hands, most)
        _report_answers(sitting, out)
    except KeyboardInterrupt:
        kept = f"the answers are kept in {sitting.answers.path}"
        raise CancelledError(kept if sitting.answers.path.exists() else "nothing was written") from None


def _report_answers(sitting: AskLoop, out: Path | None) -> None:
    given = len(sitting.answers)
    if not given and not sitting.answers.resumed:
        print_message("done", "nothing was answered, and nothing was written")
        return
    answers = "1 answer is" if given == 1 else f"{given} answers are"
    earlier = ", with the earlier ones" if sitting.answers.resumed else ""
    others = sitting.answers.n_stand_ins
    standing = (
        f"; so are the labels of {others} {sitting.result.centre} that stand for groups" if others else ""
    )
    print_message("done", f"{answers} in {sitting.answers.path}{earlier}{standing}")
    if out is not None:
        sitting.cluster()
        sitting.result.save(out)
        print_message("written", f"the result with them to {out}{_describe_numbers(sitting.numbers)}")
    else:
        print_result(f"Cluster with them: colligate cluster … --knowledge {sitting.answers.path}")


def _describe_numbers(numbers: Sequence[int]) -> str:
    """How a stored result, which numbers its groups by itself, calls those that were asked about."""
    other = [f"{here} is {there}" for there, here in enumerate(numbers) if here != there]
    return f"; of the groups, {', '.join(sorted(other))} there" if other else ""


class AskLoop:
    """A result, the answers so far, and what was skipped.

    `numbers` are those that its groups are shown by: a group keeps its number when it is clustered again.
    """

    def __init__(self, result: Result, answers: Answers, kinds: Collection[str] | None) -> None:
        self.result = result
        self.answers = answers
        self.kinds = kinds
        self.skipped: list[Question] = []
        self.numbers = tuple(range(result.n_groups()))
        # the answers that the groups were made with; those of an earlier sitting are not among them
        self._clustered: tuple[Knowledge, ...] | None = None if answers.resumed else ()
        if not (kinds or find_askable_kinds(result)):
            raise InputError(f"{result.method} takes no answers; make the run with another method")

    def go_on(self, hands: Lines, most: int | None) -> None:
        """Ask until the user stops, there is nothing left to ask, or `most` were asked."""
        asked = 0
        while most is None or asked < most:
            questions = propose(
                self.result,
                len(self.kinds or find_askable_kinds(self.result)),
                kinds=self.kinds,
                knowledge=self.answers.knowledge,
                skipped=self.skipped,
            )
            if not questions:
                print_message("note", "no question would help now; cluster again for new ones")
                return
            result = self.result
            for question in questions[: None if most is None else most - asked]:
                asked += 1
                if not self._ask(question, asked, hands):
                    return
                if self.result is not result:  # the other questions are about groups that were
                    break

    def cluster(self) -> None:
        """Cluster again with the answers, from the groups as they are where the method can."""
        if self._clustered is not None and _are_same(self._clustered, self.answers.since):
            print_message("note", "nothing was answered since the groups were made")
            return
        result = self.result
        before = result.labels[result.centre]
        method = registry.find_method(result.method)
        parameters: dict[str, Any] = {**result.parameters, "random_state": result.seed}
        if getattr(method.domains.get("init"), "array", False):
            parameters |= {"init": np.maximum(before, 0), "n_init": 1}
        model = registry.make(result.method, **parameters)
        network = replace(result.network, corpus=result.corpus)
        print_message("working", "clustering again …")
        with show_progress() as listener:
            model.fit(network, knowledge=self.answers.knowledge, options=RunOptions(listener=listener))
        self.result, self._clustered = model.result_, self.answers.since
        after, count = self.result.labels[result.centre], result.n_groups()
        self.numbers = next_identities(before, self.numbers, after, count, max(self.numbers) + 1)
        moved = int(changes(before, after, count, count, self.result.confidence).moved.sum())
        then, now = (float(one.confidence.mean()) for one in (result, self.result))
        what = singular(result.centre) if moved == 1 else result.centre
        print_result(f"Clustered again: {moved:,} {what} moved; sure to {now:.0%}, before to {then:.0%}.")

    def _ask(self, question: Question, number: int, hands: Lines) -> bool:
        """Put one question until it is answered or skipped; False ends the sitting."""
        keys = list_keys(question)
        hands.forget()
        print_result("", render_question(self.result, question, number, self.numbers), format_keys(keys))
        while True:
            key = hands.key()
            if key is None or key == "q":
                return False
            if key not in keys:
                print_message("note", f"{key!r} is no answer. {format_keys(keys)}")
                continue
            if key == "c":
                self.cluster()
                return True
            if key == "u":
                done = self.answers.take_back()
                print_message(
                    "undone" if done else "note", "the last answer" if done else "there is none to undo"
                )
                continue
            if key == "s":
                self.skipped.append(question)
                return True
            if self._take(question, key, hands):
                return True

    def _take(self, question: Question, key: str, hands: Lines) -> bool:
        known = self.answers.compiled(self.result)
        if key == "m":
            reply = ask_for_group(self.result, self.numbers, known, hands)
        else:
            reply = interpret_key(question, key, self.result)
        if reply is None:
            print_message("note", f"no group was named. {format_keys(list_keys(question))}")
            return False
        return self._write_down(question, reply, known)

    def _write_down(self, question: Question, reply: Reply, known: Compiled) -> bool:
        source = f"an answer of {datetime.now(UTC).isoformat(timespec='seconds')}"
        try:
            told = knowledge_from_answer(question, reply.answer, self.result, source)
        except InputError as error:
            print_message("error", str(error))
            return False
        if against := self.answers.contradicted(told, self.result):
            print_message(
                "error", f"this cannot hold with what was said: {against}; undo (u), or answer otherwise"
            )
            return False
        if reply.does:
            print_message("noted", reply.does)
        if reply.group is not None:
            others = label_exemplars(self.result, reply.group, question.items[0], known, source)
            told = self._with_stand_ins(told, others)
        self.answers.add(told)
        return True

    def _with_stand_ins(self, told: Knowledge, others: Knowledge) -> Knowledge:
        """An answer and the documents that stand for its group, unless these cannot hold."""
        if not others or self.answers.contradicted(told + others, self.result):
            return told
        print_message(
            "noted", f"{len(others)} {self.result.centre} that stand for this group have its label too"
        )
        return told + others


def _are_same(some: tuple[Knowledge, ...], others: tuple[Knowledge, ...]) -> bool:
    """Whether these are the very same answers."""
    return len(some) == len(others) and all(one is other for one, other in zip(some, others, strict=True))
