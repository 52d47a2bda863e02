"""The folder of a project.

project.json    the input and the settings
corpus/         the documents as they were read
network/        the network, if there are entities or other types
labels.json     the known labels of documents by id, if there are any; runs are compared with them
journal.sqlite  the statements, the jobs and the runs
runs/N/         the result of run N
maps/N.npz      the positions of its documents
starts/N.json   its warm start
"""

from __future__ import annotations

import hashlib
import json
import shutil
from contextlib import suppress
from dataclasses import asdict, dataclass, field, replace
from typing import TYPE_CHECKING, Any

import numpy as np

from colligate._storage.atomic import hash_file, write_file, write_folder
from colligate._storage.manifest import (
    BOOLEAN,
    INTEGER,
    OBJECT,
    STRING,
    Manifest,
    list_files,
    parse_object,
    wrap_read_errors,
)
from colligate._storage.plain_file import read_bounded
from colligate.corpus import Corpus
from colligate.errors import StoreError
from colligate.network import Network
from colligate.studio.actions import find_action
from colligate.studio.group_names import GroupNames
from colligate.studio.knowledge import knowledge_text, log_actions
from colligate.studio.knowledge_file import TEMPORARY
from colligate.studio.project.journal import TEXT as KNOWLEDGE
from colligate.studio.project.journal import Journal
from colligate.studio.project.runs import JobRecords, RunRecord, load_run

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path

    from numpy.typing import NDArray

    from colligate.result import Result
    from colligate.studio.knowledge import ActionLog


ADVICE = "restore it from a copy, or make the project again"
MANIFEST = Manifest(
    name="project.json",
    format="colligate-studio",
    version=3,
    what="studio project",
    schema={
        "input": STRING,
        "digest": STRING,
        "method": STRING,
        "n_clusters": INTEGER,
        "seed": INTEGER,
        "reading": OBJECT,
        "auto": BOOLEAN,
        "asked": OBJECT,
    },
    hint="choose another folder with --project",
    advice=ADVICE,
)
JOURNAL = "journal.sqlite"
RUN_FOLDERS = ("runs", "maps", "starts")
CORPUS, NETWORK, LABELS = "corpus", "network", "labels.json"


@dataclass(frozen=True)
class Settings:
    """The settings of a project; `reading` are the options that the documents were read with.

    `auto` is true if the number of groups was suggested; `asked` is a requested run not yet made.
    `suggestion` says in words why the number was suggested. Older projects do not have it.
    """

    input: str
    digest: str
    method: str
    n_clusters: int
    seed: int = 0
    reading: Mapping[str, Any] = field(default_factory=dict)
    auto: bool = False
    asked: Mapping[str, Any] = field(default_factory=dict)
    suggestion: str = ""


