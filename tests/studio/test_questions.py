"""Questions over HTTP: answers are statements with who and why, and can be undone like all others."""

from __future__ import annotations

import pytest

from colligate.knowledge import Knowledge
from colligate.studio.session import QUESTIONS_AT_ONCE
from tests.studio.helpers import TOPICS, Serving, make_project

SHARED = {**TOPICS, "space": TOPICS["space"] + " ice motor", "cars": TOPICS["cars"] + " salt oven"}
"""Topics that share words with others: these words can be asked about."""


@pytest.fixture(scope="module")
def serving(tmp_path_factory):
    """A server with one finished run on topics that share words."""
    made = Serving(make_project(tmp_path_factory.mktemp("serving"), topics=SHARED))
    assert made.watched.run()["status"] == "done"
    yield made
    made.close()


@pytest.fixture
def client(serving):
    yield serving.client
    while serving.session.project.journal.live():
        serving.session.undo()


def questions(client, **query):
    parts = "&".join(f"{name}={value}" for name, value in query.items())
    return client.get(f"/api/questions?{parts}")


def answer(client, question, told="yes", **more):
    return client.send("POST", f"/api/questions/{question['id']}", {"answer": told, **more})["statement"]


def test_a_label_answer_is_a_label_with_who_and_why(client):
    (asked,) = questions(client, n=1, kinds="label")
    said = answer(client, asked, who="me")
    assert (said["kind"], said["who"], said["why"]) == (
        "label",
        "me",
        "asked which group",
    )
    assert said["body"]["document"] == asked["items"][0]["id"]
    assert said["body"]["group"] == asked["groups"][0]["group"]
    assert "orbit" in asked["items"][0]["text"] or asked["items"][0]["text"]


def test_another_group_can_be_chosen_and_the_next_question_is_another(client):
    (asked,) = questions(client, n=1, kinds="label")
    chosen = asked["groups"][1]["group"]
    assert answer(client, asked, group=chosen)["body"]["group"] == chosen
    (following,) = questions(client, n=1, kinds="label")
    assert following["items"][0]["id"] != asked["items"][0]["id"]


def test_not_in_this_group_is_apart_from_who_stands_for_it(client):
    (asked,) = questions(client, n=1, kinds="label")
    said = answer(client, asked, "no")
    assert said["kind"] == "apart"
    assert said["body"]["items"][0] == asked["items"][0]["id"]


@pytest.mark.parametrize(("told", "kind"), [("yes", "together"), ("no", "apart")])
def test_a_pair_answer_is_a_link(client, told, kind):
    (asked,) = questions(client, n=1, kinds="pair")
    said = answer(client, asked, told)
    assert (said["kind"], said["body"]["items"]) == (kind, [item["id"] for item in asked["items"]])


def test_a_word_answer_is_a_category_or_a_link_of_words(client, serving, tmp_path):
    first, second = questions(client, n=2, kinds="word")
    said = answer(client, first)
    assert (said["kind"], said["body"]["word"]) == ("category", first["items"][0]["id"])
    assert said["body"]["group"] == first["groups"][0]["group"]
    assert said["sentence"].endswith(f"is about {first['groups'][0]['name']}")
    said = answer(client, second, "no")
    assert (said["body"]["type"], said["body"]["group"]) == ("words", second["groups"][0]["group"])
    assert said["sentence"].endswith(f"is not about {second['groups'][0]['name']}")
    path = tmp_path / "knowledge.yaml"
    path.write_text(serving.session.project.knowledge(), encoding="utf-8")
    assert {row.kind for row in Knowledge.read(path)} == {"category", "apart"}


@pytest.mark.parametrize("kind", ["label", "pair", "word"])
def test_the_preview_of_an_answer_is_what_it_moves(client, serving, kind):
    for asked in questions(client, n=4, kinds=kind):
        previews = client.get(f"/api/questions/{asked['id']}/answers")
        chosen = [None] if kind == "pair" else [group["group"] for group in asked["groups"]]
        assert [(one["answer"], one["group"]) for one in previews] == [
            *(("yes", group) for group in chosen),
            ("no", None),
        ]
        for preview in previews:
            group = {} if preview["group"] is None else {"group": preview["group"]}
            answer(client, asked, preview["answer"], **group)
            entry = serving.session.undo()
            moves = entry.body.get("moves", [])
            assert [(move["source"], move["target"]) for move in preview["moves"]] == [
                (move["from"], move["to"]) for move in moves
            ]
            rows = [serving.session.view().positions(move["documents"]) for move in moves]
            assert [move["documents"] for move in preview["moves"]] == rows
            assert preview["refusal"] == ""


