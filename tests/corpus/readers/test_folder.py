from __future__ import annotations

import pytest

from colligate.corpus import Corpus
from colligate.errors import (
    CorpusError,
    EncodingError,
    GuessedEncodingWarning,
    ParameterError,
    SkippedFilesWarning,
)

FRENCH = "Le café était fermé à cause de la grève générale; les élèves n'ont pas pu dîner où ils voulaient. "


def test_files_are_documents_in_order(write, tmp_path):
    for name in (
        "b.txt",
        "sub/a.x.txt",
        "a.TXT",
        "z.txt.gz",
        "sub/y.txt.zst",
        ".hidden/q.txt",
        "._b.txt",
    ):
        write(name, f"text of {name}")
    corpus = Corpus.read(tmp_path)
    assert corpus.ids == ["a", "b", "sub/a.x", "sub/y", "z"]
    assert corpus.texts[3] == "text of sub/y.txt.zst"


def test_two_files_of_one_id(write, tmp_path):
    write("a.txt", "orbit")
    write("a.txt.gz", "orbit")
    with pytest.raises(CorpusError, match=r"'a' \(.*a\.txt and .*a\.txt\.gz\)"):
        Corpus.read(tmp_path)


def test_an_empty_file_is_an_empty_document(write, tmp_path):
    write("a.txt", "")
    write("b.txt", "orbit")
    assert Corpus.read(tmp_path).empty.tolist() == [True, False]


def test_folders_without_text(write, tmp_path):
    with pytest.raises(CorpusError, match=r"contains no \.txt.*it is empty"):
        Corpus.read(tmp_path)
    write("docs.csv", "text\na\n")
    with pytest.raises(CorpusError, match=r"it contains docs\.csv; to read a single file, pass its path"):
        Corpus.read(tmp_path)


def test_columns_make_no_sense(write, tmp_path):
    write("a.txt", "orbit")
    with pytest.raises(ParameterError, match="has no columns; leave out text and id"):
        Corpus.read(tmp_path, text="body")


def test_files_in_another_encoding_are_guessed_together(write, tmp_path):
    write("a.txt", "orbit à")
    for number, part in enumerate(FRENCH.split(";")):
        write(f"f{number}.txt", part.encode("cp1252"))
    with pytest.warns(
        GuessedEncodingWarning, match=r"2 file\(s\) of .* not UTF-8; Colligate guessed cp1252\..* pass"
    ):
        corpus = Corpus.read(tmp_path)
    assert list(corpus.texts) == ["orbit à", *FRENCH.split(";")]


def test_marks_and_given_encodings(write, tmp_path):
    write("a.txt", "\ufefforbit".encode())
    write("b.txt", "orbit é".encode("utf-16"))
    assert list(Corpus.read(tmp_path).texts) == ["orbit", "orbit é"]
    with pytest.raises(EncodingError, match=r"a\.txt:1: byte 0 \(0xef\) is not text in ascii"):
        Corpus.read(tmp_path, encoding="ascii")


def test_a_file_that_is_no_text_is_named(write, tmp_path):
    write("a.txt", "orbit")
    write("b.txt", "two\nlines \xe9".encode("latin-1"))
    with pytest.raises(EncodingError, match=r"b\.txt:2: byte 10 \(0xe9\) is not text in utf-8; pass"):
        Corpus.read(tmp_path)
    write("b.txt", b"\x89PNG\r\n\0\0")
    with pytest.raises(CorpusError, match=r"b\.txt:1: byte \d+ is NUL"):
        Corpus.read(tmp_path)


def test_files_that_are_not_read_are_told_once(write, tmp_path):
    for name in ("a.txt", "notes.docx", ".hidden.md", "sub/b.pdf"):
        write(name, "orbit")
    with pytest.warns(SkippedFilesWarning) as told:
        assert Corpus.read(tmp_path).ids == ["a"]
    assert len(told) == 1
    assert "2 other files are skipped" in str(told[0].message)
    assert str(told[0].message).endswith(": notes.docx, sub/b.pdf")


def test_of_many_files_that_are_not_read_a_few_are_named(write, tmp_path):
    for name in ("a.txt", *(f"{k}.md" for k in range(5))):
        write(name, "orbit")
    with pytest.warns(SkippedFilesWarning, match=r"5 other files .*: 0\.md, 1\.md, 2\.md and 2 more$"):
        Corpus.read(tmp_path)
