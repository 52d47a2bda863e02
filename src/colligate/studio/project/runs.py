"""Jobs and runs: their records in the journal, and the stored results of runs.

runs/N/ has run.json (the trace, and the SHA-256 of the other file) and arrays.npz. The documents are stored
once, with the project.
"""

from __future__ import annotations

import json
from dataclasses import asdict, dataclass, field
from typing import TYPE_CHECKING, Any

from colligate._storage.arrays import read_arrays, write_arrays
from colligate._storage.atomic import write_folder
from colligate._storage.manifest import STRING_MAP, Manifest, wrap_read_errors
from colligate.knowledge import Grouping
from colligate.result import Result
from colligate.result.store import (
    ARRAYS,
    PLAIN_FIELDS,
    SCHEMA,
    check_result_arrays,
    collect_arrays,
    pack_optional,
    split_arrays,
    unpack_optional,
)
from colligate.studio.knowledge_file import compile_text
from colligate.studio.project.journal import now

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path

    from colligate.network import Network
    from colligate.studio.project.journal import Journal


WAITING, RUNNING, DONE, FAILED, CANCELLED = "waiting", "running", "done", "failed", "cancelled"
ENDED = (DONE, FAILED, CANCELLED)
JOB = "number, at, request, status, message, run"
LOST = "the studio ended before this job was done; run it again"

ADVICE = "cluster again"
MANIFEST = Manifest(
    name="run.json",
    format="colligate-studio-run",
    version=6,
    what="studio run",
    schema={**{name: SCHEMA[name] for name in PLAIN_FIELDS}, "files": STRING_MAP},
    hint=ADVICE,
    advice=ADVICE,
)
ARRAY_GROUPS = ("labels", "memberships", "association", "model")


@dataclass(frozen=True)
class RunRecord:
    """One run: how it was made, after which event of the journal, from which run, and its groups.

    `identities[k]` is the lasting number of group k of the stored result, to which names, colours and
    statements refer, `words[k]` its characteristic words, and `model_names[k]` what a language model calls it
    (empty without one). `claims` has the groups that the user's
    knowledge file names. `knowledge` is the knowledge file of the run, empty if it had none. `repeats` is the
    run that made the groups, if this one had nothing new that can move documents.
    """

    number: int
    method: str
    parameters: Mapping[str, Any]
    seq: int
    parent: int | None
    started: bool
    knowledge: str
    identities: tuple[int, ...] = ()
    words: tuple[str, ...] = ()
    model_names: tuple[str, ...] = ()
    claims: Mapping[str, int] = field(default_factory=dict)
    seconds: float = 0.0
    warnings: tuple[str, ...] = ()
    repeats: int | None = None
    at: str = field(default_factory=now)


@dataclass(frozen=True)
class Job:
    """One job: a requested run, and its status."""

    number: int
    at: str
    request: Mapping[str, Any]
    status: str
    message: str
    run: int | None


class JobRecords:
    """The jobs and runs in a journal."""

    def __init__(self, journal: Journal) -> None:
        self._journal = journal
        with journal.transaction() as connection:
            connection.execute(
                "UPDATE jobs SET status = ?, message = ? WHERE status IN (?, ?)",
                (FAILED, LOST, WAITING, RUNNING),
            )

    def add_job(self, request: Mapping[str, Any]) -> Job:
        """Add a job that waits."""
        with self._journal.transaction() as connection:
            cursor = connection.execute(
                "INSERT INTO jobs (at, request, status) VALUES (?, ?, ?)",
                (now(), json.dumps(request), WAITING),
            )
            return self.jobs(int(cursor.lastrowid or 0))[0]

    def set_job(self, number: int, status: str, message: str = "", run: int | None = None) -> Job:
        """Set the status of a job."""
        with self._journal.transaction() as connection:
            connection.execute(
                "UPDATE jobs SET status = ?, message = ?, run = ? WHERE number = ?",
                (status, message, run, number),
            )
            return self.jobs(number)[0]

    def jobs(self, number: int | None = None) -> list[Job]:
        """List all jobs in order, or one."""
        condition, values = ("1", ()) if number is None else ("number = ?", (number,))
        with self._journal.lock:
            rows = self._journal.connection.execute(
                f"SELECT {JOB} FROM jobs WHERE {condition} ORDER BY number", values
            ).fetchall()
        return [Job(row[0], row[1], json.loads(row[2]), *row[3:]) for row in rows]

    def next_run(self) -> int:
        """Return the number of the next run."""
        return max((run.number for run in self.runs()), default=0) + 1

    def add_run(self, record: RunRecord) -> None:
        """Add a run whose files are stored."""
        with self._journal.transaction() as connection:
            text = json.dumps(asdict(record), ensure_ascii=False)
            connection.execute("INSERT INTO runs VALUES (?, ?, ?)", (record.number, record.at, text))

    def runs(self) -> list[RunRecord]:
        """List all runs in order."""
        with self._journal.lock:
            rows = self._journal.connection.execute("SELECT record FROM runs ORDER BY number").fetchall()
        return [_read_record(json.loads(row[0])) for row in rows]


def _read_record(values: dict[str, Any]) -> RunRecord:
    # runs of older projects have no names of models
    lists = {name: tuple(values.get(name, ())) for name in ("identities", "words", "model_names", "warnings")}
    return RunRecord(**{**values, **lists})


def save_run(result: Result, folder: Path) -> None:
    """Write a run to a new folder, which appears only when it is complete."""
    with write_folder(folder, private=True) as temporary:
        write_arrays(temporary / ARRAYS, collect_arrays(result, ARRAY_GROUPS))
        content = {name: getattr(result, name) for name in PLAIN_FIELDS}
        MANIFEST.write(temporary, content | pack_optional(result))


def load_run(folder: Path, network: Network, knowledge: str) -> Result:
    """Load a run, with the documents of its project and its knowledge file."""
    content = MANIFEST.read(folder)
    fields = {name: content[name] for name in PLAIN_FIELDS}
    fields["history"], fields["restarts"] = tuple(fields["history"]), tuple(fields["restarts"])
    fields["descriptions"] = unpack_optional(content, folder)
    with wrap_read_errors(folder / ARRAYS, advice=ADVICE):
        fields |= split_arrays(read_arrays(folder / ARRAYS), ARRAY_GROUPS)
    with wrap_read_errors(folder, advice=ADVICE):
        groupings = {
            name: Grouping(table.shape[1], network.nonempty(name))
            for name, table in fields["memberships"].items()
            if table.ndim == 2 and name in network.types
        }
        compiled = compile_text(knowledge, folder.parent, network.names, groupings)
        check_result_arrays({**fields, "compiled": compiled}, network)
        return Result(**fields, network=network, corpus=network.corpus, compiled=compiled)
