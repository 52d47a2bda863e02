from __future__ import annotations

import pytest

from colligate.corpus import Corpus
from colligate.errors import CorpusError, MissingTextWarning


@pytest.mark.parametrize("name", ["d.jsonl", "d.ndjson", "d.jsonl.gz", "d.ndjson.zst", "D.JSONL.GZ"])
def test_lines_are_documents(write, name):
    content = '{"id": 7, "text": "orbit\\n\\u2028shuttle"}\r\n\n{"text": "caf\u00e9", "id": "b"}'
    if name.endswith("GZ"):
        path = write("x.gz", content).rename(write(name, "").with_name(name))
    else:
        path = write(name, content)
    corpus = Corpus.read(path)
    assert corpus.ids == ["7", "b"]
    assert list(corpus.texts) == ["orbit\n\u2028shuttle", "café"]


def test_missing_texts_are_empty_and_numbers_are_their_digits(write):
    lines = [
        '{"id": 1, "text": ""}',
        '{"id": 2, "text": null}',
        '{"id": 3, "text": NaN}',
        '{"id": 4, "text": 1.5}',
    ]
    corpus = Corpus.read(write("d.jsonl", "\n".join([*lines, '{"id": 5, "text": "orbit"}'])))
    assert list(corpus.texts) == ["", "", "", "1.5", "orbit"]
    assert corpus.empty.tolist() == [True, True, True, True, False]


def test_keys_are_found_in_another_case_row_by_row(write):
    lines = ['{"id": 1, "text": "orbit"}', '{"ID": 2, "Text": "moon"}', '{"id": 3, "TEXT": 0, "text": "sun"}']
    corpus = Corpus.read(write("d.jsonl", "\n".join(lines)))
    assert (corpus.ids, list(corpus.texts)) == (["1", "2", "3"], ["orbit", "moon", "sun"])


def test_lines_without_the_key_are_told_once(write):
    lines = ['{"text": "orbit"}', "", '{"body": "moon"}', '{"text": null}', '{"name": "sun"}']
    with pytest.warns(MissingTextWarning) as told:
        corpus = Corpus.read(write("d.jsonl", "\n".join(lines)))
    assert list(corpus.texts) == ["orbit", "", "", ""]
    assert len(told) == 1
    assert "d.jsonl: 2 lines lack the key 'text' (first: line 3). These documents are empty" in str(
        told[0].message
    )


def test_one_of_several_keys_is_enough(write):
    lines = ['{"title": "a", "text": "orbit"}', '{"title": "moon"}', '{"body": "sun"}']
    with pytest.warns(MissingTextWarning, match="1 line lacks the key 'title' or 'text' .first: line 3"):
        Corpus.read(write("d.jsonl", "\n".join(lines)), text=["title", "text"])


def test_halves_of_surrogate_pairs_do_no_harm(write, tmp_path):
    corpus = Corpus.read(write("d.jsonl", '{"id": "a\\ud800", "text": "orbit \\udfff"}'))
    corpus.save(tmp_path / "c")
    assert Corpus.load(tmp_path / "c").ids == ["a\ufffd"]


@pytest.mark.parametrize(
    ("content", "options", "message"),
    [
        ("", {}, r"d\.jsonl is empty"),
        (" \n\n", {}, r"d\.jsonl is empty"),
        ('{"text": "a"}\n{"text": \n', {}, r"d\.jsonl:2: not valid JSON"),
        ("[" * 100_000, {}, r"d\.jsonl:1: not valid JSON"),
        ('"text"\n', {}, r"d\.jsonl:1: this is a JSON str, not an object"),
        ('{"text": "a"}\n\n{"text": {"x": 1}}\n', {}, r"d\.jsonl:3: 'text' contains a nested object"),
        ('{"text": ["x"]}\n', {}, r"d\.jsonl:1: 'text' contains a list"),
        ('{"text": "a", "id": "x"}\n{"text": "b"}\n', {}, r"d\.jsonl:2: the document has no id"),
        ('{"text": "a", "id": [1]}\n', {}, r"d\.jsonl:1: the id in 'id' is a list"),
        ('{"words": "a", "b": 2}\n', {}, "no text column .* 'words', 'b'"),
        ('{"text": "a"}\n', {"text": "words"}, "no column 'words'; it has the columns 'text'"),
        ("{}\n", {}, "the table has no columns"),
        ('{"id": 1, "text": "a"}\n\n{"id": "1", "text": "b"}', {}, r"'1' \(.*:1 and .*:3\)"),
    ],
)
def test_files_that_cannot_be_used(write, content, options, message):
    with pytest.raises(CorpusError, match=message):
        Corpus.read(write("d.jsonl", content), **options)


def test_all_documents_empty(write):
    with pytest.raises(CorpusError, match=r"no document of .*d\.jsonl has a word that can be counted"):
        Corpus.read(write("d.jsonl", '{"text": ""}\n{"text": "4 the"}'))


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ("nonsense", "not valid JSON at column 1;"),
        ('{"text": x}', "not valid JSON at column 10;"),
        ('{"text": ', r"not valid JSON \(the line ends too early, at column 8\);"),
        ("[" * 100_000, r"not valid JSON \(nested too deeply\);"),
        ('{"text": ' + "1" * 5000 + "}", r"not valid JSON \(a number has too many digits\);"),
    ],
)
def test_bad_json_is_told_with_one_position(write, line, message):
    with pytest.raises(CorpusError, match=rf"d\.jsonl:2: {message}") as told:
        Corpus.read(write("d.jsonl", f'{{"text": "orbit"}}\n{line}\n'))
    assert "char" not in str(told.value)
    assert " line 2 " not in str(told.value)
