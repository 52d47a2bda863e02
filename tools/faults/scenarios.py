"""What is disturbed: a command or a session, and what must hold afterwards."""

from __future__ import annotations

import json
import os
import shutil
import time
import warnings
from contextlib import redirect_stderr, redirect_stdout
from pathlib import Path
from typing import TYPE_CHECKING, ClassVar

import numpy as np

import colligate as cg
from colligate.errors import ColligateError, StoreError

if TYPE_CHECKING:
    from tools.faults.injection import Ending, Fault

TOPICS = ("orbit nasa shuttle moon rocket", "puck goalie team ice skate", "bread oven flour sugar dough")
BASE = "entity,name,type\ngates,Bill Gates,Person\nmicrosoft,Microsoft,Firm\nseattle,Seattle,City\n"


def run_command(*arguments: object) -> int:
    """Run the command line in this process, and return its exit code."""
    from colligate.cli.main import app

    warnings.simplefilter("ignore")
    try:
        app([str(argument) for argument in arguments], prog_name="colligate")
    except SystemExit as error:
        return error.code if isinstance(error.code, int) else 0
    return 0


class Scenario:
    """One command in a folder of its own."""

    name: ClassVar[str]
    target: Path
    has_workers: ClassVar[bool] = False

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.target = folder / "out"
        rng = np.random.default_rng(0)
        lines = [" ".join(rng.choice(TOPICS[row % 3].split(), 8)) for row in range(30)]
        self.docs = folder / "docs.csv"
        self.docs.write_text("id,text\n" + "".join(f"d{row},{text}\n" for row, text in enumerate(lines)))
        self.prepare()

    def prepare(self) -> None:
        """Make what the command needs."""

    def warm(self) -> None:
        """Load compiled code and models, so that no child has to; nothing here may start a thread."""

    def reset(self) -> None:
        """Put the folder back to where the command starts."""
        shutil.rmtree(self.target, ignore_errors=True)
        for leftover in self.folder.glob(".*"):
            shutil.rmtree(leftover, ignore_errors=True)

    def work(self) -> int:
        """Run the command; in the child."""
        raise NotImplementedError

    def again(self) -> int:
        """Run the command once more after a fault; in a child."""
        raise NotImplementedError

    def digest(self) -> str:
        """Return what must be the same after every complete run."""
        raise NotImplementedError

    def is_complete(self) -> bool:
        """Whether the outputs are there as a whole."""
        raise NotImplementedError

    def check_kept(self, ending: Ending, fault: Fault) -> str:
        """Return what was lost by a fault; empty if nothing."""
        return ""


class Cluster(Scenario):
    """`colligate cluster`, with a checkpoint after every iteration."""

    name = "cluster"
    OPTIONS = ("--clusters", 3, "--method", "kmeans", "--restarts", 2, "--checkpoint-interval", 0)

    def warm(self) -> None:
        with Path(os.devnull).open("w") as null, redirect_stdout(null), redirect_stderr(null):
            self.work()

    def work(self) -> int:
        return run_command("cluster", self.docs, *self.OPTIONS, "--out", self.target)

    def again(self) -> int:
        if self.is_complete():
            return 0
        how = "--resume" if (self.target / "checkpoint.npz").exists() else "--overwrite"
        command = ("cluster", self.docs, *self.OPTIONS, "--out", self.target)
        # a checkpoint whose bytes changed is refused in words, and the run starts again
        return run_command(*command, how) and run_command(*command, "--overwrite")

    def is_complete(self) -> bool:
        try:
            cg.Result.load(self.target / "model")
        except ColligateError:
            return False
        return (self.target / "run.json").exists() and (self.target / "report.html").exists()

    def digest(self) -> str:
        return str(cg.Result.load(self.target / "model").labels["documents"].tolist())


