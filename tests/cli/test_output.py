from __future__ import annotations

import errno
import os
import re
import signal
import socket
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

import colligate as cg
from colligate._storage import atomic
from colligate.cli import output
from colligate.cli.output import claim_folder, read_record
from colligate.errors import CancelledError, StoreError


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
        assert "contains a finished run" in done.stderr
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
            assert "contains files that are not from a run" in done.stderr
            assert content(folder) == before


def test_a_checkpoint_needs_a_decision(call, docs, tmp_path):
    out = tmp_path / "out"
    out.mkdir()
    (out / "checkpoint.npz").write_bytes(b"damaged")
    done = call("cluster", docs, "-k", 3, "--out", out)
    assert done.exit_code == 3
    assert "contains an unfinished run; add --resume to continue it" in done.stderr
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
    assert "contains no stopped run" in done.stderr


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
    assert "continue with --resume" in done.stderr
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


def write(folder, what):
    for name in output.NAMES:
        (folder / name).write_text(f'{{"format": "{output.FORMAT}", "is": "{what}"}}', encoding="utf-8")


@pytest.fixture
def old(tmp_path):
    with claim_folder(tmp_path / "out") as folder, folder.writing() as new:
        write(new, "old")
    return tmp_path / "out"


def write_anew(out):
    with claim_folder(out, overwrite=True) as folder, folder.writing() as new:
        write(new, "new")


def at_step(monkeypatch, step, act):
    """Have something happen at one of the renames, and tell at the end how many there were."""
    moved, rename = [], Path.rename

    def acting(source, target):
        moved.append(source)
        if len(moved) == step:
            act()
        return rename(source, target)

    monkeypatch.setattr(Path, "rename", acting)
    return moved


def failing(error):
    def act():
        raise error

    return act


@pytest.mark.parametrize(
    "error", [OSError(errno.EIO, "Input/output error"), KeyboardInterrupt(), MemoryError()]
)
@pytest.mark.parametrize("step", [1, 4, 7, 8, 10, 14])
def test_a_move_that_fails_in_the_middle_is_undone(old, monkeypatch, error, step):
    before = content(old)
    at_step(monkeypatch, step, failing(error))
    with pytest.raises((StoreError, KeyboardInterrupt, MemoryError)):
        write_anew(old)
    assert content(old) == before


@pytest.mark.parametrize("step", [1, 7, 8, 14])
def test_ctrl_c_waits_until_the_new_run_is_in_place(old, monkeypatch, step):
    at_step(monkeypatch, step, lambda: signal.raise_signal(signal.SIGINT))
    with pytest.raises(CancelledError, match="the run was already complete; it is in"):
        write_anew(old)
    assert {path.name for path in old.iterdir()} == set(output.NAMES)
    assert {read_record(old)["is"], (old / "words.csv").read_text(encoding="utf-8")[-5:-2]} == {"new"}


@pytest.mark.parametrize("step", range(2, 15))
def test_a_run_killed_while_it_is_moved_in_costs_nothing(old, step):
    before = content(old)
    (old / "checkpoint.npz").write_bytes(b"kept")
    new, aside = old / ".colligate-writing.abc" / "new", old / ".colligate-writing.abc" / "old"
    new.mkdir(parents=True)
    aside.mkdir()
    write(new, "new")
    moves = [(old / name, aside / name) for name in reversed(output.NAMES)]
    moves += [(new / name, old / name) for name in output.NAMES]
    for source, target in moves[: step - 1]:
        source.rename(target)
    with pytest.raises(StoreError, match="--resume"), claim_folder(old):
        pass
    with claim_folder(old, resume=True) as folder:
        assert folder.checkpoint.read_bytes() == b"kept"
    (old / "checkpoint.npz").unlink()
    assert content(old) == before


def test_if_the_old_run_cannot_be_put_back_it_is_kept(old, monkeypatch):
    before = content(old)
    moved = at_step(monkeypatch, 10, failing(OSError(errno.EIO, "Input/output error")))
    rename = Path.rename

    def refusing(source, target):
        if len(moved) >= 10:
            raise OSError(errno.EIO, "Input/output error")
        return rename(source, target)

    monkeypatch.setattr(Path, "rename", refusing)
    with pytest.raises(StoreError, match="Input/output error"):
        write_anew(old)
    monkeypatch.undo()
    with pytest.raises(StoreError, match="a finished run"), claim_folder(old):
        pass
    assert {path: text for path, text in content(old).items() if path.parent.name == ""} == before


