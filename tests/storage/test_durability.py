"""The order of writes: what a name promises is on the disk before the name is.

The disk of these tests forgets on a power cut whatever was not synced: the content of a file since its last
`fsync`, and the names in a folder since the last `fsync` of the folder.
"""

from __future__ import annotations

import os
import shutil
from pathlib import Path

import pytest

from colligate._storage import atomic
from colligate._storage.atomic import swap_files, write_file, write_folder


class ForgetfulDisk:
    """Records what was synced under a folder, and can show the folder after a power cut at any moment."""

    def __init__(self, root: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        self.root = root
        self.calls: list[tuple[str, str]] = []
        self.synced: dict[int, bytes] = {}
        self.names: dict[Path, dict[str, int]] = {}
        self.cuts: list[dict[str, bytes]] = []
        fsync, rename, replace = os.fsync, os.rename, os.replace

        def record_fsync(handle: int) -> None:
            fsync(handle)
            path = Path(f"/proc/self/fd/{handle}").readlink()
            self.calls.append(("sync", path.name))
            if path.is_dir():
                self.names[path] = {entry.name: entry.stat().st_ino for entry in path.iterdir()}
            else:
                self.synced[path.stat().st_ino] = path.read_bytes()
            self.cuts.append(self.after_power_cut())

        def record_move(move):
            def moving(source, target, **more):
                self.cuts.append(self.after_power_cut())
                self.calls.append(("rename", Path(target).name))
                moved = move(source, target, **more)
                self.cuts.append(self.after_power_cut())
                return moved

            return moving

        monkeypatch.setattr(os, "fsync", record_fsync)
        monkeypatch.setattr(os, "rename", record_move(rename))
        monkeypatch.setattr(os, "replace", record_move(replace))

    def after_power_cut(self) -> dict[str, bytes]:
        """Return the files with what of them is certain: names may or may not have arrived without a sync.

        The worse case is shown: a new name is there, and the content that was not synced is not.
        """
        files = {}
        for path in sorted(self.root.rglob("*")):
            if path.is_file():
                files[path.relative_to(self.root).as_posix()] = self.synced.get(path.stat().st_ino, b"")
        return files


@pytest.fixture
def disk(tmp_path, monkeypatch):
    if not Path("/proc/self/fd").exists():
        pytest.skip("needs /proc")
    return ForgetfulDisk(tmp_path, monkeypatch)


def test_a_file_is_synced_before_it_has_its_name_and_its_folder_afterwards(tmp_path, disk):
    with write_file(tmp_path / "a.json") as temporary:
        temporary.write_text("new")
    kinds = [kind for kind, _ in disk.calls]
    assert kinds == ["sync", "rename", "sync"]
    assert disk.calls[1:] == [("rename", "a.json"), ("sync", tmp_path.name)]
    assert all(cut.get("a.json", b"new") == b"new" for cut in disk.cuts)


def test_a_power_cut_leaves_the_old_file_or_the_new_one(tmp_path, disk):
    for content in ("old", "newer"):
        with write_file(tmp_path / "a.json") as temporary:
            temporary.write_text(content)
    assert {cut["a.json"] for cut in disk.cuts if "a.json" in cut} == {b"old", b"newer"}


def test_a_folder_that_has_its_name_has_all_its_files(tmp_path, disk):
    for content in ("old", "newer"):
        with write_folder(tmp_path / "run", overwrite=True, owned=lambda _: ["a", "deep/b"]) as temporary:
            (temporary / "deep").mkdir()
            (temporary / "a").write_text(content)
            (temporary / "deep" / "b").write_text(content)
    whole = [(cut.get("run/a"), cut.get("run/deep/b")) for cut in disk.cuts if "run/a" in cut]
    assert set(whole) == {(b"old", b"old"), (b"newer", b"newer")}


def test_outputs_are_synced_before_they_take_the_place_of_others(tmp_path, disk):
    for name in ("path", "new", "old"):
        (tmp_path / name).mkdir()
    (tmp_path / "new" / "report").write_text("r")
    (tmp_path / "new" / "record").write_text("s")
    swap_files(["report", "record"], tmp_path / "path", tmp_path / "new", tmp_path / "old")
    assert [name for kind, name in disk.calls if kind == "rename"] == ["report", "record"]
    assert disk.calls[-1] == ("sync", "path")
    assert disk.after_power_cut()["path/record"] == b"s"


def test_without_syncing_the_disk_would_forget(tmp_path, disk, monkeypatch):
    """The test above can fail: without `fsync`, a name without content is what a power cut leaves."""
    monkeypatch.setattr(atomic, "sync_file", lambda path: None)
    with write_file(tmp_path / "a.json") as temporary:
        temporary.write_text("new")
    assert disk.after_power_cut()["a.json"] == b""


def test_temporary_paths_are_not_in_messages(tmp_path):
    def fill_the_disk(path):
        raise OSError(28, f"No space left on device: {path}")

    for write in (write_file, write_folder):
        with pytest.raises(atomic.StoreError) as caught, write(tmp_path / "target") as temporary:
            fill_the_disk(temporary)
        assert str(tmp_path / "target") in str(caught.value)
        assert str(temporary) not in str(caught.value)


def test_an_empty_lock_that_nobody_holds_is_taken_over(tmp_path, monkeypatch):
    """On a file system without locks, the file is the lock."""
    import filelock

    path = tmp_path / atomic.LOCK_NAME
    path.touch()
    monkeypatch.setattr(filelock, "FileLock", filelock.SoftFileLock)
    with pytest.raises(atomic.StoreError, match="in use by another run"), atomic.lock_folder(tmp_path):
        pass
    os.utime(path, (1, 1))
    with atomic.lock_folder(tmp_path):
        assert path.exists()
    assert not path.exists()


def test_a_lock_that_is_held_is_not_taken_over(tmp_path):
    with atomic.lock_folder(tmp_path):
        os.truncate(tmp_path / atomic.LOCK_NAME, 0)
        os.utime(tmp_path / atomic.LOCK_NAME, (1, 1))
        assert not atomic._is_abandoned(tmp_path / atomic.LOCK_NAME)
    shutil.rmtree(tmp_path)
