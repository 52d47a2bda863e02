"""What the statements since a run are about: the documents, the groups they were moved to, merged groups."""

from __future__ import annotations

import pytest


@pytest.fixture
def client(serving):
    """A client; what a test said is taken back."""
    yield serving.client
    while serving.session.project.journal.live():
        serving.session.undo()


def state(client, kind, body):
    return client.send("POST", "/api/statements", {"kind": kind, "body": body}, expected=201)


def pending(client):
    answer = client.get("/api/runs/1/pending")
    return dict(zip(answer["documents"], answer["targets"], strict=True)), answer["merges"]


def test_nothing_is_pending_before_a_statement(client):
    assert pending(client) == ({}, [])


def test_moved_and_linked_documents_are_pending_until_undone(client):
    state(client, "label", {"documents": ["s1", "s2"], "group": 2})
    state(client, "together", {"type": "documents", "items": ["s2", "h3"]})
    state(client, "outside", {"document": "f4"})
    state(client, "together", {"type": "words", "items": ["oven", "flour"]})
    assert pending(client)[0] == {1: 2, 2: 2, 33: -1, 64: -1}
    for _ in range(4):
        client.send("POST", "/api/undo", {})
    assert pending(client)[0] == {}


def test_the_last_move_of_a_document_counts(client):
    state(client, "label", {"document": "s1", "group": 2})
    state(client, "label", {"document": "s1", "group": 3})
    assert pending(client)[0] == {1: 3}
    state(client, "outside", {"document": "s1"})
    assert pending(client)[0] == {1: -1}


def test_merged_groups_are_pending(client):
    state(client, "merge", {"groups": [1, 3]})
    assert pending(client) == ({}, [[1, 3]])


def test_a_run_that_uses_the_statements_has_none_pending(serving, client):
    view = serving.session.view(1)
    state(client, "label", {"document": "s1", "group": int(view.identities[view.row_of["h1"]])})
    assert serving.watched.run()["status"] == "done"
    number = client.get("/api/project")["current"]
    assert client.get(f"/api/runs/{number}/pending")["documents"] == []
    assert client.get("/api/runs/1/pending")["documents"] == [1]
    changes = client.get(f"/api/runs/{number}/changes?from=1")
    assert changes["sources"] == view.identities[changes["documents"]].tolist()
