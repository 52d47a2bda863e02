"""`colligate change`: what it prints, what it refuses, and what can be repeated from its folder."""

from __future__ import annotations

import csv
import json

import pytest
from typer.testing import CliRunner

import colligate as cg
from colligate.cli.main import app
from tests.result.test_notebook import run_cells
from tests.studio.helpers import write_corpus


@pytest.fixture(scope="module")
def run(tmp_path_factory):
    folder = tmp_path_factory.mktemp("change")
    docs = write_corpus(folder / "docs.jsonl")
    done = CliRunner().invoke(app, ["cluster", str(docs), "--clusters", "4", "--out", str(folder / "run")])
    assert done.exit_code == 0, done.output
    return folder / "run"


@pytest.fixture
def change(run, tmp_path):
    def call(text, *options, source=run, out="changed"):
        (tmp_path / "mine.yaml").write_text(text, encoding="utf-8")
        command = ["change", str(source), "--knowledge", str(tmp_path / "mine.yaml")]
        return CliRunner().invoke(app, [*command, "--out", str(tmp_path / out), *options])

    return call


def group_of(run, document):
    with (run / "documents.csv").open(encoding="utf-8") as file:
        return next(int(row["cluster"]) for row in csv.DictReader(file) if row["id"] == document)


def places(run):
    with (run / "documents.csv").open(encoding="utf-8") as file:
        return {row["id"]: (row["cluster"], row["name"]) for row in csv.DictReader(file)}


CHANGES = """\
changes:
- rename: {{group: {space}, to: Sky}}
- move: {{documents: [h1, h2], to: Sky}}
- move: {{documents: [s1], to: Sky}}
- split: {{group: {food}}}
"""


@pytest.fixture
def changes(run):
    return CHANGES.format(space=group_of(run, "s0"), food=group_of(run, "f0"))


def test_ids_and_words_that_the_run_does_not_have_are_refused_by_name(change, changes, tmp_path):
    done = change(
        changes + "documents:\n  apart: [[h1, nobody], [h2, s1]]\nwords:\n  together: [[zzzz, orbit]]\n"
    )
    assert done.exit_code == 1
    assert "2 statements use unknown names" in done.stderr
    assert "nobody" in done.stderr
    assert "zzzz" in done.stderr
    # the command has no option that lets unknown names pass
    assert done.stderr.endswith("Correct the knowledge.\n")
    assert not (tmp_path / "changed").exists()


def test_it_says_how_each_change_ended_and_which_documents_moved(change, changes, run, tmp_path):
    done = change(changes)
    assert done.exit_code == 0, done.output
    lines = done.stdout.splitlines()
    space, hockey = group_of(run, "s0"), group_of(run, "h0")
    assert f"line 2, rename group {space} to Sky: kept" in lines
    assert "line 3, move 2 documents to Sky: kept" in lines
    assert "line 4, move 1 document to Sky: nothing to do (it is so already)" in lines
    assert any(line.endswith(f" → group {space}, Sky") and line.startswith("  2: ") for line in lines)
    record = json.loads((tmp_path / "changed" / "run.json").read_text(encoding="utf-8"))
    flow = next(row for row in record["outcome"]["moved"] if row["from"] == hockey)
    assert (flow["to"], flow["documents"]) == (space, 2)
    moved = sum(places(run)[name][0] != group for name, (group, _) in places(tmp_path / "changed").items())
    assert f"{moved} documents moved to another group:" in lines
    with (tmp_path / "changed" / "knowledge.csv").open(encoding="utf-8") as file:
        assert {row["source"] for row in csv.DictReader(file)} == {str(tmp_path / "mine.yaml")}


