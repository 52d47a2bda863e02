"""What others on the machine can see: nothing of a project, and no token."""

from __future__ import annotations

import os
import stat
import time
from concurrent.futures import ThreadPoolExecutor

import pytest

import colligate as cg
from colligate.cli import studio as command
from colligate.errors import StoreError
from colligate.studio.project import Project, Settings
from colligate.studio.server.security import ACCESS_NAME, ENTRY_NAME, Access, write_entry_file
from tests.studio.helpers import Serving, copy_project, make_project

NAVIGATION = {"sec_fetch_mode": "navigate", "sec_fetch_dest": "document", "sec_fetch_site": "cross-site"}
posix = pytest.mark.skipif(os.name != "posix", reason="the rights of files are those of POSIX")


@posix
def test_only_the_owner_can_read_a_project(tmp_path):
    previous = os.umask(0o022)
    try:
        project = make_project(tmp_path / "project")
        project.save_settings(project.settings)
        project.set_labels({"s1": "space"})
        project.journal.add("note", {"text": "x"})
        project.close()
    finally:
        os.umask(previous)
    assert stat.S_IMODE(project.folder.stat().st_mode) == 0o700
    open_to_others = [path for path in project.folder.rglob("*") if path.stat().st_mode & 0o077]
    assert open_to_others == []


@posix
def test_the_runs_of_a_project_are_private_too(finished, tmp_path):
    folder = copy_project(finished, tmp_path)
    runs = [path for path in folder.rglob("*") if "runs" in path.parts or "maps" in path.parts]
    assert [path for path in runs if path.is_file() and path.stat().st_mode & 0o077] == []
    folder.chmod(0o755)
    Project(folder).close()
    assert stat.S_IMODE(folder.stat().st_mode) == 0o700


def test_the_browser_gets_a_private_file_and_not_the_token(tmp_path, monkeypatch):
    opened = []
    monkeypatch.setattr(command.webbrowser, "open", opened.append)
    command._show_address("http://127.0.0.1:1/?token=secret&x", tmp_path, no_browser=False)
    assert opened == [(tmp_path / ENTRY_NAME).resolve().as_uri()]
    assert "url=http://127.0.0.1:1/?token=secret&amp;x" in (tmp_path / ENTRY_NAME).read_text()
    if os.name == "posix":
        assert stat.S_IMODE((tmp_path / ENTRY_NAME).stat().st_mode) == 0o600


@pytest.fixture
def serving(finished, tmp_path):
    made = Serving(Project(copy_project(finished, tmp_path)))
    yield made
    made.close()


def test_the_entry_file_lets_a_browser_in_once_and_is_removed(serving):
    ask = serving.client.ask
    gate, folder = serving.server.config.app, serving.session.project.folder
    gate._token = "another-token"
    write_entry_file("http://x/?token=another-token", folder)
    assert ask("GET", "/?token=wrong", cookie=False, **NAVIGATION)[0] == 403
    assert ask("GET", "/api/project?token=another-token", cookie=False, **NAVIGATION)[0] == 403
    assert (folder / ENTRY_NAME).exists()
    status, headers, page = ask("GET", "/?token=another-token", cookie=False, **NAVIGATION)
    assert (status, b"url=/" in page, "set-cookie" in headers) == (200, True, True)
    assert not (folder / ENTRY_NAME).exists()
    assert ask("GET", "/?token=another-token", cookie=False, **NAVIGATION)[0] == 403


def test_a_full_disk_is_told_as_such_and_nothing_is_lost(serving):
    client, journal = serving.client, serving.session.project.journal
    statement = {"kind": "outside", "body": {"document": "c3"}}
    client.send("POST", "/api/statements", statement, 201)
    # SQLite reports a full disk when the file may not grow
    journal.connection.execute("PRAGMA max_page_count=1")
    long = {**statement, "body": {"document": "c4"}, "why": "x" * 900}
    answers = [client.ask("POST", "/api/statements", long) for _ in range(30)]
    refused = [content for status, _, content in answers if status == 500]
    assert refused
    assert all(b"full" in content and b"free some space" in content for content in refused)
    assert not any(b"defect" in content for _, _, content in answers)
    journal.connection.execute("PRAGMA max_page_count=1000000")
    assert next(entry.body["document"] for entry in journal.live()) == "c3"
    client.send("POST", "/api/undo", {})


def test_an_undo_on_a_full_disk_is_told_as_such(serving, monkeypatch):
    client, journal = serving.client, serving.session.project.journal
    client.send("POST", "/api/statements", {"kind": "outside", "body": {"document": "c3"}}, 201)
    # an SQL function that fails is an operational error, as a full disk is
    journal.connection.create_function("fail", 0, lambda: 1 / 0)
    monkeypatch.setattr(journal, "_add_event", lambda *_: journal.connection.execute("SELECT fail()"))
    status, _, content = client.ask("POST", "/api/undo", {})
    assert (status, b"defect" in content, b"free some space" in content) == (500, False, True)
    monkeypatch.undo()
    assert len(journal.live()) == 1
    client.send("POST", "/api/undo", {})


def test_a_thousand_connections_are_answered_or_refused_with_a_word(serving):
    import asyncio

    host, _, port = serving.client.place.partition(":")
    headers = f"host: {serving.client.place}\r\ncookie: {serving.client.cookie}\r\n\r\n"
    request = f"GET /api/project HTTP/1.1\r\n{headers}"

    async def ask() -> tuple[bytes, float]:
        start = time.perf_counter()
        reader, writer = await asyncio.open_connection(host, int(port))
        try:
            writer.write(request.encode())
            answer = await asyncio.wait_for(reader.readuntil(b"\r\n\r\n"), 60)
            return answer[:12], time.perf_counter() - start
        finally:
            writer.close()

    async def ask_all(number: int) -> list[tuple[bytes, float]]:
        return await asyncio.gather(*(ask() for _ in range(number)))

    # in a thread of its own: a browser of other tests keeps an event loop running in this one
    with ThreadPoolExecutor(1) as pool:
        answers = pool.submit(lambda: asyncio.run(ask_all(400))).result()
    statuses = {status for status, _ in answers}
    assert statuses <= {b"HTTP/1.1 200", b"HTTP/1.1 503"}
    assert b"HTTP/1.1 200" in statuses
    assert serving.client.get("/api/project")


@pytest.mark.parametrize("name", ["open.html", "access.json", "labels.json", "maps/1.npz", "starts"])
def test_a_link_in_a_received_project_leads_nowhere(tmp_path, name):
    corpus = cg.Corpus.from_texts(["apple bread", "car door", "apple car"])
    folder, victim = tmp_path / "project", tmp_path / "victim"
    Project.create(folder, corpus, Settings("x", "", "kmeans", 2)).close()
    victim.write_text("precious")
    path = folder / name
    if path.is_dir():
        path.rmdir()
    path.symlink_to(victim)
    with pytest.raises(StoreError, match="is a symbolic link"):
        Project(folder)
    assert victim.read_text() == "precious"


def test_a_private_file_replaces_a_link_in_its_place(tmp_path):
    victim = tmp_path / "victim"
    victim.write_text("precious")
    for name in (ENTRY_NAME, ACCESS_NAME):
        (tmp_path / name).symlink_to(victim)
    write_entry_file("http://127.0.0.1:1/?token=x", tmp_path)
    Access(1, "x").save(tmp_path)
    assert victim.read_text() == "precious"
    assert not any((tmp_path / name).is_symlink() for name in (ENTRY_NAME, ACCESS_NAME))
