from __future__ import annotations

import json
import math
import xml.etree.ElementTree as ET
from datetime import date

import pytest

from colligate.corpus import Corpus
from colligate.errors import InputError, StoreError
from colligate.knowledge import Knowledge
from colligate.network import Network
from tests.result.conftest import IDS, LABELS, TEXTS, build

STATED = {"d0": "space", "d5": "ice & <hockey>"}


@pytest.fixture(scope="module")
def result():
    columns = {
        "title": [f"Title {id}" for id in IDS],
        "date": [date(1999, 1, 2)] * len(IDS),
        "group": ["mine"] * len(IDS),
        "document": [None, *["other"] * (len(IDS) - 1)],
    }
    corpus = Corpus.from_texts(TEXTS, IDS, columns=columns)
    network = Network.from_corpus(corpus)
    knowledge = Knowledge().label({**STATED, "d1": "space", "d6": "ice & <hockey>"}).outside(["d10"])
    compiled = knowledge.compile(network.names)
    return build(corpus=corpus, network=network, compiled=compiled, statement_costs=[0.0] * len(knowledge))


def read(path):
    return json.loads(path.read_text(encoding="utf-8"))


def test_label_studio_gets_tasks_with_predictions_and_what_the_user_said(result, tmp_path):
    folder = result.write_label_studio(tmp_path / "tasks")
    tasks = read(folder / "tasks.json")
    assert [task["data"]["document"] for task in tasks] == IDS
    assert tasks[0]["data"] == {
        "date": "1999-01-02",
        "input_group": "mine",
        "document": "d0",
        "title": "Title d0",
        "text": TEXTS[0],
    }
    assert tasks[1]["data"]["input_document"] == "other"
    config = ET.fromstring((folder / "config.xml").read_text(encoding="utf-8"))
    control = config.find("Choices")
    choices = [choice.get("value") for choice in control]
    assert choices == ["space", "ice & <hockey>", "No group"]
    (prediction,) = tasks[2]["predictions"]
    assert prediction["result"] == [
        {
            "from_name": control.get("name"),
            "to_name": config.find("Text").get("name"),
            "type": "choices",
            "value": {"choices": ["space"]},
        }
    ]
    assert prediction["score"] == pytest.approx(result.confidence[2], abs=1e-6)
    answered = {
        task["data"]["document"]: task["annotations"][0]["result"][0]["value"]["choices"][0]
        for task in tasks
        if "annotations" in task
    }
    assert answered == {
        "d0": "space",
        "d1": "space",
        "d5": STATED["d5"],
        "d6": STATED["d5"],
        "d10": "No group",
    }
    assert "predictions" not in tasks[LABELS.index(-1)]


def test_an_infinite_number_is_left_out(tmp_path):
    corpus = Corpus.from_texts(TEXTS, IDS, columns={"score": [math.inf, *range(1, len(IDS))]})
    result = build(corpus=corpus, network=Network.from_corpus(corpus))
    tasks = read(result.write_label_studio(tmp_path / "tasks") / "tasks.json")
    assert [task["data"].get("score") for task in tasks[:2]] == [None, 1.0]


def test_what_goes_to_label_studio_comes_back(result, tmp_path):
    folder = result.write_label_studio(tmp_path / "tasks")
    knowledge = Knowledge.from_label_studio(folder / "tasks.json")
    labels = {line.subject: line.object for line in knowledge if line.kind == "label"}
    assert labels == {"d0": "space", "d1": "space", "d5": STATED["d5"], "d6": STATED["d5"]}
    assert [line.subject for line in knowledge if line.kind == "outside"] == ["d10"]
    assert {line.source for line in knowledge} == {"tasks.json"}


def test_argilla_gets_a_dataset_with_suggestions(result, tmp_path):
    folder = result.write_argilla(tmp_path / "dataset", name="stories")
    assert read(folder / ".argilla/dataset.json")["name"] == "stories"
    settings = read(folder / ".argilla/settings.json")
    (question,) = settings["questions"]
    values = [option["value"] for option in question["settings"]["options"]]
    assert values == ["space", "ice & <hockey>", "No group"]
    assert [field["name"] for field in settings["fields"]] == ["title", "text"]
    records = read(folder / "records.json")
    assert [record["id"] for record in records] == IDS
    assert records[2]["fields"] == {"text": TEXTS[2], "title": "Title d2"}
    assert records[2]["metadata"]["date"] == "1999-01-02"
    assert records[2]["suggestions"][question["name"]]["value"] == "space"
    assert records[5]["suggestions"]["group"] == {"value": STATED["d5"], "score": 1.0, "agent": "user"}
    assert all(record["responses"] == {} for record in records)


def test_answers_in_argilla_come_back(result, tmp_path):
    folder = result.write_argilla(tmp_path / "dataset")
    records = read(folder / "records.json")
    records[2]["responses"] = {"group": [{"value": "ice & <hockey>", "user_id": "u"}]}
    records[3]["responses"] = {"group": [{"value": "space", "user_id": "u", "status": "discarded"}]}
    records[4]["responses"] = {"group": [{"value": "No group", "user_id": "u"}]}
    (folder / "records.json").write_text(json.dumps(records), encoding="utf-8")
    knowledge = Knowledge.from_argilla(folder)
    assert [(line.kind, line.subject, line.object) for line in knowledge] == [
        ("label", "d2", "ice & <hockey>"),
        ("outside", "d4", None),
    ]


def test_a_group_that_the_knowledge_does_not_name_has_its_words(tmp_path):
    plain = build()
    config = plain.write_label_studio(tmp_path / "tasks") / "config.xml"
    values = [
        choice.get("value") for choice in ET.fromstring(config.read_text(encoding="utf-8")).iter("Choice")
    ]
    assert values == [*plain.group_names, "No group"]


def test_a_name_with_control_characters_makes_a_valid_interface(tmp_path):
    named = build(given_names=("a\x00b\x0b\x1fc", "plain"))
    folder = named.write_label_studio(tmp_path / "tasks")
    root = ET.fromstring((folder / "config.xml").read_text(encoding="utf-8"))
    choices = [choice.get("value") for choice in root.iter("Choice")]
    first = read(folder / "tasks.json")[0]["predictions"][0]["result"][0]["value"]["choices"][0]
    assert first == choices[0] == "ab c"


def test_folders_are_replaced_only_when_asked_and_only_their_kind(result, tmp_path):
    folder = result.write_label_studio(tmp_path / "tasks")
    with pytest.raises(StoreError, match="already exists"):
        result.write_label_studio(folder)
    result.write_label_studio(folder, overwrite=True)
    (folder / "mine.txt").write_text("mine", encoding="utf-8")
    with pytest.raises(StoreError, match=r"mine\.txt"):
        result.write_label_studio(folder, overwrite=True)
    assert (folder / "mine.txt").exists()


def test_annotation_needs_texts(tmp_path):
    with pytest.raises(InputError, match="texts"):
        build(with_corpus=False).write_argilla(tmp_path / "dataset")
    assert list(tmp_path.iterdir()) == []
