from __future__ import annotations

import errno
import os

import pytest

from colligate.cli import output
from colligate.cli.output import claimed
from colligate.errors import StoreError


def content(folder):
    return {path.relative_to(folder): path.read_bytes() for path in folder.rglob("*") if path.is_file()}


def test_a_folder_below_a_file_cannot_be_written(call, docs, tmp_path):
    (tmp_path / "file").write_text("x", encoding="utf-8")
    done = call("cluster", docs, "-k", 3, "--out", tmp_path / "file" / "out")
    assert done.exit_code == 3
    assert done.stderr.startswith(f"error: cannot write {tmp_path / 'file' / 'out'}: ")


def test_a_file_is_no_folder(call, docs, tmp_path):
    (tmp_path / "file").write_text("x", encoding="utf-8")
    done = call("cluster", docs, "-k", 3, "--out", tmp_path / "file")
    assert done.exit_code == 3
    assert "is a file; --out needs a folder" in done.stderr
    assert (tmp_path / "file").read_text(encoding="utf-8") == "x"


def test_a_finished_run_is_replaced_only_on_demand(call, docs, run_folder):
    before = content(run_folder)
    for extra in ((), ("--resume",)):
        done = call("cluster", docs, "-k", 2, "--out", run_folder, *extra)
        assert done.exit_code == 3
        assert "holds a finished run" in done.stderr
        assert content(run_folder) == before
    done = call("cluster", docs, "-k", 2, "--out", run_folder, "--overwrite")
    assert done.exit_code == 0, done.output
    assert len((run_folder / "clusters.csv").read_text(encoding="utf-8").splitlines()) == 3


def test_a_foreign_folder_is_never_touched(call, docs, run_folder, tmp_path):
    (tmp_path / "mine").mkdir()
    (tmp_path / "mine" / "documents.csv").write_text("precious", encoding="utf-8")
    (run_folder / "notes.txt").write_text("precious", encoding="utf-8")
    for folder in (tmp_path / "mine", run_folder):
        before = content(folder)
        for command in (("cluster", docs, "-k", 3, "--overwrite"), ("demo",)):
            done = call(*command, "--out", folder)
            assert done.exit_code == 3
            assert "holds what is not from a run" in done.stderr
            assert content(folder) == before


def test_a_checkpoint_needs_a_decision(call, docs, tmp_path):
    out = tmp_path / "out"
    out.mkdir()
    (out / "checkpoint.npz").write_bytes(b"damaged")
    done = call("cluster", docs, "-k", 3, "--out", out)
    assert done.exit_code == 3
    assert "holds a run that is not finished; add --resume to go on with it" in done.stderr
    done = call("cluster", docs, "-k", 3, "--out", out, "--resume")
    assert done.exit_code == 3
    assert "checkpoint.npz is damaged" in done.stderr
    assert (out / "checkpoint.npz").read_bytes() == b"damaged"
    done = call("cluster", docs, "-k", 3, "--out", out, "--overwrite")
    assert done.exit_code == 0, done.output
    assert not (out / "checkpoint.npz").exists()


def test_resuming_nothing_starts_from_the_beginning(call, docs, tmp_path):
    done = call("cluster", docs, "-k", 3, "--out", tmp_path / "out", "--resume")
    assert done.exit_code == 0, done.output
    assert "there is nothing to resume" in done.stderr


@pytest.fixture
def full_disk(monkeypatch):
    def write(*_args, **_kwargs):
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    monkeypatch.setattr("colligate.cli.job.write_page", write)
    return monkeypatch


def test_a_full_disk_leaves_nothing_half_written(call, docs, tmp_path, full_disk):
    out = tmp_path / "out"
    arguments = ("cluster", docs, "-k", 3, "--out", out)
    done = call(*arguments)
    assert done.exit_code == 3
    assert f"cannot write {out}: No space left on device" in done.stderr
    assert "go on with --resume" in done.stderr
    assert [path.name for path in out.iterdir()] == ["checkpoint.npz"]
    full_disk.undo()
    done = call(*arguments, "--resume")
    assert done.exit_code == 0, done.output
    assert not (out / "checkpoint.npz").exists()


def test_a_full_disk_leaves_the_old_run_alone(call, docs, run_folder, full_disk):
    before = content(run_folder)
    done = call("cluster", docs, "-k", 2, "--out", run_folder, "--overwrite")
    assert done.exit_code == 3
    after = content(run_folder)
    assert {path for path in after if path not in before} == {
        (run_folder / "checkpoint.npz").relative_to(run_folder)
    }
    assert {path: after[path] for path in before} == before


def test_a_move_that_fails_in_the_middle_is_undone(tmp_path, monkeypatch):
    def write(folder, text):
        for name in output.NAMES:
            (folder / name).write_text(text, encoding="utf-8")

    with claimed(tmp_path / "out") as folder, folder.writing() as new:
        write(new, f'{{"format": "{output.FORMAT}"}}')
    before = content(tmp_path / "out")
    moved = []
    rename = type(tmp_path).rename

    def failing(source, target):
        moved.append(source)
        if len(moved) == 10:
            raise OSError(errno.EIO, "Input/output error")
        return rename(source, target)

    monkeypatch.setattr(type(tmp_path), "rename", failing)
    with (
        pytest.raises(StoreError, match="Input/output error"),
        claimed(tmp_path / "out", overwrite=True) as folder,
        folder.writing() as new,
    ):
        write(new, "new")
    assert content(tmp_path / "out") == before


def test_what_a_killed_run_left_is_cleared_away(tmp_path):
    out = tmp_path / "out"
    (out / ".colligate-writing.abc" / "new").mkdir(parents=True)
    (out / ".checkpoint.npz.abc").write_bytes(b"half")
    (out / "documents.csv").write_text("moved in already", encoding="utf-8")
    with pytest.raises(StoreError, match="--overwrite"), claimed(out):
        pass
    with claimed(out, overwrite=True):
        assert [path.name for path in out.iterdir()] == ["documents.csv"]


def test_the_folders_made_for_a_run_go_when_it_fails(tmp_path):
    with pytest.raises(ValueError, match="no"), claimed(tmp_path / "a" / "b"):
        raise ValueError("no")
    assert list(tmp_path.iterdir()) == []
