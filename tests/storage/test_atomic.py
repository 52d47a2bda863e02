import os
import re
import signal
import threading
from pathlib import Path

import pytest

from colligate._storage.atomic import defer_interrupts, expand_path, write_file, write_folder
from colligate.errors import InputError, StoreError


def everything(folder):
    return [path.relative_to(folder).as_posix() for path in folder.rglob("*")]


def save(target, text, **options):
    with write_folder(target, **options) as temporary:
        (temporary / "content").write_text(text)


def names(folder):
    return sorted(path.name for path in folder.iterdir())


def fail_after_writing(target, text, error):
    with write_file(target) as temporary:
        temporary.write_text(text)
        raise error


def test_a_file_appears_only_when_it_is_complete(tmp_path):
    target = tmp_path / "deep" / "a.txt"
    with write_file(target) as temporary:
        temporary.write_text("whole")
        assert not target.exists()
    assert target.read_text() == "whole"
    assert names(target.parent) == ["a.txt"]


@pytest.mark.skipif(os.name != "posix", reason="the rights of files are those of POSIX")
def test_rights_are_the_usual_ones_and_no_thread_has_another_mask_meanwhile(tmp_path, monkeypatch):
    previous = os.umask(0o027)
    try:
        with monkeypatch.context() as patch:
            patch.setattr(os, "umask", lambda mask: pytest.fail(f"the mask of all threads is {mask:o}"))
            for private in (True, False):
                with write_file(tmp_path / f"file-{private}", private=private) as temporary:
                    temporary.write_text("x")
                with write_folder(tmp_path / f"folder-{private}", private=private) as temporary:
                    (temporary / "content").write_text("x")
    finally:
        os.umask(previous)
    rights = {path.name: path.stat().st_mode & 0o777 for path in tmp_path.iterdir()}
    assert rights == {"file-True": 0o600, "file-False": 0o640, "folder-True": 0o700, "folder-False": 0o750}


def test_a_failure_leaves_the_old_file_and_nothing_else(tmp_path):
    target = tmp_path / "a.txt"
    target.write_text("old")
    with pytest.raises(RuntimeError):
        fail_after_writing(target, "half", RuntimeError())
    assert target.read_text() == "old"
    assert names(tmp_path) == ["a.txt"]


def test_a_full_disk_is_told_with_the_file_it_struck(tmp_path):
    target = tmp_path / "a.txt"
    with pytest.raises(StoreError, match=r"cannot write .*a\.txt: No space left"):
        fail_after_writing(target, "half", OSError(28, "No space left on device"))
    assert names(tmp_path) == []


def test_a_folder_is_swapped_in_as_a_whole(tmp_path):
    target = tmp_path / "run"
    with write_folder(target) as temporary:
        (temporary / "one").write_text("1")
    with pytest.raises(StoreError, match="already exists"), write_folder(target):
        pass
    with write_folder(target, overwrite=True, owned=everything) as temporary:
        (temporary / "two").write_text("2")
    assert names(target) == ["two"]
    with pytest.raises(StoreError, match="disk"), write_folder(target, overwrite=True, owned=everything):
        raise OSError("disk trouble")
    assert names(target) == ["two"]
    assert names(tmp_path) == ["run"]


def test_a_place_that_cannot_be_written_is_named(tmp_path):
    (tmp_path / "file").write_text("")
    with (
        pytest.raises(StoreError, match=r"cannot write .*file/run"),
        write_folder(tmp_path / "file" / "run"),
    ):
        pass


def test_what_is_not_ours_is_never_replaced(tmp_path):
    target = tmp_path / "run"
    save(target, "old")
    for foreign in (target / "my_notes.txt", target / "deep" / "letter.txt"):
        foreign.parent.mkdir(exist_ok=True)
        foreign.write_text("precious")
        with pytest.raises(
            StoreError, match=f"it contains {foreign.parts[len(target.parts)]}.*another folder"
        ):
            save(target, "new", overwrite=True, owned=lambda _: ["content"])
        assert (foreign.read_text(), (target / "content").read_text()) == ("precious", "old")
        foreign.unlink()


def test_a_folder_becomes_ours_only_by_what_its_owner_says(tmp_path):
    save(tmp_path / "run", "old")
    with pytest.raises(StoreError, match="contains content"):
        save(tmp_path / "run", "new", overwrite=True)
    (tmp_path / "empty").mkdir()
    save(tmp_path / "empty", "new", overwrite=True)
    assert (tmp_path / "empty" / "content").read_text() == "new"


def test_a_link_inside_is_not_ours(tmp_path):
    save(tmp_path / "run", "old")
    (tmp_path / "run" / "content").unlink()
    (tmp_path / "run" / "content").symlink_to(tmp_path)
    with pytest.raises(StoreError, match="contains content"):
        save(tmp_path / "run", "new", overwrite=True, owned=lambda _: ["content"])


