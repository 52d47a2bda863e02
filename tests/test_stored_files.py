from __future__ import annotations

import os

import pytest

from colligate._storage.atomic import hash_file
from colligate._storage.manifest import check_files, is_inside
from colligate.errors import StoreError


@pytest.fixture
def folder(tmp_path):
    (tmp_path / "secret").write_text("of the user", encoding="utf-8")
    inside = tmp_path / "stored"
    (inside / "deep").mkdir(parents=True)
    for name in ("manifest.json", "a", "deep/b"):
        (inside / name).write_text(name, encoding="utf-8")
    return inside


def hashes(folder, *names):
    return {name: hash_file(folder / name) for name in names}


def test_a_sound_folder_passes(folder):
    check_files(folder, "manifest.json", hashes(folder, "a", "deep/b"), "thing")


@pytest.mark.parametrize(
    "name", ["../secret", "/etc/passwd", "deep/../../secret", "C:/x", "\\\\host\\x", "..", ".", ""]
)
def test_names_outside_are_never_opened(folder, name, monkeypatch):
    monkeypatch.setattr("colligate._storage.atomic.hash_file", lambda path: pytest.fail(f"{path} was opened"))
    assert not is_inside(name)
    with pytest.raises(StoreError, match="outside its folder"):
        check_files(folder, "manifest.json", {name: "0"}, "thing")


def test_too_few_too_many_and_changed(folder):
    listed = hashes(folder, "a", "deep/b")
    with pytest.raises(StoreError, match=r"deep/b is not a part of the stored thing"):
        check_files(folder, "manifest.json", hashes(folder, "a"), "thing")
    with pytest.raises(StoreError, match=r"c is missing: the stored thing is not whole"):
        check_files(folder, "manifest.json", listed | {"c": "0"}, "thing")
    (folder / "deep" / "b").write_text("other", encoding="utf-8")
    with pytest.raises(StoreError, match=r"b is damaged or was changed"):
        check_files(folder, "manifest.json", listed, "thing")


def test_links_and_pipes_are_refused(folder):
    listed = hashes(folder, "a", "deep/b")
    (folder / "a").unlink()
    (folder / "a").symlink_to(folder.parent / "secret")
    with pytest.raises(StoreError, match="a is a link"):
        check_files(folder, "manifest.json", listed, "thing")
    (folder / "a").unlink()
    os.mkfifo(folder / "a")
    with pytest.raises(StoreError, match="no plain file"):
        check_files(folder, "manifest.json", listed, "thing")
