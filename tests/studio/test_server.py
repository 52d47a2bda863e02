"""Every route of a real server, on a real run."""

from __future__ import annotations

import http.client
import json
import threading

import numpy as np
import pytest

from colligate.studio.server import responses as r
from colligate.studio.server.routes import ROUTES


@pytest.fixture
def client(serving):
    """A client; what a test said is taken back."""
    yield serving.client
    while serving.session.project.journal.live():
        serving.session.undo()


def home(client, id):
    rows = list_documents(client, q=id)["documents"]
    return next(row for row in rows if row["id"] == id)


def list_documents(client, run=1, **request):
    return client.send("POST", f"/api/runs/{run}/documents", {"limit": 500, **request})


def test_the_project_tells_what_it_is_made_of(client):
    found = client.get("/api/project")
    assert found["counts"]["documents"] == 120
    assert found["method"] == "citcc"
    assert found["n_clusters"] == 4
    assert "chinc" in found["methods"]
    client.send(
        "POST", "/api/statements", {"kind": "category", "body": {"name": "x", "word": "oven"}}, expected=201
    )
    assert "itcc" not in client.get("/api/project")["methods"]


def test_groups_have_words_and_add_up(client):
    groups = client.get("/api/runs/1/groups")
    assert [group["group"] for group in groups] == [0, 1, 2, 3]
    assert sum(group["size"] for group in groups) == 120
    assert all(group["words"] and 0 < group["confidence"] <= 1 for group in groups)


def test_the_map_is_numbers_that_a_page_can_take_as_they_are(client, serving):
    status, headers, content = client.ask("GET", "/api/runs/1/map")
    assert (status, headers["content-type"]) == (200, "application/octet-stream")
    length = int(np.frombuffer(content[:4], "<u4")[0])
    header, start = json.loads(content[4 : 4 + length]), 4 + length
    assert start % 4 == 0
    columns = {}
    for name, kind in header["fields"]:
        columns[name] = np.frombuffer(content, f"<{kind}", header["n"], start)
        start += columns[name].nbytes
    assert start == len(content)
    view = serving.session.view(1)
    assert np.array_equal(columns["group"], view.identities)
    assert np.isfinite(columns["x"]).all()
    own = np.array(header["centres"])[[header["groups"].index(group) for group in columns["group"]]]
    away = np.hypot(columns["x"] - own[:, 0], columns["y"] - own[:, 1])
    assert np.median(away) < max(header["radii"])


def test_documents_of_a_group_come_in_pages(client):
    first = list_documents(client, group=0, order="confidence", limit=5)
    rest = list_documents(client, group=0, order="confidence", offset=5)
    rows = [*first["documents"], *rest["documents"]]
    assert len(rows) == first["total"]
    sure = [row["confidence"] for row in rows]
    assert sure == sorted(sure, reverse=True)
    assert {row["group"] for row in rows} == {0}
    given = list_documents(client, group=0)["documents"]
    assert [row["document"] for row in given] == sorted(row["document"] for row in rows)


def test_a_document_tells_why_it_is_where_it_is(client):
    client.send(
        "POST",
        "/api/statements",
        {"kind": "together", "body": {"type": "documents", "items": ["s0", "s1"]}, "why": "same mission"},
        expected=201,
    )
    at = home(client, "s0")["document"]
    found = client.get(f"/api/runs/1/documents/{at}")
    assert found["id"] == "s0"
    assert found["why"]["words"]
    assert found["memberships"][0]["group"] == found["group"] != found["next"]
    assert [entry["why"] for entry in found["statements"]] == ["same mission"]


def test_words_association_and_network(client):
    words = client.get("/api/runs/1/words")
    only = client.get("/api/runs/1/words?group=0")
    assert 0 < len(only) < len(words)
    table = client.get("/api/runs/1/association")
    assert np.array(table["mass"]).shape == (len(words), 4)
    assert np.isclose(np.sum(table["mass"]), 1.0, atol=1e-5)
    assert [kind["name"] for kind in client.get("/api/runs/1/network")["types"]] == ["documents", "words"]


def test_the_tree_of_groups_has_every_group_with_its_size(client):
    rows = client.get("/api/runs/1/hierarchy")
    sizes = {group["group"]: group["size"] for group in client.get("/api/runs/1/groups")}
    assert {row["group"]: row["size"] for row in rows if row["group"] is not None} == sizes
    assert (rows[0]["lines"], rows[0]["group"], rows[0]["size"]) == ([], None, sum(sizes.values()))
    assert len(rows) == 2 * len(sizes) - 1


def test_search_is_over_texts_ids_and_words(client):
    answer = client.get("/api/search?q=ORBIT")
    assert len(answer["positions"]) > 5
    assert answer["words"] == ["orbit"]
    assert len(client.get("/api/search?q=c29")["positions"]) == 1
    assert client.get("/api/search?q=%3Cscript%3E")["positions"] == []


