"""The folder of a project.

project.json    what it was made of, and the settings it began with
corpus/         the documents as they were read; network/ where there are entities or other types
labels.json     the known labels of documents by id, where there are any: runs are held against them
journal.sqlite  what was said, the jobs and the runs
runs/N/         what run N computed; maps/N.npz the places of its documents; starts/N.json what it began from

The documents of a project as they are stored: a corpus, a network, or both where entities were found.

Which files a knowledge file names: text from a page may name no others than the user's own did.
"""

from __future__ import annotations

import hashlib
import json
import shutil
from dataclasses import asdict, dataclass, field, replace
from typing import TYPE_CHECKING, Any

import numpy as np

from colligate._storage.atomic import hash_file, write_file, write_folder
from colligate._storage.manifest import BOOLEAN, INTEGER, OBJECT, STRING, Manifest, wrap_read_errors
from colligate.corpus import Corpus
from colligate.errors import StoreError
from colligate.network import Network
from colligate.studio.knowledge_file import TEMPORARY
from colligate.studio.project.journal import TEXT as KNOWLEDGE
from colligate.studio.project.journal import Journal
from colligate.studio.project.knowledge import knowledge_text
from colligate.studio.project.runs import RunRecord, WorkBook, load_run

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path

    from numpy.typing import NDArray

    from colligate.result import Result