class Overwrite(Cluster):
    """`colligate cluster --overwrite` over an earlier result, which must stay until the new one is there."""

    name = "overwrite"

    def prepare(self) -> None:
        self.earlier = self.folder / "earlier"

    def reset(self) -> None:
        super().reset()
        if self.earlier.exists():
            shutil.copytree(self.earlier, self.target)

    def work(self) -> int:
        return run_command("cluster", self.docs, *self.OPTIONS, "--out", self.target, "--overwrite")

    def check_kept(self, ending: Ending, fault: Fault) -> str:
        if not self.earlier.exists() or fault.kind == "changed bytes":
            return ""
        # a process that is killed between two renames leaves the old outputs beside the new ones
        if self.is_complete() or ending.code < 0:
            return ""
        return "the earlier result is gone"


class Link(Scenario):
    """`colligate link`."""

    name = "link"
    n_jobs = 1

    def prepare(self) -> None:
        self.base = self.folder / "kb.csv"
        self.base.write_text(BASE)
        self.docs.write_text("id,text\na,Bill Gates founded Microsoft\nb,It is in Seattle near Microsoft\n")

    def work(self) -> int:
        return run_command("link", self.docs, "--kb", self.base, "--out", self.target, "--jobs", self.n_jobs)

    def again(self) -> int:
        if self.is_complete():
            return 0
        output = ("--out", self.target, "--overwrite")
        return run_command("link", self.docs, "--kb", self.base, *output, "--jobs", self.n_jobs)

    def is_complete(self) -> bool:
        names = ("run.json", "mentions.csv", "entities.csv", "relations.csv", "report.html")
        return all((self.target / name).exists() for name in names)

    def digest(self) -> str:
        return "".join((self.target / name).read_text() for name in ("mentions.csv", "entities.csv"))


class LinkProcesses(Link):
    """`colligate link` in two processes, one of which may be killed."""

    name = "link processes"
    n_jobs = 2
    has_workers = True


class BuildBase(Scenario):
    """`colligate kb build`."""

    name = "kb"

    def prepare(self) -> None:
        self.base = self.folder / "kb.csv"
        self.base.write_text(BASE)

    def work(self) -> int:
        return run_command("kb", "build", self.base, "--out", self.target)

    def again(self) -> int:
        if self.is_complete():
            return 0
        shutil.rmtree(self.target, ignore_errors=True)
        return self.work()

    def is_complete(self) -> bool:
        from colligate.entities.kb import open_base

        try:
            open_base(self.target).info()
        except ColligateError:
            return False
        return True

    def digest(self) -> str:
        from colligate.entities.kb import open_base

        return str(open_base(self.target).info())