def test_an_answer_that_would_be_rejected_says_why(client, serving):
    (asked,) = questions(client, n=1, kinds="pair")
    items = [item["id"] for item in asked["items"]]
    serving.session.record("together", {"type": "documents", "items": [items[0], "f5"]})
    serving.session.record("together", {"type": "documents", "items": [items[1], "f5"]})
    yes, no = client.get(f"/api/questions/{asked['id']}/answers")
    assert yes["refusal"] == ""
    assert "contradict" in no["refusal"]
    client.send("POST", f"/api/questions/{asked['id']}", {"answer": "no"}, 422)


def test_a_skipped_question_says_nothing_and_does_not_come_again(client, serving):
    head = serving.session.project.journal.head
    (asked,) = questions(client, n=1, kinds="pair")
    assert answer(client, asked, "skip") is None
    assert serving.session.project.journal.head == head
    assert questions(client, n=1, kinds="pair")[0]["items"] != asked["items"]


def test_words_are_asked_first(client):
    assert {one["kind"] for one in questions(client, n=3)} == {"word"}


def test_a_word_may_be_about_another_group(client):
    (asked,) = questions(client, n=1, kinds="word")
    second = asked["groups"][1]
    said = answer(client, asked, "yes", group=second["group"])
    assert (said["kind"], said["body"]["group"]) == ("category", second["group"])
    assert said["sentence"].endswith(f"is about {second['name']}")


def test_what_cannot_be_answered_is_refused(client):
    client.send("POST", "/api/questions/999999", {"answer": "yes"}, 404)
    assert client.ask("GET", "/api/questions/999999/answers")[0] == 404
    (asked,) = questions(client, n=1, kinds="label")
    path = f"/api/questions/{asked['id']}"
    client.send("POST", path, {"answer": "maybe"}, 422)
    client.send("POST", path, {"answer": "yes", "group": 60000}, 404)
    client.send("POST", path, {}, 422)
    assert client.ask("GET", "/api/questions?kinds=colour")[0] == 422
    assert client.ask("GET", "/api/questions?n=100000")[0] == 422


def test_answers_are_kept_by_the_next_run(client, serving):
    for asked in questions(client, n=4, kinds="label"):
        answer(client, asked)
    assert serving.watched.run()["status"] == "done"
    verdicts = [one["verdict"] for one in client.get("/api/statements") if one["status"] == "live"]
    assert verdicts == ["kept"] * 4


def test_statements_and_their_lines_tell_their_strength_and_trust(client, serving):
    client.send(
        "POST",
        "/api/statements",
        {"kind": "together", "body": {"type": "documents", "items": ["s0", "s1"]}},
        201,
    )
    assert client.get("/api/statements")[-1]["strength"] is None
    assert serving.watched.run()["status"] == "done"
    said = client.get("/api/statements")[-1]
    assert (said["strength"], said["trust"], said["verdict"]) == (1.0, None, "kept")
    run = client.get("/api/project")["current"]
    assert [row["strength"] for row in client.get(f"/api/runs/{run}/audit")["rows"]] == [1.0]


def test_the_first_questions_are_prepared_after_a_run(watched, monkeypatch):
    session = watched.session
    assert watched.run()["status"] == "done"
    prepared = session.questions._prepared[1].result()
    monkeypatch.setattr("colligate.studio.session.propose", lambda *_, **__: pytest.fail("found again"))
    proposed = session.questions.propose(session.view(), QUESTIONS_AT_ONCE)
    assert [pending.question for pending in proposed] == prepared


@pytest.mark.parametrize("change", ["statement", "skip", "kinds", "number"])
def test_prepared_questions_are_not_used_once_they_are_stale(session, change):
    view, questions = session.view(), session.questions
    questions.prepare(view.record.number)
    first = questions.propose(view, QUESTIONS_AT_ONCE)
    if change == "statement":
        session.record("outside", {"document": "s1"})
    elif change == "skip":
        questions.answer(first[0].number, "skip")
    n = QUESTIONS_AT_ONCE - (change == "number")
    key = questions._key(view.record.number, n, ["pair"] if change == "kinds" else None)
    assert key != questions._prepared[0]
    again = questions.propose(view, n, ["pair"] if change == "kinds" else None)
    assert [pending.question for pending in again] == questions._find(key)
