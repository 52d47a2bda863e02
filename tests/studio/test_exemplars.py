"""Documents that stand for a group give way to what a person said of them."""

from __future__ import annotations

from itertools import pairwise

import pytest

from colligate.errors import ContradictionError, KnowledgeError
from colligate.studio.actions.exemplars import LabelAssignments
from tests.studio.test_session import home


def link(session, kind, *items):
    return session.record(kind, {"type": "documents", "items": list(items)}, run=1)


def part_of(entry, id):
    return next((part for part, names in enumerate(entry.body["seeds"]) if id in names), None)


def seeds_of_a_split(session, group):
    entry = session.record("split", {"group": group}, run=1)
    session.undo(entry.id)
    return entry.body["seeds"]


def test_a_split_keeps_together_what_belongs_together(session):
    cars = home(session.view(1), "c0")
    first, second = seeds_of_a_split(session, cars)
    ties = [(first[0], second[0]), (first[1], second[1]), (second[1], second[2])]
    for one, other in ties:
        link(session, "together", one, other)
    entry = session.record("split", {"group": cars}, run=1)
    assert all(entry.body["seeds"])
    for one, other in ties:
        parts = {part_of(entry, one), part_of(entry, other)} - {None}
        assert len(parts) <= 1


def test_a_split_parts_what_is_apart(session):
    cars = home(session.view(1), "c0")
    first, _ = seeds_of_a_split(session, cars)
    link(session, "apart", first[0], first[1])
    entry = session.record("split", {"group": cars}, run=1)
    assert part_of(entry, first[0]) != part_of(entry, first[1])


def test_a_split_divides_all_that_carried_the_label(session):
    cars = home(session.view(1), "c0")
    said = session.record("label", {"document": "c0", "group": cars}, run=1)
    entry = session.record("split", {"group": cars}, run=1)
    carried = {"c0", *said.body["exemplars"]}
    assert carried <= {name for part in entry.body["seeds"] for name in part}


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


def test_who_is_apart_from_a_document_does_not_stand_for_its_group(session):
    view = session.view(1)
    hockey = home(view, "h0")
    leader = view.exemplars[view.group(hockey)][0]
    link(session, "apart", "s1", leader)
    entry = session.record("label", {"document": "s1", "group": hockey}, run=1)
    assert leader not in entry.body["exemplars"]
    assert len(entry.body["exemplars"]) > 3


def test_a_document_outside_is_not_frozen(session):
    cars = home(session.view(1), "c0")
    session.record("outside", {"document": "c0"}, run=1)
    entry = session.record("freeze", {"group": cars}, run=1)
    assert "c0" not in entry.body["documents"]
    assert len(entry.body["documents"]) > 10


def test_a_renamed_label_is_known_by_either_name(session):
    cars = home(session.view(1), "c0")
    said = session.record("label", {"document": "c0", "group": cars}, run=1)
    session.record("name", {"group": cars, "name": "On the road"}, run=1)
    standing = LabelAssignments.of_project(session.project)
    assert standing.labelled(said.body["label"]) == standing.labelled("On the road") != set()


def test_a_merge_takes_no_two_that_are_apart(session):
    view = session.view(1)
    space, hockey = home(view, "s0"), home(view, "h0")
    one, other = (view.exemplars[view.group(group)][0] for group in (space, hockey))
    link(session, "apart", one, other)
    entry = session.record("merge", {"groups": [space, hockey]}, run=1)
    standing = {name for part in entry.body["exemplars"] for name in part}
    assert not {one, other} <= standing


def test_a_statement_is_judged_by_its_own_line_and_the_others_are_counted_apart(session, watched):
    from colligate.studio.server.endpoint import Call
    from colligate.studio.server.handlers.knowledge import describe_entries, get_audit

    hockey = home(session.view(1), "h0")
    said = session.record("label", {"document": "s1", "group": hockey}, run=1)
    frozen = session.record("freeze", {"group": home(session.view(1), "c0")}, run=1)
    assert watched.run(from_run=1)["status"] == "done"
    view = session.view()
    audit = get_audit(session, Call({"run": view.record.number}, {"limit": "500"}))
    assert audit["counts"] == {"kept": 1, "broken": 0, "contradicted": 0, "unknown": 0}
    assert sum(audit["standing"].values()) == len(frozen.body["documents"]) + len(said.body["exemplars"])
    assert [one["verdict"] for one in describe_entries(session, [said, frozen])] == ["kept", "kept"]


def test_a_broken_statement_tells_where_its_documents_are(session, watched):
    from colligate.studio.outcomes import explain_broken

    link(session, "apart", "s0", "s1")
    assert watched.run(from_run=1)["status"] == "done"
    view = session.view()
    statement = view.result.audit().statements[0]
    names = {identity: f"name {identity}" for identity in view.record.identities}
    assert explain_broken(view, names, statement, "kept") == ""
    told, (one, other) = (
        explain_broken(view, names, statement, "broken"),
        (home(view, "s0"), home(view, "s1")),
    )
    alike = f"both are in group {one + 1}, name {one}"
    assert told == (
        alike
        if one == other
        else f"s0 is in group {one + 1}, name {one}, s1 in group {other + 1}, name {other}"
    )
