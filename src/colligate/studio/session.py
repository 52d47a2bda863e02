"""A session of the studio: an open project, its worker, the jobs in their order, and who listens.

Questions in the studio: proposed from a run and all that was said, answered by ordinary statements.

Which questions were put or skipped is forgotten with the session: only answers are worth keeping, and those
are statements.
"""

from __future__ import annotations

import threading
from collections import OrderedDict, deque
from dataclasses import asdict, dataclass
from typing import TYPE_CHECKING, Any

from colligate.errors import ColligateError, InputError, KnowledgeError, NotFoundError
from colligate.questions import LABEL, PAIR, WORD, Question, propose
from colligate.studio.knowledge_file import paths_in, read_text, refuse_new_paths
from colligate.studio.planning import make_order
from colligate.studio.project import runs as w
from colligate.studio.project.journal import TEXT, Entry
from colligate.studio.project.runs import Job, RunRecord
from colligate.studio.run_views import RunViews
from colligate.studio.saying import Labels, whole_statement
from colligate.studio.trust import refuse_contradiction, refuse_unreadable
from colligate.studio.worker.process import WorkerProcess

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Mapping

    from colligate.studio.project import Entry, Project
    from colligate.studio.run_views import RunView
    from colligate.studio.worker.process import Message

    Listener = Callable[[str, Mapping[str, Any]], None]

MOST_WAITING = 20


KEPT = 1_000
YES, NO, SKIP = "yes", "no", "skip"
WHY = {
    LABEL: "asked which group",
    PAIR: "asked whether together",
    WORD: "asked what it is about",
}


class Session:
    """Everything the server offers, without a word of HTTP.

    `who` is noted with what is said where nobody else is named.
    """

    def __init__(self, project: Project, who: str = "") -> None:
        self.project = project
        self.who = who
        self.runs = RunViews(project)
        self.listeners: list[Listener] = []
        self._waiting: deque[int] = deque()
        self._orders: dict[int, dict[str, Any]] = {}
        self._lock = threading.RLock()
        self.worker = WorkerProcess(project.folder, self._hear)
        self.asking = Asking(self)

    def close(self) -> None:
        """End the worker and give the project free."""
        self.worker.close()
        self.project.close()

    def tell(self, kind: str, content: Mapping[str, Any]) -> None:
        """Tell everybody who listens."""
        for listener in tuple(self.listeners):
            listener(kind, content)

    def view(self, number: int | None = None) -> RunView:
        """A run by its number, or the last one that can be read."""
        found = self.current() if number is None else self.runs.of(number)
        if found is None:
            raise NotFoundError("there is no run that can be read; cluster first")
        return found

    def current(self) -> RunView | None:
        """The last run that can be read; None if there is none."""
        return self.runs.last()

    def say(self, kind: str, body: Mapping[str, Any], **more: Any) -> Entry:
        """Write down a statement about the last run, or the run given by number."""
        number = more.pop("run", None)
        with self._lock:
            view = self.current() if number is None else self.view(number)
            whole = whole_statement(kind, body, self.project, view)
            refuse_contradiction(self.project, kind, whole)
            entry = self.project.journal.say(kind, whole, **self._signed(more))
        self._tell_statement(entry)
        return entry

    def replace_knowledge(self, text: str, seq: int, **more: Any) -> Entry:
        """Put a knowledge file in place of everything said, unless something was said since it was read."""
        refuse_new_paths(text, {path for path, _ in paths_in(self.project.knowledge())})
        refuse_unreadable(self.project, text)
        entry = self.project.journal.say(TEXT, {"text": text}, after=seq, **self._signed(more))
        self._tell_statement(entry)
        return entry

    def undo(self, id: str | None = None) -> Entry:
        """Take back the last statement, or the one named."""
        return self._changed(self.project.journal.undo(id), "there is nothing to undo")

    def redo(self) -> Entry:
        """Say again what was undone last."""
        return self._changed(self.project.journal.redo(), "there is nothing to do again")

    def request_run(self, request: Mapping[str, Any]) -> Job:
        """Put a run in the queue."""
        if len(self._waiting) >= MOST_WAITING:
            raise InputError(f"{MOST_WAITING} runs are waiting; cancel some, or wait")
        job = self.project.work.add_job(request)
        with self._lock:
            self._waiting.append(job.number)
            self._begin_next()
        return self.project.work.jobs(job.number)[0]

    def cancel(self, number: int) -> Job:
        """Call off a job that waits or runs."""
        with self._lock:
            if number in self._waiting:
                self._waiting.remove(number)
                self._set(number, w.CANCELLED)
            elif number in self._orders:
                self.worker.cancel(number)
            elif not self.project.work.jobs(number):
                raise NotFoundError(f"there is no job {number}")
        return self.project.work.jobs(number)[0]

    def _signed(self, more: Mapping[str, Any]) -> dict[str, Any]:
        return {**more, "who": more.get("who") or self.who}

    def _changed(self, entry: Entry | None, otherwise: str) -> Entry:
        if entry is None:
            raise KnowledgeError(otherwise)
        self._tell_statement(entry)
        return entry

    def _tell_statement(self, entry: Entry) -> None:
        self.tell("statement", {**asdict(entry), "head": self.project.journal.head})

    def _begin_next(self) -> None:
        while self._waiting and not self._orders:
            number = self._waiting.popleft()
            request = self.project.work.jobs(number)[0].request
            try:
                self.project.clear_unfinished()
                origin = request.get("from_run")
                view = self.current() if origin is None else self.view(origin)
                order = make_order(self.project, view, request, self.project.work.next_run())
            except ColligateError as error:
                self._set(number, w.FAILED, str(error))
                continue
            except Exception as error:
                # whatever it is, the jobs after this one must have their turn
                self._set(number, w.FAILED, f"{type(error).__name__}: {error}; this is a defect")
                continue
            self._orders[number] = order
            self._set(number, w.RUNNING)
            self.worker.order(number, order)

    def _hear(self, message: Message) -> None:
        told, number = message.pop("tell"), message.get("job")
        if told == "progress":
            self.tell(told, message)
        if number is None or told == "progress":
            return
        with self._lock:
            order = self._orders.pop(number, None)
            if order is not None:
                self._finish(number, told, order, message)
            self._begin_next()

    def _finish(self, number: int, told: str, order: Mapping[str, Any], message: Message) -> None:
        if told != "done":
            self._set(number, w.CANCELLED if told == "cancelled" else w.FAILED, message.get("message", ""))
            return
        names = ("method", "parameters", "seq", "parent", "started", "knowledge")
        record = RunRecord(
            number=order["run"],
            **{name: order[name] for name in names},
            identities=tuple(message["identities"]),
            seconds=message["seconds"],
            warnings=tuple(message["warnings"]),
        )
        self.project.work.add_run(record)
        self._set(number, w.DONE, run=record.number)
        self.tell("run", {"run": record.number, "job": number, "seconds": record.seconds})

    def _set(self, number: int, status: str, message: str = "", run: int | None = None) -> None:
        job = self.project.work.set_job(number, status, message, run)
        if status in w.ENDED:
            self.project.clear_pending_run(job.request)
        self.tell("job", asdict(job))


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
            raise NotFoundError(f"there is no question {number}; ask for new ones")
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