def test_a_correction_is_clustered_again_and_told_of(client, serving):
    there = home(client, "h1")["group"]
    said = client.send(
        "POST",
        "/api/statements",
        {"kind": "label", "body": {"document": "s1", "group": there}, "after": 0},
        expected=201,
    )
    assert said["status"] == "live"
    job = client.send("POST", "/api/runs", {"from_run": 1}, expected=202)
    assert serving.watched.ended()["number"] == job["number"]
    number = client.get("/api/project")["current"]
    changes = client.get(f"/api/runs/{number}/changes?from=1")
    assert home(client, "s1")["document"] in changes["documents"]
    assert changes["kept"] > 0
    verdict = {entry["seq"]: entry["verdict"] for entry in client.get("/api/statements")}
    assert verdict[said["seq"]] in ("kept", "broken")
    audit = client.get(f"/api/runs/{number}/audit")
    assert (changes["kept"] + changes["broken"], sum(audit["counts"].values())) == (1, 1)
    assert audit["exemplars"] == changes["exemplars"]
    assert 3 < sum(audit["exemplars"].values()) == audit["total"] - 1
    assert [row["stands_in"] for row in audit["rows"]] == [False] + [True] * (audit["total"] - 1)
    agreement = client.get(f"/api/compare?runs=1,{number}")
    assert 0.5 < agreement["nmi"] <= 1
    moved = client.get(f"/api/runs/{number}/groups")
    assert sum(group["moved_in"] for group in moved) == changes["moved"]
    assert client.ask("GET", f"/api/runs/{number}/start.json")[0] == 200
    assert b"s1" in client.ask("GET", f"/api/runs/{number}/knowledge.yaml")[2]
    assert "--start start.json" in client.get("/api/runs")[-1]["command"]


def test_undo_redo_and_the_file_go_together(client):
    said = client.send("POST", "/api/statements", {"kind": "outside", "body": {"document": "c3"}}, 201)
    assert "c3" in client.get("/api/knowledge")["text"]
    assert client.send("POST", "/api/undo", {})["status"] == "undone"
    assert client.get("/api/knowledge")["text"] == ""
    assert client.send("POST", "/api/redo", {})["id"] == said["id"]
    status, headers, content = client.ask("GET", "/api/knowledge.yaml")
    assert (status, headers["content-disposition"]) == (200, 'attachment; filename="knowledge.yaml"')
    assert b"c3" in content


def test_an_edit_of_an_old_text_is_refused_with_what_came_since(client):
    old = client.get("/api/knowledge")["seq"]
    late = client.send("POST", "/api/statements", {"kind": "outside", "body": {"document": "c3"}}, 201)
    edit = {"text": "documents: {labels: {s0: sky}}", "seq": old}
    refused = client.send("PUT", "/api/knowledge", edit, 409)
    assert refused["error"]["since"] == [late["seq"]]
    assert client.send("PUT", "/api/knowledge", {**edit, "seq": late["seq"]})["text"] == edit["text"]


def test_a_text_with_a_slip_is_refused_by_its_line(client):
    seq = client.get("/api/knowledge")["seq"]
    for text, line in (("documents:\n  labls: {}", 2), ("documents:\n  labels:\n    nobody: x", 3)):
        refused = client.send("PUT", "/api/knowledge", {"text": text, "seq": seq}, 422)
        assert f"knowledge.yaml:{line}" in json.dumps(refused)


@pytest.mark.parametrize(
    ("method", "path", "body", "status"),
    [
        ("GET", "/api/runs/99/groups", None, 404),
        ("POST", "/api/runs/1/documents", {"group": 77}, 404),
        ("POST", "/api/runs/1/documents", {"at": [5, 100000]}, 404),
        ("POST", "/api/runs/1/documents", {"at": [-1]}, 404),
        ("POST", "/api/runs/1/documents", {"box": [0, 1]}, 422),
        ("POST", "/api/runs/1/documents", {"order": "beauty"}, 422),
        ("POST", "/api/runs/1/documents", {"limit": 501}, 422),
        ("POST", "/api/runs/1/documents", {"q": "x" * 201}, 422),
        ("GET", "/api/runs/1/documents/0/similar?limit=101", None, 422),
        ("POST", "/api/statements", {"kind": "outside", "body": {}, "at": [120]}, 404),
        ("POST", "/api/statements", {"kind": "freeze", "body": {"group": 0}, "at": [1]}, 422),
        ("GET", "/api/runs/1/documents/100000", None, 404),
        ("GET", "/api/runs/one/groups", None, 404),
        ("GET", "/api/runs/1/start.json", None, 404),
        ("GET", "/api/search", None, 422),
        ("GET", "/api/compare?runs=1", None, 422),
        ("GET", "/api/runs/1/changes", None, 422),
        ("DELETE", "/api/runs", None, 405),
        ("DELETE", "/api/jobs/12345", None, 404),
        ("POST", "/api/runs", {"method": "no such"}, 422),
        ("POST", "/api/runs", {"n_clusters": "4"}, 422),
        ("POST", "/api/runs", {"n_clusters": 0}, 422),
        ("POST", "/api/runs", {"n_clusters": -1}, 422),
        ("POST", "/api/runs", {"n_clusters": 10**9}, 422),
        ("POST", "/api/runs", {"knowledge": "maybe"}, 422),
        ("POST", "/api/runs", {"strange": 1}, 422),
        ("POST", "/api/statements", {"kind": "label"}, 422),
        ("POST", "/api/statements", [1], 422),
        ("POST", "/api/statements", b"{", 415),
    ],
)
def test_errors_say_what_where_and_what_to_do(client, method, path, body, status):
    found, _, content = client.ask(method, path, body)
    assert found == status
    error = json.loads(content)["error"]
    assert error["what"]
    assert error["where"] == path.partition("?")[0]
    assert "todo" in error


