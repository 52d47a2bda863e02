from __future__ import annotations

import os
from dataclasses import replace
from types import MappingProxyType

import numpy as np
import pytest

from colligate._storage.atomic import hash_file
from colligate._storage.manifest import INTEGER_MAP, STRING_MAP, Manifest, check_files, is_inside
from colligate.errors import StoreError

MANIFEST = Manifest("manifest.json", "thing", 1, "thing", {"files": STRING_MAP}, "choose it", "make it again")


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
    check_files(folder, MANIFEST, hashes(folder, "a", "deep/b"))


@pytest.mark.parametrize(
    "name", ["../secret", "/etc/passwd", "deep/../../secret", "C:/x", "\\\\host\\x", "..", ".", ""]
)
def test_names_outside_are_never_opened(folder, name):
    assert not is_inside(name)
    manifest = replace(MANIFEST, measure=lambda path: pytest.fail(f"{path} was opened"))
    with pytest.raises(StoreError, match="outside this folder"):
        check_files(folder, manifest, {name: "0"})


def test_too_few_too_many_and_changed(folder):
    listed = hashes(folder, "a", "deep/b")
    with pytest.raises(StoreError, match=r"deep/b is not a part of the stored thing"):
        check_files(folder, MANIFEST, hashes(folder, "a"))
    with pytest.raises(StoreError, match=r"c is missing: the stored thing is incomplete"):
        check_files(folder, MANIFEST, listed | {"c": "0"})
    (folder / "deep" / "b").write_text("other", encoding="utf-8")
    with pytest.raises(StoreError, match=r"b is damaged or was changed"):
        check_files(folder, MANIFEST, listed)


def test_links_and_pipes_are_refused(folder):
    listed = hashes(folder, "a", "deep/b")
    (folder / "a").unlink()
    (folder / "a").symlink_to(folder.parent / "secret")
    with pytest.raises(StoreError, match="a is a symbolic link"):
        check_files(folder, MANIFEST, listed)
    (folder / "a").unlink()
    os.mkfifo(folder / "a")
    with pytest.raises(StoreError, match="not a regular file"):
        check_files(folder, MANIFEST, listed)


def test_a_manifest_lists_all_files_and_comes_back(folder):
    (folder / "manifest.json").unlink()
    MANIFEST.write(
        folder, {"numbers": np.arange(2), "pairs": MappingProxyType({"a": (1, 2)}), "half": "\ud800"}
    )
    content = MANIFEST.read(folder)
    assert content.pop("files") == hashes(folder, "a", "deep/b")
    assert content == {"numbers": [0, 1], "pairs": {"a": [1, 2]}, "half": "\ud800"}
    assert MANIFEST.list_files(folder) == ["manifest.json", "a", "deep/b"]


def test_an_older_or_newer_format_says_what_to_do(folder):
    for version, message in ((0, "an older version.*make it again"), (2, "a newer version.*upgrade")):
        (folder / "manifest.json").unlink(missing_ok=True)
        replace(MANIFEST, version=version).write(folder, {})
        with pytest.raises(StoreError, match=message):
            MANIFEST.read(folder)


@pytest.mark.parametrize("text", ["", "[", "[]", "null", "[" * 100_000, '{"format": "other"}'])
def test_a_folder_of_something_else_owns_no_files(folder, text):
    (folder / "manifest.json").write_text(text, encoding="utf-8")
    assert MANIFEST.list_files(folder) == []
    with pytest.raises(StoreError, match=r"manifest\.json"):
        MANIFEST.read(folder)


def test_sizes_may_stand_for_hashes_and_further_files_be_allowed(folder):
    sized = replace(
        MANIFEST, schema={"files": INTEGER_MAP}, measure=lambda path: path.stat().st_size, exact=False
    )
    (folder / "manifest.json").unlink()
    sized.write(folder, {})
    (folder / "more").write_text("x", encoding="utf-8")
    assert sized.read(folder)["files"] == {"a": 1, "deep/b": 6}
    (folder / "a").write_text("longer", encoding="utf-8")
    with pytest.raises(StoreError, match=r"a is damaged or was changed"):
        sized.read(folder)
