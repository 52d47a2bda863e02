"""The options that define words: languages, patterns, case, frequencies."""

from __future__ import annotations

import csv
import json

import pytest

from colligate import Result

GERMAN = [
    "Die Fischer sagen, dass sie in diesem Jahr nichts von der Stadt bekommen haben.",
    "Das Haus am Fluss ist nicht teuer, aber die Häuser in der Stadt sind es.",
    "Eine Bank hat den Fischern einen Kredit gegeben, und andere Banken geben nun auch Kredite.",
    "Der Kredit der Bank ist für ein Haus, und die Häuser sind teuer.",
] * 5


@pytest.fixture
def german(tmp_path):
    path = tmp_path / "docs.jsonl"
    path.write_text("".join(json.dumps({"text": text}) + "\n" for text in GERMAN), encoding="utf-8")
    return path


def test_texts_in_another_language_are_told_of_in_one_line(call, german, tmp_path):
    done = call("cluster", german, "-k", 2, "--out", tmp_path / "out")
    assert done.exit_code == 0, done.output
    message = " ".join(done.stderr.split())
    assert "docs.jsonl is German (100%), but the stop words are English; set --stop-words de" in message


def test_words_are_counted_by_the_options_and_new_documents_alike(call, german, tmp_path):
    words = tmp_path / "mine.txt"
    words.write_text("teuer\n", encoding="utf-8")
    options = ("--stop-words", "de", "--stop-words", words, "--stem", "german", "--min-df", 2)
    done = call("cluster", german, "-k", 2, "--out", tmp_path / "out", "--no-compare", *options)
    assert done.exit_code == 0, done.output
    assert "the language" not in done.stderr
    words.unlink()
    corpus = Result.load(tmp_path / "out" / "model").corpus
    assert corpus.analyser.stem == "de"
    assert not {"teuer", "der", "häuser"} & set(corpus.words)
    assert {"haus", "kredit"} <= set(corpus.words)
    new = tmp_path / "new.csv"
    new.write_text("text\nKredits an Bankern\nHäusern\nunbekannt\n", encoding="utf-8")
    done = call("predict", tmp_path / "out", new)
    assert done.exit_code == 0, done.output
    groups = [row["cluster"] for row in csv.DictReader(done.stdout.splitlines())]
    assert groups[2] == "-1"
    assert "-1" not in groups[:2]


def test_the_pattern_and_the_case_of_words_can_be_set(call, german, tmp_path):
    options = ("--token-pattern", "[A-ZÄ][a-zäöüß]+", "--no-lowercase", "--stop-words", "none")
    done = call("cluster", german, "-k", 2, "--out", tmp_path / "out", "--no-compare", *options)
    assert done.exit_code == 0, done.output
    corpus = Result.load(tmp_path / "out" / "model").corpus
    assert {"Haus", "Häuser", "Die"} <= set(corpus.words)
    assert all(word[0].isupper() for word in corpus.words)


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (("--stop-words", "germn"), "--stop-words must be a language or a file"),
        (("--stop-words", "nothing/here.txt"), "stop words nothing/here.txt cannot be read"),
        (("--stem", "klingon"), "--stem must be a language"),
        (("--segmenter", "de"), "--segmenter must be a language"),
        (("--token-pattern", "["), "--token-pattern must be a regular expression"),
    ],
)
def test_unknown_languages_and_wrong_patterns_are_refused_with_the_option(
    call, german, tmp_path, options, message
):
    done = call("cluster", german, "-k", 2, "--out", tmp_path / "out", *options)
    assert done.exit_code != 0
    assert message in " ".join(done.stderr.split())


def test_an_exported_notebook_counts_words_alike(call, german, tmp_path):
    options = ("--stop-words", "de,en", "--stem", "de", "--ngrams", "1-2")
    done = call("cluster", german, "-k", 2, "--out", tmp_path / "out", "--no-compare", *options)
    assert done.exit_code == 0, done.output
    done = call("export", tmp_path / "out", "--format", "notebook", "--out", tmp_path / "session")
    assert done.exit_code == 0, done.output
    notebook = (tmp_path / "session" / "session.ipynb").read_text(encoding="utf-8")
    assert "stop_words='de,en', ngrams=(1, 2), stem='de'" in notebook


def test_a_column_of_vectors_groups_documents_and_new_ones(call, tmp_path):
    def write(name, words, n_documents):
        path = tmp_path / name
        with path.open("w", encoding="utf-8") as file:
            for number in range(n_documents):
                side = number % 2
                text = f"{words[side]}{number % 7} {words[side]}{number % 5}"
                record = {"text": text, "vector": [1.0 - 2 * side, 0.01 * (number % 3)], "side": str(side)}
                file.write(json.dumps(record) + "\n")
        return path

    docs, new = write("docs.jsonl", ("cat", "bank"), 80), write("new.jsonl", ("horse", "loan"), 10)
    options = ("--param", "embeddings=column:vector", "--text", "text", "--no-compare")
    done = call("cluster", docs, "-k", 2, "--out", tmp_path / "out", *options)
    assert done.exit_code == 0, done.output
    done = call("predict", tmp_path / "out", new)
    assert done.exit_code == 0, done.output
    groups = [row["cluster"] for row in csv.DictReader(done.stdout.splitlines())]
    # no word of the new documents is known; their vectors are
    assert groups[::2] == [groups[0]] * 5
    assert groups[1::2] == [groups[1]] * 5
    assert {*groups} == {"0", "1"}
    plain = tmp_path / "plain.csv"
    plain.write_text("text\nhorse1\n", encoding="utf-8")
    done = call("predict", tmp_path / "out", plain)
    assert done.exit_code != 0
    assert "needs a column 'vector'" in " ".join(done.stderr.split())
