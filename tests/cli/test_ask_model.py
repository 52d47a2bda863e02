"""`colligate ask --answer-with`: a model answers, the user agrees first, and answers survive everything."""

from __future__ import annotations

import os
import re
import sys

import numpy as np
import pytest
from typer.testing import CliRunner

from colligate._chat import KEY_VARIABLE
from colligate.cli.main import app
from colligate.knowledge import Knowledge
from colligate.result import Result
from tests.cli.conftest import TOPICS, topic_rows, write_rows
from tests.cli.test_ask import _until
from tests.questions.chat_server import in_turn, know, refuse, say, serving

QUICK = ("--model", "quick", "--retries", "0", "--timeout", "2")
KEY = "sk-not-to-be-seen"


@pytest.fixture
def server():
    with serving(know(TOPICS)) as running:
        yield running


@pytest.fixture
def ask(run_folder, server):
    def asked(*options, yes=True):
        words = [
            "ask",
            run_folder,
            "--answer-with",
            server.url,
            *QUICK,
            *options,
            *(["--yes"] if yes else []),
        ]
        return CliRunner().invoke(app, [str(word) for word in words], input="")

    return asked


def answers_of(run_folder):
    return run_folder.with_name(run_folder.name + ".answers.yaml")


def by_model(path):
    return [row for row in Knowledge.read(path) if row.source == "model:quick"]


def test_a_model_answers_and_its_answers_have_their_own_source(ask, server, run_folder):
    before = Result.load(run_folder / "model").compiled.statements
    done = ask("--most", 9)
    assert done.exit_code == 0, done.output
    assert len(server.requests) == 9
    assert "model:quick: 9 answered" in done.stderr
    rows = list(Knowledge.read(answers_of(run_folder)))
    assert len(by_model(answers_of(run_folder))) == 9
    others = [row for row in rows if not row.source.startswith("model:quick")]
    assert len(others) == len(before)
    topics = {"s": "space", "h": "hockey", "f": "food"}
    assert all(
        (topics[row.subject[0]] == topics[str(row.object)[0]]) == (row.kind == "together")
        for row in by_model(answers_of(run_folder))
        if row.kind in ("together", "apart") and row.type == "documents"
    )


def test_the_user_is_told_where_texts_go_and_must_agree(ask, server, run_folder):
    done = ask("--most", 3, yes=False)
    assert done.exit_code == 1
    assert "a server on this machine" in done.stderr
    assert "up to 3 questions" in done.stderr
    assert "nothing was sent; to agree to send these texts, add --yes" in done.stderr
    assert not server.requests
    assert not answers_of(run_folder).exists()


@pytest.mark.slow
@pytest.mark.skipif(sys.platform == "win32", reason="there is no pty")
@pytest.mark.parametrize("agreed", [False, True])
def test_in_a_terminal_the_user_is_asked(run_folder, server, agreed):
    import pty

    child, terminal = pty.fork()
    if child == 0:
        words = ["ask", str(run_folder), "--answer-with", server.url, *QUICK, "--most", "1"]
        os.execv(sys.executable, [sys.executable, "-m", "colligate", *words])
    _until(terminal, b"Send these texts? [y/N]")
    assert not server.requests
    os.write(terminal, b"y\n" if agreed else b"\n")
    _until(terminal, b"1 answer is in" if agreed else b"nothing was sent")
    _, status = os.waitpid(child, 0)
    os.close(terminal)
    assert os.waitstatus_to_exitcode(status) == (0 if agreed else 130)
    assert len(server.requests) == agreed


def test_the_same_answers_give_the_same_file(ask, run_folder, server, tmp_path):
    paths = [tmp_path / "one.yaml", tmp_path / "two.yaml"]
    for path in paths:
        server.play = know(TOPICS, wrong=lambda number: number % 4 == 3)
        assert ask("--most", 12, "--answers", path).exit_code == 0
        assert b"an answer of" not in path.read_bytes()
    assert paths[0].read_bytes() == paths[1].read_bytes()


def test_a_later_call_goes_on_where_the_last_one_ended(ask, run_folder, server):
    ask("--most", 4, "--kind", "label")
    first = by_model(answers_of(run_folder))
    done = ask("--most", 4, "--kind", "label")
    assert done.exit_code == 0, done.output
    second = by_model(answers_of(run_folder))
    assert {row.subject for row in first} < {row.subject for row in second}
    assert len(second) == 8
    assert len(set(server.prompts)) == 8


def test_there_is_a_limit_without_the_option(ask, server):
    done = ask()
    assert "up to 50 questions" in done.stderr
    assert len(server.requests) <= 50


def test_rubbish_is_skipped_and_states_nothing(ask, server, run_folder):
    server.play = say("It depends! Perhaps 1, or yes.")
    done = ask("--most", 4)
    assert done.exit_code == 0, done.output
    assert "model:quick: 4 skipped by the model" in done.stderr
    assert "no answers; nothing was written" in done.stderr
    assert not answers_of(run_folder).exists()


