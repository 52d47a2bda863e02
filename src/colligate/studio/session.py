"""A session of the studio: an open project, its worker, the queue of runs, the questions, and listeners."""

from __future__ import annotations

import threading
from collections import OrderedDict, deque
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import asdict, dataclass, replace
from typing import TYPE_CHECKING, Any, NamedTuple

from colligate.corpus.column_views import ColumnViews
from colligate.errors import ColligateError, InputError, KnowledgeError, NotFoundError, StoreError
from colligate.questions import LABEL, PAIR, WORD, Question, propose
from colligate.studio.actions import find_action, find_requestable
from colligate.studio.actions.state import ProjectState
from colligate.studio.knowledge import reject_contradictions, reject_unusable_text
from colligate.studio.knowledge_file import paths_in, read_text, refuse_new_paths
from colligate.studio.planning import make_order
from colligate.studio.project import runs as jobs
from colligate.studio.project.journal import TEXT
from colligate.studio.project.runs import RunRecord
from colligate.studio.run_views import RunViews
from colligate.studio.search import TextSearch
from colligate.studio.worker.process import WorkerError, WorkerProcess

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Mapping

    from colligate.studio.project import Entry, Project
    from colligate.studio.project.runs import Job
    from colligate.studio.run_views import RunView
    from colligate.studio.worker.process import Message

    Listener = Callable[[str, Mapping[str, Any]], None]

MAX_WAITING = 20
MAX_QUESTIONS = 1_000
QUESTIONS_AT_ONCE = 5
YES, NO, SKIP = "yes", "no", "skip"
REASONS = {
    LABEL: "asked which group",
    PAIR: "asked whether together",
    WORD: "asked what it is about",
}


