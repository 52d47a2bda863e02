"""Every bad input ends in a readable message and an exit code, and leaves nothing behind."""

from __future__ import annotations

import json

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from tests.cli.conftest import TOPICS, topic_rows


@pytest.fixture
def fails(call, tmp_path):
    def check(code, *told, arguments):
        before = sorted(tmp_path.rglob("*"))
        done = call(*arguments, "--out", tmp_path / "deep" / "out")
        assert done.exit_code == code, done.output
        assert done.stdout == ""
        messages = [line for line in done.stderr.splitlines() if not line.startswith("columns: ")]
        assert messages[0].startswith("error: ")
        assert "Traceback" not in done.stderr
        for text in told:
            assert text in done.stderr
        assert sorted(tmp_path.rglob("*")) == before

    return check


def test_missing_file(fails, tmp_path):
    fails(
        1, f"there is no file {tmp_path / 'none.csv'}", arguments=("cluster", tmp_path / "none.csv", "-k", 2)
    )


def test_unreadable_encoding(fails, docs, tmp_path):
    bad = tmp_path / "bad.csv"
    bad.write_bytes(docs.read_bytes() + "y1,food,déjà vu\n".encode("cp1252"))
    fails(
        1,
        f"{bad}:38: byte",
        "is not text in utf-8; pass the file's encoding, for example --encoding cp1252",
        arguments=("cluster", bad, "-k", 2, "--encoding", "utf-8"),
    )


def test_malformed_row(fails, docs, tmp_path):
    bad = tmp_path / "bad.csv"
    bad.write_text(docs.read_text(encoding="utf-8") + "y1,food,a,b\n", encoding="utf-8")
    fails(1, f"{bad}:38: the row has 4 cell(s)", arguments=("cluster", bad, "-k", 2))


def test_duplicate_ids(fails, docs, tmp_path):
    bad = tmp_path / "bad.csv"
    bad.write_text(docs.read_text(encoding="utf-8") + "s0,food,orbit\n", encoding="utf-8")
    fails(1, "ids must be unique", f"{bad}:38", "column with --id", arguments=("cluster", bad, "-k", 2))


def test_all_documents_empty(fails, tmp_path):
    bad = tmp_path / "bad.csv"
    bad.write_text("id,text\n1,the\n2,and\n", encoding="utf-8")
    fails(1, str(bad), arguments=("cluster", bad, "-k", 2))


def test_more_groups_than_documents(fails, docs):
    fails(
        1,
        "99 groups of documents, because only 36 documents are not empty",
        arguments=("cluster", docs, "-k", 99),
    )


def test_unknown_method(fails, docs):
    arguments = ("cluster", docs, "-k", 2, "--method", "citc")
    fails(1, "there is no method 'citc'; did you mean 'citcc'?", arguments=arguments)


def test_unknown_parameter(fails, docs):
    fails(
        1,
        "itcc has no parameter weight",
        arguments=("cluster", docs, "-k", 2, "-m", "itcc", "--param", "weight=1"),
    )


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("documents:\n  togehter: [[s0, s1]]\n", ":2: unknown key 'togehter'"),
        ("documents:\n  together: [[s0, s0]]\n", ":2: "),
        ("documents:\n  together:\n    - [s0, nobody]\n", "nobody"),
        ("documents:\n  together: [[s0, s1]]\n  apart: [[s1, s0]]\n", "--contradictions report"),
        ("documents: [\n", "k.yaml"),
    ],
)
def test_knowledge_that_cannot_be_used(fails, docs, tmp_path, text, told):
    known = tmp_path / "k.yaml"
    known.write_text(text, encoding="utf-8")
    fails(
        1,
        f"{known}:" if told != "k.yaml" else told,
        told,
        arguments=("cluster", docs, "-k", 2, "--knowledge", known),
    )


def test_missing_knowledge_file(fails, docs, tmp_path):
    arguments = ("cluster", docs, "-k", 2, "--knowledge", tmp_path / "k.yaml")
    fails(1, f"there is no knowledge file {tmp_path / 'k.yaml'}", arguments=arguments)


def test_knowledge_that_the_method_does_not_take(fails, docs, knowledge):
    arguments = ("cluster", docs, "-k", 2, "--method", "kmeans", "--knowledge", knowledge)
    fails(1, "kmeans does not accept", "citcc", arguments=arguments)


def test_reporting_unknown_names_goes_on(call, docs, tmp_path):
    known = tmp_path / "k.yaml"
    known.write_text(
        "documents:\n  together: [[s0, s1]]\n  apart: [[s1, s0], [s0, nobody]]\n", encoding="utf-8"
    )
    done = call(
        *("cluster", docs, "-k", 3, "--knowledge", known, "--out", tmp_path / "out", "--json"),
        *("--unknown", "report", "--contradictions", "report"),
    )
    assert done.exit_code == 0, done.output
    found = json.loads(done.stdout)["knowledge"]
    assert (found["contradicted"], found["unknown"]) == (2, 1)


def test_a_column_of_text_that_is_not_there(fails, docs):
    told = f"{docs} has no column 'body'; it has the columns 'id', 'label', 'text'"
    fails(1, told, arguments=("cluster", docs, "-k", 2, "--text", "body"))


@pytest.mark.parametrize("command", ["predict", "update"])
@pytest.mark.parametrize(
    ("content", "told"),
    [("id,text\n", "there are no documents in {}"), ("", "{} is empty; its first row must name the columns")],
)
def test_an_empty_batch(fails, run_folder, tmp_path, command, content, told):
    batch = tmp_path / "batch.csv"
    batch.write_text(content, encoding="utf-8")
    fails(1, told.format(batch), arguments=(command, run_folder, batch))


@pytest.mark.slow
def test_vectors_of_another_width(call, fails, tmp_path):
    rows = topic_rows()
    vectors = [[float(topic == name) for name in TOPICS] for _, topic, _ in rows]
    for name, width in (("docs", 3), ("wide", 4)):
        columns = {
            "id": [f"{name}-{id}" for id, _, _ in rows],
            "text": [text for _, _, text in rows],
            "vector": [[*vector, 1.0][:width] for vector in vectors],
        }
        pq.write_table(pa.table(columns), tmp_path / f"{name}.parquet")
    arguments = ("cluster", tmp_path / "docs.parquet", "-k", 3, "--param", "embeddings=column:vector")
    assert call(*arguments, "--out", tmp_path / "run").exit_code == 0
    wide, told = tmp_path / "wide.parquet", "whose vectors have 3 numbers; these have 4; use the same encoder"
    fails(1, told, arguments=("predict", tmp_path / "run", wide))
    fails(1, "must all have the same length", arguments=("update", tmp_path / "run", wide))
