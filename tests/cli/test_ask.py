"""`colligate ask`: answers by line from a pipe, and by single keys in a real terminal."""

from __future__ import annotations

import os
import select
import sys
import time
from functools import partial
from string import ascii_lowercase

import numpy as np
import pytest
from typer.testing import CliRunner

from colligate.cli.main import app
from colligate.knowledge import Knowledge
from colligate.result import Result
from tests.cli.conftest import topic_rows, write_rows

WAIT = 60.0
STANDS = "(stands for its group)"


def statements(path):
    return [(row.kind, str(row.subject), str(row.object)) for row in Knowledge.read(path)]


@pytest.fixture
def ask(run_folder):
    def asked(answers, *options, run=run_folder):
        words = [str(word) for word in ("ask", run, *options)]
        return CliRunner().invoke(app, words, input="\n".join(answers) + "\n")

    return asked


@pytest.fixture(scope="module")
def shared_word_run(call, tmp_path_factory):
    """The folder of a run on documents where two topics share a word, which can be asked about."""
    folder = tmp_path_factory.mktemp("shared")
    rows = [(*row, text + " ice" * (topic == "space")) for *row, topic, text in map(list, topic_rows())]
    docs = write_rows(folder / "docs.csv", rows, ("id", "text"))
    done = call("cluster", docs, "--clusters", 3, "--out", folder / "run", "--restarts", 3)
    assert done.exit_code == 0, done.output
    return folder / "run"


def answers_of(run_folder):
    return run_folder.with_name(run_folder.name + ".answers.yaml")


def test_answers_are_added_to_what_the_run_was_told(ask, run_folder):
    told = Result.load(run_folder / "model").compiled.statements
    done = ask(["a", "y", "s", "q"])
    assert done.exit_code == 0, done.output
    found = [row for row in Knowledge.read(answers_of(run_folder)) if not row.note.endswith(STANDS)]
    assert len(found) == len(told) + 2
    assert "Which group is this word about?" in done.stdout
    assert "2 answers are in" in done.stderr


def test_a_later_sitting_goes_on_where_the_last_one_ended(ask, run_folder):
    ask(["a", "q"], "--kind", "label")
    first = statements(answers_of(run_folder))
    done = ask(["a", "q"], "--kind", "label")
    assert done.exit_code == 0, done.output
    second = statements(answers_of(run_folder))
    assert set(first) < set(second)


def test_undo_takes_the_last_answer_back(ask, tmp_path):
    path = tmp_path / "mine.yaml"
    ask(["a", "u", "a", "q"], "--kind", "label", "--answers", path)
    assert sum(kind == "label" for kind, _, _ in statements(path)) == 1 + 2  # those of the run are two


def test_a_group_can_be_named_and_a_question_skipped(ask, tmp_path):
    path = tmp_path / "mine.yaml"
    done = ask(["s", "m", "winter sports", "q"], "--kind", "label", "--answers", path)
    assert done.exit_code == 0, done.output
    assert "winter sports" in {label for _, _, label in statements(path)}
    assert "winter sports is a new label" in done.stderr


def test_more_labels_than_groups_are_told(ask, tmp_path):
    names = ["one", "two", "three"]
    done = ask([line for name in names for line in ("m", name)] + ["q"], "--kind", "label")
    assert "5 labels now share 3 groups" in done.stderr
    again = ask(["m", "ONE", "q"], "--kind", "label")
    assert "the answer is one, a label" in again.stderr


def test_a_group_is_named_by_its_number_or_by_its_name(ask, run_folder, tmp_path):
    for given in ("0", "SPACE"):
        path = tmp_path / f"{given}.yaml"
        done = ask(["m", given, "q"], "--kind", "label", "--answers", path)
        assert "the answer is group 0, space" in done.stderr, done.output
        assert [label for kind, _, label in statements(path) if kind == "label"].count("space") == 2


def test_an_empty_name_is_no_answer(ask, run_folder):
    done = ask(["m", "", "q"], "--kind", "label")
    assert "you did not type a group" in done.stderr
    assert not answers_of(run_folder).exists()


@pytest.mark.parametrize("kind", ["label", "pair", "word"])
def test_the_keys_that_are_offered_are_the_keys_that_are_taken(
    ask, run_folder, shared_word_run, tmp_path, kind
):
    ask = partial(ask, run=shared_word_run if kind == "word" else run_folder)
    line = ask(["q"], "--kind", kind).stdout.strip().splitlines()[-1]
    keys = [key for part in line.split("   ") for key in part.split(":")[0].split()]
    assert len(keys) == len(set(keys))
    assert ("m" in keys) == (kind != "pair")
    others = sorted(set(ascii_lowercase) - set(keys))
    refused = ask([*others, "q"], "--kind", kind, "--answers", tmp_path / "none.yaml").stderr
    assert [key for key in ascii_lowercase if f"{key!r} is not an answer" in refused] == others
    assert not (tmp_path / "none.yaml").exists()
    for key in keys:
        taken = ask([key, "a name", "q"], "--kind", kind, "--answers", tmp_path / f"{key}.yaml")
        assert taken.exit_code == 0, taken.output
        assert f"{key!r} is not an answer" not in taken.stderr


