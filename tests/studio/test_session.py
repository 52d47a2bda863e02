"""A session with a real worker: runs, going on from the present groups, statements, cancelling, dying."""

from __future__ import annotations

import csv
import os
import shlex
import signal
import time

import numpy as np
import pytest
from typer.testing import CliRunner

import colligate as cg
from colligate.cli.main import app
from colligate.errors import ContradictionError, KnowledgeError, NotFoundError, StoreError
from colligate.studio.planning import format_command, start_path
from colligate.studio.project import Project
from tests.studio.helpers import PER_TOPIC, WAIT, Watched, make_project


def home(view, document):
    """The lasting number of the group of a document."""
    return int(view.identities[view.row_of[document]])


@pytest.mark.slow
def test_a_first_run_is_as_from_python_and_tells_its_progress(tmp_path):
    watched = Watched(make_project(tmp_path))
    assert watched.run()["status"] == "done"
    view = watched.session.view(1)
    model = cg.make("citcc", n_clusters=4, random_state=0).fit(view.result.network)
    assert np.array_equal(model.labels_, view.labels)
    assert view.record.identities == (0, 1, 2, 3)
    assert np.array_equal(view.identities, view.labels)
    steps = [content for kind, content in watched.told if kind == "progress" and "sweep" in content]
    assert steps[0]["restart"] == 1
    assert steps[-1]["restart"] == steps[-1]["restarts"] == 5
    assert all(np.isfinite(step["objective"]) for step in steps)
    watched.session.close()


def test_groups_keep_their_numbers_and_places_when_clustered_again(watched, session):
    before = session.view()
    session.record("apart", {"type": "documents", "items": ["s0", "h0"]})
    assert watched.run()["status"] == "done"
    after = session.view()
    assert after.record.started
    assert after.record.parent == before.record.number
    assert np.mean(before.identities == after.identities) > 0.95


def test_a_document_that_is_dragged_goes_there_and_the_command_line_makes_the_same_groups(
    watched, session, tmp_path
):
    before = session.view()
    there = home(before, "h1")
    session.record("label", {"document": "s1", "group": there}, who="me", why="it is wrong")
    session.record("category", {"group": home(before, "f0"), "word": "oven"})
    assert watched.run()["status"] == "done"
    after = session.view()
    assert home(after, "s1") == there != home(before, "s1")
    record, folder = after.record, session.project.folder
    (tmp_path / "knowledge.yaml").write_text(record.knowledge, encoding="utf-8")
    (tmp_path / "start.json").write_bytes(start_path(folder, record.number).read_bytes())
    words = shlex.split(format_command(session.project, record))
    words = [str(tmp_path / word) if word in ("knowledge.yaml", "start.json") else word for word in words]
    done = CliRunner().invoke(app, [*words[1:], "--out", str(tmp_path / "out")])
    assert done.exit_code == 0, done.output
    with (tmp_path / "out" / "documents.csv").open(encoding="utf-8", newline="") as stream:
        labels = [int(row["cluster"]) for row in csv.DictReader(stream)]
    assert labels == after.labels.tolist()


def test_merging_and_splitting_change_the_number_of_groups(watched, session):
    before = session.view()
    space, hockey, food = (home(before, name) for name in ("s0", "h0", "f0"))
    session.record("merge", {"groups": [space, hockey]})
    assert watched.run()["status"] == "done"
    merged = session.view()
    assert merged.result.n_groups() == before.result.n_groups() - 1
    assert home(merged, "s5") == home(merged, "h5") == space
    session.record("split", {"group": space})
    assert watched.run()["status"] == "done"
    split = session.view()
    assert split.result.n_groups() == before.result.n_groups()
    assert home(split, "s5") != home(split, "h5")
    assert food in split.record.identities
    new = set(split.record.identities) - set(merged.record.identities)
    assert new == {max(split.record.identities)}


def test_a_frozen_group_stays(watched, session):
    view = session.view()
    cars = home(view, "c0")
    entry = session.record("freeze", {"group": cars})
    assert set(entry.body["documents"]) == set(view.ids(view.members(view.group(cars))))
    assert watched.run()["status"] == "done"
    after = session.view()
    assert all(home(after, name) == cars for name in entry.body["documents"])


def test_a_run_can_be_asked_for_otherwise_and_its_result_is_stored_exactly(watched, session):
    assert watched.run(method="kmeans", n_clusters=3, knowledge="off")["status"] == "done"
    view = session.view()
    assert (view.result.method, view.result.n_groups(), view.record.started) == ("kmeans", 3, False)
    model = cg.make("kmeans", n_clusters=3, random_state=0).fit(view.result.network)
    assert np.array_equal(model.result_.memberships["documents"], view.result.memberships["documents"])
    assert watched.run(from_run=1)["status"] == "done"
    assert session.view().result.method == "citcc"