def test_a_dry_run_says_the_same_and_writes_nothing(change, changes, tmp_path):
    wet = change(changes)
    assert wet.exit_code == 0, wet.output
    dry = change(changes, "--dry-run", out="other")
    assert dry.exit_code == 0, dry.output
    assert not (tmp_path / "other").exists()
    said = [line for line in wet.stdout.splitlines() if line.startswith(("line ", "  "))]
    assert len(said) > 4
    assert [line for line in dry.stdout.splitlines() if line.startswith(("line ", "  "))] == said
    assert "nothing was written" in dry.stdout
    as_json = json.loads(change(changes, "--dry-run", "--json", out="other").stdout)
    assert [row["verdict"] for row in as_json["outcome"]["changes"]] == [
        "kept",
        "kept",
        "nothing to do",
        "kept",
    ]


def test_a_name_that_no_group_has_is_refused_before_anything_is_written(change, run, tmp_path):
    done = change("documents:\n  labels: {s1: Rockets, s2: Rockets}\n")
    assert done.exit_code != 0
    assert "no group is called Rockets" in done.output
    assert not (tmp_path / "changed").exists()
    start = done.output.index("changes:")
    pasted = done.output[start:] + "documents:\n  labels: {s1: Rockets, s2: Rockets}\n"
    done = change(pasted)
    assert done.exit_code == 0, done.output
    assert f"note: the name Rockets means group {group_of(run, 's0')}, which is called " in done.output
    assert places(tmp_path / "changed")["s0"] == (str(group_of(run, "s0")), "Rockets")


def test_a_new_group_is_announced(change, run):
    done = change("changes:\n- new: Rockets\ndocuments:\n  labels: {s1: Rockets, s2: Rockets}\n", "--dry-run")
    assert done.exit_code == 0, done.output
    assert "note: group 4 is new: Rockets" in done.output


def test_the_session_of_changed_groups_can_be_repeated(change, changes, run, tmp_path, monkeypatch):
    """Before, only runs of `cluster` could be exported, and a knowledge file alone named groups wrongly."""
    assert change(changes).exit_code == 0
    done = change("changes:\n- rename: {group: Sky, to: Heaven}\n", source=tmp_path / "changed", out="named")
    assert done.exit_code == 0, done.output
    call, named, session = CliRunner().invoke, tmp_path / "named", tmp_path / "session"
    done = call(app, ["export", str(named), "--format", "notebook", "--out", str(session)])
    assert done.exit_code == 0, done.output
    docs = run.parent / "docs.jsonl"
    files = ["--knowledge", str(session / "knowledge.yaml"), "--start", str(session / "start.json")]
    done = call(app, ["cluster", str(docs), *files, "--clusters", "5", "--out", str(tmp_path / "again")])
    assert done.exit_code == 0, done.output
    assert places(tmp_path / "again") == places(named)
    assert "Heaven" in {name for _, name in places(named).values()}
    result, expected = run_cells(session, monkeypatch)["result"], cg.Result.load(named / "model")
    assert result.group_numbers == expected.group_numbers
    assert result.group_names == expected.group_names
    assert result.labels["documents"].tolist() == expected.labels["documents"].tolist()
    # changed again by the exported file alone: the same groups
    done = change((session / "knowledge.yaml").read_text(encoding="utf-8"), source=named, out="third")
    assert done.exit_code == 0, done.output
    assert places(tmp_path / "third") == places(named)


def ask(run, answers, *options):
    command = ["ask", str(run), *map(str, options)]
    done = CliRunner().invoke(app, command, input="\n".join(answers) + "\n")
    assert done.exit_code == 0, done.output
    return done


def names_in(path):
    return {str(row.object) for row in cg.Knowledge.read(path) if row.kind in ("label", "category")}


def test_questions_and_answers_use_the_present_name_of_a_group(change, run, tmp_path):
    """Before, `ask` showed the words of a renamed group, and the answers file had two names for it."""
    space = group_of(run, "s0")
    assert change(f"changes:\n- move: {{documents: [h1, h2], to: {space}}}\n").exit_code == 0
    old = cg.Result.load(tmp_path / "changed" / "model")
    assert f"group {space}" in {str(row.object) for row in old.compiled.statements}
    done = change(
        f"changes:\n- rename: {{group: {space}, to: Sky}}\n", source=tmp_path / "changed", out="named"
    )
    assert done.exit_code == 0, done.output
    path = tmp_path / "named.answers.yaml"
    done = ask(tmp_path / "named", ["m", str(space), "q"], "--kind", "label")
    assert f"group {space}  Sky" in done.stdout
    assert f"the answer is group {space}, Sky" in done.stderr
    assert names_in(path) == {"Sky"}
    assert f"colligate change {tmp_path / 'named'} --knowledge {path}" in done.stdout