class Studio(Scenario):
    """A project of the studio: statements, undos and a run; what was confirmed must be there afterwards."""

    name = "studio"
    N_STATEMENTS = 12
    note = -1

    def prepare(self) -> None:
        self.confirmed = self.folder / "confirmed"

    def reset(self) -> None:
        super().reset()
        self.confirmed.unlink(missing_ok=True)
        if self.note >= 0:
            os.close(self.note)
        # opened here: noting a confirmation is no operation of the project, so no fault may hit it
        self.note = os.open(self.confirmed, os.O_WRONLY | os.O_CREAT | os.O_APPEND)

    def work(self) -> int:
        try:
            return self.use_project()
        except ColligateError as error:
            print(json.dumps({"error": str(error)}))
            return 4
        except MemoryError:
            return 5
        except KeyboardInterrupt:
            return 130

    def use_project(self) -> int:
        """Make statements and a run, note what the project confirms, and return the exit code."""
        from colligate.studio.project import Project, Settings
        from colligate.studio.project.runs import RunRecord, save_run

        note = self.note
        corpus = cg.Corpus.read(self.docs)
        settings = Settings(str(self.docs), "", "kmeans", 3)
        exists = Project.exists(self.target)
        project = Project(self.target) if exists else Project.create(self.target, corpus, settings)
        os.write(note, b"project\n")
        for number in range(self.N_STATEMENTS):
            entry = project.journal.add("outside", {"document": f"d{number}"}, id=f"s{number}")
            os.write(note, f"add {entry.id}\n".encode())
            if number % 4 == 3:
                undone = project.journal.undo(entry.id)
                os.write(note, f"undo {entry.id}\n".encode() if undone else b"")
            project.save_settings(project.settings)
        if not project.work.runs():
            model = cg.make("kmeans", n_clusters=3, n_init=1, random_state=0).fit(corpus)
            save_run(model.result_, project.folder / "runs" / "1")
            project.work.add_run(RunRecord(1, "kmeans", {}, 0, None, False, "", (0, 1, 2), ("", "", "")))
            os.write(note, b"run 1\n")
        project.close()
        return 0

    def again(self) -> int:
        return self.work()

    def warm(self) -> None:
        cg.make("kmeans", n_clusters=3, n_init=1, random_state=0).fit(cg.Corpus.read(self.docs))

    def check_kept(self, ending: Ending, fault: Fault) -> str:
        from colligate.studio.project import Project

        if fault.kind == "changed bytes":
            return ""
        confirmed = self.confirmed.read_text().splitlines() if self.confirmed.exists() else []
        if not confirmed:
            return ""
        try:
            project = Project(self.target)
        except StoreError as error:
            return f"the project cannot be opened: {error}"
        try:
            entries = {entry.id: entry for entry in project.journal.entries()}
            for line in confirmed:
                action, _, name = line.partition(" ")
                if action == "add" and name not in entries:
                    return f"the statement {name} is lost"
                if action == "undo" and not entries[name].undone:
                    return f"the undo of {name} is lost"
            for record in project.work.runs():
                project.result(record)
            if "run 1" in confirmed and not project.work.runs():
                return "the run is lost"
        except StoreError as error:
            return f"a recorded run cannot be read: {error}"
        finally:
            project.close()
        return ""

    def is_complete(self) -> bool:
        from colligate.studio.project import Project

        try:
            project = Project(self.target)
        except StoreError:
            return False
        try:
            return bool(project.work.runs()) and len(project.journal.entries()) == self.N_STATEMENTS
        finally:
            project.close()

    def digest(self) -> str:
        from colligate.studio.project import Project

        project = Project(self.target)
        try:
            entries = [(entry.id, bool(entry.undone)) for entry in project.journal.entries()]
            return str((entries, project.result(project.work.runs()[-1]).labels["documents"].tolist()))
        finally:
            project.close()


class StudioRun(Studio):
    """A session of the studio whose run is the work of another process."""

    name = "studio run"
    has_workers = True
    N_STATEMENTS = 2
    RUN_SECONDS = 300
    """A busy machine takes minutes for what a free one does in seconds."""

    def use_project(self) -> int:
        from colligate.studio.project import Project, Settings
        from colligate.studio.session import Session

        note = self.note
        exists = Project.exists(self.target)
        settings = Settings(str(self.docs), "", "citcc", 3)
        project = (
            Project(self.target)
            if exists
            else Project.create(self.target, cg.Corpus.read(self.docs), settings)
        )
        session = Session(project)
        os.write(note, b"project\n")
        for number in range(self.N_STATEMENTS):
            entry = project.journal.add("outside", {"document": f"d{number}"}, id=f"s{number}")
            os.write(note, f"add {entry.id}\n".encode())
        if not project.work.runs():
            job = session.request_run({})
            end = time.monotonic() + self.RUN_SECONDS
            while (job := project.work.jobs(job.number)[0]).status in ("waiting", "running"):
                if time.monotonic() > end:
                    print("the run does not end")
                    return 6
                time.sleep(0.02)
            print(json.dumps({"status": job.status, "message": job.message}))
            if job.status != "done":
                return 4
            os.write(note, b"run 1\n")
        session.close()
        return 0


SCENARIOS: dict[str, type[Scenario]] = {
    scenario.name: scenario
    for scenario in (Cluster, Overwrite, Link, LinkProcesses, BuildBase, Studio, StudioRun)
}