def test_not_in_the_first_group_is_an_answer(ask, run_folder, tmp_path):
    path = tmp_path / "mine.yaml"
    done = ask(["n", "q"], "--kind", "label", "--answers", path)
    assert "1 answer is in" in done.stderr, done.output
    told = Result.load(run_folder / "model").compiled.statements
    assert len(statements(path)) == len(told) + 1
    assert sum(kind == "apart" for kind, _, _ in statements(path)) == 2


def test_who_stands_for_a_group_is_told_apart_from_the_answers(ask, run_folder, tmp_path):
    path = tmp_path / "mine.yaml"
    numbers = _unnamed(run_folder)
    done = ask(["m", str(numbers[0]), "q"], "--kind", "label", "--answers", path)
    assert "5 typical documents of this group also get the label" in done.stderr, done.output
    assert "1 answer is in" in done.stderr
    assert "with labels for 5 typical documents of the groups" in done.stderr
    assert sum(row.note.endswith(STANDS) for row in Knowledge.read(path)) == 5
    undone = ask(["m", str(numbers[0]), "u", "q"], "--kind", "label", "--answers", tmp_path / "other.yaml")
    assert undone.exit_code == 0, undone.output
    assert not any(row.note.endswith(STANDS) for row in Knowledge.read(tmp_path / "other.yaml"))


def test_yes_to_a_word_labels_typical_documents_of_a_group_without_a_name(ask, shared_word_run, tmp_path):
    """Before, the category had one word, and a fresh start gave its name to any group that fits the word."""
    path = tmp_path / "mine.yaml"
    done = ask(["y", "q"], "--kind", "word", "--answers", path, run=shared_word_run)
    assert "5 typical documents of this group also get the label" in done.stderr, done.output
    rows = list(Knowledge.read(path))
    assert sorted(row.kind for row in rows) == ["category"] + 5 * ["label"]
    assert len({row.object for row in rows}) == 1


def test_groups_keep_their_numbers_when_they_are_clustered_again(call, docs, tmp_path):
    run, out = tmp_path / "untold", tmp_path / "after"
    assert call("cluster", docs, "--clusters", 3, "--out", run).exit_code == 0
    words = ["ask", str(run), "--kind", "label", "--out", str(out)]
    done = CliRunner().invoke(app, words, input="m\n2\nc\nm\n\nq\n")
    assert done.exit_code == 0, done.output
    shown = [line for line in done.stdout.splitlines() if line.startswith("group ")]
    first, second = (_by_number(shown[start : start + 3]) for start in (0, 3))
    assert first.keys() == second.keys() == {0, 1, 2}
    assert all(len(words & second[number]) >= 3 for number, words in first.items())
    before, after = (Result.load(place) for place in (run / "model", out))
    groups = [result.numbers_of(result.labels["documents"]) for result in (before, after)]
    assert np.mean(groups[0] == groups[1]) > 0.9


def test_questions_about_groups_that_were_are_not_asked(ask, tmp_path):
    path = tmp_path / "mine.yaml"
    kinds = ("--kind", "label", "--kind", "pair", "--answers", path)
    ask(["a", "q"], *kinds)
    done = ask(["c", "q"], *kinds)
    assert "Clustered again" in done.stdout
    assert "2. Which group does this document belong to?" in done.stdout


def _unnamed(run_folder):
    """The groups that the knowledge of the run does not name."""
    result = Result.load(run_folder / "model")
    return [number for number, name in enumerate(result.group_names) if ": " not in name]


def _by_number(lines):
    return {int(line.split()[1]): set(line.replace(",", "").split()[2:]) for line in lines}


def test_what_is_no_answer_is_told_and_changes_nothing(ask, run_folder):
    done = ask(["7", "", "q"], "--kind", "pair")
    assert "'7' is not an answer" in done.stderr
    assert not answers_of(run_folder).exists()
    assert "no answers" in done.stderr


def test_clustering_again_is_told_and_can_be_kept(ask, run_folder, tmp_path):
    done = ask(["a", "c", "a", "q"], "--kind", "label", "--out", tmp_path / "after")
    assert done.exit_code == 0, done.output
    assert done.stdout.count("Clustered again") == 2
    after = Result.load(tmp_path / "after")
    assert len(after.compiled) == len(statements(answers_of(run_folder)))
    assert after.corpus is not None


def test_an_answer_in_place_of_one_taken_back_is_in_the_result(ask, tmp_path):
    path = tmp_path / "mine.yaml"
    ask(["a", "c", "u", "b", "q"], "--kind", "label", "--answers", path, "--out", tmp_path / "after")
    after = Result.load(tmp_path / "after").compiled.statements
    assert {(row.kind, str(row.subject), str(row.object)) for row in after} == set(statements(path))