class Project:
    """An open project. One process at a time has it."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.settings = _read_settings(folder)
        # a link in a received folder could lead what the studio writes to any file of the user
        list_files(folder)
        # projects of earlier versions could be read by every user of the machine
        with suppress(OSError):
            folder.chmod(0o700)
        self.journal = Journal(folder / JOURNAL)
        self.work = JobRecords(self.journal)
        self.network: Network = load_documents(folder)
        self.centre = self.network.centre
        self.terms = self.network.terms or ""
        self.labels = load_labels(folder, self.network)
        # what processes left that were killed
        for leftover in folder.rglob(f"{TEMPORARY}*"):
            shutil.rmtree(leftover, ignore_errors=True)
        self.clear_unfinished()

    @classmethod
    def create(
        cls,
        folder: Path,
        documents: Corpus | Network,
        settings: Settings,
        knowledge: str = "",
        labels: Mapping[str, str] | None = None,
        who: str = "",
    ) -> Project:
        """Make a project of documents and the text of a knowledge file, and open it.

        Known labels are stored beside them; no method sees them. `who` is noted with the knowledge file.
        """
        with write_folder(folder, private=True) as temporary:
            save_documents(documents, temporary)
            if labels:
                save_labels(labels, temporary)
            MANIFEST.write(temporary, asdict(settings))
            for name in RUN_FOLDERS:
                (temporary / name).mkdir()
            journal = Journal(temporary / JOURNAL)
            if knowledge.strip():
                journal.add(KNOWLEDGE, {"text": knowledge}, who=who, why="the file of --knowledge")
            journal.close()
        return cls(folder)

    @staticmethod
    def exists(folder: Path) -> bool:
        """Tell whether a folder is a project."""
        return (folder / MANIFEST.name).is_file()

    def close(self) -> None:
        """Close the journal, so that another process can open the project."""
        self.journal.close()

    def refuse_other_input(self, path: Path) -> None:
        """Refuse documents other than those the project was made of."""
        if self.settings.digest and hash_input(path) != self.settings.digest:
            raise StoreError(
                f"{path} has changed since the project {self.folder} was made; choose another folder with "
                "--project, or restore the file"
            )

    def save_settings(self, settings: Settings) -> None:
        """Store other settings."""
        with write_file(self.folder / MANIFEST.name, private=True) as temporary:
            temporary.write_text(MANIFEST.encode(asdict(settings)), encoding="utf-8")
        self.settings = settings

    def clear_pending_run(self, request: Mapping[str, Any]) -> None:
        """Forget the run that the settings ask for, if this was its request."""
        if self.settings.asked and self.settings.asked == request:
            self.save_settings(replace(self.settings, asked={}))

    def set_labels(self, labels: Mapping[str, str]) -> None:
        """Store known labels that runs are compared with."""
        save_labels(labels, self.folder)
        self.labels = load_labels(self.folder, self.network)

    def knowledge(self) -> str:
        """Write the knowledge file of the live statements."""
        return self.write_knowledge(log_actions(self.journal.live()))

    def write_knowledge(self, log: ActionLog) -> str:
        """Write the knowledge file of a log of statements."""
        names = GroupNames.of(log, self.latest())
        return knowledge_text(log, names, self.folder, self.centre, self.terms)

    def names(self, record: RunRecord | None = None) -> GroupNames:
        """Return the names of the groups of a run, by default of the last, with all live statements."""
        return GroupNames.of(log_actions(self.journal.live()), record or self.latest())

    def imported_knowledge(self) -> str:
        """Return the knowledge file that the project was made with."""
        first = self.journal.entries()[:1]
        return str(first[0].body["text"]) if first and first[0].kind == KNOWLEDGE else ""

    def run(self, number: int) -> RunRecord | None:
        """Return the record of a run; None if there is no such run."""
        return next((run for run in self.work.runs() if run.number == number), None)

    def recipe(self, record: RunRecord) -> RunRecord:
        """Return how the groups of a run were made: by the run that it repeats, under its own number."""
        origin = None if record.repeats is None else self.run(record.repeats)
        return record if origin is None else replace(origin, number=record.number)

    def latest(self) -> RunRecord | None:
        """Return the last run; None before the first."""
        runs = self.work.runs()
        return runs[-1] if runs else None

    def result(self, record: RunRecord) -> Result:
        """Load the result of a run."""
        return load_run(self.folder / "runs" / str(record.number), self.network, record.knowledge)

    def with_names(self, result: Result, record: RunRecord) -> Result:
        """Return the result of a run with the names that the page shows for its groups."""
        names = self.names(record)
        return replace(result, given_names=tuple(names.display(group).name for group in record.identities))

    def unused_identity(self) -> int:
        """Return the first lasting number that no group ever had, in a run or by a statement."""
        of_runs = (number for run in self.work.runs() for number in run.identities)
        entries = self.journal.entries()
        made = (number for entry in entries for number in find_action(entry.kind).new_groups(entry.body))
        return max((*of_runs, *made), default=-1) + 1

    def clear_unfinished(self) -> None:
        """Remove the files of killed runs: those that the journal does not list."""
        recorded = {str(run.number) for run in self.work.runs()}
        for part in RUN_FOLDERS:
            for entry in (self.folder / part).iterdir():
                if not entry.name.startswith(TEMPORARY) and entry.name.partition(".")[0] not in recorded:
                    shutil.rmtree(entry) if entry.is_dir() else entry.unlink()


def _read_settings(folder: Path) -> Settings:
    if not Project.exists(folder):
        raise StoreError(f"{folder} is not a project of the studio; choose another folder with --project")
    content = MANIFEST.read(folder)
    suggestion = str(content.get("suggestion", ""))
    return Settings(**{name: content[name] for name in MANIFEST.schema}, suggestion=suggestion)


def save_documents(documents: Corpus | Network, folder: Path) -> None:
    """Store documents in a folder."""
    corpus = documents if isinstance(documents, Corpus) else documents.corpus
    if corpus is not None:
        corpus.save(folder / CORPUS)
    if isinstance(documents, Network):
        documents.save(folder / NETWORK)


def load_documents(folder: Path) -> Network:
    """Load documents as a network, with its corpus if there is one."""
    corpus = Corpus.load(folder / CORPUS) if (folder / CORPUS).is_dir() else None
    if (folder / NETWORK).is_dir():
        return replace(Network.load(folder / NETWORK), corpus=corpus)
    if corpus is None:
        raise StoreError(f"{folder} contains no documents; restore it from a copy, or make the project again")
    return Network.from_corpus(corpus)


def save_labels(labels: Mapping[str, str], folder: Path) -> None:
    """Store known labels by id."""
    with write_file(folder / LABELS, private=True) as temporary:
        temporary.write_text(json.dumps(dict(labels), ensure_ascii=False), encoding="utf-8")


def load_labels(folder: Path, network: Network) -> NDArray[np.str_] | None:
    """Load the known label of every document, empty for those without; None if there are no labels."""
    if not (folder / LABELS).is_file():
        return None
    with wrap_read_errors(folder / LABELS, advice=ADVICE):
        labels = parse_object(read_bounded(folder / LABELS))
        return np.array([str(labels.get(str(name), "")) for name in network.types[network.centre].names])


def hash_input(path: Path) -> str:
    """Return the SHA-256 of a file, or of the names and contents of all files of a folder."""
    if path.is_file():
        return hash_file(path)
    digest = hashlib.sha256()
    for file in sorted(entry for entry in path.rglob("*") if entry.is_file()):
        digest.update(f"{file.relative_to(path).as_posix()}\0{hash_file(file)}\n".encode(errors="replace"))
    return digest.hexdigest()