ADVICE = "restore it from a copy, or make the project again"
MANIFEST = Manifest(
    name="project.json",
    format="colligate-studio",
    version=2,
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
    """What a project begins with; `reading` are the options that the documents were read with.

    `auto` is true if the number of groups was suggested; `asked` is a requested run not yet made.
    """

    input: str
    digest: str
    method: str
    n_clusters: int
    seed: int = 0
    reading: Mapping[str, Any] = field(default_factory=dict)
    auto: bool = False
    asked: Mapping[str, Any] = field(default_factory=dict)


class Project:
    """An open project. One process at a time has it."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.settings = _settings(folder)
        self.journal = Journal(folder / JOURNAL)
        self.work = WorkBook(self.journal)
        self.network: Network = load_documents(folder)
        self.centre = self.network.centre
        self.terms = self.network.terms or ""
        self.labels = load_labels(folder, self.network)
        for left in folder.rglob(f"{TEMPORARY}*"):
            shutil.rmtree(left, ignore_errors=True)
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
        """Make a project of documents and, where there is one, the text of a knowledge file, and open it.

        Known labels are kept beside it; no method is told of them. `who` brought the knowledge file.
        """
        with write_folder(folder) as temporary:
            save_documents(documents, temporary)
            if labels:
                save_labels(labels, temporary)
            MANIFEST.write(temporary, asdict(settings))
            for name in RUN_FOLDERS:
                (temporary / name).mkdir()
            journal = Journal(temporary / JOURNAL)
            if knowledge.strip():
                journal.say(KNOWLEDGE, {"text": knowledge}, who=who, why="the file of --knowledge")
            journal.close()
        return cls(folder)

    @staticmethod
    def exists(folder: Path) -> bool:
        """Whether a folder holds a project."""
        return (folder / MANIFEST.name).is_file()

    def close(self) -> None:
        """Give the project free."""
        self.journal.close()

    def refuse_other_input(self, path: Path) -> None:
        """Refuse documents that are not those the project was made of."""
        if self.settings.digest and hash_input(path) != self.settings.digest:
            raise StoreError(
                f"{path} is not as it was when the project {self.folder} was made; choose another folder "
                "with --project, or bring back the file as it was"
            )

    def save_settings(self, settings: Settings) -> None:
        """Have other settings from here on."""
        with write_file(self.folder / MANIFEST.name) as temporary:
            temporary.write_text(MANIFEST.encode(asdict(settings)), encoding="utf-8")
        self.settings = settings

    def clear_pending_run(self, request: Mapping[str, Any]) -> None:
        """The run that the settings ask for came to its end, if this was it."""
        if self.settings.asked and self.settings.asked == request:
            self.save_settings(replace(self.settings, asked={}))

    def set_labels(self, labels: Mapping[str, str]) -> None:
        """Hold runs against these known labels from here on."""
        save_labels(labels, self.folder)
        self.labels = load_labels(self.folder, self.network)

    def knowledge(self) -> str:
        """The knowledge file of what stands now."""
        return knowledge_text(self.journal.live(), self.folder, self.centre, self.terms)

    def imported_knowledge(self) -> str:
        """The knowledge file that the project was made with."""
        first = self.journal.entries()[:1]
        return str(first[0].body["text"]) if first and first[0].kind == KNOWLEDGE else ""

    def run(self, number: int) -> RunRecord | None:
        """The record of a run; None if there is no such run."""
        return next((run for run in self.work.runs() if run.number == number), None)

    def latest(self) -> RunRecord | None:
        """The last run; None before the first one."""
        runs = self.work.runs()
        return runs[-1] if runs else None

    def result(self, record: RunRecord) -> Result:
        """What a run computed."""
        return load_run(self.folder / "runs" / str(record.number), self.network, record.knowledge)

    def unused_identity(self) -> int:
        """The first lasting number that no group ever had."""
        return max((one for run in self.work.runs() for one in run.identities), default=-1) + 1

    def clear_unfinished(self) -> None:
        """Remove what a run left behind that was killed: whatever of runs the journal does not know."""
        known = {str(run.number) for run in self.work.runs()}
        for part in RUN_FOLDERS:
            for entry in (self.folder / part).iterdir():
                if not entry.name.startswith(TEMPORARY) and entry.name.partition(".")[0] not in known:
                    shutil.rmtree(entry) if entry.is_dir() else entry.unlink()


def _settings(folder: Path) -> Settings:
    if not Project.exists(folder):
        raise StoreError(f"{folder} is no project of the studio; choose another folder with --project")
    content = MANIFEST.read(folder)
    return Settings(**{name: content[name] for name in MANIFEST.schema})


def save_documents(documents: Corpus | Network, folder: Path) -> None:
    """Store them in a folder."""
    corpus = documents if isinstance(documents, Corpus) else documents.corpus
    if corpus is not None:
        corpus.save(folder / CORPUS)
    if isinstance(documents, Network):
        documents.save(folder / NETWORK)


def load_documents(folder: Path) -> Network:
    """Load them as a network, which has its corpus where there is one."""
    corpus = Corpus.load(folder / CORPUS) if (folder / CORPUS).is_dir() else None
    if (folder / NETWORK).is_dir():
        return replace(Network.load(folder / NETWORK), corpus=corpus)
    if corpus is None:
        raise StoreError(f"{folder} holds no documents; restore it from a copy, or make the project again")
    return Network.from_corpus(corpus)


def save_labels(labels: Mapping[str, str], folder: Path) -> None:
    """Store known labels by id."""
    with write_file(folder / LABELS) as temporary:
        temporary.write_text(json.dumps(dict(labels), ensure_ascii=False), encoding="utf-8")


def load_labels(folder: Path, network: Network) -> NDArray[np.str_] | None:
    """The known label of every document, empty where it has none; None where none is known."""
    if not (folder / LABELS).is_file():
        return None
    with wrap_read_errors(folder / LABELS, advice=ADVICE):
        known = json.loads((folder / LABELS).read_text(encoding="utf-8"))
        return np.array([str(known.get(str(name), "")) for name in network.types[network.centre].names])


def hash_input(path: Path) -> str:
    """The SHA-256 of a file, or of the names and contents of all files of a folder."""
    if path.is_file():
        return hash_file(path)
    found = hashlib.sha256()
    for file in sorted(entry for entry in path.rglob("*") if entry.is_file()):
        found.update(f"{file.relative_to(path).as_posix()}\0{hash_file(file)}\n".encode(errors="replace"))
    return found.hexdigest()