def test_one_failure_skips_a_question_and_three_in_a_row_stop(ask, server, run_folder):
    broken = refuse(500, "out of memory")
    server.play = in_turn(broken, broken, know(TOPICS), broken, broken, broken)
    done = ask("--most", 20, "--kind", "label")
    assert done.exit_code == 1
    assert len(server.requests) == 6
    assert done.stderr.count("is skipped") == 4
    assert "model:quick: 1 answered, 5 failed" in done.stderr
    assert f"The answers so far are in {answers_of(run_folder)}" in done.stderr
    assert len(by_model(answers_of(run_folder))) == 1


def test_a_failure_of_every_question_stops_at_once(ask, server, run_folder):
    server.play = refuse(401, "who are you?")
    done = ask("--most", 20)
    assert done.exit_code == 1
    assert len(server.requests) == 1
    assert KEY_VARIABLE in done.stderr
    assert not answers_of(run_folder).exists()


def test_a_contradiction_is_not_stated(ask, server, run_folder, tmp_path):
    path = tmp_path / "mine.yaml"
    others = [f"{topic}{number}" for topic in "shf" for number in range(12) if topic + str(number) != "s2"]
    Knowledge().label({"s2": "space", "h2": "hockey"}).apart(
        documents=[("s2", name) for name in others]
    ).write(path)
    before = path.read_bytes()
    always_space = re.compile(r"^(\d): space", re.MULTILINE)
    server.play = lambda handler, prompt: say(always_space.search(prompt)[1])(handler, prompt)
    done = ask("--most", 1, "--kind", "label", "--answers", path)
    assert done.exit_code == 0, done.output
    assert "1 refused as contradictions" in done.stderr
    assert path.read_bytes() == before


def test_the_user_overrules_a_model(run_folder, tmp_path):
    path = tmp_path / "mine.yaml"
    others = [f"{topic}{number}" for topic in "shf" for number in range(12) if topic + str(number) != "s2"]
    knowledge = Knowledge().label({"s2": "space", "h2": "hockey"})
    knowledge.apart(documents=[("s2", name) for name in others], source="model:quick").write(path)
    before = path.read_bytes()

    def answer(*lines):
        words = ["ask", str(run_folder), "--kind", "label", "--answers", str(path)]
        return CliRunner().invoke(app, words, input="\n".join(lines) + "\n")

    undone = answer("m", "space", "u", "q")
    assert "your answer overrules a language model" in undone.stderr, undone.output
    assert path.read_bytes() == before
    assert answer("m", "space", "q").exit_code == 0
    rows = list(Knowledge.read(path))
    assert len(by_model(path)) == len(others) - 1
    assert sum(row.kind == "label" and row.object == "space" for row in rows) == 2


def test_the_key_is_in_no_file_and_in_no_output(ask, server, run_folder, tmp_path, monkeypatch):
    monkeypatch.setenv("MY_KEY", KEY)
    server.play = in_turn(know(TOPICS), know(TOPICS), refuse(403, f"wrong key: {KEY}"))
    done = ask("--most", 5, "--key-variable", "MY_KEY")
    assert server.keys[0] == f"Bearer {KEY}"
    assert done.exit_code == 1
    assert "MY_KEY" in done.stderr
    assert KEY not in done.output
    written = [path for path in run_folder.parent.rglob("*") if path.is_file()]
    assert answers_of(run_folder) in written
    assert not any(KEY.encode() in path.read_bytes() for path in written)


@pytest.mark.parametrize("options", [("--model", "quick"), ("--answer-with", "http://localhost/v1")])
def test_address_and_name_belong_together(call, run_folder, options):
    done = call("ask", run_folder, *options)
    assert done.exit_code == 1
    assert "a model that answers has an address and a name; add --" in done.stderr


def test_a_model_is_trusted_as_far_as_it_earns_it(call, tmp_path, server):
    """Beside a user who is right, a model that is wrong in one answer of four gets less trust."""
    rows = topic_rows(per_topic=60)
    docs = write_rows(tmp_path / "docs.csv", rows, ("id", "label", "text"))
    known = tmp_path / "user.yaml"
    Knowledge().label({id: topic for id, topic, _ in rows[::6]}).write(known)
    run, out = tmp_path / "run", tmp_path / "after"
    assert call("cluster", docs, "--clusters", 3, "--knowledge", known, "--out", run).exit_code == 0
    server.play = know(TOPICS, wrong=lambda number: number % 4 == 3)
    options = ("--yes", "--kind", "label", "--most", 40, "--out", out)
    done = call("ask", run, "--answer-with", server.url, *QUICK, *options)
    assert done.exit_code == 0, done.output
    trust = {source.source: source.trust for source in Result.load(out).audit().sources()}
    assert trust.keys() == {str(known), "model:quick"}
    assert trust[str(known)] > 0.95
    assert trust["model:quick"] < trust[str(known)] - 0.1
    again, path = tmp_path / "again", tmp_path / "run.answers.yaml"
    assert call("cluster", docs, "--clusters", 3, "--knowledge", path, "--out", again).exit_code == 0
    result = Result.load(again / "model")
    by_source = {source.source: source for source in result.audit().sources()}
    assert by_source["model:quick"].statements == 40
    assert by_source["model:quick"].trust < by_source[str(path)].trust - 0.1
    right = np.array([row.subject[0] == str(row.object)[0] for row in result.compiled.statements])
    model = np.array([row.source == "model:quick" for row in result.compiled.statements])
    assert result.trust[model & ~right].mean() < 0.5 < result.trust[model & right].mean()
