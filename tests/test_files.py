import pytest

from colligate.errors import StoreError
from colligate.files import writing_file, writing_folder


def names(folder):
    return sorted(path.name for path in folder.iterdir())


def fail_after_writing(target, text, error):
    with writing_file(target) as temporary:
        temporary.write_text(text)
        raise error


def test_a_file_appears_only_when_it_is_complete(tmp_path):
    target = tmp_path / "deep" / "a.txt"
    with writing_file(target) as temporary:
        temporary.write_text("whole")
        assert not target.exists()
    assert target.read_text() == "whole"
    assert names(target.parent) == ["a.txt"]


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
    with writing_folder(target) as temporary:
        (temporary / "one").write_text("1")
    with pytest.raises(StoreError, match="exists already"), writing_folder(target):
        pass
    with writing_folder(target, overwrite=True) as temporary:
        (temporary / "two").write_text("2")
    assert names(target) == ["two"]
    with pytest.raises(StoreError, match="disk"), writing_folder(target, overwrite=True):
        raise OSError("disk trouble")
    assert names(target) == ["two"]
    assert names(tmp_path) == ["run"]


def test_a_place_that_cannot_be_written_is_named(tmp_path):
    (tmp_path / "file").write_text("")
    with (
        pytest.raises(StoreError, match=r"cannot write .*file/run"),
        writing_folder(tmp_path / "file" / "run"),
    ):
        pass