class Session:
    """Everything the server offers, without HTTP.

    `who` is noted with statements where the request names nobody. `naming` says which language model names
    the groups; it is for this session only, since whoever opens the project must agree to what is sent.
    """

    def __init__(self, project: Project, who: str = "", naming: Mapping[str, Any] | None = None) -> None:
        self.project = project
        self._naming = naming
        self.who = who
        self.runs = RunViews(project)
        self.columns = ColumnViews(project.network.corpus)
        self.texts = TextSearch(project.network)
        self.listeners: list[Listener] = []
        self._waiting: deque[int] = deque()
        self._orders: dict[int, dict[str, Any]] = {}
        self.progress: dict[str, Any] | None = None
        """What the present job has reported so far, for a page that is opened meanwhile."""
        self._lock = threading.RLock()
        self.worker = WorkerProcess(project.folder, self._on_message)
        self.questions = QuestionQueue(self)

    def close(self) -> None:
        """End the worker and close the project."""
        self.worker.close()
        self.questions.close()
        self.project.close()

    def emit(self, kind: str, content: Mapping[str, Any]) -> None:
        """Send an event to all listeners."""
        for listener in tuple(self.listeners):
            listener(kind, content)

    def view(self, number: int | None = None) -> RunView:
        """Return a run by its number, or the last one that can be read."""
        view = self.current() if number is None else self.runs.find(number)
        if view is None:
            raise NotFoundError("there is no run that can be read; cluster first")
        return view

    def current(self) -> RunView | None:
        """Return the last run that can be read; None if there is none."""
        return self.runs.last()

    def record(self, kind: str, body: Mapping[str, Any], **more: Any) -> Entry:
        """Record a statement about the last run, or about the run given by number."""
        number = more.pop("run", None)
        with self._lock:
            complete = self.complete(kind, body, number)
            entry = self.project.journal.add(kind, complete, **self._sign(more))
        self._emit_statement(entry)
        return entry

    def complete(self, kind: str, body: Mapping[str, Any], run: int | None = None) -> dict[str, Any]:
        """Return the body of a statement as it would be recorded, with all that it would move.

        A statement that contradicts others is rejected.
        """
        action = find_requestable(kind)
        parsed = action.parse(body)
        action.check(parsed, self.project.network)
        view = self.current() if run is None else self.view(run)
        complete = action.complete(parsed, None if view is None else ProjectState(self.project, view))
        reject_contradictions(self.project, kind, complete)
        return complete

    def replace_knowledge(self, text: str, seq: int, **more: Any) -> Entry:
        """Replace all statements by a knowledge file, unless there are new statements since it was read."""
        # a file that the text names would be opened: a page could read any file of the user
        refuse_new_paths(text, {path for path, _ in paths_in(self.project.knowledge())})
        reject_unusable_text(self.project, text)
        entry = self.project.journal.add(TEXT, {"text": text}, after=seq, **self._sign(more))
        self._emit_statement(entry)
        return entry

    def undo(self, id: str | None = None) -> Entry:
        """Undo the last statement, or the one named."""
        return self._change(self.project.journal.undo(id), "there is nothing to undo")

    def redo(self) -> Entry:
        """Redo the statement that was undone last."""
        return self._change(self.project.journal.redo(), "there is nothing to redo")

    def request_run(self, request: Mapping[str, Any]) -> Job:
        """Put a run in the queue."""
        if len(self._waiting) >= MAX_WAITING:
            raise InputError(f"{MAX_WAITING} runs are waiting; cancel some, or wait")
        job = self.project.work.add_job(request)
        with self._lock:
            self._waiting.append(job.number)
            self._start_next()
        return self.project.work.jobs(job.number)[0]

    def cancel(self, number: int) -> Job:
        """Cancel a job that waits or runs."""
        with self._lock:
            if number in self._waiting:
                self._waiting.remove(number)
                self._set_status(number, jobs.CANCELLED)
            elif number in self._orders:
                self.worker.cancel(number)
            elif not self.project.work.jobs(number):
                raise NotFoundError(f"there is no job {number}")
        return self.project.work.jobs(number)[0]

    def _sign(self, more: Mapping[str, Any]) -> dict[str, Any]:
        return {**more, "who": more.get("who") or self.who}

    def _change(self, entry: Entry | None, otherwise: str) -> Entry:
        if entry is None:
            raise KnowledgeError(otherwise)
        self._emit_statement(entry)
        return entry

    def _emit_statement(self, entry: Entry) -> None:
        """Say what a page must fetch again; the statement itself may name thousands of documents."""
        journal, action = self.project.journal, find_action(entry.kind)
        live = journal.numbers_at(journal.head)
        runs = self.project.work.runs()
        self.emit(
            "statement",
            {
                "seq": entry.seq,
                "head": journal.head,
                "stale": [run.number for run in runs if journal.numbers_at(run.seq) != live],
                "groups": entry.kind == TEXT or bool(action.groups(entry.body)),
            },
        )

    def _start_next(self) -> None:
        while self._waiting and not self._orders:
            number = self._waiting.popleft()
            request = self.project.work.jobs(number)[0].request
            try:
                self.project.clear_unfinished()
                origin = request.get("from_run")
                view = self.current() if origin is None else self.view(origin)
                order = make_order(self.project, view, request, self.project.work.next_run())
                self._set_status(number, jobs.RUNNING)
            except ColligateError as error:
                self._fail(number, str(error))
                continue
            except Exception as error:
                # whatever it is, the jobs after this one must run
                self._fail(number, f"{type(error).__name__}: {error}; this is a defect, please report it")
                continue
            self._orders[number] = order
            try:
                self.worker.order(number, {**order, "naming": self._naming})
            except WorkerError as error:
                del self._orders[number]
                self._fail(number, str(error))

    def _on_message(self, message: Message) -> None:
        kind, number = message.pop("event"), message.get("job")
        if kind == "progress":
            self.progress = {**(self.progress or {}), **message}
            self.emit(kind, message)
        if number is None or kind == "progress":
            return
        with self._lock:
            order, self.progress = self._orders.pop(number, None), None
            if order is not None:
                # whatever it is, this thread reads the messages of the next runs too
                try:
                    self._finish(number, kind, order, message)
                except StoreError as error:
                    self._fail(number, str(error))
            self._start_next()

    def _finish(self, number: int, kind: str, order: Mapping[str, Any], message: Message) -> None:
        if kind != "done":
            status = jobs.CANCELLED if kind == "cancelled" else jobs.FAILED
            self._set_status(number, status, message.get("message", ""))
            return
        names = ("method", "parameters", "seq", "parent", "started", "knowledge", "repeats")
        record = RunRecord(
            number=order["run"],
            **{name: order[name] for name in names},
            identities=tuple(message["identities"]),
            words=tuple(message["words"]),
            model_names=tuple(message["model_names"]),
            claims=message["claims"],
            seconds=message["seconds"],
            warnings=tuple(message["warnings"]),
        )
        self.project.work.add_run(record)
        self.questions.prepare(record.number)
        self._set_status(number, jobs.DONE, run=record.number)
        self.emit("run", {"run": record.number, "job": number, "seconds": record.seconds})

    def _fail(self, number: int, message: str) -> None:
        """Record that a job failed; where the journal cannot be written, only the page is told."""
        try:
            self._set_status(number, jobs.FAILED, message)
        except StoreError:
            job = self.project.work.jobs(number)[0]
            self.emit("job", asdict(replace(job, status=jobs.FAILED, message=message)))

    def _set_status(self, number: int, status: str, message: str = "", run: int | None = None) -> None:
        job = self.project.work.set_job(number, status, message, run)
        if status in jobs.ENDED:
            self.project.clear_pending_run(job.request)
        self.emit("job", asdict(job))