def test_a_file_is_no_folder_to_replace(tmp_path):
    (tmp_path / "run").write_text("precious")
    with pytest.raises(StoreError, match="is a file"):
        save(tmp_path / "run", "new", overwrite=True, owned=everything)
    assert (tmp_path / "run").read_text() == "precious"


def test_what_came_while_writing_is_not_replaced(tmp_path):
    target = tmp_path / "run"
    with pytest.raises(StoreError, match="already exists"), write_folder(target):
        save(target, "of another")
    assert (target / "content").read_text() == "of another"
    with (
        pytest.raises(StoreError, match="contains notes"),
        write_folder(target, overwrite=True, owned=lambda _: ["content"]),
    ):
        (target / "notes").write_text("precious")
    assert names(target) == ["content", "notes"]
    assert names(tmp_path) == ["run"]


@pytest.mark.parametrize("after", [False, True])
@pytest.mark.parametrize("step", [1, 2])
@pytest.mark.parametrize("stop", [KeyboardInterrupt(), MemoryError(), OSError(5, "Input/output error")])
def test_a_swap_that_is_stopped_keeps_the_old_folder(tmp_path, monkeypatch, stop, step, after):
    target = tmp_path / "run"
    save(target, "old")
    rename, moved = Path.rename, []

    def failing(source, destination):
        moved.append(source)
        if len(moved) == step and after:
            rename(source, destination)
        if len(moved) == step:
            raise stop
        return rename(source, destination)

    monkeypatch.setattr(Path, "rename", failing)
    with pytest.raises((type(stop), StoreError)):
        save(target, "new", overwrite=True, owned=everything)
    whole = "new" if after and step == 2 else "old"
    assert (target / "content").read_text() == whole
    assert names(tmp_path) == ["run"]


def test_ctrl_c_waits_until_the_new_folder_is_in_place(tmp_path, monkeypatch):
    target = tmp_path / "run"
    save(target, "old")
    rename = Path.rename

    def interrupted(source, destination):
        signal.raise_signal(signal.SIGINT)
        return rename(source, destination)

    monkeypatch.setattr(Path, "rename", interrupted)
    with pytest.raises(KeyboardInterrupt):
        save(target, "new", overwrite=True, owned=everything)
    assert (target / "content").read_text() == "new"


def test_if_the_old_folder_cannot_be_put_back_it_is_told_where_it_is(tmp_path, monkeypatch):
    target = tmp_path / "run"
    save(target, "old")
    rename, moved = Path.rename, []

    def failing(source, destination):
        moved.append(source)
        if len(moved) > 1:
            raise OSError(5, "Input/output error")
        return rename(source, destination)

    monkeypatch.setattr(Path, "rename", failing)
    with pytest.raises(StoreError, match="its earlier content is now in") as caught:
        save(target, "new", overwrite=True, owned=everything)
    previous = re.search(r"is now in (.*)\. To restore", str(caught.value)).group(1)
    assert (Path(previous) / "content").read_text() == "old"


def test_ctrl_c_is_held_back_in_the_main_thread_only():
    done = []

    def work(name):
        with defer_interrupts():
            if name == "main":
                signal.raise_signal(signal.SIGINT)
            done.append(name)

    with pytest.raises(KeyboardInterrupt):
        work("main")
    thread = threading.Thread(target=work, args=("other",))
    thread.start()
    thread.join()
    assert done == ["main", "other"]
    assert signal.getsignal(signal.SIGINT) is signal.default_int_handler


def test_an_error_from_inside_is_told_once(tmp_path):
    with pytest.raises(StoreError) as told, write_file(tmp_path / "a.txt"):
        raise StoreError("cannot write inner: disk trouble")
    assert str(told.value) == "cannot write inner: disk trouble"


def test_a_link_stays_a_link(tmp_path):
    (tmp_path / "real.txt").write_text("old")
    (tmp_path / "link.txt").symlink_to(tmp_path / "real.txt")
    with write_file(tmp_path / "link.txt") as temporary:
        temporary.write_text("new")
    assert (tmp_path / "link.txt").is_symlink()
    assert (tmp_path / "real.txt").read_text() == "new"
    save(tmp_path / "real", "old")
    (tmp_path / "linked").symlink_to(tmp_path / "real")
    save(tmp_path / "linked", "new", overwrite=True, owned=everything)
    assert (tmp_path / "linked").is_symlink()
    assert (tmp_path / "real" / "content").read_text() == "new"


@pytest.mark.parametrize("path", [None, 3, b"run", ["run"]])
def test_what_is_no_path_is_refused(path):
    with pytest.raises(InputError, match="a path is needed, as text or"):
        expand_path(path)


def test_a_tilde_is_the_home_folder(tmp_path, monkeypatch):
    monkeypatch.setenv("HOME", str(tmp_path))
    assert expand_path("~/a") == tmp_path / "a"
    assert expand_path("~nobody-of-that-name/a") == Path("~nobody-of-that-name/a")
    with write_file(Path("~/a.txt")) as temporary:
        temporary.write_text("home")
    save(Path("~/run"), "home")
    assert names(tmp_path) == ["a.txt", "run"]
