"""One run from documents to an output folder, shared by `cluster` and `demo`, and its record run.json."""

from __future__ import annotations

import json
import signal
import threading
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from colligate._storage.atomic import write_file
from colligate._storage.manifest import encode_value
from colligate.cli.console import Watch, print_message
from colligate.cli.evaluate import measure_links
from colligate.cli.output import FORMAT, MODEL, RECORD, REPORT, START, OutputFolder
from colligate.errors import CancelledError, ClusterError, KnowledgeWarning
from colligate.methods.fit import RunOptions
from colligate.methods.start_file import write_start
from colligate.progress import report, reporting_to
from colligate.report.render import write as write_page
from colligate.result.column_tables import tabulate_by_columns
from colligate.result.report_view import make_report_view
from colligate.result.table_files import write_table_files
from colligate.result.tables import TOP_WORDS, groups_table

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from colligate.cli.name_model import GroupNamer
    from colligate.corpus import Corpus
    from colligate.corpus.duplicates import Duplicates
    from colligate.knowledge import Knowledge
    from colligate.methods.start_file import StartGroups
    from colligate.network import Network
    from colligate.result import Result


VERSION = 1
COMPILING = "compiling for this machine; this happens once, and later runs start faster"


# a stored result has all counts, and these would have to come from the workers
MAX_COLLECTED = 100_000_000
TOO_LARGE = (
    f"the counts have more than {MAX_COLLECTED:,} entries and stay on the cluster, so there is no report and "
    "no model; fit on a part of the documents for these"
)


def _is_too_large(result: Result) -> bool:
    return result.network.is_sharded and result.network.n_entries > MAX_COLLECTED


@dataclass(frozen=True)
class Job:
    """One run of one command into one folder.

    `resume_command` continues a stopped run. Without a `checkpoint_interval` there is no checkpoint.
    """

    command: str
    options: Mapping[str, Any]
    title: str
    folder: OutputFolder
    watch: Watch
    compare: bool = True
    resume_command: str = ""
    checkpoint_interval: float | None = None
    table_format: str = "csv"

    def fit(
        self,
        model: Any,
        documents: Corpus | Network,
        knowledge: Knowledge | None,
        copies: bool | Duplicates = False,
    ) -> Result:
        """Run the method, with `copies` folded; if the user stops it, explain how to continue."""
        from colligate.kernels.numba.compilation import watch_compilation

        with self.watch.stage("clustering"), catch_interrupts() as stopped:
            options = RunOptions(
                listener=self.watch.listener,
                checkpoint=None if self.checkpoint_interval is None else self.folder.checkpoint,
                checkpoint_interval=self.checkpoint_interval or 0.0,
                cancelled=stopped,
                compare=self.compare,
                fold_duplicates=copies,
            )
            with (
                self._report_stops(CancelledError, KeyboardInterrupt),
                watch_compilation(lambda: print_message("note", COMPILING)),
            ):
                model.fit(documents, knowledge=knowledge, options=options)
        result: Result = model.result_
        return result

    def name(self, result: Result, namer: GroupNamer) -> Result:
        """Let a language model name the groups; Ctrl-C ends the naming, and the run goes on."""
        with catch_interrupts() as stopped:
            return namer.name(result, self.folder.name_cache, self.watch, stopped)

    def write(self, result: Result, *, start: StartGroups | None = None, **more: Any) -> dict[str, Any]:
        """Write all outputs of the run, and return its record with `more` in it.

        `start` has the groups that a run of `change` started from; with it the run can be repeated.
        """
        with (
            self._report_stops(KeyboardInterrupt),
            self.folder.writing() as new,
            reporting_to(self.watch.listener),
        ):
            with self.watch.stage("tables"):
                # names first: tables and report have them, and they take longest
                _ = result.group_names
                report("writing tables", 0, 1)
                tables = [path.name for path in result.write_tables(new, format=self.table_format)]
                knowledge = new / f"knowledge.{self.table_format}"
                if knowledge.name not in tables:
                    write_table_files({knowledge: result.audit().read()}, self.table_format)
                    tables.append(knowledge.name)
                if column := self.options.get("time"):
                    by_time = new / f"time.{self.table_format}"
                    write_table_files({by_time: result.over(column, time=True).to_arrow()}, self.table_format)
                    tables.append(by_time.name)
                if columns := self.options.get("by"):
                    by_value = new / f"by.{self.table_format}"
                    write_table_files({by_value: tabulate_by_columns(result, columns)}, self.table_format)
                    tables.append(by_value.name)
                report("writing tables", 1, 1)
            if _is_too_large(result):
                print_message("note", TOO_LARGE)
            else:
                self._write_model(result, new)
            if start is not None:
                write_start(new / START, result.network, start)
            for text in result.audit().warnings():
                self.watch.warned(text, KnowledgeWarning)
            summary = make_record(result, self.command, self.options, self.watch)
            record = {**summary, "tables": tables, **more}
            write_json(new / RECORD, record)
        return record | {"out": str(self.folder.path), "report": str(self.folder.report)}

    def _write_model(self, result: Result, new: Path) -> None:
        """Store the result, and write its report."""
        with self.watch.stage("model"):
            report("saving the model", 0, 1)
            result.save(new / MODEL)
            report("saving the model", 1, 1)
        with self.watch.stage("report"):
            named = [name for name in (self.options.get("time"), *(self.options.get("by") or ())) if name]
            _write_report(result, self.title, self.watch, new / REPORT, named)
            report("writing the report", 1, 1)

    @contextmanager
    def _report_stops(self, *stops: type[BaseException]) -> Iterator[None]:
        try:
            yield
        except ClusterError as error:
            if not self.folder.checkpoint.is_file():
                raise
            raise ClusterError(f"{error}; {self._describe_saved()}") from error
        except stops:
            left = self._describe_saved() if self.folder.checkpoint.is_file() else "nothing was written"
            raise CancelledError(left) from None

    def _describe_saved(self) -> str:
        return f"the run is saved in {self.folder.checkpoint}; continue it with\n  {self.resume_command}"


