from __future__ import annotations

import csv

import pytest

from colligate.network import Network, ObjectType, Relation
from tests.result.networks import LABELS, PEOPLE, network, network_result

pytestmark = pytest.mark.usefixtures("fake_method")


def read(path):
    with path.open(encoding="utf-8", newline="") as stream:
        return list(csv.DictReader(stream))


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