def test_a_method_that_does_not_take_what_was_said_says_so(watched, session):
    session.record("together", {"type": "documents", "items": ["s0", "s1"]})
    ended = watched.run(method="kmeans", fresh=True)
    assert ended["status"] == "failed"
    assert "kmeans does not accept links on documents" in ended["message"]
    assert watched.run(from_run=1)["status"] == "done"


@pytest.mark.parametrize(
    ("kind", "body", "match"),
    [
        ("label", {"document": "nobody", "group": 0}, "'nobody' is not among the documents"),
        ("label", {"document": "s0", "group": 60000}, "no group 60000"),
        ("category", {"name": "x", "word": "unheard"}, "not among the words"),
        ("together", {"type": "planets", "items": ["a", "b"]}, "no type 'planets'"),
        ("together", {"type": "documents", "items": ["s0", "s0"]}, "linked to itself"),
        ("merge", {"groups": [0, 0]}, "cannot be merged with itself"),
        ("thaw", {"group": 0}, "it is not frozen"),
    ],
)
def test_what_is_not_there_is_refused_and_not_written_down(session, kind, body, match):
    head = session.project.journal.head
    session.view(1)
    with pytest.raises((KnowledgeError, NotFoundError), match=match):
        session.record(kind, body, run=1)
    assert session.project.journal.head == head


def test_what_contradicts_is_refused_with_the_chain(session):
    session.record("together", {"type": "documents", "items": ["s0", "s1"]})
    session.record("together", {"type": "documents", "items": ["s1", "s2"]})
    with pytest.raises(ContradictionError, match=r"s0 and s2 .*but they are linked through"):
        session.record("apart", {"type": "documents", "items": ["s0", "s2"]})
    assert len(session.project.journal.live()) == 2


def test_two_groups_cannot_have_one_name(session):
    view = session.view(1)
    session.record("name", {"group": home(view, "s0"), "name": "Above"}, run=1)
    for name in ("Above", "above", "  ABOVE "):
        with pytest.raises(KnowledgeError, match=f"is taken: group {home(view, 's0')} is called 'Above'"):
            session.record("name", {"group": home(view, "h0"), "name": name}, run=1)


def test_a_new_group_cannot_have_a_name_that_differs_only_in_case(session):
    view = session.view(1)
    session.record("name", {"group": home(view, "s0"), "name": "Energy"}, run=1)
    for kind, body in (("label", {"document": "h1"}), ("category", {"word": "puck"})):
        with pytest.raises(KnowledgeError, match=f"is taken: group {home(view, 's0')} is called 'Energy'"):
            session.record(kind, {**body, "name": "energy "}, run=1)


@pytest.mark.parametrize("name", ["4", "group 5", "No Group"])
def test_a_name_that_means_something_else_is_refused(session, name):
    space = home(session.view(1), "s0")
    with pytest.raises(KnowledgeError, match="a group cannot be called"):
        session.record("name", {"group": space, "name": name}, run=1)
    for kind, body in (("label", {"document": "h1"}), ("category", {"word": "puck"})):
        with pytest.raises(KnowledgeError, match="a group cannot be called"):
            session.record(kind, {**body, "new": name}, run=1)


def test_a_new_group_cannot_have_the_name_of_another(session):
    """Before, the page asked for a new group with `name`, and a name that a group had meant that group."""
    space = home(session.view(1), "s0")
    session.record("name", {"group": space, "name": "Energy"}, run=1)
    for kind, body in (("label", {"document": "h1"}), ("category", {"word": "puck"})):
        with pytest.raises(KnowledgeError, match=f"is taken: group {space} is called 'Energy'"):
            session.record(kind, {**body, "new": "Energy"}, run=1)
        entry = session.record(kind, {**body, "name": "Energy"}, run=1)
        assert (entry.body["group"], entry.body["new"]) == (space, "")
    entry = session.record("label", {"document": "h2", "new": " Ice "}, run=1)
    assert entry.body["new"] == "Ice"
    assert entry.body["group"] not in session.view(1).record.identities


def test_a_group_may_change_the_case_of_its_name(session):
    space = home(session.view(1), "s0")
    session.record("name", {"group": space, "name": "energy"}, run=1)
    entry = session.record("name", {"group": space, "name": " Energy "}, run=1)
    assert entry.body["name"] == "Energy"


def test_a_group_cannot_have_a_name_that_another_shows(session):
    view = session.view(1)
    space, hockey = home(view, "s0"), home(view, "h0")
    shown = view.result.group_names[view.group(space)]
    with pytest.raises(KnowledgeError, match=f"group {space} is called"):
        session.record("name", {"group": hockey, "name": shown}, run=1)


