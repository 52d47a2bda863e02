"""A statement lands in the group that was pointed at, whatever the group is called."""

from __future__ import annotations

import json
import shlex
from importlib.resources import as_file, files

import numpy as np
import pytest
from typer.testing import CliRunner

from colligate.cli.main import app
from colligate.corpus import Corpus
from colligate.errors import KnowledgeError
from colligate.studio.group_names import display_names
from colligate.studio.knowledge_file import read_text
from colligate.studio.planning import start_path
from colligate.studio.project import Project, Settings
from colligate.studio.project.folder import hash_input
from colligate.studio.server.endpoint import Call
from colligate.studio.server.handlers.changes import get_changes
from colligate.studio.server.handlers.knowledge import (
    describe_entries,
    get_audit,
    get_knowledge,
    get_report,
    post_preview,
)
from colligate.studio.session_files import write_session
from tests.studio.helpers import Watched, copy_project, make_project
from tests.studio.test_session import home


@pytest.fixture(scope="module")
def clustered(tmp_path_factory):
    """The folder of a closed project that `colligate` clustered once."""
    made = Watched(make_project(tmp_path_factory.mktemp("identity")))
    assert made.run(method="colligate")["status"] == "done"
    made.session.close()
    return made.session.project.folder


@pytest.fixture
def studio(clustered, tmp_path):
    made = Watched(Project(copy_project(clustered, tmp_path)))
    yield made
    made.session.close()


def cluster(studio, **request):
    assert studio.run(**request)["status"] == "done"
    return studio.session.view()


def names(studio, view):
    return {group: name.name for group, name in display_names(studio.session.project, view).items()}


def verdicts(studio):
    return [one["verdict"] for one in describe_entries(studio.session, studio.session.project.journal.live())]


def preview(studio, kind, **body):
    return post_preview(studio.session, Call({}, body={"kind": kind, "body": body}))


@pytest.fixture(scope="module")
def demo(tmp_path_factory):
    """A session on the texts of the demo, which `colligate` clustered once."""
    folder = tmp_path_factory.mktemp("demo")
    with as_file(files("colligate") / "demo" / "articles.jsonl.gz") as docs:
        settings = Settings(str(docs), hash_input(docs), "colligate", 5)
        made = Watched(Project.create(folder / "project", Corpus.read(docs), settings, ""))
    assert made.run()["status"] == "done"
    yield made
    made.session.close()


@pytest.mark.slow
def test_a_word_that_is_about_a_renamed_group_lands_in_that_group(demo):
    session = demo.session
    before = session.view(1)
    for asked in session.questions.propose(before, 20, kinds=["word"]):
        group = before.identity(asked.question.groups[0])
        session.record("name", {"group": group, "name": "UK party politics"}, run=1)
        entry = session.questions.answer(asked.number, "yes")
        if entry.body["moves"]:
            break
        session.undo()
        session.undo()
    assert entry.body["group"] == group
    after = cluster(demo, from_run=1)
    assert [number for number, name in names(demo, after).items() if "party" in name] == [group]
    assert after.result.named_groups == {"UK party politics": after.group(group)}
    moved = {id for move in entry.body["moves"] for id in move["documents"]}
    assert np.mean([home(after, id) == group for id in moved]) > 0.9
    assert np.mean(before.identities != after.identities) < 0.02
    assert verdicts(demo) == ["kept", "kept"]
    session.undo()
    session.undo()


@pytest.mark.slow
def test_a_rename_alone_moves_no_text_and_leaves_the_confidence(demo):
    before = demo.session.view(1)
    demo.session.record("name", {"group": 0, "name": "Far from here"}, run=1)
    after = cluster(demo, from_run=1)
    assert np.array_equal(before.identities, after.identities)
    assert abs(before.result.confidence.mean() - after.result.confidence.mean()) < 0.01
    demo.session.undo()


def test_a_seed_word_with_a_new_name_makes_a_new_group_and_no_two_others_merge(studio):
    session = studio.session
    before = session.view()
    shown = preview(studio, "category", name="Ovens", word="oven")
    assert shown["sentence"] == "the word oven is about the new group Ovens"
    (new,) = shown["new_groups"]
    assert new not in before.record.identities
    moved = [row for move in shown["moves"] for row in move["documents"]]
    assert 0 < len(moved) < 40
    assert {move["target"] for move in shown["moves"]} == {new}
    assert [move["source"] for move in shown["moves"]] == sorted({*before.identities[moved].tolist()})
    assert session.project.journal.live() == []
    session.record("category", {"name": "Ovens", "word": "oven"})
    after = cluster(studio)
    assert set(after.record.identities) == {*before.record.identities, new}
    assert names(studio, after)[new] == "Ovens"
    assert [name for name in names(studio, after).values() if "Ovens" in name] == ["Ovens"]
    others = np.flatnonzero(before.identities != home(before, "f0"))
    assert np.mean(before.identities[others] == after.identities[others]) > 0.95
    assert np.mean(after.identities[moved] == new) > 0.9
    assert verdicts(studio) == ["kept"]


