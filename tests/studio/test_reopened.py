"""Options of the command line for a project that is there: used for a new run, or refused by name."""

from __future__ import annotations

import json
import signal
import socket
import time

import pytest
import typer
from typer.testing import CliRunner

import colligate as cg
from colligate.cli.console import Watch
from colligate.cli.main import app
from colligate.cli.studio import open_project
from colligate.errors import ColligateError
from colligate.methods.suggestion import suggest_clusters
from colligate.progress import ignore_events
from colligate.studio.project import Project
from tests.studio.helpers import WAIT, Watched, make_project, write_corpus
from tests.studio.test_command import Studio, wait_for_run


@pytest.fixture
def docs(tmp_path):
    """The input of a project of citcc, four groups and seed 0, which is closed."""
    make_project(tmp_path).close()
    return tmp_path / "docs.jsonl"


def opened(docs, *options):
    """The project after it was opened with these options, and the run they ask for."""
    command = typer.main.get_command(app).commands["studio"]
    context = command.make_context("studio", [str(docs), *options])
    project, asked = open_project(docs.with_name("docs.jsonl.studio"), context, Watch(ignore_events))
    project.close()
    return project, asked


def test_the_same_options_ask_for_nothing(docs):
    assert opened(docs)[1] is None
    assert opened(docs, "-m", "citcc", "-k", "4", "--seed", "0")[1] is None


@pytest.mark.slow
@pytest.mark.parametrize(
    ("options", "asked", "setting"),
    [
        (["--method", "kmeans"], {"method": "kmeans"}, ("kmeans", 4, 0)),
        (["-k", "3"], {"n_clusters": 3}, ("citcc", 3, 0)),
        (["--seed", "5"], {}, ("citcc", 4, 5)),
    ],
)
def test_what_differs_is_used_for_a_fresh_run_once(docs, options, asked, setting, capsys):
    project, found = opened(docs, *options)
    assert found == {"fresh": True, **asked}
    assert "clustering again with the changed options" in capsys.readouterr().err
    kept = Project(project.folder)
    kept.close()
    assert (kept.settings.method, kept.settings.n_clusters, kept.settings.seed) == setting
    assert opened(docs)[1] == found  # nothing was made of it yet
    kept = Watched(Project(project.folder))
    assert kept.run(**found)["status"] == "done"
    kept.session.close()
    assert opened(docs, *options)[1] is None


def test_the_suggested_number_is_used_once(docs):
    project, asked = opened(docs, "-k", "auto")
    suggestion = suggest_clusters(project.network)
    suggested = suggestion.n_clusters
    assert (project.settings.suggestion, project.settings.n_clusters) == (str(suggestion), suggested)
    assert asked == (None if suggested == 4 else {"fresh": True, "n_clusters": suggested})
    assert opened(docs, "-k", "auto")[1] == asked


def test_no_fewer_groups_are_suggested_than_knowledge_names(tmp_path):
    names = [f"group {number}" for number in range(40)]
    text = "categories:\n" + "".join(f"  {name}:\n    words: [word{name[6:]}]\n" for name in names)
    make_project(tmp_path, text).close()
    project, _ = opened(tmp_path / "docs.jsonl", "-k", "auto")
    assert project.settings.n_clusters == 40


def test_known_labels_are_taken_in_later(docs):
    rows = [json.loads(line) for line in docs.read_text(encoding="utf-8").splitlines()]
    project, asked = opened(docs, "--label", "id")
    assert asked is None
    assert project.labels.tolist() == [row["id"] for row in rows]


@pytest.mark.parametrize(
    ("options", "match"),
    [
        (["--text", "title"], "was made with another --text"),
        (["--id", "number"], "was made with another --id"),
        (["--encoding", "latin-1"], "was made with another --encoding"),
        (["--keep-markup"], "was made with another --keep-markup"),
        (["--stop-words", "de"], "was made with another --stop-words"),
        (["--ngrams", "1-2"], "was made with another --ngrams"),
        (["--method", "no-such"], "there is no method 'no-such'"),
    ],
)
def test_what_cannot_be_used_is_refused_by_name(docs, options, match):
    with pytest.raises(ColligateError, match=match):
        opened(docs, *options)
    assert opened(docs)[1] is None


@pytest.mark.parametrize(
    ("number", "match"), [("0", "at least one group"), ("many", "must be a whole number")]
)
def test_a_number_that_is_none_is_told(docs, number, match):
    done = CliRunner().invoke(app, ["studio", str(docs), "-k", number, "--no-browser"])
    assert done.exit_code == 2
    assert match in done.output


@pytest.mark.slow
def test_a_port_in_use_does_not_lose_the_run_that_was_asked_for(docs):
    first = Watched(Project(docs.with_name("docs.jsonl.studio")))
    assert first.run()["status"] == "done"
    first.session.close()
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = str(taken.getsockname()[1])
        options = ["--seed", "5", "-k", "3", "--port", port, "--no-browser"]
        done = CliRunner().invoke(app, ["studio", str(docs), *options])
    assert done.exit_code != 0
    assert "cannot be used" in done.output
    second = Studio(docs)
    wait_until(lambda: second.client.get("/api/project")["current"] == 2)
    assert second.client.get("/api/runs")[-1]["parameters"] == {"n_clusters": 3, "random_state": 5}
    second.end(signal.SIGINT)
    assert opened(docs)[1] is None


def wait_until(is_so):
    deadline = time.monotonic() + WAIT
    while not is_so():
        assert time.monotonic() < deadline
        time.sleep(0.1)


@pytest.mark.slow
def test_a_command_with_other_options_clusters_by_them_and_notes_who(tmp_path, monkeypatch):
    docs, body = write_corpus(tmp_path / "docs.jsonl"), {"kind": "outside", "body": {"document": "c3"}}
    monkeypatch.setenv("LOGNAME", "grace")
    first = Studio(docs, "-k", "auto", "--method", "kmeans")
    wait_for_run(first.client)
    project = first.client.get("/api/project")
    assert project["n_clusters"] == suggest_clusters(cg.Corpus.read(docs)).n_clusters
    assert first.client.send("POST", "/api/statements", body, 201)["who"] == "grace"
    first.end(signal.SIGINT)

    second = Studio(docs, "-k", "3", "--method", "citcc", "--seed", "5", "--who", "Ada")
    wait_until(lambda: second.client.get("/api/project")["current"] == 2)
    made = second.client.get("/api/runs")[-1]
    assert (made["method"], made["parameters"], made["started"]) == (
        "citcc",
        {"n_clusters": 3, "random_state": 5},
        False,
    )
    assert second.client.send("POST", "/api/statements", body, 201)["who"] == "Ada"
    assert ", Ada" in second.client.get("/api/knowledge")["text"]
    code, told = second.end(signal.SIGINT)
    assert code == 0
    assert "citcc, 3 groups, seed 5" in told
