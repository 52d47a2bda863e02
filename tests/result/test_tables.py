from __future__ import annotations

import csv

import numpy as np
import pytest

from colligate.corpus import Corpus
from colligate.errors import StoreError
from colligate.knowledge import Knowledge
from colligate.network import Network
from colligate.result.tables import escape_formula


def read(path):
    with path.open(encoding="utf-8", newline="") as stream:
        return list(csv.DictReader(stream))


def test_documents_are_listed_with_their_groups(result, tmp_path):
    result.write_tables(tmp_path)
    rows = read(tmp_path / "documents.csv")
    assert list(rows[0]) == ["id", "cluster", "name", "confidence", "runner_up", "words_counted"]
    assert [int(row["cluster"]) for row in rows] == result.labels["documents"].tolist()
    assert rows[0]["name"] == result.group_names[0]
    assert float(rows[9]["confidence"]) == pytest.approx(result.confidence[9], abs=1e-6)
    assert (rows[1]["words_counted"], rows[1]["runner_up"]) == ("7", "1")
    assert (rows[10]["cluster"], rows[10]["name"], rows[10]["runner_up"]) == ("-1", "", "")


def test_moved_documents_say_where_they_came_from(make_result, tmp_path):
    before = np.array([0, 0, 0, 0, 0, 1, 1, 1, 1, 0, -1], dtype=np.int32)
    result = make_result(before={"documents": before})
    result.write_tables(tmp_path)
    rows = read(tmp_path / "documents.csv")
    assert [row["moved_from"] for row in rows] == [""] * 9 + [result.names_before[0], ""]


def test_clusters_are_listed_with_their_words(result, tmp_path):
    result.write_tables(tmp_path)
    rows = read(tmp_path / "clusters.csv")
    assert [row["size"] for row in rows] == ["5", "5"]
    assert rows[0]["top_words"].split() == [word for word, _ in result.top_words()[0]]
    assert float(rows[0]["share"]) == pytest.approx(5 / 11, abs=1e-6)


def test_an_empty_cluster_has_no_coherence(make_result, tmp_path):
    make_result(n_groups=3).write_tables(tmp_path)
    assert read(tmp_path / "clusters.csv")[2]["coherence"] == ""


def test_words_are_listed_with_what_they_are_typical_of(result, tmp_path):
    result.write_tables(tmp_path)
    rows = {row["word"]: row for row in read(tmp_path / "words.csv")}
    assert (rows["nasa"]["typical_group"], rows["puck"]["typical_group"]) == ("0", "1")
    assert rows["nasa"]["count"] == "5"
    assert rows["puck"]["cluster"] == "1"


def test_words_without_groups_have_no_cluster(make_result, tmp_path):
    make_result().write_tables(tmp_path)
    assert {row["cluster"] for row in read(tmp_path / "words.csv")} == {""}


def test_the_audit_is_written_where_there_is_knowledge(result, make_result, tmp_path):
    assert not any(path.name == "knowledge.csv" for path in result.write_tables(tmp_path / "plain"))
    compiled = Knowledge().together(documents=[("d0", "d5")]).compile(result.network.names)
    make_result(compiled=compiled).write_tables(tmp_path / "more")
    (row,) = read(tmp_path / "more" / "knowledge.csv")
    assert (row["subject"], row["object"], row["status"], row["kind"]) == ("d0", "d5", "broken", "together")


def test_hostile_ids_survive_the_table(make_result, tmp_path):
    ids = ['a"b', "two\nlines", "comma, here", "é€𝄞", "=1+1", *[f"d{n}" for n in range(5, 11)]]
    plain = make_result()
    corpus = Corpus.from_counts(plain.corpus.counts, plain.corpus.words, ids)
    make_result(corpus=corpus, network=Network.from_corpus(corpus)).write_tables(tmp_path)
    assert [row["id"] for row in read(tmp_path / "documents.csv")] == [
        f"'{id}" if id == "=1+1" else id for id in ids
    ]


@pytest.mark.parametrize("start", ["=", "+", "-", "@", "\t", "\r", "\n", "＝", "＋", "－", "＠"])
def test_no_cell_is_a_formula(start):
    assert escape_formula(f'{start}HYPERLINK("http://x")') == f'\'{start}HYPERLINK("http://x")'


@pytest.mark.parametrize("cell", ["a=1", " =1", "'=1", "", "-1", "-0.5", "+3", "-2.5e-07", -1, -0.5, None])
def test_other_cells_stay_as_they_are(cell):
    assert escape_formula(cell) == cell


@pytest.mark.parametrize("cell", ["-1+1", "-", "+", "-1e", "-1_000", "-1 ", "-１"])
def test_what_only_begins_as_a_number_is_no_number(cell):
    assert escape_formula(cell) == f"'{cell}"


def test_formulas_from_documents_words_and_knowledge_are_harmless_in_every_table(make_result, tmp_path):
    evil = "=cmd|'/c calc'!A1"
    plain = make_result()
    words = [evil, "@sum", *plain.corpus.words[2:]]
    ids = [evil, "-2+3", *[f"d{n}" for n in range(2, 11)]]
    corpus = Corpus.from_counts(plain.corpus.counts, words, ids)
    network = Network.from_corpus(corpus)
    compiled = (
        Knowledge()
        .label({evil: "=evil()"}, source="@source")
        .together(documents=[(evil, "-2+3")])
        .compile(network.names)
    )
    before = np.array([1, 0, 0, 0, 0, 1, 1, 1, 1, 0, -1], dtype=np.int32)
    result = make_result(corpus=corpus, network=network, compiled=compiled, before={"documents": before})
    paths = result.write_tables(tmp_path)
    assert any(row["name"].startswith("'=evil()") for row in read(tmp_path / "clusters.csv"))
    for path in paths:
        for row in read(path):
            for cell in row.values():
                assert not cell.startswith(("=", "+", "@")), (path.name, cell)
                assert not cell.startswith("-") or float(cell) < 0
    assert read(tmp_path / "documents.csv")[0]["id"] == f"'{evil}"
    assert {row["word"] for row in read(tmp_path / "words.csv")} >= {f"'{evil}", "'@sum"}
    assert {row["source"] for row in read(tmp_path / "knowledge.csv")} >= {"'@source"}


def test_a_folder_that_cannot_be_written_is_named(result, tmp_path):
    (tmp_path / "file").write_text("", encoding="utf-8")
    with pytest.raises(StoreError, match=r"cannot write .*documents.csv"):
        result.write_tables(tmp_path / "file")


def test_tables_are_written_all_or_none(result, tmp_path, monkeypatch):
    def full(*_args):
        raise OSError(28, "No space left on device")

    monkeypatch.setattr("colligate.result.tables.make_word_rows", lambda _: iter(full, None))
    with pytest.raises(StoreError, match="No space left"):
        result.write_tables(tmp_path)
    assert list(tmp_path.iterdir()) == []