def test_two_tabs_are_both_heard_and_hear_of_each_other(client, serving):
    connection = http.client.HTTPConnection(client.place, timeout=30)
    connection.request("GET", "/api/events", headers={"cookie": client.cookie})
    stream = connection.getresponse()
    assert stream.headers["content-type"].startswith("text/event-stream")
    assert stream.readline() == b"retry: 1000\n"
    tabs = [
        threading.Thread(
            target=client.send,
            args=("POST", "/api/statements", {"kind": "outside", "body": {"document": f"c{tab}"}}, 201),
        )
        for tab in (1, 2)
    ]
    for tab in tabs:
        tab.start()
    for tab in tabs:
        tab.join()
    assert len(serving.session.project.journal.live()) == 2
    heard = []
    while len(heard) < 2:
        line = stream.readline()
        if line.startswith(b"data:"):
            heard.append(json.loads(line[5:]))
    connection.close()
    live = {entry.seq for entry in serving.session.project.journal.live()}
    assert {event["seq"] for event in heard} == live
    assert heard[-1]["head"] == max(live)
    # a document outside all groups changes neither the names of groups nor which of them are frozen
    assert all(1 in event["stale"] and not event["groups"] for event in heard)


def test_the_openapi_document_lists_every_route(client):
    document = client.get("/api/openapi.json")
    for route in ROUTES:
        assert route.method.lower() in document["paths"][route.path.replace(":int", "")]
    assert "/api/events" in document["paths"]
    page = client.ask("GET", "/api")[2].decode()
    assert all(route.path.replace(":int", "") in page for route in ROUTES)


def test_answers_are_of_the_shape_that_is_told(client):
    from pydantic import TypeAdapter

    question = client.get("/api/questions?run=1&n=1")[0]["id"]
    values = {"run": 1, "group": 0, "document": 0, "question": question}
    query = {
        "/api/runs/1/changes": "?from=1",
        "/api/runs/1/changes/documents": "?from=1&source=0&target=0",
        "/api/column": "?name=topic",
        "/api/runs/1/column": "?name=topic",
        "/api/search": "?q=ice",
        "/api/compare": "?runs=1,1",
    }
    for route in ROUTES:
        if route.method == "GET" and not isinstance(route.response, str):
            path = route.path.replace(":int", "").format(**values)
            found = client.get(path + query.get(path, ""))
            # a field that the type does not have would be left out
            assert TypeAdapter(route.response).validate_python(found, strict=True) == found
    rows = list_documents(client, q="ice -orbit", limit=5)
    assert TypeAdapter(r.DocumentsAnswer).validate_python(rows, strict=True) == rows


def test_the_first_page_and_the_report_are_there(client):
    status, headers, content = client.ask("GET", "/")
    assert (status, headers["content-type"]) == (200, "text/html; charset=utf-8")
    assert b"<script>" not in content
    status, headers, _ = client.ask("GET", "/api/runs/1/report")
    assert status == 200
    assert "script" not in headers["content-security-policy"]
    assert "sandbox" in headers["content-security-policy"]


def test_sentences_of_the_journal_have_the_present_names_of_groups(client):
    hockey = home(client, "h0")["group"]
    for body in (
        {"kind": "label", "body": {"documents": ["s1", "s2", "s3"], "group": hockey}},
        {"kind": "name", "body": {"group": hockey, "name": "On the ice"}},
    ):
        client.send("POST", "/api/statements", {**body, "after": 0}, expected=201)
    sentences = [entry["sentence"] for entry in client.get("/api/statements")]
    assert "s1, s2 and s3 belong in On the ice" in sentences
    assert f"group {hockey} is called On the ice" in sentences
