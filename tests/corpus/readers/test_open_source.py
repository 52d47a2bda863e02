from __future__ import annotations

import io
from pathlib import Path

import pyarrow as pa
import pytest

from colligate.corpus import Corpus
from colligate.corpus.readers import encoding
from colligate.errors import CancelledError, CorpusError

ROWS = "id,text\n" + "".join(f"{n},some words number {n}\n" for n in range(20_000))


@pytest.mark.parametrize(
    ("name", "message"),
    [
        (
            "d.docx",
            r"files ending in \.docx are not supported; use \.csv, \.tsv, \.jsonl, \.ndjson and",
        ),
        ("d.docx.gz", r"files ending in \.docx are not supported"),
        ("d", "files without a suffix are not supported"),
        ("d.gz", "files without a suffix are not supported"),
        ("d.txt", r"to read a \.txt file, pass its folder"),
    ],
)
def test_other_suffixes_are_refused(write, name, message):
    with pytest.raises(CorpusError, match=message):
        Corpus.read(write(name, "text"))


@pytest.mark.parametrize("name", ["no.csv", "no.parquet", "no.docx", "no/where.jsonl.gz"])
def test_missing_files(tmp_path, name):
    with pytest.raises(CorpusError, match=f"there is no file .*{name}"):
        Corpus.read(tmp_path / name)


@pytest.mark.parametrize("name", ["d.csv", "d.jsonl.gz", "d.parquet", "folder/a.txt"])
def test_permission_denied(write, monkeypatch, tmp_path, name):
    path = write(name, "text")

    def refuse(path):
        raise PermissionError(13, "Permission denied", str(path))

    monkeypatch.setattr(encoding, "open_plain", refuse)
    with pytest.raises(CorpusError, match=f"cannot read .*{name}: permission denied"):
        Corpus.read(path.parent if name.endswith(".txt") else path)


@pytest.mark.parametrize("suffix", [".gz", ".zst"])
@pytest.mark.parametrize("name", ["d.csv", "d.jsonl", "d.parquet", "folder/a.txt"])
@pytest.mark.parametrize("harm", ["truncated", "garbage"])
def test_damaged_compression(write, suffix, name, harm):
    path = write(name + suffix, ROWS)
    content = path.read_bytes()
    path.write_bytes(content[: len(content) // 2] if harm == "truncated" else b"not compressed at all")
    with pytest.raises(CorpusError, match=rf"{name}{suffix} is damaged or cut short"):
        Corpus.read(path.parent if name.startswith("folder") else path)


@pytest.mark.parametrize("suffix", ["", ".gz", ".zst"])
def test_progress_rises_to_the_size_of_the_file(write, suffix):
    path = write(f"d.csv{suffix}", ROWS)
    events = []
    Corpus.read(path, listener=events.append)
    assert list(dict.fromkeys(event.stage for event in events)) == ["checking", "reading", "counting"]
    for stage, total in (("reading", path.stat().st_size), ("counting", 20_000)):
        done = [event.done for event in events if event.stage == stage]
        assert done == sorted(done)
        assert done[-1] == total
        assert len(done) <= 202
        assert {event.total for event in events if event.stage == stage} == {total}


def test_progress_of_a_folder(write, tmp_path):
    for number in range(10):
        write(f"{number}.txt", "orbit " * (number + 1))
    events = []
    Corpus.read(tmp_path, listener=events.append)
    done = [event.done for event in events if event.stage == "reading"]
    assert done == sorted(done)
    assert done[-1] == 6 * 55


def test_a_listener_may_stop_the_reading(write):
    def stop(event):
        raise CancelledError("enough")

    with pytest.raises(CancelledError, match="enough"):
        Corpus.read(write("d.csv", ROWS), listener=stop)


def test_the_home_folder_is_understood(write, monkeypatch, tmp_path):
    write("d.csv", "text\norbit\n")
    monkeypatch.setenv("HOME", str(tmp_path))
    assert len(Corpus.read("~/d.csv")) == 1


def test_other_errors_of_the_system_name_the_file(write, monkeypatch):
    path = write("d.csv", "text\norbit\n")

    class Failing(io.FileIO):
        def readinto(self, buffer):
            raise OSError(5, "Input/output error")

    monkeypatch.setattr(encoding.io, "FileIO", Failing)
    with pytest.raises(CorpusError, match=r"cannot read .*d\.csv: Input/output error"):
        Corpus.read(path)


@pytest.mark.skipif(not Path("/proc/self/status").exists(), reason="needs /proc")
def test_damaged_files_leave_no_memory_behind(tmp_path):
    path = tmp_path / "d.csv.zst"
    data = pa.compress(b"text\n" + b"orbit moon\n" * 300, "zstd", asbytes=True)
    path.write_bytes(data[: len(data) // 2])

    def read_often() -> int:
        for _ in range(40):
            with pytest.raises(CorpusError, match="damaged or cut short"):
                Corpus.read(path)
        lines = Path("/proc/self/status").read_text().splitlines()
        return next(int(line.split()[1]) for line in lines if line.startswith("VmData"))

    before = read_often()
    # a block of 256 KiB for each file would make 10 MB
    assert read_often() - before < 5_000