def test_the_answers_file_continues_the_run_it_is_about(change, run, tmp_path):
    """The command that `ask` prints makes the groups that `ask --out` makes."""
    space = group_of(run, "s0")
    done = change(f"changes:\n- rename: {{group: {space}, to: Sky}}\n")
    assert done.exit_code == 0, done.output
    renamed, path, out = tmp_path / "changed", tmp_path / "changed.answers.yaml", tmp_path / "asked"
    ask(renamed, ["m", str(space), "m", str(space), "q"], "--kind", "label", "--out", out)
    assert names_in(path) == {"Sky"}
    done = change(path.read_text(encoding="utf-8"), source=renamed, out="continued")
    assert done.exit_code == 0, done.output
    asked, continued = cg.Result.load(out), cg.Result.load(tmp_path / "continued" / "model")
    assert continued.group_names == asked.group_names
    assert continued.labels["documents"].tolist() == asked.labels["documents"].tolist()


def test_a_new_label_of_an_earlier_session_makes_its_group(run, tmp_path):
    """Before, a later session gave the name to the group that fits best."""
    path, out = tmp_path / "mine.yaml", tmp_path / "asked"
    ask(run, ["m", "Rockets", "q"], "--kind", "label", "--answers", path)
    ask(run, ["q"], "--kind", "label", "--answers", path, "--out", out)
    result = cg.Result.load(out)
    assert set(result.group_numbers) == {0, 1, 2, 3, 4}
    assert result.given_names[result.group_numbers.index(4)] == "Rockets"


def test_a_new_label_that_reads_as_a_number_is_no_answer(run, tmp_path):
    done = ask(run, ["m", "17", "m", "group 9", "q"], "--kind", "label", "--answers", tmp_path / "mine.yaml")
    assert "a group cannot be called '17'" in done.stderr
    assert "a group cannot be called 'group 9'" in done.stderr
    assert not (tmp_path / "mine.yaml").exists()


@pytest.mark.parametrize("by_name", [False, True])
def test_a_group_is_refined_without_a_file_and_the_rest_stays(run, tmp_path, by_name):
    number = group_of(run, "f0")
    name = next(name for group, name in places(run).values() if int(group) == number)
    command = ["change", str(run), "--refine", name if by_name else str(number), "--into", "3"]
    done = CliRunner().invoke(app, [*command, "--out", str(tmp_path / "refined")])
    assert done.exit_code == 0, done.output
    before, after = places(run), places(tmp_path / "refined")
    inside = {id for id, (group, _) in before.items() if int(group) == number}
    assert {id: group for id, (group, _) in after.items() if id not in inside} == {
        id: group for id, (group, _) in before.items() if id not in inside
    }
    parts = {after[id][0] for id in inside}
    assert len(parts) == 3
    assert str(number) in parts
    called = name if by_name else f"group {number}"
    assert f"split {called} into 3: kept" in done.stdout


def test_refining_needs_a_group_that_is_there(run, tmp_path):
    def call(*options):
        return CliRunner().invoke(app, ["change", str(run), *options, "--out", str(tmp_path / "out")])

    done = call("--refine", "99")
    assert done.exit_code == 1
    assert "there is no group 99; the groups are 0 " in done.stderr
    assert call().exit_code == 2
    assert "name a knowledge file, or a group to --refine" in call().stderr.replace("\n", " ")
    assert call("--refine", "1", "--into", "1").exit_code == 2
    assert not (tmp_path / "out").exists()