def _write_report(result: Result, title: str, watch: Watch, path: Path, columns: Sequence[str]) -> None:
    from sklearn.exceptions import ConvergenceWarning

    view = make_report_view(result, title, columns)
    # The report has its own sentence on convergence.
    messages = [text for category, text in watch.warnings if not issubclass(category, ConvergenceWarning)]
    write_page(replace(view, warnings=(*view.warnings, *messages)), path)


def write_json(path: Path, content: Mapping[str, Any]) -> None:
    """Write one JSON object to a file."""
    with write_file(path) as temporary:
        text = json.dumps(content, ensure_ascii=False, indent=2, allow_nan=False, default=encode_value)
        temporary.write_text(f"{text}\n", encoding="utf-8", errors="backslashreplace")


def make_record(result: Result, command: str, options: Mapping[str, Any], watch: Watch) -> dict[str, Any]:
    """Describe a run as JSON: everything beside its tables."""
    labels = result.labels[result.centre]
    return {
        "format": FORMAT,
        "format_version": VERSION,
        "command": command,
        "options": dict(sorted(options.items())),
        "method": result.method,
        "parameters": dict(result.parameters),
        "seed": result.seed,
        "versions": dict(result.versions),
        "source": None if result.corpus is None else result.corpus.source,
        "columns": None if result.corpus is None else _describe_columns(result.corpus),
        "debris": None if result.corpus is None else dict(result.corpus.debris),
        "centre": result.centre,
        "terms": result.terms,
        "sizes": {
            **{type_name: len(objects) for type_name, objects in result.network.types.items()},
            "in_no_group": int(np.sum(labels < 0)),
            "groups": {type_name: result.n_groups(type_name) for type_name in result.labels},
        },
        "groups": describe_groups(result),
        "metrics": {
            "coherence": _mean(result.coherence(TOP_WORDS)),
            "link_satisfaction": measure_links(result),
        },
        "knowledge": _describe_knowledge(result),
        "changes": _describe_changes(result),
        "trace": {
            "history": list(result.history),
            "iterations": result.n_iter,
            "converged": bool(result.converged),
            "restarts": list(result.restarts),
            "chosen": result.chosen,
        },
        "warnings": watch.messages,
        "timings": dict(watch.timings),
    }


def _describe_columns(corpus: Corpus) -> dict[str, Any]:
    """Describe which columns of the input were read as what, and which are kept."""
    return {
        **asdict(corpus.roles),
        "kept": [name for name in corpus.columns if name not in corpus.roles.text],
    }


def describe_groups(result: Result) -> list[dict[str, Any]]:
    """Describe the groups as in clusters.csv, with the top words (or other terms) as a list."""
    entries: list[dict[str, Any]] = groups_table(result).to_pylist()
    for entry, words in zip(entries, result.top_words(TOP_WORDS), strict=True):
        entry[f"top_{result.terms}"] = [word for word, _ in words]
    return entries


def _mean(values: NDArray[Any]) -> float | None:
    """Average the values that are not NaN; None if all are."""
    return None if np.isnan(values).all() else float(np.nanmean(values))


def _describe_knowledge(result: Result) -> dict[str, Any] | None:
    if result.compiled is None:
        return None
    audit = result.audit()
    return {
        "statements": audit.n_statements,
        **audit.counts(),
        "doubtful": audit.doubtful,
        "by_kind": audit.by_kind(),
        "exemplars": sum(audit.exemplar_counts().values()),
        "frozen": sum(audit.frozen_counts().values()),
    }


def _describe_changes(result: Result) -> dict[str, Any] | None:
    changes = result.changes()
    if changes is None:
        return None
    return {
        "moved": int(changes.moved.sum()),
        "total": changes.moved.size,
        "agreement_nmi": changes.agreement,
    }


@contextmanager
def catch_interrupts() -> Iterator[Callable[[], bool]]:
    """Yield a function that returns whether Ctrl-C was pressed. A second Ctrl-C stops at once."""
    stop_requested = threading.Event()
    if threading.current_thread() is not threading.main_thread():
        yield stop_requested.is_set
        return

    def stop(*_: object) -> None:
        if stop_requested.is_set():
            raise KeyboardInterrupt
        stop_requested.set()

    previous = signal.signal(signal.SIGINT, stop)
    try:
        yield stop_requested.is_set
    finally:
        signal.signal(signal.SIGINT, previous)
