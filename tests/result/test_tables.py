from __future__ import annotations

import csv
import datetime

import numpy as np
import pyarrow as pa
import pytest

from colligate.corpus import Corpus
from colligate.errors import StoreError
from colligate.knowledge import Knowledge
from colligate.knowledge.statements import EXEMPLAR_SUFFIX
from colligate.network import Network, ObjectType, Relation
from colligate.result.tables import documents_table, escape_formula, name_tables
from tests.result.networks import LABELS, PEOPLE, network, network_result


def read(path):
    with path.open(encoding="utf-8", newline="") as stream:
        return list(csv.DictReader(stream))


def test_documents_are_listed_with_their_groups(result, tmp_path):
    result.write_tables(tmp_path)
    rows = read(tmp_path / "documents.csv")
    assert list(rows[0]) == [
        *("id", "cluster", "name", "confidence", "runner_up", "fits", "words_counted", "stated", "text"),
    ]
    assert (rows[0]["text"], rows[0]["stated"]) == (result.corpus.texts[0], "false")
    assert [int(row["cluster"]) for row in rows] == result.labels["documents"].tolist()
    assert rows[0]["name"] == result.group_names[0]
    assert float(rows[9]["confidence"]) == pytest.approx(result.confidence[9], abs=1e-6)
    assert (rows[1]["words_counted"], rows[1]["runner_up"]) == ("7", "1")
    assert (rows[10]["cluster"], rows[10]["name"], rows[10]["runner_up"]) == ("-1", "", "")


COLUMNS = {
    "Title": ["=1+1", *[f"title {number}" for number in range(9)], None],
    "date": [datetime.date(2024, 1, 1 + number) for number in range(11)],
    "Cluster": list(range(11)),
    "=cmd()": [True, *[False] * 10],
    "tags": [["a", "b"]] * 11,
}


def test_the_columns_of_the_input_and_the_text_come_last(make_result, tmp_path):
    plain = make_result()
    corpus = Corpus.from_texts(list(plain.corpus.texts), plain.corpus.ids, columns=COLUMNS)
    result = make_result(corpus=corpus, network=Network.from_corpus(corpus))
    result.write_tables(tmp_path)
    rows = read(tmp_path / "documents.csv")
    assert list(rows[0])[7:] == [
        *("stated", "title", "date", "input_Cluster", "'=cmd()", "tags", "text"),
    ]
    assert list(rows[0].values())[7:] == [
        *("false", "'=1+1", "2024-01-01", "0", "true", '["a", "b"]', corpus.texts[0]),
    ]
    assert (rows[10]["title"], rows[10]["input_Cluster"], rows[10]["'=cmd()"]) == ("", "10", "false")


def test_the_documents_as_an_arrow_table(make_result):
    plain = make_result()
    corpus = Corpus.from_texts(list(plain.corpus.texts), plain.corpus.ids, columns=COLUMNS)
    result = make_result(corpus=corpus, network=Network.from_corpus(corpus))
    table = documents_table(result)
    assert table.column_names[:4] == ["id", "cluster", "name", "confidence"]
    assert table["cluster"].to_pylist() == result.labels["documents"].tolist()
    assert table["name"][10].as_py() is None
    assert table["runner_up"][10].as_py() is None
    assert table["date"][0].as_py() == datetime.date(2024, 1, 1)
    assert table["text"].to_pylist() == list(corpus.texts)
    bare = documents_table(result, text=False, columns=False)
    assert bare.column_names[-2:] == ["words_counted", "stated"]


def test_input_columns_never_hide_those_of_the_run(make_result):
    plain = make_result()
    names = ["id", "text", "TEXT", "input_id", "name", "stated"]
    columns = {name: [name] * 11 for name in names}
    corpus = Corpus.from_texts(list(plain.corpus.texts), plain.corpus.ids, columns=columns)
    table = documents_table(make_result(corpus=corpus, network=Network.from_corpus(corpus)))
    assert len({name.casefold() for name in table.column_names}) == len(table.column_names)
    assert table["id"].to_pylist() == corpus.ids
    assert [table[f"input_{name}"][0].as_py() for name in ("id", "text", "name", "stated")] == [
        *("id", "text", "name", "stated"),
    ]


def test_documents_that_the_user_spoke_of_are_marked(make_result):
    plain = make_result()
    knowledge = (
        Knowledge()
        .label({"d1": "space"})
        .label({"d2": "space"}, source=f"an answer {EXEMPLAR_SUFFIX}")
        .outside(["d10"])
        .together(documents=[("d3", "d4")])
    )
    result = make_result(compiled=knowledge.compile(plain.network.names))
    assert np.flatnonzero(documents_table(result)["stated"].to_numpy()).tolist() == [1, 10]


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
    assert rows["puck"]["word_group"] == "1"


def test_words_without_groups_have_no_group(make_result, tmp_path):
    make_result().write_tables(tmp_path)
    assert {row["word_group"] for row in read(tmp_path / "words.csv")} == {""}


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
    def fail():
        raise OSError(28, "No space left on device")

    schema = pa.schema([("word", pa.string())])
    failing = pa.RecordBatchReader.from_batches(schema, iter(fail, None))
    monkeypatch.setattr("colligate.result.tables.words_table", lambda _: failing)
    with pytest.raises(StoreError, match="No space left"):
        result.write_tables(tmp_path)
    assert list(tmp_path.iterdir()) == []


pytestmark = pytest.mark.usefixtures("fake_method")


@pytest.fixture
def written(tmp_path):
    network_result().write_tables(tmp_path)
    return tmp_path