def test_several_documents_are_moved_by_one_statement(watched, session):
    there = home(session.view(1), "h0")
    entry = session.record("label", {"documents": ["s1", "s2", "s3"], "group": there}, run=1)
    assert watched.run(from_run=1)["status"] == "done"
    assert {home(session.view(), name) for name in ("s1", "s2", "s3")} == {there}
    assert session.undo().id == entry.id
    assert session.project.journal.live() == []


def test_a_slip_in_a_text_keeps_its_brackets(session):
    text = "documents: {together: [[s0, s1], [s1, s2]], apart: [[s0, s2]]}\n"
    with pytest.raises(ContradictionError) as told:
        session.replace_knowledge(text, session.project.journal.head)
    assert str(told.value).count("(") == str(told.value).count(")") > 0
    assert "(knowledge.yaml:1)" in str(told.value)
    assert ".knowledge." not in str(told.value)


def test_a_text_replaces_everything_and_is_checked_by_lines(session):
    with pytest.raises(KnowledgeError, match=r"knowledge\.yaml:2"):
        session.replace_knowledge("documents:\n  labels: {nobody: x}\n", session.project.journal.head)
    session.replace_knowledge("documents: {labels: {s0: sky}}\n", session.project.journal.head)
    assert session.project.knowledge() == "documents: {labels: {s0: sky}}\n"


def test_a_waiting_and_a_running_job_can_be_called_off(watched, session):
    running = session.request_run({"fresh": True, "n_clusters": 20})
    waiting = session.request_run({})
    session.cancel(waiting.number)
    session.cancel(running.number)
    ended = {job["number"]: job["status"] for job in (watched.ended(), watched.ended())}
    assert ended[waiting.number] == "cancelled"
    assert ended[running.number] in ("cancelled", "done")
    with pytest.raises(NotFoundError, match="no job 9999"):
        session.cancel(9999)
    assert watched.run(from_run=1)["status"] == "done"


def test_a_killed_worker_is_told_of_and_replaced(watched, session):
    job = session.request_run({"fresh": True, "n_clusters": 20})
    os.kill(session.worker.pid, signal.SIGKILL)
    ended = watched.ended()
    assert (ended["number"], ended["status"]) == (job.number, "failed")
    assert "start the run again" in ended["message"]
    assert watched.run(from_run=1)["status"] == "done"


def test_a_full_disk_costs_one_run(watched, session, monkeypatch):
    def fail(*_, **__):
        raise StoreError("the journal of the project cannot be read or written (database or disk is full)")

    def fill_disk(record):
        patch.setattr(session.project.work, "set_job", fail)
        fail()

    with monkeypatch.context() as patch:
        patch.setattr(session.project.work, "add_run", fill_disk)
        ended = watched.run(from_run=1)
    assert (ended["status"], "disk is full" in ended["message"]) == ("failed", True)
    assert watched.run(from_run=1)["status"] == "done"


def test_what_a_killed_run_left_behind_is_not_in_the_way(watched, session):
    number = session.project.work.next_run()
    (session.project.folder / "runs" / str(number)).mkdir()
    (session.project.folder / "maps" / f"{number}.npz").write_bytes(b"half")
    assert watched.run(from_run=1)["status"] == "done"
    assert session.view().record.number == number


@pytest.mark.slow
def test_a_project_opens_again_exactly_as_it_was(tmp_path):
    first = Watched(make_project(tmp_path, "documents: {labels: {s0: sky}}\n"))
    assert first.run()["status"] == "done"
    first.session.record("outside", {"document": "c3"})
    view, text = first.session.view(), first.session.project.knowledge()
    folder, head = first.session.project.folder, first.session.project.journal.head
    first.session.request_run({"fresh": True})
    first.session.close()
    (folder / "runs" / "2").mkdir(exist_ok=True)
    project = Project(folder)
    try:
        assert project.knowledge() == text
        assert project.journal.head == head
        assert [run.number for run in project.work.runs()] == [1]
        assert project.work.jobs()[-1].status == "failed"
        assert np.array_equal(project.result(project.latest()).labels["words"], view.result.labels["words"])
        assert not (folder / "runs" / "2").exists()
    finally:
        project.close()


@pytest.mark.slow
def test_the_worker_ends_with_the_studio(tmp_path):
    watched = Watched(make_project(tmp_path))
    watched.session.worker.start()
    pid = watched.session.worker.pid
    watched.session.close()
    deadline = time.monotonic() + WAIT
    while time.monotonic() < deadline:
        try:
            os.kill(pid, 0)
        except ProcessLookupError:
            return
    pytest.fail("the worker is still there")


def test_the_corpus_is_of_four_topics(session):
    assert len(session.project.network.types["documents"]) == 4 * PER_TOPIC
