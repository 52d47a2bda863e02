"""Lists of documents: by group, place, query and position, in every order; similar ones; and acts on many."""

from __future__ import annotations

import numpy as np
import pytest

from colligate.corpus import Corpus
from colligate.questions.uncertainty import margin_uncertainty
from colligate.studio.actions.base import MAX_ITEMS
from colligate.studio.project import Project, Settings
from tests.studio.helpers import Serving
from tests.studio.test_server import client, home, list_documents

__all__ = ["client"]


def ids(answer):
    return [row["id"] for row in answer["documents"]]


def test_documents_at_positions_come_as_they_are_named(client):
    answer = list_documents(client, at=[5, 0, 7])
    assert [row["document"] for row in answer["documents"]] == [5, 0, 7]
    assert list_documents(client, at=[])["total"] == 0


def test_the_least_sure_come_first(client, serving):
    rows = list_documents(client, order="doubt")["documents"]
    doubt = margin_uncertainty(serving.session.view(1).result)
    values = [round(doubt[row["document"]], 6) for row in rows]
    assert len(rows) == 120
    assert values == sorted(values, reverse=True)
    reverse = list_documents(client, order="doubt", reverse=True)["documents"]
    assert round(doubt[reverse[0]["document"]], 6) == values[-1]
    assert all(row["next"] != row["group"] for row in rows)


def test_ids_are_sorted_with_their_numbers_as_numbers(client):
    listed = ids(list_documents(client, order="id"))
    assert listed[:4] == ["c0", "c1", "c2", "c3"]
    assert listed.index("c9") < listed.index("c10") < listed.index("f0")


def test_titles_and_lengths_are_orders_too(client, serving):
    texts = serving.session.project.network.corpus.texts
    titles = [texts[row["document"]] for row in list_documents(client, order="title")["documents"]]
    assert titles == sorted(titles, key=str.casefold)
    lengths = [len(texts[row["document"]]) for row in list_documents(client, order="length")["documents"]]
    assert lengths == sorted(lengths, reverse=True)


def test_a_statement_about_a_word_names_no_document(client):
    client.send(
        "POST", "/api/statements", {"kind": "category", "body": {"name": "baking", "word": "oven"}}, 201
    )
    assert not any(row["stated"] for row in list_documents(client)["documents"])
    assert client.get("/api/runs/1/pending")["documents"] == []


def test_what_was_stated_comes_first_or_is_left_out(client):
    client.send("POST", "/api/statements", {"kind": "outside", "body": {"document": "c3"}}, 201)
    client.send(
        "POST",
        "/api/statements",
        {"kind": "together", "body": {"type": "words", "items": ["ice", "puck"]}},
        201,
    )
    first, *rest = list_documents(client, order="stated")["documents"]
    assert (first["id"], first["stated"]) == ("c3", True)
    assert not any(row["stated"] for row in rest)
    left = list_documents(client, order="doubt", unstated=True)
    assert left["total"] == 119
    assert "c3" not in ids(left)
    skipped = list_documents(client, order="doubt", unstated=True, skip=[left["documents"][0]["document"]])
    assert ids(skipped) == ids(left)[1:]


def test_a_knowledge_file_states_something_about_its_documents(client):
    seq = client.get("/api/knowledge")["seq"]
    client.send("PUT", "/api/knowledge", {"text": "documents: {labels: {h7: ice}}", "seq": seq})
    stated = [row["id"] for row in list_documents(client)["documents"] if row["stated"]]
    assert stated == ["h7"]


def test_documents_of_a_part_of_the_map(client, serving):
    from colligate.studio.server.handlers.groups import load_layout

    places = load_layout(serving.session, serving.session.view(1)).documents
    middle = np.median(places, axis=0)
    box = [float(places[:, 0].min()), float(places[:, 1].min()), float(middle[0]), float(middle[1])]
    expected = np.flatnonzero((places <= middle).all(axis=1)).tolist()
    answer = list_documents(client, box=box)
    assert [row["document"] for row in answer["documents"]] == expected
    group = answer["documents"][0]["group"]
    both = list_documents(client, box=box, group=group)
    assert ids(both) == [row["id"] for row in answer["documents"] if row["group"] == group]


