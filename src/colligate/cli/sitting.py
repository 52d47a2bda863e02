"""One sitting of questions and answers in the terminal."""

from __future__ import annotations

import warnings
from dataclasses import replace
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any

import numpy as np

from colligate import registry
from colligate.cli.console import say, show
from colligate.cli.questions_shown import KEYS, question_text
from colligate.errors import InputError, KnowledgeWarning
from colligate.questions import LABEL, WORD, Question, answer_knowledge, propose
from colligate.questions.names import group_labels
from colligate.questions.proposing import askable
from colligate.result.changes import changes

if TYPE_CHECKING:
    from collections.abc import Collection

    from colligate.cli.answers import Answers
    from colligate.cli.keys import Lines
    from colligate.knowledge import Knowledge
    from colligate.result import Result

CHOICES = "abcd"


class Sitting:
    """A result, the answers so far, and what was skipped."""

    def __init__(self, result: Result, answers: Answers, kinds: Collection[str] | None) -> None:
        self.result = result
        self.answers = answers
        self.kinds = kinds
        self.skipped: list[Question] = []
        # the answers that the groups were made with; those of an earlier sitting are not among them
        self._clustered: tuple[Knowledge, ...] | None = None if answers.resumed else ()
        if not (kinds or askable(result)):
            raise InputError(f"{result.method} takes no answers; make the run with another method")

    def go_on(self, hands: Lines, most: int | None) -> None:
        """Ask until the user stops, there is nothing left to ask, or `most` were asked."""
        asked = 0
        while most is None or asked < most:
            questions = propose(
                self.result,
                len(self.kinds or askable(self.result)),
                kinds=self.kinds,
                knowledge=self.answers.knowledge,
                skipped=self.skipped,
            )
            if not questions:
                say("note", "no question would help now; cluster again for new ones")
                return
            for question in questions[: None if most is None else most - asked]:
                asked += 1
                if not self._ask(question, asked, hands):
                    return

    def cluster(self) -> None:
        """Cluster again with the answers, from the groups as they are where the method can."""
        if self._clustered is not None and _same(self._clustered, self.answers.since):
            say("note", "nothing was answered since the groups were made")
            return
        result = self.result
        before = result.labels[result.centre]
        method = registry.find(result.method)
        parameters: dict[str, Any] = {**result.parameters, "random_state": result.seed}
        if getattr(method.domains.get("init"), "array", False):
            parameters |= {"init": np.maximum(before, 0), "n_init": 1}
        model = registry.make(result.method, **parameters)
        network = replace(result.network, corpus=result.corpus)
        model.fit(network, knowledge=self.answers.knowledge)
        self.result, self._clustered = model.result_, self.answers.since
        after, count = self.result.labels[result.centre], result.n_groups()
        moved = int(changes(before, after, count, count, self.result.confidence).moved.sum())
        then, now = (float(one.confidence.mean()) for one in (result, self.result))
        show(f"Clustered again: {moved:,} {result.centre} moved; sure to {now:.0%}, before to {then:.0%}.")

    def _ask(self, question: Question, number: int, hands: Lines) -> bool:
        """Put one question until it is answered or skipped; False ends the sitting."""
        show("", question_text(self.result, question, number), KEYS[question.kind])
        while True:
            key = hands.key()
            if key is None or key == "q":
                return False
            if key == "c":
                self.cluster()
                return True
            if key == "u":
                done = self.answers.take_back()
                say("undone" if done else "note", "the last answer" if done else "there is none to undo")
                continue
            if key == "s":
                self.skipped.append(question)
                return True
            if self._take(question, key, hands):
                return True

    def _take(self, question: Question, key: str, hands: Lines) -> bool:
        answer = self._meant(question, key, hands)
        if answer is None:
            say("note", f"{key!r} is no answer. {KEYS[question.kind]}")
            return False
        source = f"an answer of {datetime.now(UTC).isoformat(timespec='seconds')}"
        told = answer_knowledge(question, answer, self.result, source)
        if against := self._contradiction(told):
            say("error", f"this cannot hold with what was said: {against}; undo (u), or answer otherwise")
            return False
        self.answers.add(told)
        return True

    def _contradiction(self, told: Knowledge) -> str:
        """What an answer contradicts; what contradicted itself before may stay."""
        names, known = self.result.network.names, self.answers.knowledge
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", KnowledgeWarning)
            before, after = known.compile(names), (known + told).compile(names)
        is_new = after.n_contradictions > before.n_contradictions
        return after.contradictions[-1].text if is_new else ""

    def _meant(self, question: Question, key: str, hands: Lines) -> bool | str | None:
        """What a key says; None if it says nothing."""
        labels = group_labels(self.result)
        if question.kind == LABEL:
            if key == "m":
                show("Its group (a name; a new one is a new label):")
                return hands.line() or None
            at = 0 if key == "y" else CHOICES.find(key) if len(key) == 1 else -1
            return labels[question.groups[at]] if 0 <= at < len(question.groups) else None
        if key == "y" and question.kind == WORD:
            return labels[question.groups[0]]
        return {"y": True, "n": False}.get(key)


def _same(some: tuple[Knowledge, ...], others: tuple[Knowledge, ...]) -> bool:
    """Whether these are the very same answers."""
    return len(some) == len(others) and all(one is other for one, other in zip(some, others, strict=True))