def test_one_run_at_a_time_has_the_folder(tmp_path):
    out, told = tmp_path / "out", rf"out is in use by another run \(process {os.getpid()} on"
    with claim_folder(out):
        for options in ({}, {"overwrite": True}, {"resume": True}):
            with pytest.raises(StoreError, match=told), claim_folder(out, **options):
                pass
        assert (out / atomic.LOCK_NAME).is_file()
    assert not out.exists()


def test_a_second_run_is_refused_before_the_first_wrote_anything(call, docs, tmp_path):
    out = tmp_path / "out"
    with claim_folder(out):
        done = call("cluster", docs, "-k", 3, "--out", out, "--overwrite")
    assert done.exit_code == 3
    assert "is in use by another run" in done.stderr
    assert "choose another folder with --out" in done.stderr


HOLD = """
import sys, time
from pathlib import Path
from colligate._storage.atomic import lock_folder
with lock_folder(Path(sys.argv[1])):
    print("held", flush=True)
    time.sleep(60)
"""


@pytest.fixture
def holder(tmp_path):
    """Another process that holds the lock of the folder."""
    process = subprocess.Popen([sys.executable, "-c", HOLD, tmp_path], stdout=subprocess.PIPE, text=True)
    assert process.stdout.readline() == "held\n"
    yield process
    process.kill()
    process.communicate()


def test_the_lock_of_a_killed_process_is_taken_over(tmp_path, holder):
    told = rf"in use by another run \(process {holder.pid} on {re.escape(socket.gethostname())}\)"
    with pytest.raises(StoreError, match=told), claim_folder(tmp_path):
        pass
    holder.kill()
    holder.wait()
    assert (tmp_path / atomic.LOCK_NAME).exists()
    with claim_folder(tmp_path):
        owner = (tmp_path / atomic.LOCK_NAME).read_text(encoding="utf-8").split()[0]
        assert owner == str(os.getpid())
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("owner", ["", "1 elsewhere", "x", f"{10**30} {socket.gethostname()}", "\udcff"])
def test_what_a_lock_file_says_is_shown_and_never_believed(tmp_path, holder, owner):
    (tmp_path / atomic.LOCK_NAME).write_bytes(owner.encode(errors="surrogateescape"))
    with pytest.raises(StoreError, match="in use by another run"), claim_folder(tmp_path):
        pass
    holder.kill()
    holder.wait()
    with claim_folder(tmp_path):
        pass
    assert list(tmp_path.iterdir()) == []


def test_a_lock_file_that_is_a_link_is_not_followed(tmp_path):
    (tmp_path / "precious").write_text("kept", encoding="utf-8")
    (tmp_path / "out").mkdir()
    (tmp_path / "out" / atomic.LOCK_NAME).symlink_to(tmp_path / "precious")
    with pytest.raises(StoreError, match="cannot write"), claim_folder(tmp_path / "out"):
        pass
    assert (tmp_path / "precious").read_text(encoding="utf-8") == "kept"


def test_what_a_killed_run_left_is_cleared_away(tmp_path):
    out = tmp_path / "out"
    (out / ".colligate-writing.abc" / "new").mkdir(parents=True)
    (out / ".checkpoint.npz.abc").write_bytes(b"half")
    (out / "documents.csv").write_text("moved in already", encoding="utf-8")
    with pytest.raises(StoreError, match="--overwrite"), claim_folder(out):
        pass
    with claim_folder(out, overwrite=True):
        assert {path.name for path in out.iterdir()} == {"documents.csv", atomic.LOCK_NAME}


def test_the_folders_made_for_a_run_go_when_it_fails(tmp_path):
    with pytest.raises(ValueError, match="no"), claim_folder(tmp_path / "a" / "b"):
        raise ValueError("no")
    assert list(tmp_path.iterdir()) == []


def test_the_output_folder_can_be_loaded_as_a_result(run_folder):
    whole, model = cg.Result.load(run_folder), cg.Result.load(run_folder / "model")
    assert np.array_equal(whole.labels["documents"], model.labels["documents"])
