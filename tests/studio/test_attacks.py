"""What a hostile page, program or document may try; each is refused, and the work in progress goes on."""

from __future__ import annotations

import json
import socket
import time

import pytest

from colligate.corpus import Corpus
from colligate.studio.project import Project, Settings
from colligate.studio.server import app
from colligate.studio.server.security import POLICY
from tests.studio.helpers import WAIT, Serving

SCRIPT = "<script>alert(1)</script>"


@pytest.fixture
def working(serving):
    """A server with a run under way, which must end well whatever the test does."""
    job = serving.session.request_run({"fresh": True})
    yield serving
    ended = serving.watched.ended()
    assert (ended["number"], ended["status"]) == (job.number, "done")


def test_without_the_token_nothing_is_answered(working):
    client = working.client
    for path in ("/", "/api/project", "/static/index.html", "/api/events", "/?token=", "/?token=wrong"):
        status, headers, content = client.ask("GET", path, cookie=False)
        assert status == 403
        assert "set-cookie" not in headers
        assert b"token" in content
    assert client.ask("POST", "/api/undo", {}, cookie=False)[0] == 403
    assert client.ask("GET", "/api/project", cookie=False, Cookie=f"{client.cookie}x")[0] == 403


def test_a_person_without_the_token_reads_how_to_get_in(working):
    client = working.client
    for path in ("/", "/?token=wrong", "/api/project"):
        status, headers, content = client.ask("GET", path, cookie=False, accept="text/html,*/*;q=0.8")
        assert (status, headers["content-type"]) == (403, "text/html; charset=utf-8")
        assert b"start it again by the same command" in content
        assert b"docs.jsonl" not in content
        assert "'unsafe-inline'" not in headers["content-security-policy"]
    status, headers, _ = client.ask("GET", "/", cookie=False, accept="application/json")
    assert (status, headers["content-type"]) == (403, "application/json")


def test_the_token_works_once(working):
    client = working.client
    assert client.ask("GET", f"/?token={client.token}", cookie=False)[0] == 403
    assert client.ask("GET", f"/?token={client.token}")[0] == 303


@pytest.mark.parametrize("host", ["evil.example", "evil.example:80", "127.0.0.1", "127.0.0.1:1", ""])
def test_another_host_is_refused(working, host):
    assert working.client.ask("GET", "/api/project", host=host)[0] == 421


@pytest.mark.parametrize(
    "headers",
    [
        {"origin": "http://evil.example"},
        {"origin": "null"},
        {"origin": "http://127.0.0.1:1"},
        {"origin": "https://127.0.0.1"},
        {"sec_fetch_site": "cross-site"},
        {"sec_fetch_site": "same-site"},
    ],
)
def test_another_origin_is_refused(working, headers):
    head = working.session.project.journal.head
    for method, path in (("POST", "/api/undo"), ("GET", "/api/project")):
        assert working.client.ask(method, path, {} if method == "POST" else None, **headers)[0] == 403
    assert working.session.project.journal.head == head


def test_its_own_origin_is_welcome(working):
    assert working.client.ask("GET", "/api/project", origin=f"http://{working.client.place}")[0] == 200


@pytest.mark.parametrize(
    "path",
    [
        "/static/../session.py",
        "/static/..%2fsession.py",
        "/static/%2e%2e/%2e%2e/errors.py",
        "/static//etc/passwd",
        "/static/..\\session.py",
        "/static/%00",
        "/api/runs/../../etc/passwd",
        "/api/runs/..%2f..%2f1/groups",
        "/api/runs/-1/groups",
    ],
)
def test_no_path_leads_out(working, path):
    status, _, content = working.client.ask("GET", path)
    assert status in (400, 404)
    assert b"root:" not in content
    assert b"import" not in content


def test_a_body_of_100_mb_is_refused_before_it_is_read(working):
    client = working.client
    host, port = client.place.split(":")
    head = (
        f"POST /api/statements HTTP/1.1\r\nhost: {client.place}\r\ncookie: {client.cookie}\r\n"
        "content-type: application/json\r\n"
    )
    with socket.create_connection((host, int(port)), timeout=30) as sent:
        sent.sendall(f"{head}content-length: 100000000\r\n\r\n".encode())
        assert b" 413 " in sent.recv(4096)
    with socket.create_connection((host, int(port)), timeout=30) as sent:
        sent.sendall(f"{head}transfer-encoding: chunked\r\n\r\n".encode())
        try:
            for _ in range(100):
                sent.sendall(b"f4240\r\n" + b"x" * 1_000_000 + b"\r\n")
        except OSError:
            pass  # it does not listen any more
        else:
            pytest.fail("100 MB were taken in")
    assert client.ask("GET", "/api/project")[0] == 200


