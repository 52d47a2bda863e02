"""`colligate studio` as a process of its own."""

from __future__ import annotations

import getpass
import os
import signal
import subprocess
import sys
import time
from functools import cached_property
from pathlib import Path

import pytest
from typer.testing import CliRunner

from colligate.cli.main import app
from colligate.cli.studio import choose_folder
from tests.questions.chat_server import serving
from tests.studio.helpers import TOPICS, WAIT, Client, make_project, write_corpus
from tests.studio.test_model_names import name

pytestmark = pytest.mark.slow


class Studio:
    """A studio that was started by its command."""

    def __init__(self, *arguments: object) -> None:
        command = [sys.executable, "-m", "colligate", "studio", *map(str, arguments), "--no-browser"]
        self.process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
        assert self.process.stdout is not None
        self.address = self.process.stdout.readline().strip()

    @cached_property
    def client(self) -> Client:
        """A client, which uses the address up."""
        return Client(self.address)

    def end(self, number: int) -> tuple[int, str]:
        self.process.send_signal(number)
        _, told = self.process.communicate(timeout=WAIT)
        return self.process.returncode, told


def wait_for_run(client: Client) -> None:
    deadline = time.monotonic() + WAIT
    while client.get("/api/project")["current"] is None:
        assert time.monotonic() < deadline
        time.sleep(0.1)


def workers_of(pid: int) -> list[int]:
    found = subprocess.run(["ps", "-o", "pid=", "--ppid", str(pid)], capture_output=True, text=True)
    return [int(line) for line in found.stdout.split()]


def test_a_session_survives_ctrl_c_and_kill(tmp_path):
    docs, knowledge = write_corpus(tmp_path / "docs.jsonl"), tmp_path / "knowledge.yaml"
    knowledge.write_text("documents: {labels: {s0: sky}}\n", encoding="utf-8")
    first = Studio(docs, "--knowledge", knowledge)
    assert first.address.startswith("http://127.0.0.1:")
    wait_for_run(first.client)
    assert first.client.get("/api/project")["n_clusters"] == 5
    first.client.send("POST", "/api/statements", {"kind": "outside", "body": {"document": "c3"}}, 201)
    code, told = first.end(signal.SIGINT)
    assert code == 0, told
    assert "everything is saved in" in told

    second = Studio(docs)
    groups = second.client.get("/api/runs/1/groups")
    assert "c3" in second.client.get("/api/knowledge")["text"]
    assert "sky" in second.client.get("/api/knowledge")["text"]
    assert all(entry["who"] == getpass.getuser() for entry in second.client.get("/api/statements"))
    second.client.send("POST", "/api/runs", {"fresh": True}, 202)
    workers = workers_of(second.process.pid)
    assert workers
    second.end(signal.SIGKILL)
    deadline = time.monotonic() + WAIT
    while any(os.path.exists(f"/proc/{worker}") for worker in workers):  # noqa: PTH110
        assert time.monotonic() < deadline, "the worker of a killed studio is still there"
        time.sleep(0.1)

    third = Studio(docs)
    assert third.client.get("/api/runs/1/groups") == groups
    assert third.client.get("/api/jobs")[-1]["status"] == "failed"
    third.end(signal.SIGTERM)


def test_a_model_names_the_groups_and_markup_can_be_kept(tmp_path):
    docs = write_corpus(tmp_path / "docs.jsonl")
    with serving(name) as server:
        studio = Studio(
            docs, "-k", 4, "--model", "quick", "--name-with", server.url, "--keep-markup", "--retries", 0
        )
        wait_for_run(studio.client)
        groups = studio.client.get("/api/runs/1/groups")
        command = studio.client.get("/api/runs")[0]["command"]
        _, told = studio.end(signal.SIGINT)
    assert {group["name"] for group in groups} == {f"All about {topic}" for topic in TOPICS}
    assert "--keep-markup" in command
    assert "a server on this machine" in " ".join(told.split())
    assert "not counted" not in told
    settings = (tmp_path / "docs.jsonl.studio" / "project.json").read_text(encoding="utf-8")
    assert server.url not in settings


def test_a_server_elsewhere_needs_consent(tmp_path, call):
    docs = write_corpus(tmp_path / "docs.jsonl")
    done = call(docs, "--model", "quick", "--name-with", "https://models.example/v1")
    assert done.exit_code == 1
    assert "nothing was sent; to agree to send these texts, add --send-to-remote" in " ".join(
        done.output.split()
    )
    assert not (tmp_path / "docs.jsonl.studio").exists()


@pytest.fixture
def call():
    return lambda *arguments: CliRunner().invoke(app, ["studio", *map(str, arguments), "--no-browser"])


def test_documents_that_changed_are_refused(tmp_path, call):
    make_project(tmp_path).close()
    docs = tmp_path / "docs.jsonl"
    docs.write_text(docs.read_text(encoding="utf-8") + '{"id": "new", "text": "more"}\n', encoding="utf-8")
    done = call(docs)
    assert done.exit_code == 3
    assert "has changed since the project" in done.output


def test_other_knowledge_is_refused_on_an_existing_project(tmp_path, call):
    make_project(tmp_path).close()
    knowledge = tmp_path / "knowledge.yaml"
    knowledge.write_text("documents: {labels: {s0: sky}}\n", encoding="utf-8")
    done = call(tmp_path / "docs.jsonl", "--knowledge", knowledge)
    assert done.exit_code == 3
    assert "made with other knowledge" in done.output


def test_a_start_that_is_no_start_is_told_by_the_command_line(tmp_path):
    docs, start = write_corpus(tmp_path / "docs.jsonl"), tmp_path / "start.json"
    start.write_text("{}", encoding="utf-8")
    out = tmp_path / "out"
    words = ["cluster", str(docs), "--clusters", "4", "--start", str(start), "--out", str(out)]
    done = CliRunner().invoke(app, words)
    assert done.exit_code == 1
    assert "is not a start file" in done.output
    assert not out.exists()


def test_a_project_lies_beside_its_input(tmp_path, monkeypatch):
    (tmp_path / "texts" / "deep").mkdir(parents=True)
    monkeypatch.chdir(tmp_path / "texts" / "deep")
    assert choose_folder(Path("a.csv"), None) == tmp_path / "texts" / "deep" / "a.csv.studio"
    assert choose_folder(Path(), None) == tmp_path / "texts" / "deep.studio"
    assert choose_folder(Path(".."), None) == tmp_path / "texts.studio"
    assert choose_folder(Path("a.csv"), Path("mine")) == Path("mine")


def test_an_unknown_method_is_told_before_anything_is_read(tmp_path, call):
    done = call(tmp_path / "missing.jsonl", "--method", "no-such")
    assert done.exit_code == 1
    assert "there is no method 'no-such'" in done.output
    assert list(tmp_path.iterdir()) == []


def test_a_second_studio_on_the_same_project_is_refused(tmp_path, call):
    project = make_project(tmp_path)
    done = call(tmp_path / "docs.jsonl")
    project.close()
    assert done.exit_code == 3
    assert "another studio" in done.output
