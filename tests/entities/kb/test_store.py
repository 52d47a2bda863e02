"""A knowledge base is built whole or not at all, and a damaged one is refused."""

from __future__ import annotations

import os

import pytest

from colligate.entities.kb import build, open_base
from colligate.errors import InputError, StoreError

from .samples import TURTLE, ntriples


@pytest.fixture
def source(tmp_path):
    path = tmp_path / "world.ttl"
    path.write_text(TURTLE, encoding="utf-8")
    return path


def entries(folder):
    return sorted(path.name for path in folder.iterdir())


def test_counts_are_told_and_kept(source, tmp_path):
    counts = build([source], tmp_path / "kb")
    assert counts.entities == 5
    assert open_base(tmp_path / "kb").info() == counts
    assert entries(tmp_path) == ["kb", "world.ttl"]


def test_opening_changes_nothing_and_several_may_open(source, tmp_path):
    build([source], tmp_path / "kb")
    before = {path: (path.stat().st_size, path.stat().st_mtime_ns) for path in (tmp_path / "kb").rglob("*")}
    first, second = open_base(tmp_path / "kb"), open_base(str(tmp_path / "kb"))
    assert list(first.names()) == list(second.names())
    assert before == {
        path: (path.stat().st_size, path.stat().st_mtime_ns) for path in (tmp_path / "kb").rglob("*")
    }


def test_a_malformed_file_leaves_nothing_behind(source, tmp_path):
    bad = tmp_path / "bad.nt"
    bad.write_text(ntriples("a", "a") + "<http://a> oops .\n", encoding="utf-8")
    with pytest.raises(InputError, match=r"bad\.nt:2: "):
        build([source, bad], tmp_path / "kb")
    assert entries(tmp_path) == ["bad.nt", "world.ttl"]


def test_a_malformed_file_leaves_the_older_base_alone(source, tmp_path):
    build([source], tmp_path / "kb")
    bad = tmp_path / "bad.nt"
    bad.write_text("oops", encoding="utf-8")
    with pytest.raises(InputError):
        build([bad], tmp_path / "kb", overwrite=True)
    assert open_base(tmp_path / "kb").info().entities == 5


def test_an_interrupted_build_leaves_nothing_behind(source, tmp_path):
    def interrupt(event):
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        build([source], tmp_path / "kb", listener=interrupt)
    assert entries(tmp_path) == ["world.ttl"]


def test_overwriting_must_be_allowed(source, tmp_path):
    build([source], tmp_path / "kb")
    with pytest.raises(StoreError, match="already exists"):
        build([source], tmp_path / "kb")
    more = tmp_path / "more.nt"
    more.write_text(ntriples("a", "a"), encoding="utf-8")
    assert build([more], tmp_path / "kb", overwrite=True).entities == 1
    (tmp_path / "kb" / "mine.txt").write_text("mine", encoding="utf-8")
    with pytest.raises(StoreError, match=r"contains mine\.txt"):
        build([source], tmp_path / "kb", overwrite=True)


def test_nothing_to_build_of(tmp_path):
    with pytest.raises(InputError, match="at least one file"):
        build([], tmp_path / "kb")
    with pytest.raises(InputError, match=r"there is no file .*none\.ttl"):
        build([tmp_path / "none.ttl"], tmp_path / "kb")
    (tmp_path / "notes.txt").write_text("x", encoding="utf-8")
    with pytest.raises(InputError, match=r"files ending in \.txt are not supported"):
        build([tmp_path / "notes.txt"], tmp_path / "kb")


def test_a_file_is_opened_in_memory(source):
    assert open_base(source).info().entities == 5


def test_what_is_no_knowledge_base(tmp_path):
    with pytest.raises(InputError, match="there is no knowledge base"):
        open_base(tmp_path / "none")
    with pytest.raises(StoreError, match="is not a complete knowledge base"):
        open_base(tmp_path)


def test_a_damaged_base_is_refused_by_the_name_of_the_file(source, tmp_path):
    build([source], tmp_path / "kb")
    table = max((tmp_path / "kb" / "store").glob("*.sst"), key=lambda path: path.stat().st_size)
    os.truncate(table, table.stat().st_size - 1)
    with pytest.raises(StoreError, match=rf"{table.name} is damaged or was changed"):
        open_base(tmp_path / "kb")
    table.unlink()
    with pytest.raises(StoreError, match=table.name):
        open_base(tmp_path / "kb")


def test_bytes_that_changed_inside_are_an_error_and_no_wrong_answer(source, tmp_path):
    build([source], tmp_path / "kb")
    for table in (tmp_path / "kb" / "store").glob("*.sst"):
        content = bytearray(table.read_bytes())
        content[10:200] = bytes(byte ^ 0xFF for byte in content[10:200])
        table.write_bytes(content)
    with pytest.raises(StoreError):
        open_base(tmp_path / "kb").info()


def test_progress_is_told(source, tmp_path):
    events = []
    build([source], tmp_path / "kb", listener=events.append)
    assert {event.stage for event in events} == {"loading world.ttl", "counting"}
    assert events[-1].done == events[-1].total