def test_1000_connections_do_not_keep_the_user_out(working, monkeypatch):
    monkeypatch.setattr(app, "FIRST_REQUEST_SECONDS", 3.0)
    host, port = working.client.place.split(":")
    opened = []
    try:
        for number in range(1000):
            mute = socket.create_connection((host, int(port)), timeout=30)
            opened.append(mute)
            if number % 2:
                mute.sendall(b"GET / HTTP/1.1\r\nhost: x")
            if number % 200 == 199:
                assert working.client.ask("GET", "/api/project")[0] == 200
        assert working.client.ask("GET", "/api/project")[0] == 200
        connections = working.server.server_state.connections
        assert len(connections) <= app.MAX_CONNECTIONS + 1
        deadline = time.monotonic() + WAIT
        while connections and time.monotonic() < deadline:
            time.sleep(0.1)
        assert not connections
    finally:
        for mute in opened:
            mute.close()


def test_a_form_of_another_page_is_refused(working):
    kind = "application/x-www-form-urlencoded"
    assert working.client.ask("POST", "/api/undo", b"id=1", content_type=kind)[0] == 415
    assert working.client.ask("POST", "/api/undo", b"{}", content_type="text/plain")[0] == 415


def test_json_that_is_no_json_is_refused(working):
    for body in (b"{", b"[" * 100_000, b"\xff\xfe", b"NaN", b'{"id": "\\ud800"}'):
        status = working.client.ask("POST", "/api/undo", body, content_type="application/json")[0]
        assert status in (400, 422)


@pytest.mark.parametrize(
    ("method", "path", "body"),
    [
        ("DELETE", f"/api/jobs/{10**20}", None),
        ("GET", f"/api/runs/{10**20}/groups", None),
        ("GET", f"/api/runs/1/documents/{10**20}", None),
        ("POST", "/api/runs/1/documents", {"offset": 10**20}),
        ("POST", "/api/runs/1/documents", {"at": [10**20]}),
        ("PUT", "/api/knowledge", {"text": "", "seq": 10**20}),
        ("POST", "/api/runs", {"n_clusters": 10**400}),
        ("POST", "/api/statements", {"kind": "name", "body": {"group": 10**30, "name": "x"}}),
    ],
)
def test_numbers_beyond_all_bounds_are_refused(working, method, path, body):
    status, _, content = working.client.ask(method, path, body)
    assert status in (404, 422), content


def test_every_answer_forbids_scripts_of_others(working):
    for path in ("/", "/api/project", "/no/such", "/api"):
        headers = working.client.ask("GET", path)[1]
        assert headers["content-security-policy"] == POLICY
        assert headers["x-content-type-options"] == "nosniff"
    assert "unsafe" not in POLICY


@pytest.mark.slow
def test_scripts_in_texts_names_and_knowledge_stay_text(tmp_path):
    texts = [f"{SCRIPT} orbit moon rocket {n}" for n in range(6)] + ["bread oven flour dough"] * 6
    ids = [f"{SCRIPT}{n}" for n in range(12)]
    settings = Settings(f"{SCRIPT}.jsonl", "", "citcc", 2)
    made = Project.create(
        tmp_path / f"{SCRIPT.replace('/', '')}.studio", Corpus.from_texts(texts, ids), settings
    )
    serving = Serving(made)
    try:
        assert serving.watched.run()["status"] == "done"
        client = serving.client
        client.send(
            "POST",
            "/api/statements",
            {"kind": "name", "body": {"group": 0, "name": SCRIPT}, "why": SCRIPT},
            201,
        )
        seq = client.get("/api/knowledge")["seq"]
        text = json.dumps({"documents": {"labels": {ids[0]: SCRIPT}}})
        client.send("PUT", "/api/knowledge", {"text": text, "seq": seq, "who": SCRIPT})
        assert serving.watched.run()["status"] == "done"
        for path in (
            "/api/project",
            "/api/runs",
            "/api/statements",
            "/api/knowledge",
            "/api/search?q=script",
            "/api/runs/2/groups",
            "/api/runs/2/documents/0",
            "/api/runs/2/documents/0/similar",
            "/api/runs/2/audit",
        ):
            status, headers, _ = client.ask("GET", path)
            assert (status, headers["content-type"]) == (200, "application/json")
        report = client.ask("GET", "/api/runs/2/report")[2].decode()
        assert "&lt;script&gt;" in report
        assert SCRIPT not in report
        assert client.ask("GET", f"/api/{SCRIPT}")[1]["content-type"] == "application/json"
    finally:
        serving.close()