def test_a_network_has_a_table_for_every_type_and_for_its_relations(written):
    assert {path.name for path in written.iterdir()} == {
        "papers.csv",
        "clusters.csv",
        "words.csv",
        "people.csv",
        "cities.csv",
        "relations.csv",
        "contributions.csv",
    }


def test_objects_are_listed_as_words_are_and_with_their_own_groups(written):
    rows = {row["name"]: row for row in read(written / "people.csv")}
    assert list(rows) == PEOPLE
    found = rows["Di"]
    assert (found["cluster"], found["cluster_name"], found["runner_up"]) == ("1", "Cy, Di", "0")
    assert float(found["confidence"]) == pytest.approx(0.95)
    assert (found["count"], found["typical_group"]) == ("6", "1")
    assert found["typical_name"] == network_result().group_names[1]


def test_an_object_in_no_group_that_nobody_has_is_listed_empty(written):
    found = read(written / "cities.csv")[2]
    assert found == {
        "name": "Nowhere",
        "cluster": "",
        "cluster_name": "",
        "confidence": "",
        "runner_up": "",
        "count": "0",
        "typical_group": "",
        "typical_name": "",
        "score": "0",
    }


def test_objects_that_were_not_grouped_are_listed_with_what_they_are_typical_of(tmp_path):
    network_result(labels={"papers": LABELS["papers"]}).write_tables(tmp_path)
    found = read(tmp_path / "people.csv")
    assert {row["cluster"] for row in found} == {""}
    assert [row["typical_group"] for row in found] == ["0", "0", "1", "1"]


def test_clusters_name_their_top_objects_of_every_type(written):
    rows = read(written / "clusters.csv")
    assert list(rows[0])[-3:] == ["top_words", "top_people", "top_cities"]
    assert [row["top_people"] for row in rows] == ["Ann; Bo", "Cy; Di"]
    assert [row["top_cities"] for row in rows] == ["Oslo", "Rome"]


def test_relations_are_listed_with_weight_and_information(written):
    rows = {row["relation"]: row for row in read(written / "relations.csv")}
    assert list(rows) == ["papers × words", "people × papers", "people × cities", "papers × papers"]
    found = rows["people × papers"]
    assert (found["rows"], found["columns"], found["entries"], found["weight"]) == (
        "people",
        "papers",
        "8",
        "0.3",
    )
    assert float(found["information_after"]) < float(found["information_before"])
    assert sum(float(row["share"]) for row in rows.values()) == pytest.approx(1.0, abs=1e-5)


def test_contributions_are_listed_by_relation_and_group_of_either_type(written):
    rows = read(written / "contributions.csv")
    parts = {part.relation: part for part in network_result().contributions()}
    assert [(row["relation"], row["type"], int(row["cluster"])) for row in rows] == [
        (name, kind, at)
        for name, part in parts.items()
        for kind in part.by_group
        for at in range(part.by_group[kind].size)
    ]
    for row in rows:
        part, kind, at = parts[row["relation"]], row["type"], int(row["cluster"])
        assert row["name"] == network_result().names_of(kind)[at]
        assert float(row["contribution"]) == pytest.approx(part.by_group[kind][at], rel=1e-5)
        assert float(row["share"]) == pytest.approx(part.share[kind][at], rel=1e-5)


def test_relations_that_were_not_grouped_have_no_information_after(tmp_path):
    network_result(association={}).write_tables(tmp_path)
    assert {row["information_after"] for row in read(tmp_path / "relations.csv")} == {""}
    assert read(tmp_path / "contributions.csv") == []


def test_types_that_are_called_like_tables_overwrite_nothing(tmp_path):
    evil = "people/../clusters"
    types = {kind: network().types[kind] for kind in ("papers", "words")}
    types |= {name: ObjectType(name, ["=1+1", "@x", "c", "d"]) for name in ("clusters", evil)}
    relations = (
        network().relations[0],
        Relation("papers", "clusters", network().relations[1].matrix.T.tocsr()),
        Relation("papers", evil, network().relations[1].matrix.T.tocsr()),
    )
    labels = {"papers": LABELS["papers"], "words": LABELS["words"]}
    paths = network_result(Network(types, relations), labels).write_tables(tmp_path)
    assert {path.name for path in paths} == {path.name for path in tmp_path.iterdir()}
    assert len(set(paths)) == 7
    assert [row["name"] for row in read(tmp_path / "clusters-2.csv")] == ["'=1+1", "'@x", "c", "d"]
    assert read(tmp_path / "clusters.csv")[0]["top_clusters"].startswith("'=1+1")


def test_documents_and_words_keep_their_files():
    assert name_tables(["words", "documents"]) == {"words": "words", "documents": "documents"}


@pytest.mark.parametrize(
    ("kind", "file"),
    [
        ("people", "people"),
        ("people/orgs", "people-orgs"),
        ("../../etc/passwd", "etc-passwd"),
        ("..", "type"),
        ("a\\b:c", "a-b-c"),
        ("CON", "CON-2"),
        ("lpt1", "lpt1-2"),
        ("clusters", "clusters-2"),
        ("knowledge", "knowledge-2"),
        ("Relations", "Relations-2"),
        ("Documents", "Documents-2"),
        ("title words.", "title-words"),
        ("Städte", "Städte"),
        ("x" * 300, "x" * 40),
    ],
)
def test_any_name_makes_a_safe_file(kind, file):
    assert name_tables([kind]) == {kind: file}


def test_no_two_types_share_a_file_whatever_the_case():
    kinds = ["a/b", "a-b", "A b", "a-b-2", "!", "?", "ﬁle", "file", "documents", "DOCUMENTS"]
    found = name_tables(kinds)
    assert list(found) == kinds
    assert len({name.casefold() for name in found.values()}) == len(kinds)
    assert found["documents"] == "documents"
