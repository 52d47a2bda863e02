"""`colligate cluster --model`: a language model names the groups, the user agrees first, nothing is lost."""

from __future__ import annotations

import csv
import json
import re

import pytest
from typer.testing import CliRunner

from colligate._chat import KEY_VARIABLE
from colligate.cli.main import app
from colligate.result import Result
from tests.cli.conftest import TOPICS
from tests.questions.chat_server import refuse, say, serving
from tests.result.test_descriptions import know

QUICK = ("--model", "quick", "--retries", "0", "--timeout", "5")


@pytest.fixture
def server():
    with serving(know) as running:
        yield running


@pytest.fixture
def cluster(docs, tmp_path):
    def run(*options, out="run"):
        words = ["cluster", docs, "-k", 3, "--out", tmp_path / out, *options]
        return CliRunner().invoke(app, [str(word) for word in words], input="")

    return run


def read_names(folder):
    with (folder / "clusters.csv").open(encoding="utf-8", newline="") as stream:
        return [row["name"] for row in csv.DictReader(stream)]


def test_the_model_names_the_groups_everywhere(cluster, server, tmp_path):
    done = cluster("--name-with", server.url, *QUICK)
    assert done.exit_code == 0, done.output
    expected = {f"The topic {topic}" for topic in TOPICS}
    assert set(read_names(tmp_path / "run")) == expected
    assert set(Result.load(tmp_path / "run" / "model").group_names) == expected
    report = (tmp_path / "run" / "report.html").read_text(encoding="utf-8")
    assert all(name in report for name in expected)
    assert all(name in done.output for name in expected)
    assert "a server on this machine" in " ".join(done.stderr.split())
    record = json.loads((tmp_path / "run" / "run.json").read_text(encoding="utf-8"))
    assert record["groups"][0]["description"].startswith("Documents about")
    assert record["groups"][0]["named_by"].startswith("quick, prompt ")


def test_the_same_command_does_not_ask_again(cluster, server, tmp_path):
    cluster("--name-with", server.url, *QUICK)
    assert len(server.requests) == 3
    done = cluster("--name-with", server.url, *QUICK, "--overwrite")
    assert done.exit_code == 0, done.output
    assert len(server.requests) == 3
    assert set(read_names(tmp_path / "run")) == {f"The topic {topic}" for topic in TOPICS}


def test_a_damaged_cache_costs_a_warning(cluster, server, tmp_path):
    (tmp_path / "run").mkdir()
    (tmp_path / "run" / "names.json").write_text("{", encoding="utf-8")
    done = cluster("--name-with", server.url, *QUICK)
    assert done.exit_code == 0, done.output
    assert "cannot be read as names of groups; delete it" in " ".join(done.stderr.split())
    assert len(server.requests) == 3


@pytest.mark.parametrize(
    ("play", "message"),
    [
        (refuse(401, "bad key"), "refuses the request with 401"),
        (refuse(500, "broken"), "refuses the request with 500"),
        (say("no JSON"), "the reply of the model is no JSON with a name"),
    ],
)
def test_a_failing_server_costs_the_names_alone(cluster, tmp_path, play, message):
    with serving(play) as running:
        done = cluster("--name-with", running.url, *QUICK)
    assert done.exit_code == 0, done.output
    assert message in " ".join(done.stderr.split())
    cluster(out="plain")
    assert read_names(tmp_path / "run") == read_names(tmp_path / "plain")
    assert any(
        message in line for line in json.loads((tmp_path / "run" / "run.json").read_text())["warnings"]
    )


def test_a_server_that_is_down_costs_one_line(cluster, server, tmp_path):
    url = server.url
    server.stop()
    done = cluster("--name-with", url, *QUICK)
    assert done.exit_code == 0, done.output
    warnings = [line for line in done.stderr.splitlines() if line.startswith("warning:")]
    assert len(warnings) == 1
    assert re.search("groups keep their words as names: .* cannot be reached", warnings[0])
    assert (tmp_path / "run" / "report.html").is_file()


def test_texts_leave_the_machine_only_if_the_user_agrees(cluster, tmp_path):
    done = cluster("--name-with", "https://models.example/v1", *QUICK)
    assert done.exit_code == 1
    text = " ".join(done.stderr.split())
    assert "leave this machine. They go to models.example" in text
    assert "nothing was sent; to agree to send these texts, add --send-to-remote" in text
    assert not (tmp_path / "run").exists()


def test_with_consent_a_server_elsewhere_is_asked(cluster):
    # no such host: the request is made, and its failure costs the names alone
    done = cluster("--name-with", "http://models.invalid/v1", *QUICK, "--send-to-remote")
    assert done.exit_code == 0, done.output
    assert "http://models.invalid/v1/chat/completions" in done.stderr


@pytest.mark.parametrize(
    "options", [("--name-with", "http://localhost:1/v1"), ("--prompt", "p.txt"), ("--send-to-remote",)]
)
def test_options_without_a_model_are_refused(cluster, options):
    done = cluster(*options)
    assert done.exit_code == 1
    assert f"{options[0]} is for a language model; add --model NAME" in " ".join(done.stderr.split())


def test_the_key_is_sent_and_never_shown(cluster, monkeypatch):
    monkeypatch.setenv(KEY_VARIABLE, "sk-secret")
    with serving(refuse(401, "sk-secret is wrong")) as running:
        done = cluster("--name-with", running.url, *QUICK)
    assert running.keys == ["Bearer sk-secret"]
    assert "sk-secret" not in done.output + done.stderr


def test_the_prompt_can_be_printed_edited_and_used(cluster, server, tmp_path):
    printed = CliRunner().invoke(app, ["cluster", "--print-prompt"])
    assert printed.exit_code == 0
    assert "{words}" in printed.stdout
    prompt = tmp_path / "prompt.txt"
    prompt.write_text("On behalf of the editor. " + printed.stdout, encoding="utf-8")
    cluster("--name-with", server.url, *QUICK, "--prompt", prompt)
    assert all(text.startswith("On behalf of the editor. ") for text in server.prompts)
    prompt.write_text("Name it.", encoding="utf-8")
    done = cluster("--name-with", server.url, *QUICK, "--prompt", prompt, out="other")
    assert done.exit_code == 1
    assert "has neither {words} nor {documents}" in " ".join(done.stderr.split())


def test_what_was_not_counted_is_reported(tmp_path):
    path = tmp_path / "docs.csv"
    texts = [f"<p>moon orbit &amp; nasa {k}00</p>" for k in range(9)] + ["ice goalie puck"] * 9
    path.write_text("text\n" + "\n".join(texts) + "\n", encoding="utf-8")
    for options, said in (((), True), (("--keep-markup",), False)):
        words = ["cluster", path, "-k", 2, "--out", tmp_path / f"run{len(options)}", *options]
        done = CliRunner().invoke(app, [str(word) for word in words])
        assert done.exit_code == 0, done.output
        line = (
            "cleaned: not counted as words: HTML tags in 9 documents, HTML entities in 9 documents, "
            "numbers in 9 documents; --keep-markup counts them"
        )
        assert (line in " ".join(done.stderr.split())) is said
