"""Documents that stand for a group, or are split, give way to what a person said of them."""

from __future__ import annotations

from itertools import pairwise

import pytest

from colligate.errors import ContradictionError, KnowledgeError
from colligate.knowledge.statements import EXEMPLAR_SUFFIX
from colligate.studio.actions.exemplars import add_exemplars
from colligate.studio.actions.state import ProjectState
from colligate.studio.knowledge import log_actions
from colligate.studio.outcomes import explain_broken
from colligate.studio.server.endpoint import Call
from colligate.studio.server.handlers.knowledge import describe_entries, get_audit, state_of
from tests.studio.test_session import home


def link(session, kind, *items):
    return session.record(kind, {"type": "documents", "items": list(items)}, run=1)


def part_of(entry, id):
    return next((move["to"] for move in entry.body["moves"] if id in move["documents"]), entry.body["group"])


def parts_of_a_split(session, group):
    """The documents of both parts of a group that is split, and is one again."""
    view = session.view(1)
    entry = session.record("split", {"group": group}, run=1)
    session.undo(entry.id)
    (move,) = entry.body["moves"]
    members = view.ids(view.members(view.group(group)))
    return [id for id in members if id not in move["documents"]], move["documents"]


def test_a_split_keeps_together_what_belongs_together(session):
    cars = home(session.view(1), "c0")
    first, second = parts_of_a_split(session, cars)
    ties = [(first[0], second[0]), (first[1], second[1]), (second[1], second[2])]
    for one, other in ties:
        link(session, "together", one, other)
    entry = session.record("split", {"group": cars}, run=1)
    assert all(part_of(entry, one) == part_of(entry, other) for one, other in ties)


def test_what_is_apart_is_in_two_groups_before_and_after_a_split(session):
    view = session.view(1)
    cars = home(view, "c0")
    linked = link(session, "apart", "c0", "c4")
    (move,) = linked.body["moves"]
    assert (move["from"], len(move["documents"])) == (cars, 1)
    session.record("split", {"group": cars}, run=1)
    labels = ProjectState(session.project, view).groups.labels
    assert labels[view.row_of["c0"]] != labels[view.row_of["c4"]]


def test_a_label_stays_with_its_document_when_the_group_is_split(session):
    cars = home(session.view(1), "c0")
    _, second = parts_of_a_split(session, cars)
    session.record("label", {"document": second[0], "group": cars}, run=1)
    entry = session.record("split", {"group": cars}, run=1)
    (group, _) = log_actions(session.project.journal.live()).labels[second[0]]
    assert group == part_of(entry, second[0])


def test_what_holds_a_group_together_is_told_by_its_statements(session):
    view = session.view(1)
    cars = home(view, "c0")
    names = view.ids(view.members(view.group(cars)))
    entries = [link(session, "together", *pair) for pair in pairwise(names)]
    with pytest.raises(KnowledgeError, match="keep the documents of this group together") as told:
        session.record("split", {"group": cars}, run=1)
    assert f"statement {entries[-1].seq}: {names[-2]} and {names[-1]}" in str(told.value)
    assert "knowledge." not in str(told.value)


def test_a_contradiction_is_told_by_statements_and_not_by_files(session):
    first, second = link(session, "together", "s0", "s1"), link(session, "together", "s1", "s2")
    with pytest.raises(ContradictionError) as told:
        link(session, "apart", "s0", "s2")
    text = str(told.value)
    assert f"s0–s1 (statement {first.seq})" in text
    assert f"undo statement {first.seq} or {second.seq} first" in text
    assert "(this statement)" in text
    assert "/" not in text


def exemplars(session, group):
    """The documents that a fresh start labels for a group, beside those of statements."""
    log = log_actions(session.project.journal.live())
    add_exemplars(ProjectState(session.project, session.view(1)), log)
    stand = {id: target for id, (target, source) in log.labels.items() if source.endswith(EXEMPLAR_SUFFIX)}
    return [id for id, target in stand.items() if target == group]


def test_exemplars_stand_for_the_groups_that_statements_name_and_for_no_other(session):
    hockey, cars = home(session.view(1), "h0"), home(session.view(1), "c0")
    session.record("label", {"document": "s1", "group": hockey}, run=1)
    assert 3 < len(exemplars(session, hockey)) <= 10
    assert exemplars(session, cars) == []
    assert "s1" not in exemplars(session, hockey)


def test_the_documents_of_a_new_group_stand_for_it(session):
    said = session.record("category", {"name": "Ovens", "word": "oven"}, run=1)
    moved = {id for move in said.body["moves"] for id in move["documents"]}
    assert 0 < len(exemplars(session, said.body["group"])) <= 10
    assert set(exemplars(session, said.body["group"])) <= moved


def test_who_is_apart_from_a_document_does_not_stand_for_its_group(session):
    view = session.view(1)
    hockey = home(view, "h0")
    leader = view.exemplars[view.group(hockey)][0]
    link(session, "apart", "s1", leader)
    session.record("label", {"document": "s1", "group": hockey}, run=1)
    assert leader not in exemplars(session, hockey)
    assert len(exemplars(session, hockey)) > 3


def test_a_document_outside_is_not_frozen(session):
    cars = home(session.view(1), "c0")
    session.record("outside", {"document": "c0"}, run=1)
    entry = session.record("freeze", {"group": cars}, run=1)
    assert "c0" not in entry.body["documents"]
    assert len(entry.body["documents"]) > 10


def test_a_statement_is_judged_by_its_own_line_and_the_others_are_counted_apart(session, watched):
    hockey, cars = home(session.view(1), "h0"), home(session.view(1), "c0")
    said = session.record("label", {"document": "s1", "group": hockey}, run=1)
    frozen = session.record("freeze", {"group": cars}, run=1)
    standing = len(exemplars(session, hockey))
    assert watched.run(from_run=1)["status"] == "done"
    view = session.view()
    audit = get_audit(session, Call({"run": view.record.number}, {"limit": "500"}))
    assert audit["counts"] == {"kept": 1, "broken": 0, "contradicted": 0, "unknown": 0}
    assert sum(audit["exemplars"].values()) == standing
    assert sum(audit["frozen"].values()) == len(frozen.body["documents"])
    assert [one["verdict"] for one in describe_entries(session, [said, frozen])] == ["kept", "kept"]


def test_colligate_needs_no_exemplars_when_it_starts_from_present_groups(session, watched):
    assert watched.run(method="colligate", from_run=1)["status"] == "done"
    hockey = home(session.view(), "h0")
    session.record("label", {"document": "s1", "group": hockey})
    assert watched.run()["status"] == "done"
    assert len(session.view().result.audit().statements) == 1
    assert home(session.view(), "s1") == hockey
    assert watched.run(fresh=True)["status"] == "done"
    assert len(session.view().result.audit().statements) > 4


def test_a_broken_statement_tells_where_its_documents_are(session, watched):
    link(session, "apart", "s0", "s1")
    assert watched.run(from_run=1)["status"] == "done"
    run = state_of(session, session.view())
    statement = run.view.result.audit().statements[0]
    assert explain_broken(run, statement, "kept") == ""
    one, other = (run.name_place(home(run.view, id)) for id in ("s0", "s1"))
    assert one.startswith(f"group {home(run.view, 's0')}, ")
    reason = f"both are in {one}" if one == other else f"s0 is in {one}, s1 in {other}"
    assert explain_broken(run, statement, "broken") == reason
