"""Questions in the studio: proposed from a run and all that was said, answered by ordinary statements.

Which questions were put or skipped is forgotten with the session: only answers are worth keeping, and those
are statements.
"""

from __future__ import annotations

import threading
from collections import OrderedDict
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from colligate.questions import LABEL, PAIR, WORD, Question, propose
from colligate.studio.missing import NotThereError
from colligate.studio.project.compiling import read_text
from colligate.studio.saying import Labels

if TYPE_CHECKING:
    from collections.abc import Collection, Mapping

    from colligate.studio.project import Entry
    from colligate.studio.run_view import RunView
    from colligate.studio.session import Session

KEPT = 1_000
YES, NO, SKIP = "yes", "no", "skip"
WHY = {
    LABEL: "asked which group",
    PAIR: "asked whether together",
    WORD: "asked what it is about",
}


@dataclass(frozen=True)
class Asked:
    """A question that was put, by a number of its own, about a run."""

    number: int
    run: int
    question: Question


class Asking:
    """The questions of a session."""

    def __init__(self, session: Session) -> None:
        self._session = session
        self._asked: OrderedDict[int, Asked] = OrderedDict()
        self._skipped: dict[int, list[Question]] = {}
        self._lock = threading.Lock()

    def propose(self, view: RunView, n: int, kinds: Collection[str] | None = None) -> list[Asked]:
        """The next questions about a run, given all that stands now."""
        project = self._session.project
        knowledge = read_text(project.knowledge(), project.folder)
        with self._lock:
            skipped = tuple(self._skipped.get(view.record.number, ()))
        found = propose(view.result, n, kinds=kinds, knowledge=knowledge, skipped=skipped)
        return [self._put(view, question) for question in found]

    def answer(self, number: int, answer: str, group: int | None = None, **more: Any) -> Entry | None:
        """Say what an answer means; nothing if the question is skipped."""
        asked = self._asked.get(number)
        if asked is None:
            raise NotThereError(f"there is no question {number}; ask for new ones")
        view = self._session.view(asked.run)
        said = None if answer == SKIP else self._statement(asked.question, view, answer, group)
        if said is None:
            with self._lock:
                self._skipped.setdefault(asked.run, []).append(asked.question)
            return None
        kind, body = said
        more["why"] = more.get("why") or WHY[asked.question.kind]
        return self._session.say(kind, body, run=asked.run, **more)

    def _put(self, view: RunView, question: Question) -> Asked:
        with self._lock:
            number = next(reversed(self._asked), 0) + 1
            self._asked[number] = Asked(number, view.record.number, question)
            while len(self._asked) > KEPT:
                self._asked.popitem(last=False)
            return self._asked[number]

    def _statement(
        self, question: Question, view: RunView, answer: str, group: int | None
    ) -> tuple[str, Mapping[str, Any]] | None:
        """A statement and its body; a document that is not in a group is apart from who stands for it."""
        result, first = view.result, question.groups[0]
        if question.kind == WORD:
            terms = result.network.types[result.terms].names
            word, lead = (str(terms[at]) for at in question.items)
            if answer == NO:
                return "apart", {"type": result.terms, "items": [word, lead]}
            labels = Labels(view, self._session.project.journal.entries())
            return "category", {"name": labels.of(view.identity(first)), "word": word}
        ids = view.ids(question.items)
        if question.kind == LABEL and answer == YES:
            chosen = view.identity(first) if group is None else group
            return "label", {"document": ids[0], "group": chosen}
        if question.kind == LABEL:
            ids += [other for other in view.exemplars[first] if other != ids[0]][:1]
        link = "together" if question.kind == PAIR and answer == YES else "apart"
        return (link, {"type": result.centre, "items": ids}) if len(ids) == 2 else None
