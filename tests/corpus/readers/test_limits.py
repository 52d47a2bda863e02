"""Special files, links out of a folder, bombs and long lines: one clear error each, without waiting."""

import gzip
import os
import socket

import pytest

import colligate as cg
from colligate.corpus.readers.limits import LINE_VARIABLE, UNPACKED_VARIABLE
from colligate.errors import CorpusError, EncodingError, KnowledgeError, ParameterError


def make_folder(path):
    path.mkdir()
    (path / "a.txt").write_text("red green blue")
    (path / "b.txt").write_text("red green yellow")
    return path


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="needs pipes")
def test_a_pipe_is_refused_without_waiting(tmp_path):
    folder = make_folder(tmp_path / "docs")
    os.mkfifo(folder / "x.txt")
    with pytest.raises(CorpusError, match=r"x\.txt: it is a pipe, not a plain file"):
        cg.Corpus.read(folder)
    for name in ("in.csv", "in.jsonl", "in.parquet"):
        os.mkfifo(tmp_path / name)
        with pytest.raises(CorpusError, match="it is a pipe"):
            cg.Corpus.read(tmp_path / name)


def test_sockets_and_devices_are_refused(tmp_path):
    folder = make_folder(tmp_path / "docs")
    with socket.socket(socket.AF_UNIX) as listening:
        listening.bind(str(folder / "x.txt"))
        with pytest.raises(CorpusError, match=r"x\.txt"):
            cg.Corpus.read(folder)
    link = tmp_path / "endless.csv"
    link.symlink_to("/dev/zero")
    with pytest.raises(CorpusError, match="it is a device"):
        cg.Corpus.read(link)


def test_links_out_of_a_folder_are_refused_and_those_inside_followed(tmp_path):
    folder = make_folder(tmp_path / "docs")
    secret = tmp_path / "secret.txt"
    secret.write_text("my private words")
    (folder / "c.txt").symlink_to(folder / "a.txt")
    assert len(cg.Corpus.read(folder)) == 3
    (folder / "d.txt").symlink_to(secret)
    with pytest.raises(CorpusError, match=r"d\.txt is a link to a file outside"):
        cg.Corpus.read(folder)


def test_a_folder_that_is_itself_a_link_is_read(tmp_path):
    folder = make_folder(tmp_path / "docs")
    (tmp_path / "link").symlink_to(folder)
    assert len(cg.Corpus.read(tmp_path / "link")) == 2


@pytest.mark.parametrize("encoding", ["utf-16", "UTF_32", "u16"])
@pytest.mark.parametrize("name", ["d.csv", "d.jsonl", "docs/a.txt"])
def test_utf16_without_a_mark_says_what_to_pass(tmp_path, encoding, name):
    path = tmp_path / name
    path.parent.mkdir(exist_ok=True)
    path.write_bytes('id,text\n1,"red green"\n'.encode("utf-16-le"))
    source = path.parent if path.suffix == ".txt" else path
    with pytest.raises(EncodingError, match=r"byte order mark.*utf-(16|32)-le"):
        cg.Corpus.read(source, encoding=encoding)


def test_a_long_line_in_a_small_file_is_refused(tmp_path, monkeypatch):
    monkeypatch.setenv(LINE_VARIABLE, "10000")
    for name, head in (("d.csv", "text\n"), ("d.jsonl", '{"text": "')):
        path = tmp_path / f"{name}.gz"
        with gzip.open(path, "wt") as stream:
            stream.write(head + "a" * 20_000 + '"}\n')
        with pytest.raises(CorpusError, match=r"longer than 10,000 characters.*COLLIGATE_MAX_LINE"):
            cg.Corpus.read(path)
    folder = make_folder(tmp_path / "docs")
    (folder / "long.txt").write_text("a" * 10_001)
    with pytest.raises(CorpusError, match=r"long\.txt: the text is longer"):
        cg.Corpus.read(folder)


def test_a_cell_over_many_lines_is_refused(tmp_path, monkeypatch):
    import csv

    limit = csv.field_size_limit(1000)
    monkeypatch.setenv(LINE_VARIABLE, "1000")
    (tmp_path / "d.csv").write_text('text\n"' + "abc\n" * 1000 + '"\n')
    try:
        with pytest.raises(CorpusError, match="a cell is longer than 1,000 characters"):
            cg.Corpus.read(tmp_path / "d.csv")
    finally:
        csv.field_size_limit(limit)


def test_a_file_that_unfolds_too_far_is_refused(tmp_path, monkeypatch):
    monkeypatch.setenv(UNPACKED_VARIABLE, "100000")
    path = tmp_path / "d.csv.gz"
    with gzip.open(path, "wt") as stream:
        stream.write("text\n" + "red green\n" * 20_000)
    with pytest.raises(CorpusError, match=r"unfolds to more than 100,000 bytes.*COLLIGATE_MAX_UNPACKED"):
        cg.Corpus.read(path)
    monkeypatch.setenv(UNPACKED_VARIABLE, "10000000")
    assert len(cg.Corpus.read(path)) == 20_000


def test_a_limit_that_is_no_number_is_named(tmp_path, monkeypatch):
    monkeypatch.setenv(LINE_VARIABLE, "much")
    (tmp_path / "d.csv").write_text("text\nred\n")
    with pytest.raises(ParameterError, match="COLLIGATE_MAX_LINE must be a whole number"):
        cg.Corpus.read(tmp_path / "d.csv")


def test_ids_have_a_largest_length(tmp_path):
    with pytest.raises(CorpusError, match="has 200,000 characters; at most 4,096"):
        cg.Corpus.from_texts(["red green"], ids=["i" * 200_000])


def test_a_knowledge_file_that_is_a_pipe_is_refused(tmp_path):
    os.mkfifo(tmp_path / "knowledge.yaml")
    with pytest.raises(KnowledgeError, match="it is a pipe"):
        cg.Knowledge.read(tmp_path / "knowledge.yaml")
