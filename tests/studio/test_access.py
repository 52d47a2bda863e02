"""A page finds back after a restart of the studio, and nobody else gets in by that way."""

from __future__ import annotations

import json
import os
import socket
from contextlib import contextmanager

import pytest

from colligate.studio.project import Project
from colligate.studio.server.security import ACCESS_NAME, Access
from tests.studio.helpers import Serving, copy_project


@pytest.fixture
def folder(finished, tmp_path):
    return copy_project(finished, tmp_path)


@contextmanager
def serving(folder):
    made = Serving(Project(folder))
    try:
        yield made
    finally:
        made.close()


@pytest.fixture
def client(folder):
    """A client that a studio let in, which has ended since."""
    with serving(folder) as made:
        return made.client


def status_of(client, cookie=None):
    return client.ask("GET", "/api/project", cookie=False, Cookie=cookie or client.cookie)[0]


def test_a_client_finds_back_after_a_restart_on_its_port(folder, client):
    with serving(folder) as again:
        assert again.server.address.startswith(f"http://{client.place}/")
        assert status_of(client) == 200


def test_others_do_not_get_in_after_a_restart(folder, client):
    name = client.cookie.partition("=")[0]
    digest = Access.load(folder).digest
    with serving(folder):
        for cookie in (f"{client.cookie}x", f"{name}=", f"{name}={digest}", "x=y"):
            assert status_of(client, cookie) == 403
        assert client.ask("GET", f"/?token={client.token}", cookie=False)[0] == 403


def test_a_new_browser_ends_the_access_of_the_old_one(folder, client):
    with serving(folder) as again:
        assert status_of(again.client) == 200
        assert status_of(client) == 403


def test_the_token_of_a_restarted_studio_works_once_for_the_old_client_too(folder, client):
    with serving(folder) as again:
        token = again.server.address.partition("token=")[2]
        assert client.ask("GET", f"/?token={token}")[0] == 303
        assert client.ask("GET", f"/?token={token}", cookie=False)[0] == 403
        assert status_of(client) == 200


def test_the_cookie_is_not_valid_on_another_port(folder, client):
    port = client.place.partition(":")[2]
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", int(port)))
        taken.listen()
        with serving(folder) as again:
            client.place = again.server.address.removeprefix("http://").partition("/")[0]
            new = client.place.partition(":")[2]
            assert new != port
            assert status_of(client) == status_of(client, client.cookie.replace(port, new)) == 403


def test_the_project_keeps_only_a_hash_that_nobody_else_may_read(folder, client):
    path = folder / ACCESS_NAME
    assert client.cookie.partition("=")[2] not in path.read_text(encoding="utf-8")
    if os.name == "posix":
        assert path.stat().st_mode & 0o077 == 0


@pytest.mark.skipif(os.name != "posix", reason="the rights of files are those of POSIX")
@pytest.mark.parametrize("mode", [0o644, 0o606, 0o660])
def test_a_file_that_others_could_read_or_write_gives_no_access(folder, client, mode):
    (folder / ACCESS_NAME).chmod(mode)
    assert Access.load(folder) is None


def test_a_link_gives_no_access(folder, client, tmp_path):
    (folder / ACCESS_NAME).rename(tmp_path / "elsewhere")
    (folder / ACCESS_NAME).symlink_to(tmp_path / "elsewhere")
    assert Access.load(folder) is None


@pytest.mark.skipif(os.name != "posix", reason="Windows has no such pipes")
def test_a_pipe_gives_no_access_and_is_not_waited_for(folder, client):
    (folder / ACCESS_NAME).unlink()
    os.mkfifo(folder / ACCESS_NAME, 0o600)
    assert Access.load(folder) is None


@pytest.mark.parametrize(
    "content",
    [
        "",
        "{",
        "[]",
        "7",
        '{"port": 1}',
        '{"port": "1", "digest": ""}',
        '{"port": 70000, "digest": ""}',
        "[" * 900,
    ],
)
def test_a_damaged_file_gives_no_access(folder, client, content):
    (folder / ACCESS_NAME).write_text(content, encoding="utf-8")
    assert Access.load(folder) is None
    with serving(folder) as again:
        assert status_of(again.client) == 200


def test_an_empty_digest_gives_no_access(folder, client):
    port = int(client.place.partition(":")[2])
    (folder / ACCESS_NAME).write_text(json.dumps({"port": port, "digest": ""}), encoding="utf-8")
    with serving(folder):
        name = client.cookie.partition("=")[0]
        assert status_of(client, f"{name}=") == 403


def test_a_folder_that_cannot_be_written_to_keeps_no_access(tmp_path):
    Access(1, "x").save(tmp_path / "missing")
    assert list(tmp_path.iterdir()) == []
