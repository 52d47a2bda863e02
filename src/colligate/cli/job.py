"""One run from documents to an output folder; `cluster` and `demo` are both this."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from colligate.cli.output import MODEL, RECORD, REPORT, OutputFolder
from colligate.cli.record import run_record
from colligate.cli.stopping import stoppable
from colligate.cli.watch import Watch
from colligate.errors import CancelledError
from colligate.files import writing_file
from colligate.methods.options import RunOptions
from colligate.report.render import write as write_page
from colligate.result.csv_files import write_csv
from colligate.result.view import report_view

if TYPE_CHECKING:
    from colligate.corpus import Corpus
    from colligate.knowledge import Knowledge
    from colligate.network import Network
    from colligate.result import Result


@dataclass(frozen=True)
class Job:
    """One run of one command into one folder.

    `again` is the command that goes on with it. A run without a `checkpoint_interval` keeps no checkpoint.
    """

    command: str
    options: Mapping[str, Any]
    title: str
    folder: OutputFolder
    watch: Watch
    compare: bool = True
    again: str = ""
    checkpoint_interval: float | None = None

    def fit(self, model: Any, documents: Corpus | Network, knowledge: Knowledge | None) -> Result:
        """Run the method; if the user stops it, say how to go on."""
        with self.watch.stage("clustering"), stoppable() as stopped:
            options = RunOptions(
                listener=self.watch.listener,
                checkpoint=None if self.checkpoint_interval is None else self.folder.checkpoint,
                checkpoint_interval=self.checkpoint_interval or 0.0,
                cancelled=stopped,
                compare=self.compare,
            )
            with self._stops_told(CancelledError, KeyboardInterrupt):
                model.fit(documents, knowledge=knowledge, options=options)
        result: Result = model.result_
        return result

    def write(self, result: Result, **more: Any) -> dict[str, Any]:
        """Write everything the run leaves behind, and return its record with `more` in it."""
        with self._stops_told(KeyboardInterrupt), self.folder.writing() as new:
            with self.watch.stage("tables"):
                tables = [path.name for path in result.write_tables(new)]
                write_csv(new / "knowledge.csv", result.audit().rows())
            with self.watch.stage("model"):
                result.save(new / MODEL)
            with self.watch.stage("report"):
                _write_report(result, self.title, self.watch, new / REPORT)
            told = run_record(result, self.command, self.options, self.watch)
            record = {**told, "tables": tables, **more}
            _write_json(new / RECORD, record)
        return record | {"out": str(self.folder.path), "report": str(self.folder.report)}

    @contextmanager
    def _stops_told(self, *stops: type[BaseException]) -> Iterator[None]:
        try:
            yield
        except stops:
            kept = f"the run is kept in {self.folder.checkpoint}; go on with it by\n  {self.again}"
            left = kept if self.folder.checkpoint.is_file() else "nothing was written"
            raise CancelledError(left) from None


def _write_report(result: Result, title: str, watch: Watch, path: Path) -> None:
    from sklearn.exceptions import ConvergenceWarning

    view = report_view(result, title)
    # The report speaks of convergence by itself.
    told = [text for category, text in watch.warnings if not issubclass(category, ConvergenceWarning)]
    write_page(replace(view, warnings=(*view.warnings, *told)), path)


def _write_json(path: Path, content: Mapping[str, Any]) -> None:
    with writing_file(path) as temporary:
        text = json.dumps(content, ensure_ascii=False, indent=2, allow_nan=False)
        temporary.write_text(f"{text}\n", encoding="utf-8", errors="backslashreplace")
