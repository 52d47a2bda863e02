"""Results that are changed: renamed, moved, merged, split, seeded, and clustered again from there."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from typer.testing import CliRunner

import colligate as cg
from colligate.cli.main import app
from colligate.errors import InputError, KnowledgeError, ParameterError
from colligate.methods.change_plan import ChangePlan
from tests.studio.browser.helpers import demo_texts
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


@pytest.mark.parametrize("knowledge", [None, "changes.yaml", []])
def test_what_is_no_knowledge_cannot_be_applied(result, knowledge):
    with pytest.raises(KnowledgeError, match=r"must be a Knowledge, got .*; read a file with"):
        result.apply(knowledge)


def test_what_cannot_be_added_to_a_result_is_refused(result):
    for least in ("a", 2.5, 1):
        with pytest.raises(InputError, match="min_new_group must be a whole number of at least 2; got"):
            result.update(["engine and wheels"], min_new_group=least)
    with pytest.raises(InputError, match="a matrix of documents × words is needed; got Network"):
        result.update(result.network)
    with pytest.raises(InputError, match="takes the result that was updated; got NoneType"):
        result.changes_since(None)


def test_groups_to_merge_are_listed_in_any_form(result):
    with pytest.raises(KnowledgeError, match="needs two or more groups"):
        result.merge(None)
    assert result.merge((0, 1)).group_numbers == result.merge(np.array([0, 1])).group_numbers == (0, 2, 3)


def test_parameters_that_a_run_from_groups_cannot_take_are_refused(result):
    with pytest.raises(ParameterError, match="has no parameter max_itr; did you mean max_iter"):
        result.merge(0, 1, max_itr=3)
    with pytest.raises(ParameterError, match="n_clusters cannot be set here"):
        result.merge(0, 1, n_clusters=7)


def test_a_name_is_display_only(result):
    cars = places(result)["c0"]
    named = result.rename(cars, "On the road")
    assert name_of(named, cars) == "On the road"
    assert result.rename({cars: "On the road"}).group_names == named.group_names
    assert named.labels is result.labels or np.array_equal(
        named.labels["documents"], result.labels["documents"]
    )
    again = named.rename({"On the road": "Cars"})
    assert name_of(again, cars) == "Cars"
    for name in ("Cars", "cars", " CARS "):
        with pytest.raises(KnowledgeError, match=f"is taken: group {cars} is called 'Cars'"):
            again.rename({places(result)["f0"]: name})
    with pytest.raises(KnowledgeError, match=f"is taken: group {cars} is called 'Cars'"):
        again.move("f0", "cars")
    assert again.rename({cars: "cars "}).group_names[cars] == "cars"


@pytest.mark.parametrize(
    ("name", "match"),
    [
        ("4", "a group by its number"),
        ("-1", "a group by its number"),
        ("group 5", "a group by its number"),
        (" GROUP  5", "a group by its number"),
        ("no group", "that means no group"),
        ("a\nb", "printable"),
        ("a\0b", "printable"),
        (" ", "printable"),
        ("x" * 201, "1 to 200 printable"),
    ],
)
def test_a_name_that_means_something_else_is_refused(result, name, match):
    """Before, a group could be called `4` or `No group`, and other commands took that differently."""
    with pytest.raises(KnowledgeError, match=match):
        result.rename({0: name})
    with pytest.raises(KnowledgeError, match=match):
        result.move("s1", name)


def test_a_group_is_found_by_its_number_in_words(result):
    hockey = places(result)["h0"]
    assert places(result.move("s1", f"group {hockey}"))["s1"] == hockey


def test_a_merged_group_is_the_group_that_it_is_in_now(result):
    """Before, the number was refused, and its old name in a label made the group again."""
    space, hockey = places(result)["s0"], places(result)["h0"]
    knowledge = cg.Knowledge().change("merge", space, hockey).change("rename", hockey, name="Both")
    knowledge.label({"f1": name_of(result, hockey)})
    plan = ChangePlan(result, knowledge)
    note = f"group {hockey} was merged into group {space}, so {space} is meant"
    assert plan.describe_names()[0] == note
    after = result.apply(knowledge)
    assert name_of(after, space) == "Both"
    assert hockey not in after.group_numbers
    assert places(after)["f1"] == space


def test_an_unknown_group_is_refused_with_the_numbers_and_names_of_all(result):
    merged = cg.Knowledge().change("merge", 0, 1)
    listed = f"the groups are 0 {name_of(result, 0)}; 2 {name_of(result, 2)}; 3 {name_of(result, 3)}$"
    with pytest.raises(KnowledgeError, match=f"there is no group 9; {listed}"):
        result.apply(merged.change("rename", 9, name="Nine"))
    with pytest.raises(KnowledgeError, match="there is no group called 'Nine'; the groups are 0 "):
        result.rename({"Nine": "Ten"})
    with pytest.raises(KnowledgeError, match="there is no group 9"):
        result.move("s1", 9)


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


def test_groups_to_merge_may_be_a_list_and_numbers_of_a_frame(result):
    merged = result.merge(*np.unique(result.labels["documents"])[:2])
    assert result.merge([0, 1]).group_numbers == merged.group_numbers == (0, 2, 3)
    with pytest.raises(KnowledgeError, match="two or more groups"):
        result.merge("group 1")


def test_a_rename_needs_a_group_and_a_name_or_a_mapping(result):
    for arguments in [(0,), ({0: "Cars"}, "Space")]:
        with pytest.raises(ParameterError, match="a group and its new name, or a mapping"):
            result.rename(*arguments)


def test_a_refined_group_is_a_split_one_and_the_rest_stays(result):
    food = places(result)["f0"]
    refined, split = result.refine(food, 3), result.split(food, 3)
    assert places(refined) == places(split)
    inside = {name for name, group in places(result).items() if group == food}
    assert changed(result, refined) <= inside
    parts = {places(refined)[name] for name in inside}
    assert len(parts) == 3
    assert food in parts
    assert set(refined.group_numbers) == set(result.group_numbers) | parts
    with pytest.raises(KnowledgeError, match="can be split into 2 to 100 parts; got 1"):
        result.refine(food, 1)
    with pytest.raises(KnowledgeError, match="there is no group 99"):
        result.refine(99, 2)


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


def test_a_name_that_no_group_has_is_refused_with_the_ways_to_say_which_group_it_means(result):
    """Before, the group with most of its documents took the name, with no more than a warning."""
    space = places(result)["s0"]
    labels = cg.Knowledge().label({"s1": "Rockets", "s2": "Rockets", "h1": "Rockets"})
    with pytest.raises(KnowledgeError, match="no group is called Rockets") as refusal:
        result.apply(labels.category("Cooks", words=["oven"]))
    # the lines can be pasted
    assert f'- {{rename: {{group: {space}, to: "Rockets"}}}}' in str(refusal.value)
    assert "has 2 of 3 documents with this label" in str(refusal.value)
    assert '- {new: "Cooks"}' in str(refusal.value)


def test_a_statement_can_name_a_group_by_number_or_a_new_group(result):
    hockey = places(result)["h0"]
    by_number = result.apply(cg.Knowledge().label({"s1": f"group {hockey}"}))
    assert places(by_number)["s1"] == hockey
    assert by_number.group_numbers == result.group_numbers
    knowledge = cg.Knowledge().change("new", "Rockets").label({"s1": "Rockets", "s2": "Rockets"})
    after = result.apply(knowledge)
    (new,) = set(after.group_numbers) - set(result.group_numbers)
    assert name_of(after, new) == "Rockets"
    assert {places(after)["s1"], places(after)["s2"]} == {new}
    assert changed(result, after) == {name for name, group in places(after).items() if group == new}


def test_a_new_group_without_documents_is_refused(result):
    """The run would give its name to another group."""
    with pytest.raises(KnowledgeError, match="the new group Rockets gets no documents"):
        result.apply(cg.Knowledge().change("new", "Rockets"))
    with pytest.raises(KnowledgeError, match="is taken: group 0 is called 'Sky'"):
        result.rename({0: "Sky"}).apply(cg.Knowledge().change("new", "Sky"))


def test_a_name_means_the_group_that_has_it_now_and_earlier_statements_stay_with_theirs(result):
    """The name goes from one group to another; the document of the first stays there."""
    hockey, food = places(result)["h0"], places(result)["f0"]
    first = result.rename({hockey: "Mine"}).move("s1", "Mine")
    swapped = first.rename({hockey: "Ice"}).rename({food: "Mine"})
    after = swapped.apply(cg.Knowledge().label({"s2": "Mine"}))
    assert places(after)["s1"] == hockey
    assert places(after)["s2"] == food
    assert (name_of(after, hockey), name_of(after, food)) == ("Ice", "Mine")
    assert [row.status for row in map(after.audit().statement, range(len(after.audit())))] == ["kept"] * 2


def test_statements_of_changes_have_their_file_and_line_as_source(result, tmp_path):
    path = tmp_path / "mine.yaml"
    path.write_text(
        "changes:\n- move: {documents: [s1], to: 0}\n- seed: {word: oven, to: 1}\n", encoding="utf-8"
    )
    after = result.apply(cg.Knowledge.read(path))
    assert [after.audit().statement(k).source for k in range(2)] == [f"{path}:2", f"{path}:3"]
    assert {row.source for row in result.move("s1", 0).compiled.statements} == {"changes"}


def test_an_exported_knowledge_file_means_the_same_groups(result, tmp_path):
    """Groups without a name go by their numbers: before, words that another group may have."""
    hockey, food = places(result)["h0"], places(result)["f0"]
    after = result.merge(food, places(result)["c0"]).move(["s1", "s2"], hockey).move("s3", food)
    path = tmp_path / "knowledge.yaml"
    cg.Knowledge().add(*after.compiled.statements.blocks).write(path)
    again = after.apply(cg.Knowledge.read(path))
    assert changed(after, again) == set()
    assert again.group_numbers == after.group_numbers
    assert again.group_names == after.group_names
    assert len(again.compiled.statements) == len(after.compiled.statements)
    from_first = result.apply(cg.Knowledge.read(path))
    assert [places(from_first)[name] for name in ("s1", "s2", "s3")] == [hockey, hockey, food]
    assert [name for name in from_first.group_names if "group" in name] == []


def test_groups_keep_the_words_that_name_them_unless_they_change(result):
    """A group that is merged or split gets new words; the others keep theirs."""
    space, hockey, food = (places(result)[name] for name in ("s0", "h0", "f0"))
    after = result.merge(space, hockey)
    assert name_of(after, food) == name_of(result, food)
    assert name_of(after, space) != name_of(result, space)
    split = after.split(space)
    assert name_of(split, food) == name_of(result, food)
    assert name_of(split, space) != name_of(after, space)


def test_words_are_kept_even_if_others_are_more_characteristic_now(result):
    """A stored name stays with the group through runs, files, and other words of its documents."""
    food = places(result)["f0"]
    position = result.group_numbers.index(food)
    words = tuple("flour, yeast" if k == position else "" for k in range(4))
    named = replace(result, word_names=words)
    assert name_of(named, food) == "flour, yeast"
    again = named.merge(places(result)["s0"], places(result)["h0"])
    assert name_of(again, food) == "flour, yeast"
    parted = named.split(food)
    assert name_of(parted, food) != "flour, yeast"


def test_the_fresh_name_of_a_group_is_not_that_of_another(result):
    first, second = result.group_names[:2]
    named = replace(result, word_names=("", first, "", ""))
    assert named.group_names[1] == first
    assert named.group_names[0] == f"{first} (0)"
    assert second not in named.group_names


@pytest.mark.parametrize(
    ("act", "match"),
    [
        (lambda r: r.merge(0, 0), "a group cannot be merged with itself"),
        (lambda r: r.merge(0, 9), "there is no group 9; the groups are 0 "),
        (lambda r: r.merge(0, "nothing"), "there is no group called 'nothing'"),
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


def test_a_split_leaves_the_confidence_of_the_other_groups(tmp_path):
    posts = cg.Corpus.read(demo_texts(tmp_path))
    before = cg.make("colligate", n_clusters=6, random_state=0).fit(posts).result_
    after = before.split(0, into=3)
    numbers = before.numbers_of(before.labels["documents"])
    stayed = (numbers != 0) & (numbers == after.numbers_of(after.labels["documents"]))
    assert after.confidence[stayed].mean() == pytest.approx(before.confidence[stayed].mean(), abs=0.02)
    other = before.split(0, into=3, length_exponent=0.2)
    assert other.model["eta"].tolist() == [0.2]
