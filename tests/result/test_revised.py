"""Results that are changed: renamed, moved, merged, split, seeded, and clustered again from there."""

from __future__ import annotations

import numpy as np
import pytest
from typer.testing import CliRunner

import colligate as cg
from colligate.cli.main import app
from colligate.errors import InputError, KnowledgeError
from tests.studio.helpers import write_corpus


@pytest.fixture(scope="module")
def documents(tmp_path_factory):
    return cg.Corpus.read(write_corpus(tmp_path_factory.mktemp("revised") / "docs.jsonl"))


@pytest.fixture(scope="module")
def result(documents):
    return cg.make("colligate", n_clusters=4, random_state=0).fit(documents).result_


def places(result):
    numbers = result.numbers_of(result.labels["documents"])
    return dict(zip(result.network.types["documents"].names, numbers.tolist(), strict=True))


def changed(before, after):
    old, new = places(before), places(after)
    return {name for name in old if old[name] != new[name]}


def name_of(result, number):
    return result.group_names[result.group_numbers.index(number)]


def test_a_first_result_is_numbered_by_its_labels(result):
    assert result.group_numbers == (0, 1, 2, 3)
    assert result.given_names == ("",) * 4
    assert np.array_equal(result.numbers_of(np.array([2, -1, 0])), [2, -1, 0])


def test_a_name_is_display_only(result):
    cars = places(result)["c0"]
    named = result.rename({cars: "On the road"})
    assert name_of(named, cars) == "On the road"
    assert named.labels is result.labels or np.array_equal(
        named.labels["documents"], result.labels["documents"]
    )
    again = named.rename({"On the road": "Cars"})
    assert name_of(again, cars) == "Cars"
    with pytest.raises(KnowledgeError, match="another group is called 'Cars'"):
        again.rename({places(result)["f0"]: "Cars"})


def test_clustering_again_changes_nothing_and_keeps_names(result):
    named = result.rename({places(result)["c0"]: "On the road"})
    again = named.apply(cg.Knowledge())
    assert changed(named, again) == set()
    assert again.group_names == named.group_names
    assert abs(again.confidence.mean() - named.confidence.mean()) < 0.05


def test_documents_move_and_stay_where_they_were_moved(result):
    hockey = places(result)["h0"]
    moved = result.move(["s1", "s2"], hockey)
    assert {places(moved)[name] for name in ("s1", "s2")} == {hockey}
    others = changed(result, moved) - {"s1", "s2"}
    assert all(name.startswith("s") for name in others)
    again = moved.apply(cg.Knowledge())
    assert changed(moved, again) == set()
    assert all(row.status == "kept" for row in map(again.audit().statement, range(len(again.audit()))))


def test_a_new_name_makes_a_new_group(result):
    moved = result.move(["s1", "s2", "s3"], "Rockets")
    new = set(moved.group_numbers) - set(result.group_numbers)
    assert len(new) == 1
    assert name_of(moved, new.pop()) == "Rockets"
    assert set(result.group_numbers) <= set(moved.group_numbers)


def test_a_label_overrules_an_earlier_one(result):
    hockey, food = places(result)["h0"], places(result)["f0"]
    again = result.move("s1", hockey).move("s1", food)
    assert places(again)["s1"] == food
    labels = [row for row in again.compiled.statements if row.kind == "label" and row.subject == "s1"]
    assert len(labels) == 1


def test_two_groups_become_one_and_one_becomes_two(result):
    space, hockey = places(result)["s0"], places(result)["h0"]
    merged = result.rename({space: "Sky"}).merge("Sky", hockey)
    assert set(merged.group_numbers) == set(result.group_numbers) - {hockey}
    assert {places(merged)[f"{letter}{k}"] for letter in "sh" for k in range(30)} == {space}
    assert name_of(merged, space) == "Sky"
    split = merged.split("Sky")
    new = set(split.group_numbers) - set(merged.group_numbers)
    assert len(new) == 1
    assert min(new) > max(result.group_numbers) - 1
    sides = [{places(split)[f"{letter}{k}"] for k in range(30)} for letter in "sh"]
    assert all(len(side) == 1 for side in sides)
    assert sides[0] != sides[1]


def test_a_seed_word_draws_its_documents(result):
    hockey = places(result)["h0"]
    seeded = result.add_seed_word("oven", hockey)
    moved = changed(result, seeded)
    has = {
        name
        for name, text in zip(result.corpus.ids, result.corpus.texts, strict=True)
        if "oven" in text.split()
    }
    assert moved <= has
    assert all(places(seeded)[name] == hockey for name in moved)


def test_links_hold_in_a_run_from_the_present_groups(result):
    together = result.apply(cg.Knowledge().together(documents=[("s0", "h0")]))
    assert places(together)["s0"] == places(together)["h0"]
    apart = result.apply(cg.Knowledge().apart(documents=[("c0", "c1")]))
    assert places(apart)["c0"] != places(apart)["c1"]


def test_a_result_is_stored_with_numbers_and_names(result, tmp_path):
    merged = result.merge(0, 1).rename({0: "Both"})
    merged.save(tmp_path / "stored")
    loaded = cg.Result.load(tmp_path / "stored")
    assert loaded.group_numbers == merged.group_numbers == (0, 2, 3)
    assert loaded.group_names == merged.group_names
    assert places(loaded) == places(merged)


@pytest.mark.parametrize(
    ("act", "match"),
    [
        (lambda r: r.merge(0, 9), "there is no group 9; the groups are 0, 1, 2, 3"),
        (lambda r: r.merge(0, "nothing"), "there is no group 'nothing'"),
        (lambda r: r.move("nobody", 0), "'nobody' is not among the documents"),
        (lambda r: r.add_seed_word("unheard", 0), "'unheard' is not among the words"),
    ],
)
def test_what_does_not_exist_is_refused(result, act, match):
    with pytest.raises(KnowledgeError, match=match):
        act(result)


def test_a_method_without_a_start_is_refused(documents):
    other = cg.make("kmeans", n_clusters=4, random_state=0).fit(documents).result_
    with pytest.raises(InputError, match="the groups of kmeans cannot be changed"):
        other.merge(0, 1)
    assert other.rename({0: "First"}).group_names[0] == "First"


def test_a_fit_refuses_changes(documents):
    with pytest.raises(KnowledgeError, match="a new run has no groups yet"):
        cg.make("colligate", n_clusters=4).fit(documents, knowledge=cg.Knowledge().change("merge", 0, 1))


@pytest.mark.slow
def test_the_command_line_does_the_same(result, documents, tmp_path):
    docs = write_corpus(tmp_path / "docs.jsonl")
    run, out = tmp_path / "run", tmp_path / "changed"
    call = CliRunner().invoke
    done = call(app, ["cluster", str(docs), "--clusters", "4", "--out", str(run)])
    assert done.exit_code == 0, done.output
    (tmp_path / "changes.yaml").write_text(
        "changes:\n- merge: [0, 1]\n- rename: {group: 0, to: Both}\n", encoding="utf-8"
    )
    done = call(app, ["change", str(run), "--knowledge", str(tmp_path / "changes.yaml"), "--out", str(out)])
    assert done.exit_code == 0, done.output
    loaded, expected = cg.Result.load(out / "model"), result.merge(0, 1).rename({0: "Both"})
    assert loaded.group_numbers == expected.group_numbers
    assert loaded.group_names == expected.group_names
    assert places(loaded) == places(expected)
    lines = (out / "clusters.csv").read_text(encoding="utf-8").splitlines()
    assert [line.split(",")[0] for line in lines[1:]] == ["0", "2", "3"]
    assert lines[1].startswith("0,Both,")