def test_a_seed_word_whose_documents_are_all_in_a_frozen_group_makes_no_group(studio):
    studio.session.record("freeze", {"group": home(studio.session.view(), "f0")})
    with pytest.raises(KnowledgeError, match="no document without a statement is mainly about 'oven'"):
        preview(studio, "category", name="Ovens", word="oven")


def test_a_rename_alone_moves_no_document_and_leaves_the_confidence(studio):
    before = studio.session.view()
    studio.session.record("name", {"group": home(before, "h0"), "name": "On ice"})
    after = cluster(studio)
    assert np.array_equal(before.identities, after.identities)
    assert abs(before.result.confidence.mean() - after.result.confidence.mean()) < 0.01
    assert names(studio, after)[home(before, "h0")] == "On ice"


def test_a_moved_document_that_no_others_are_like_moves_alone(studio):
    before = studio.session.view()
    hockey = home(before, "h0")
    (move,) = preview(studio, "label", document="s1", group=hockey)["moves"]
    assert (move["documents"], move["alike"]) == ([before.row_of["s1"]], False)
    studio.session.record("label", {"document": "s1", "group": hockey})
    after = cluster(studio)
    assert np.flatnonzero(before.identities != after.identities).tolist() == [before.row_of["s1"]]


def test_a_fresh_start_gives_the_number_of_a_group_to_the_documents_that_are_labelled_so(studio):
    """Most space documents are moved to the group of hockey, whose own documents then go elsewhere."""
    before = studio.session.view()
    hockey = home(before, "h0")
    ids = [f"s{number}" for number in range(25)]
    studio.session.record("label", {"documents": ids, "group": hockey})
    studio.session.record("outside", {"documents": [f"h{number}" for number in range(30)]})
    after = cluster(studio, fresh=True)
    assert {home(after, id) for id in ids} == {hockey}
    assert verdicts(studio)[0] == "kept"


def test_documents_with_a_new_name_make_a_new_group(studio):
    before = studio.session.view()
    ids = [f"s{number}" for number in range(12)]
    entry = studio.session.record("label", {"documents": ids, "name": "Mission control"})
    new = entry.body["group"]
    after = cluster(studio)
    assert {home(after, id) for id in ids} == {new}
    assert names(studio, after)[new] == "Mission control"
    assert set(before.record.identities) < set(after.record.identities)
    later = studio.session.record("label", {"document": "c0", "name": "Mission control"})
    assert (later.body["group"], later.body["new"]) == (new, "")


def test_groups_can_be_merged_split_named_and_frozen_before_a_run(studio):
    session = studio.session
    before = session.view()
    space, hockey, cars = (home(before, id) for id in ("s0", "h0", "c0"))
    session.record("merge", {"groups": [space, hockey]})
    split = session.record("split", {"group": space, "into": 2})
    (move,) = split.body["moves"]
    session.record("name", {"group": move["to"], "name": "The other half"})
    session.record("label", {"document": "c0", "group": hockey})
    frozen = session.record("freeze", {"group": cars})
    assert "c0" not in frozen.body["documents"]
    after = cluster(studio)
    assert hockey not in after.record.identities
    assert home(after, "c0") == space
    assert names(studio, after)[move["to"]] == "The other half"
    assert verdicts(studio) == ["kept"] * 5


def test_a_thawed_group_can_be_frozen_again(studio):
    session = studio.session
    cars = home(session.view(), "c0")
    session.record("freeze", {"group": cars})
    assert "c1" in session.project.knowledge()
    session.record("thaw", {"group": cars})
    assert session.project.knowledge() == ""
    with pytest.raises(KnowledgeError, match=f"may already leave group {cars}"):
        session.record("thaw", {"group": cars})
    session.record("freeze", {"group": cars})
    assert "c1" in session.project.knowledge()


def test_an_undone_new_group_gives_each_document_back_to_the_group_it_came_from(studio):
    session = studio.session
    before = session.view()
    session.record("label", {"documents": ["s0", "s1", "h0", "h1", "f0"], "name": "Mixed"})
    cluster(studio)
    session.undo()
    assert np.array_equal(cluster(studio).identities, before.identities)


def test_a_document_goes_back_to_the_group_that_its_group_was_merged_into(studio):
    session = studio.session
    before = session.view()
    space, hockey, cars = (home(before, id) for id in ("s0", "h0", "c0"))
    moved = session.record("label", {"document": "h1", "group": cars})
    session.record("merge", {"groups": [space, hockey]})
    assert home(cluster(studio), "h1") == cars
    session.undo(moved.id)
    after = cluster(studio)
    assert home(after, "h1") == space
    assert hockey not in after.record.identities