def test_hits_come_by_rank_with_their_words_marked(client, serving):
    positions = client.get("/api/search?q=orbit+moon&run=1")["positions"]
    answer = list_documents(client, q="orbit moon")
    assert [row["document"] for row in answer["documents"]] == positions
    for row in answer["documents"]:
        assert {piece.lower() for piece in row["pieces"][1::2]} == {"orbit", "moon"}
        assert "".join(row["pieces"]) == row["text"]
    texts = serving.session.project.network.corpus.texts
    matching = [row for row, text in enumerate(texts) if {"orbit", "moon"} <= set(text.split())]
    assert sorted(positions) == matching


def test_a_query_is_refined_by_minus_phrase_and_group(client, serving):
    everything = client.get("/api/search?q=orbit")["positions"]
    without = client.get("/api/search?q=orbit+-moon")["positions"]
    assert set(without) < set(everything)
    group = home(client, "s0")["group"]
    assert (
        client.get(f"/api/search?q=group:{group}")["positions"]
        == np.flatnonzero(serving.session.view(1).identities == group).tolist()
    )
    named = client.get("/api/runs/1/groups")[group]["words"][0]["word"]
    assert set(client.get(f"/api/search?q=orbit+group:{named}")["positions"]) <= set(everything)
    nothing = client.get("/api/search?q=orbit+group:nobody")
    assert nothing["positions"] == []
    assert nothing["notes"] == ["no group is called “nobody”"]


def test_columns_of_the_input_order_and_filter(client, serving):
    assert "topic" in serving.session.columns.all
    topics = serving.session.columns.find("topic").texts()
    rows = list_documents(client, order="column:topic")["documents"]
    listed = [topics[row["document"]] for row in rows]
    assert listed == sorted(listed, key=lambda text: (not text, text.casefold()))
    chosen = client.get("/api/search?q=topic:spa")["positions"]
    assert chosen == [row for row, topic in enumerate(topics) if "spa" in topic]
    others = client.get("/api/search?q=-topic:spa")["positions"]
    assert sorted([*chosen, *others]) == list(range(120))


def test_similar_documents_have_their_groups(client, serving):
    rows = client.get("/api/runs/1/documents/0/similar?limit=7")
    expected = serving.session.view(1).result.similar(0, 7)
    assert [row["document"] for row in rows] == [each.position for each in expected]
    assert [row["similarity"] for row in rows] == [round(each.similarity, 4) for each in expected]
    assert all(row["group"] >= 0 for row in rows)


@pytest.fixture(scope="module")
def large(tmp_path_factory):
    """A project of 6,000 documents with one run."""
    rng = np.random.default_rng(0)
    words = [[f"{topic}{number}" for number in range(40)] for topic in ("sky", "ice", "oven")]
    texts = [" ".join(rng.choice(words[row % 3], 8)) for row in range(6_000)]
    folder = tmp_path_factory.mktemp("large")
    settings = Settings("large.jsonl", "", "kmeans", 3)
    serving = Serving(Project.create(folder / "large.studio", Corpus.from_texts(texts), settings))
    assert serving.watched.run()["status"] == "done"
    yield serving
    serving.close()


@pytest.mark.parametrize(("kind", "more"), [("label", {"group": 1}), ("outside", {}), ("together", {})])
def test_thousands_of_documents_are_one_statement(large, kind, more):
    at = list(range(0, 6_000, 2))
    entry = large.client.send(
        "POST", "/api/statements", {"kind": kind, "body": more, "at": at, "run": 1}, 201
    )
    assert "and 2998 more belong" in entry["sentence"]
    (statement,) = large.session.project.journal.live()
    assert len(statement.body.get("documents") or statement.body["items"]) == 3_000
    rows = list_documents(large.client, order="stated", limit=1)
    assert rows["documents"][0]["stated"]
    assert list_documents(large.client, unstated=True)["total"] == 3_000
    large.session.undo()


def test_more_documents_than_can_be_named_at_once_are_refused(client):
    body = {"kind": "outside", "body": {}, "at": [0] * (MAX_ITEMS + 1)}
    refused = client.send("POST", "/api/statements", body, 422)
    assert str(MAX_ITEMS) in refused["error"]["what"]
