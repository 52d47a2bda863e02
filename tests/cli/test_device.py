"""`colligate cluster --device`: a GPU that cannot be used is one line, and what is done is kept."""

from __future__ import annotations

import csv

from colligate.kernels.arrays import refuse_full_device
from colligate.kernels.cuda import device
from colligate.methods.itcc import ITCC

METHOD = ("-k", "2", "--method", "itcc", "--restarts", "4", "--checkpoint-interval", "0")


class FullDeviceError(MemoryError):
    """The error of CuPy for a full GPU: it is known by its module."""


FullDeviceError.__module__ = "cupy.cuda.memory"


def read_groups(out):
    with (out / "documents.csv").open(encoding="utf-8", newline="") as stream:
        return [row["cluster"] for row in csv.DictReader(stream)]


def test_a_gpu_that_becomes_full_keeps_the_checkpoint(call, docs, tmp_path, monkeypatch):
    whole, out = tmp_path / "whole", tmp_path / "out"
    assert call("cluster", str(docs), *METHOD, "--out", str(whole)).exit_code == 0
    sweep, n_sweeps = ITCC.sweep, 0

    def fill_device(self, problem, state):
        nonlocal n_sweeps
        n_sweeps += 1
        with refuse_full_device():
            if n_sweeps == 4:
                raise FullDeviceError("Out of memory allocating 8,000,000 bytes.\nAllocated so far: 1 byte.")
            return sweep(self, problem, state)

    monkeypatch.setattr(ITCC, "sweep", fill_device)
    stopped = call("cluster", str(docs), *METHOD, "--out", str(out))
    message = " ".join(stopped.stderr.split())
    assert stopped.exit_code == 1
    assert "the GPU has too little memory (Out of memory allocating 8,000,000 bytes);" in message
    assert "--device cpu" in message
    assert "Allocated so far" not in message
    assert "Traceback" not in message
    assert (out / "checkpoint.npz").is_file()
    monkeypatch.setattr(ITCC, "sweep", sweep)
    resumed = call("cluster", str(docs), *METHOD, "--out", str(out), "--device", "cpu", "--resume")
    assert resumed.exit_code == 0, resumed.stderr
    assert read_groups(out) == read_groups(whole)


def test_an_absent_extra(call, docs, tmp_path, monkeypatch):
    device.check_device.cache_clear()
    monkeypatch.setattr(device.util, "find_spec", lambda name: None)
    out = tmp_path / "out"
    refused = call("cluster", str(docs), *METHOD, "--device", "cuda", "--out", str(out))
    device.check_device.cache_clear()
    message = " ".join(refused.stderr.split())
    assert refused.exit_code != 0
    assert "--device cuda needs CuPy" in message
    assert "colligate[gpu]" in message
    assert "Traceback" not in message
    assert not out.exists()