def test_groups_keep_their_words_as_names_while_others_are_split(studio):
    session = studio.session
    before = session.view()
    split, *others = before.record.identities
    session.record("split", {"group": split})
    after = cluster(studio)
    start = json.loads(start_path(session.project.folder, after.record.number).read_text(encoding="utf-8"))
    kept = dict(zip(start["numbers"], start["word_names"], strict=True))
    assert kept[split] == ""
    assert {group: kept[group] for group in others} == {
        group: names(studio, before)[group] for group in others
    }
    assert {group: names(studio, after)[group] for group in others} == {
        group: kept[group] for group in others
    }
    # the stored run has them, so that the next run keeps them too
    assert dict(zip(after.record.identities, after.result.word_names, strict=True)) == kept


def test_a_fresh_start_keeps_the_words_of_groups_that_are_the_same(studio):
    before = studio.session.view()
    after = cluster(studio, fresh=True)
    assert after.record.started is False
    assert after.result.word_names == tuple(names(studio, before)[group] for group in after.record.identities)


def test_the_studio_the_report_and_the_command_line_count_the_same_statements(tmp_path):
    """One act is one statement, however many lines it makes; changes to groups are counted apart."""
    folder = tmp_path / "counted"
    folder.mkdir()
    studio = Watched(make_project(folder, "documents:\n  together: [[c0, c1], [c2, c3]]\n"))
    session = studio.session
    first = cluster(studio, method="colligate")
    space, hockey, food, cars = (home(first, name) for name in ("s0", "h0", "f0", "c0"))
    session.record("label", {"documents": ["s1", "s2", "s3"], "group": hockey})
    session.record("category", {"word": "oven", "group": food})
    session.record("name", {"group": space, "name": "Sky"})
    session.record("split", {"group": cars})
    undone = session.record("outside", {"document": "f1"})
    session.undo(undone.id)
    view = cluster(studio)
    shown = get_changes(session, Call({"run": view.record.number}, query={"from": "1"}))
    assert shown["kept"] + shown["broken"] == 4
    assert sum(shown["group_changes"].values()) == 2
    text = get_knowledge(session, Call({}))
    assert (text["statements"], text["changes"]) == (4, 2)
    audit = get_audit(session, Call({"run": view.record.number}))
    assert (sum(audit["counts"].values()), audit["total"]) == (4, 6)
    page = get_report(session, Call({"run": view.record.number})).body.decode()
    assert "All 4 statements were kept. They have 6 lines below." in page
    files = write_session(session.project, view.record, tmp_path / "session")
    command = shlex.split((files / "command.txt").read_text(encoding="utf-8"))[1:]
    paths = {name: str(files / name) for name in ("knowledge.yaml", "start.json")}
    command = [paths.get(word, word) for word in command]
    done = CliRunner().invoke(app, [*command, "--out", str(tmp_path / "run")])
    assert done.exit_code == 0, done.output
    assert "Knowledge: 4 statements: 4 kept." in done.output
    session.close()


def test_the_report_has_the_present_names_and_numbers(studio):
    view = studio.session.view()
    studio.session.record("name", {"group": home(view, "h0"), "name": "On ice"})
    page = get_report(studio.session, Call({"run": view.record.number})).body.decode()
    assert "On ice" in page


def test_stated_names_are_shown_and_a_document_that_the_user_moves_stays_moved(tmp_path):
    made = Watched(make_project(tmp_path, "names:\n- {name: sky, meaning: moon and orbit}\n"))
    try:
        view = cluster(made, method="colligate")
        sky, rink = home(view, "s0"), home(view, "h0")
        assert names(made, view)[sky].startswith("sky: ")
        made.session.record("label", {"document": "s0", "group": rink})
        made.session.record("name", {"group": sky, "name": "Heaven"})
        after = cluster(made)
        assert (home(after, "s0"), home(after, "s1"), home(after, "h0")) == (rink, sky, rink)
        assert names(made, after)[sky] == "Heaven"
    finally:
        made.session.close()


def test_names_of_the_users_file_stay_with_their_groups_when_they_are_renamed(tmp_path):
    text = "documents:\n  labels: {s0: sky, h0: rink}\n"
    made = Watched(make_project(tmp_path, text))
    try:
        view = cluster(made, method="colligate")
        sky = home(view, "s0")
        assert names(made, view)[sky].startswith("sky: ")
        made.session.record("name", {"group": sky, "name": "Heaven"})
        assert made.session.project.knowledge() == text
        after = cluster(made)
        assert home(after, "s0") == sky
        assert np.array_equal(view.identities, after.identities)
        assert after.result.named_groups["sky"] == after.group(sky)
        made.session.record("label", {"document": "s5", "name": "sky"})
        assert [row.sentence for row in read_text(made.session.project.knowledge(), tmp_path)] == [
            "document s0 is labelled Heaven",
            "document h0 is labelled rink",
            "document s5 is labelled Heaven",
        ]
    finally:
        made.session.close()
