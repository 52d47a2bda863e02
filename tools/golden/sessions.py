"""Scripted sessions of the studio, replayed act by act, and a stored project that is opened again.

A script is a list of acts as an analyst makes them: statements, undo and redo, answers to questions, edits of
the knowledge file, runs, and closing and opening the studio. After every run the groups of all documents, the
names of the groups, and what became of the statements are recorded.
"""

from __future__ import annotations

import json
import re
import shutil
import tempfile
from contextlib import ExitStack
from pathlib import Path
from typing import TYPE_CHECKING, Any

from tools.golden.corpora import POSTS, choose_posts
from tools.golden.files import FOLDER
from tools.golden.hashes import describe_labels, hash_text
from tools.golden.studio import RefusalError, Studio

if TYPE_CHECKING:
    from collections.abc import Mapping

JOURNALS = FOLDER / "journals"
PROJECT = FOLDER / "project"
DOCUMENTS = "docs.jsonl"
WHO = "analyst"
TIME = re.compile(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\+00:00")


def list_sessions() -> list[str]:
    """List the names of the scripts."""
    return sorted(path.stem for path in JOURNALS.glob("*.json"))


def replay_session(name: str) -> dict[str, Any]:
    """Replay a script in a new project, and describe every run."""
    script = json.loads((JOURNALS / f"{name}.json").read_text(encoding="utf-8"))
    with tempfile.TemporaryDirectory() as folder:
        return Replay(prepare_options(script, Path(folder))).replay(script["acts"])


def prepare_options(script: Mapping[str, Any], folder: Path) -> list[object]:
    """Write the input of a session, and list the options of its studio."""
    posts = choose_posts(script["newsgroups"])
    kept = ("id", "text", "group") if "label" in script else ("id", "text")
    lines = [json.dumps({name: post[name] for name in kept}) for post in posts]
    (folder / DOCUMENTS).write_text("\n".join(lines) + "\n", encoding="utf-8")
    options: list[object] = [folder / DOCUMENTS, "--who", WHO]
    for name, value in script["options"].items():
        options += [f"--{name}", value]
    if "knowledge" in script:
        (folder / "knowledge.yaml").write_text(script["knowledge"], encoding="utf-8")
        options += ["--knowledge", folder / "knowledge.yaml"]
    if script.get("kb"):
        options += ["--kb", POSTS / "dbpedia.nt.gz"]
    if "label" in script:
        options += ["--label", script["label"]]
    return options


class Replay:
    """A session under way: the studio of these options, and what is recorded so far."""

    def __init__(self, options: list[object]) -> None:
        self._options = options
        self._refused: dict[str, int] = {}
        self._questions: list[dict[str, Any]] = []
        self._runs: list[dict[str, Any]] = []

    def replay(self, acts: list[dict[str, Any]]) -> dict[str, Any]:
        """Replay acts; the studio makes the first run by itself."""
        with ExitStack() as stack:
            studio = stack.enter_context(Studio(*self._options))
            self._record_runs(studio)
            for number, act in enumerate(acts):
                if act["act"] == "reopen":
                    stack.close()
                    studio = stack.enter_context(Studio(*self._options))
                else:
                    self._attempt(studio, number, act)
                self._record_runs(studio)
        return {"runs": self._runs, "questions": self._questions, "refused": self._refused}

    def _attempt(self, studio: Studio, number: int, act: Mapping[str, Any]) -> None:
        """Do one act; that it is refused is recorded as well."""
        try:
            self._do(studio, act)
        except RefusalError as error:
            self._refused[str(number)] = error.status

    def _do(self, studio: Studio, act: Mapping[str, Any]) -> None:
        match act["act"]:
            case "state":
                studio.state(act["kind"], act["body"])
            case "run":
                studio.cluster(act["request"])
            case "undo":
                studio.undo(act.get("statement"))
            case "redo":
                studio.redo()
            case "answer":
                self._questions.append(studio.answer(act["kinds"], act["answer"]))
            case "append":
                studio.append_text(act["text"])
            case other:
                raise ValueError(f"there is no act {other!r}")

    def _record_runs(self, studio: Studio) -> None:
        studio.wait()
        for run in studio.list_runs()[len(self._runs) :]:
            self._runs.append(describe_run(studio, run))


def describe_run(studio: Studio, run: Mapping[str, Any]) -> dict[str, Any]:
    """Describe a run: the groups of all documents, their names, and what became of everything stated."""
    number = run["number"]
    audit, groups = studio.read_audit(number), studio.read_groups(number)
    return {
        "method": run["method"],
        "started": run["started"],
        "labels": describe_labels(studio.read_labels(number)),
        "groups": {str(group["group"]): group["name"] for group in groups},
        "frozen": [group["group"] for group in groups if group["frozen"]],
        "stated": audit["counts"],
        "exemplars": audit["exemplars"],
        "statements": [
            f"{entry['kind']} {entry['status']} {entry['verdict']}" for entry in studio.list_statements()
        ],
        "text": hash_text(TIME.sub("then", studio.read_knowledge())),
    }


def reopen_project() -> dict[str, Any]:
    """Open a copy of the stored project, describe its runs as they are read, and cluster once more."""
    with tempfile.TemporaryDirectory() as folder:
        copy = Path(folder) / "copy"
        shutil.copytree(PROJECT, copy)
        with Studio(copy / DOCUMENTS) as studio:
            studio.wait()
            stored = [describe_run(studio, run) for run in studio.list_runs()]
            studio.cluster({})
            return {"stored": stored, "next": describe_run(studio, studio.list_runs()[-1])}


def store_project() -> None:
    """Make the stored project, unless it is there: a small corpus, some statements, and three runs.

    It stands for the projects that people have, so it is made again only for another format of projects.
    """
    if PROJECT.exists():
        return
    with tempfile.TemporaryDirectory(prefix="colligate-golden-") as folder:
        work_on_project(Path(folder))
        # the cookie of a browser that had access
        shutil.copytree(folder, PROJECT, ignore=shutil.ignore_patterns("access.json"))


def work_on_project(folder: Path) -> None:
    """Make a project in a folder, and work on it as an analyst does."""
    lines = [json.dumps(document) for document in write_documents()]
    (folder / DOCUMENTS).write_text("\n".join(lines) + "\n", encoding="utf-8")
    with Studio(folder / DOCUMENTS, "--who", WHO, "--method", "citcc", "--clusters", 3) as studio:
        studio.wait()
        studio.state("name", {"group": 0, "name": "first"})
        studio.state("label", {"documents": ["doc-00", "doc-03"], "group": 1})
        studio.state("outside", {"document": "doc-05"})
        studio.cluster({})
        studio.state("together", {"type": "documents", "items": ["doc-01", "doc-04"]})
        studio.state("category", {"name": "kitchen", "word": "flour"})
        studio.undo()
        studio.state("split", {"group": 2, "into": 2})
        studio.cluster({})


def write_documents() -> list[dict[str, str]]:
    """Write the documents of the stored project, of three subjects in turn."""
    subjects = (
        "orbit nasa shuttle moon launch rocket lunar satellite",
        "puck goalie playoff team ice skate league score",
        "bread butter oven flour recipe sugar dough yeast",
    )
    shared = ["people", "time", "year", "good"]
    documents = []
    for number in range(48):
        words = subjects[number % 3].split()
        chosen = [words[(number * step + step) % len(words)] for step in (1, 2, 3, 5, 7)]
        text = " ".join([*chosen, shared[number % 4], shared[number // 3 % 4]])
        documents.append({"id": f"doc-{number:02d}", "text": text})
    return documents