@dataclass(frozen=True)
class PendingQuestion:
    """A question about a run, by its number in the session."""

    number: int
    run: int
    question: Question


class QuestionKey(NamedTuple):
    """What the next questions depend on."""

    run: int
    head: int
    n: int
    kinds: tuple[str, ...] | None
    skipped: tuple[Question, ...]


class QuestionQueue:
    """The questions of a session. They are not stored: answers are, as ordinary statements."""

    def __init__(self, session: Session) -> None:
        self._session = session
        self._pending: OrderedDict[int, PendingQuestion] = OrderedDict()
        self._skipped: dict[int, list[Question]] = {}
        self._lock = threading.Lock()
        self._executor = ThreadPoolExecutor(1, "questions")
        self._prepared: tuple[QuestionKey, Future[list[Question]]] | None = None

    def prepare(self, run: int) -> None:
        """Find the first questions about a run in the background, so that they are there when asked for."""
        key = self._key(run, QUESTIONS_AT_ONCE, None)
        if self._prepared is not None:
            self._prepared[1].cancel()
        self._prepared = key, self._executor.submit(self._find, key)

    def close(self) -> None:
        """Wait for questions that are being prepared; the project is closed after them."""
        self._executor.shutdown(cancel_futures=True)

    def propose(self, view: RunView, n: int, kinds: Collection[str] | None = None) -> list[PendingQuestion]:
        """Propose the next questions about a run, given all live statements."""
        key = self._key(view.record.number, n, kinds)
        prepared = self._prepared
        is_prepared = prepared is not None and prepared[0] == key and not prepared[1].cancelled()
        questions = prepared[1].result() if prepared is not None and is_prepared else self._find(key)
        return [self._add(view, question) for question in questions]

    def _key(self, run: int, n: int, kinds: Collection[str] | None) -> QuestionKey:
        """Return all that the questions depend on: they are stale after a statement, an undo or a skip."""
        with self._lock:
            skipped = tuple(self._skipped.get(run, ()))
        chosen = None if kinds is None else tuple(kinds)
        return QuestionKey(run, self._session.project.journal.head, n, chosen, skipped)

    def _find(self, key: QuestionKey) -> list[Question]:
        project = self._session.project
        knowledge = read_text(project.knowledge(), project.folder)
        result = self._session.view(key.run).result
        return propose(result, key.n, kinds=key.kinds, knowledge=knowledge, skipped=key.skipped)

    def answer(self, number: int, answer: str, group: int | None = None, **more: Any) -> Entry | None:
        """Record the statement that an answer means; None if the question is skipped."""
        pending = self.find(number)
        statement = self.to_statement(pending, answer, group)
        if statement is None:
            with self._lock:
                self._skipped.setdefault(pending.run, []).append(pending.question)
            return None
        kind, body = statement
        more["why"] = more.get("why") or REASONS[pending.question.kind]
        return self._session.record(kind, body, run=pending.run, **more)

    def find(self, number: int) -> PendingQuestion:
        """Return a question by its number."""
        pending = self._pending.get(number)
        if pending is None:
            raise NotFoundError(f"there is no question {number}; load new questions")
        return pending

    def _add(self, view: RunView, question: Question) -> PendingQuestion:
        with self._lock:
            number = next(reversed(self._pending), 0) + 1
            self._pending[number] = PendingQuestion(number, view.record.number, question)
            while len(self._pending) > MAX_QUESTIONS:
                self._pending.popitem(last=False)
            return self._pending[number]

    def to_statement(
        self, pending: PendingQuestion, answer: str, group: int | None = None
    ) -> tuple[str, Mapping[str, Any]] | None:
        """Turn an answer into a statement; a document not in a group is apart from an exemplar of it."""
        if answer == SKIP:
            return None
        question, view = pending.question, self._session.view(pending.run)
        result, first = view.result, question.groups[0]
        if question.kind == WORD:
            terms = result.network.types[result.terms].names
            word, lead = (str(terms[row]) for row in question.items)
            if answer == NO:
                body = {"type": result.terms, "items": [word, lead], "group": view.identity(first)}
                return "apart", body
            return "category", {"group": view.identity(first) if group is None else group, "word": word}
        ids = view.ids(question.items)
        if question.kind == LABEL and answer == YES:
            chosen = view.identity(first) if group is None else group
            return "label", {"document": ids[0], "group": chosen}
        if question.kind == LABEL:
            ids += [id for id in view.exemplars[first] if id != ids[0]][:1]
        link = "together" if question.kind == PAIR and answer == YES else "apart"
        return (link, {"type": result.centre, "items": ids}) if len(ids) == 2 else None
