"""Messages for what people type nearly right: each names what was meant, in the command line's terms."""

from __future__ import annotations

import pytest

from tests.cli.conftest import write_rows


def last_line(done):
    return done.stderr.strip().splitlines()[-1]


@pytest.mark.parametrize(
    ("knowledge", "message"),
    [
        ("categories: {space: [shutle, orbit]}", "word 'shutle' (k.yaml:1); did you mean 'shuttle'?"),
        ("categories: {space: [obrit]}", "word 'obrit' (k.yaml:1); did you mean 'orbit'?"),
        ("categories: {food: [o'driscoll]}", "the tokeniser splits it into driscoll"),
        ("documents: {must_link: [[s1, s2]]}", "'must_link' in 'documents'; did you mean 'together'?"),
        ("documents: {cannot_link: [[s1, h2]]}", "'cannot_link' in 'documents'; did you mean 'apart'?"),
        ("must_link: [[s1, s2]]", "did you mean 'together' under a type, as in 'documents: {together: …}'?"),
        ("seed_words: {space: [orbit]}", "'seed_words' in the knowledge file; did you mean 'categories'?"),
        ("categorys: {space: [orbit]}", "'categorys' in the knowledge file; did you mean 'categories'?"),
        ("documents: {togehter: [[s1, s2]]}", "'togehter' in 'documents'; did you mean 'together'?"),
    ],
)
def test_a_near_miss_in_a_knowledge_file_names_what_was_meant(call, docs, tmp_path, knowledge, message):
    (tmp_path / "k.yaml").write_text(knowledge + "\n", encoding="utf-8")
    out = tmp_path / "run"
    done = call("cluster", docs, "-k", 3, "--knowledge", tmp_path / "k.yaml", "--out", out)
    assert done.exit_code == 1
    assert message in done.stderr.replace(str(tmp_path) + "/", "")
    assert not (out / "run.json").exists()


def test_all_mistakes_of_a_knowledge_file_are_reported_at_once(call, docs, tmp_path):
    text = "categorys: {space: [orbit]}\ndocuments:\n  must_link: [[s1, s2]]\n  apart: 7\n"
    (tmp_path / "k.yaml").write_text(text, encoding="utf-8")
    done = call("cluster", docs, "-k", 3, "--knowledge", tmp_path / "k.yaml", "--out", tmp_path / "run")
    assert done.exit_code == 1
    lines = done.stderr.replace(str(tmp_path) + "/", "").strip().splitlines()
    assert [line.removeprefix("error: ").split(":")[1] for line in lines] == ["1", "3", "4"]
    assert "did you mean 'categories'?" in lines[0]
    assert "did you mean 'together'?" in lines[1]


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (("clsuter", "docs.csv"), "Did you mean 'cluster'?"),
        (("cluster", "docs.csv", "--cluster", "3"), "--clusters"),
        (("cluster", "{docs}", "-k", "3", "-m", "citc"), "did you mean 'citcc'?"),
        (("cluster", "{docs}", "-k", "3", "--param", "concentratoin=3"), "did you mean concentration?"),
        (
            ("cluster", "{docs}", "-k", "3", "--text", "tex"),
            "'tex'; did you mean 'text'? It has the columns",
        ),
        (("cluster", "{docs}", "-k", "3", "--text", "zzz"), "has no column 'zzz'; it has the columns"),
    ],
)
def test_a_near_miss_on_the_command_line_names_what_was_meant(call, docs, tmp_path, words, message):
    done = call(
        *(word.format(docs=docs) for word in words),
        *(("--out", tmp_path / "run") if "{docs}" in words else ()),
    )
    assert done.exit_code in (1, 2)
    assert message in done.stderr


@pytest.mark.parametrize("method", ["colligate", "kmeans", "gmm", "itcc", "nmf", "plsa", "ncut"])
def test_too_many_groups_are_told_in_the_words_of_the_command_line(call, docs, tmp_path, method):
    done = call("cluster", docs, "-k", 100, "-m", method, "--out", tmp_path / "run")
    assert done.exit_code == 1
    assert "choose fewer groups (--clusters)" in last_line(done)
    assert "n_samples" not in done.stderr
    assert "n_clusters" not in done.stderr


def test_equal_documents_are_told_before_the_groups(call, tmp_path):
    rows = [(f"s{number}", "the cat sat on the mat with dogs") for number in range(12)]
    docs = write_rows(tmp_path / "same.csv", rows, ("id", "text"))
    done = call("cluster", docs, "-k", 3, "--out", tmp_path / "run")
    assert "copies: 11 of 12 documents are copies of others" in done.stderr
    assert "--fold-duplicates counts such texts once" in done.stderr


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (("--seed", "abc"), "'--seed': this must be a whole number"),
        (("--seed", "-1"), "'--seed': this must be at least 0"),
        (("--tables", "xls"), "'--tables': 'xls' is not one of 'csv', 'xlsx', 'parquet'"),
        (("--timeout", "long"), "'--timeout': this must be a number"),
    ],
)
def test_a_value_of_the_wrong_type_is_refused_in_words_of_the_command_line(call, docs, words, message):
    done = call("cluster", docs, "-k", 3, *words)
    assert done.exit_code == 2
    assert message in " ".join(done.stderr.replace("│", " ").split())


def test_a_table_of_labels_without_the_usual_column_names_the_option(call, docs, tmp_path):
    assert call("cluster", docs, "-k", 3, "--method", "kmeans", "--out", tmp_path / "run").exit_code == 0
    labels = write_rows(tmp_path / "labels.csv", [("s1", "space")], ("id", "subject"))
    done = call("evaluate", tmp_path / "run", "--labels", labels)
    assert last_line(done).endswith("has no column 'label'; it has the columns 'id', 'subject' (--label)")