def test_answers_of_an_earlier_sitting_are_clustered_with(ask, tmp_path):
    path = tmp_path / "mine.yaml"
    ask(["a", "q"], "--kind", "label", "--answers", path)
    done = ask(["q"], "--kind", "label", "--answers", path, "--out", tmp_path / "after")
    assert done.exit_code == 0, done.output
    assert "Clustered again" in done.stdout
    assert len(Result.load(tmp_path / "after").compiled) == len(statements(path))


def test_it_ends_after_as_many_as_were_asked_for(ask):
    done = ask(["s"] * 20, "--most", "4")
    assert "4. " in done.stdout
    assert "5. " not in done.stdout


def test_a_file_with_comments_is_not_written_over(ask, tmp_path):
    path = tmp_path / "mine.yaml"
    path.write_text("# what I know\ncategories:\n  space: [orbit]\n", encoding="utf-8")
    done = ask(["a"], "--answers", path)
    assert done.exit_code == 3
    assert "mine.yaml:1: the file has comments, and writing answers would delete them" in done.stderr
    assert path.read_text(encoding="utf-8").startswith("# what I know")


def test_a_folder_that_is_there_is_not_written_to(ask, tmp_path):
    done = ask(["q"], "--out", tmp_path)
    assert done.exit_code == 3
    assert "already exists" in done.stderr


def test_a_contradiction_is_told_and_not_written(ask, tmp_path):
    path = tmp_path / "mine.yaml"
    others = [f"{topic}{number}" for topic in "shf" for number in range(12) if topic + str(number) != "s2"]
    Knowledge().label({"s2": "space", "h2": "hockey"}).apart(
        documents=[("s2", name) for name in others]
    ).write(path)
    before = path.read_text(encoding="utf-8")
    done = ask(["m", "space", "q"], "--kind", "label", "--answers", path)
    assert done.exit_code == 0, done.output
    assert "this answer contradicts earlier statements" in done.stderr
    assert path.read_text(encoding="utf-8") == before


@pytest.mark.slow
@pytest.mark.skipif(sys.platform == "win32", reason="there is no pty")
def test_single_keys_in_a_terminal(run_folder):
    child, terminal = _asking(run_folder, "--kind", "label", "--kind", "pair")
    seen = _until(terminal, b"1. Which group")
    os.write(terminal, b"a")
    seen = _until(terminal, b"2. Do these two belong together?")
    os.write(terminal, b"y")
    _until(terminal, b"3. ")
    os.write(terminal, b"q")
    seen = _until(terminal, b"2 answers are in")
    _, status = os.waitpid(child, 0)
    os.close(terminal)
    assert os.waitstatus_to_exitcode(status) == 0, seen
    assert len(statements(answers_of(run_folder))) > 2


@pytest.mark.slow
@pytest.mark.skipif(sys.platform == "win32", reason="there is no pty")
def test_keys_pressed_before_a_question_is_seen_do_not_answer_it(run_folder):
    """What is pressed while the command starts, and while it clusters again, is passed over."""
    child, terminal = _asking(run_folder, "--kind", "pair")
    os.write(terminal, b"yyyy")
    _until(terminal, b"1. Do these two")
    os.write(terminal, b"y")
    _until(terminal, b"2. Do these two")
    os.write(terminal, b"cyyyy")
    assert b"clustering again" in _until(terminal, b"3. Do these two")
    time.sleep(0.5)
    os.write(terminal, b"q")
    seen = _until(terminal, b"1 answer is in")
    os.waitpid(child, 0)
    os.close(terminal)
    assert b"4. " not in seen


@pytest.mark.slow
def test_a_stop_in_a_terminal_tells_where_the_answers_are(run_folder):
    child, terminal = _asking(run_folder, "--kind", "label")
    _until(terminal, b"1. Which group")
    os.write(terminal, b"a")
    _until(terminal, b"2. Which group")
    os.write(terminal, b"\x03")
    seen = _until(terminal, b"the answers are in")
    _, status = os.waitpid(child, 0)
    os.close(terminal)
    assert os.waitstatus_to_exitcode(status) == 130, seen
    assert answers_of(run_folder).exists()


def _asking(run_folder, *options):
    """The command in a terminal of its own."""
    import pty

    child, terminal = pty.fork()
    if child == 0:
        command = [sys.executable, "-m", "colligate", "ask", str(run_folder), *options]
        os.execv(sys.executable, command)
    return child, terminal


def _until(terminal, wanted):
    """Read what the terminal shows until something comes."""
    seen, end = b"", time.monotonic() + WAIT
    while wanted not in seen:
        assert time.monotonic() < end, seen.decode(errors="replace")
        if select.select([terminal], [], [], 0.5)[0]:
            try:
                seen += os.read(terminal, 65536)
            except OSError:
                break
    assert wanted in seen, seen.decode(errors="replace")
    return seen
