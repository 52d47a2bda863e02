"""The questions of `colligate ask`: show, answer, undo, cluster again."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from colligate import registry
from colligate.cli.answers import Reply, ask_for_group, format_keys, interpret_key, list_keys
from colligate.cli.ask_model import ModelInput
from colligate.cli.console import print_message, print_result, show_progress
from colligate.errors import InputError, KnowledgeError, ModelServerError
from colligate.knowledge import Knowledge
from colligate.methods.change_plan import ChangePlan
from colligate.methods.fit import RunOptions
from colligate.methods.folding import Folding
from colligate.methods.start_file import supports_start
from colligate.questions import LABEL, Question, knowledge_from_answer, propose
from colligate.questions.answers import label_exemplars, label_groups
from colligate.questions.propose import find_askable_kinds
from colligate.result.changes import match_identities

if TYPE_CHECKING:
    from collections.abc import Collection

    from colligate.cli.answers import Answers, LineInput
    from colligate.knowledge import Compiled
    from colligate.result import Result


def run_with_model(loop: AskLoop, keys: ModelInput, limit: int) -> None:
    """Let a model answer; if its server fails, say where the answers so far are."""
    try:
        loop.run(keys, limit)
    except ModelServerError as error:
        where = f". The answers so far are in {loop.answers.path}" if loop.answers.path.exists() else ""
        raise ModelServerError(f"{error}{where}") from error
    finally:
        keys.summarise()


def report_answers(loop: AskLoop, run: Path, out: Path | None) -> None:
    """Say what was answered and where it is, and cluster again if there is an output folder."""
    n_answers = len(loop.answers)
    if not n_answers and not loop.answers.resumed:
        print_message("done", "no answers; nothing was written")
        return
    answers = "1 answer is" if n_answers == 1 else f"{n_answers} answers are"
    earlier = ", together with the earlier answers" if loop.answers.resumed else ""
    n_exemplars = loop.answers.n_exemplars
    exemplars = (
        f", and with labels for {n_exemplars} typical {loop.result.centre} of the groups"
        if n_exemplars
        else ""
    )
    print_message("done", f"{answers} in {loop.answers.path}{earlier}{exemplars}")
    if out is not None:
        loop.cluster()
        loop.result.save(out)
        print_message("written", f"the new result to {out}")
    else:
        # answers of a model need a fresh start: only that estimates how far to trust them
        starts = loop.source is None and supports_start(registry.find_method(loop.result.method))
        command = f"colligate change {run}" if starts else "colligate cluster …"
        print_result(f"To use the answers: {command} --knowledge {loop.answers.path}")


class AskLoop:
    """Asks questions about a result, collects the answers, and clusters again.

    A group keeps its number after clustering again.
    """

    def __init__(
        self, result: Result, answers: Answers, kinds: Collection[str] | None, source: str | None = None
    ) -> None:
        self.result = result
        self.answers = answers
        self.kinds = kinds
        # Who answers; an answer of the user has its time instead.
        self.source = source
        self.skipped: list[Question] = []
        # The answers that the current groups were made with; None for answers of an earlier session.
        self._clustered: tuple[Knowledge, ...] | None = None if answers.resumed else ()
        if not (kinds or find_askable_kinds(result)):
            raise InputError(
                f"the method {result.method} cannot use answers; cluster with another method, such as "
                "colligate"
            )

    def run(self, keys: LineInput, limit: int | None) -> None:
        """Ask until the user quits, no question is left, or `limit` were asked."""
        n_asked = 0
        while limit is None or n_asked < limit:
            questions = propose(
                self.result,
                len(self.kinds or find_askable_kinds(self.result)),
                kinds=self.kinds,
                knowledge=self.answers.knowledge,
                skipped=self.skipped,
            )
            if not questions:
                print_message(
                    "note", "no useful question is left; after the next clustering there may be new ones"
                )
                return
            result = self.result
            for question in questions[: None if limit is None else limit - n_asked]:
                n_asked += 1
                if not self._ask(question, n_asked, keys):
                    return
                if self.result is not result:  # the remaining questions are about old groups
                    break

    def cluster(self) -> None:
        """Cluster again with the answers, starting from the current groups if the method can."""
        if self._clustered is not None and _are_same(self._clustered, self.answers.since):
            print_message("note", "no new answers since the last clustering")
            return
        result = self.result
        print_message("working", "clustering again …")
        with show_progress() as listener:
            self.result = self._fit(result, RunOptions(listener=listener))
        self._clustered = self.answers.since
        before, after = (run.numbers_of(run.labels[run.centre]) for run in (result, self.result))
        moved = int(np.count_nonzero(before != after))
        certainty_before, certainty = (float(run.confidence.mean()) for run in (result, self.result))
        noun = result.network.types[result.centre].singular if moved == 1 else result.centre
        print_result(
            f"Clustered again: {moved:,} {noun} moved; mean confidence {certainty:.0%}, before "
            f"{certainty_before:.0%}."
        )

    def _fit(self, result: Result, options: RunOptions) -> Result:
        """Cluster from the present groups if the method can; else match the groups of a fresh start.

        Answers of a model need a fresh start: only that estimates how far to trust them.
        """
        knowledge = self.answers.knowledge
        if self.source is None and supports_start(registry.find_method(result.method)):
            names = dict(zip(label_groups(result), result.group_numbers, strict=True))
            answers = sum(self._list_new_answers(), start=Knowledge())
            return ChangePlan(result, answers, names, makes_groups=True).fit(options, knowledge)
        model = registry.make(result.method, **{**result.parameters, "random_state": result.seed})
        network = replace(result.network, corpus=result.corpus)
        options = replace(options, fold_duplicates=Folding.of_result(result))
        model.fit(network, knowledge=knowledge, options=options)
        after: Result = model.result_
        labels, before = after.labels[after.centre], result.labels[result.centre]
        unused = max(result.group_numbers) + 1
        numbers = match_identities(before, result.group_numbers, labels, after.n_groups(), unused)
        return replace(after, group_numbers=numbers)

    def _list_new_answers(self) -> list[Knowledge]:
        """List the answers that the present groups were not made with."""
        if self._clustered is None:
            return [self.answers.knowledge]
        used = {id(answer) for answer in self._clustered}
        return [answer for answer in self.answers.since if id(answer) not in used]

    def _ask(self, question: Question, number: int, keys: LineInput) -> bool:
        """Repeat one question until it is answered or skipped; return False to quit."""
        meanings = list_keys(question)
        keys.show(self.result, question, number)
        while True:
            key = keys.read_key()
            if key is None or key == "q":
                return False
            if key not in meanings:
                print_message("note", f"{key!r} is not an answer. {format_keys(meanings)}")
                continue
            if key == "c":
                self.cluster()
                return True
            if key == "u":
                done = self.answers.take_back()
                print_message(
                    "undone" if done else "note", "the last answer" if done else "there is no answer to undo"
                )
                continue
            if key == "s":
                self.skipped.append(question)
                return True
            if self._take(question, key, keys):
                return True

    def _take(self, question: Question, key: str, keys: LineInput) -> bool:
        compiled = self.answers.compiled(self.result)
        if key == "m":
            try:
                reply = ask_for_group(self.result, compiled, keys)
            except KnowledgeError as error:
                print_message("error", str(error))
                return False
        else:
            reply = interpret_key(question, key, self.result)
        if reply is None:
            print_message("note", f"you did not type a group. {format_keys(list_keys(question))}")
            return False
        return self._record(question, reply, compiled)

    def _record(self, question: Question, reply: Reply, known: Compiled) -> bool:
        source = self.source or f"an answer of {datetime.now(UTC).isoformat(timespec='seconds')}"
        try:
            statement = knowledge_from_answer(question, reply.answer, self.result, source)
        except InputError as error:
            print_message("error", str(error))
            return False
        without = None
        if against := self.answers.contradicted(statement, self.result):
            if self.source is not None:
                print_message("note", f"this answer is left out, because it is a contradiction: {against}")
                return False
            without = self.answers.overrule_models(statement, self.result)
            if without is None:
                print_message(
                    "error",
                    f"this answer contradicts earlier statements: {against}; give another answer, or undo "
                    "the last answer (u)",
                )
                return False
            print_message("noted", f"your answer overrules a language model: {against}")
        if reply.note:
            print_message("noted", reply.note)
        if reply.group is not None:
            document = question.items[0] if question.kind == LABEL else None
            exemplars = label_exemplars(self.result, reply.group, known, source, document)
            statement = self._add_exemplars(statement, exemplars)
        self.answers.add(statement, without)
        return True

    def _add_exemplars(self, statement: Knowledge, exemplars: Knowledge) -> Knowledge:
        """Add the labels of exemplars to an answer, unless they contradict it."""
        if not exemplars or self.answers.contradicted(statement + exemplars, self.result):
            return statement
        print_message(
            "noted", f"{len(exemplars)} typical {self.result.centre} of this group also get the label"
        )
        return statement + exemplars


def _are_same(left: tuple[Knowledge, ...], right: tuple[Knowledge, ...]) -> bool:
    """Whether two lists have the identical answers."""
    return len(left) == len(right) and all(first is second for first, second in zip(left, right, strict=True))
