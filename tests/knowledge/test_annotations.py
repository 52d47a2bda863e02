from __future__ import annotations

import json

import pytest

from colligate.errors import KnowledgeError, KnowledgeWarning
from colligate.knowledge import Knowledge


def choice(*values, name="group", **more):
    result = [{"from_name": name, "to_name": "text", "type": "choices", "value": {"choices": [*values]}}]
    return {"result": result, **more}


def task(id, *annotations, **more):
    return {"id": 7, "data": {"document": id, "text": "t"}, "annotations": [*annotations], **more}


def write(path, content):
    path.write_text(content if isinstance(content, str) else json.dumps(content), encoding="utf-8")
    return path


def labels_of(knowledge):
    return {line.subject: line.object for line in knowledge}


def test_annotations_count_and_predictions_do_not(tmp_path):
    tasks = [
        task("a", choice("space"), predictions=[choice("hockey")]),
        task("b", predictions=[choice("hockey")]),
        task("c", choice("hockey", was_cancelled=True)),
        task("d", choice("other", name="mood")),
        task("e", choice("two", "answers")),
        task(12, choice("space")),
    ]
    path = write(tmp_path / "answers.json", tasks)
    assert labels_of(Knowledge.from_label_studio(path)) == {"a": "space", "12": "space"}
    assert labels_of(Knowledge.from_label_studio(path, question="mood")) == {"d": "other"}


def test_the_answer_of_most_annotators_counts_and_a_tie_is_told(tmp_path):
    tasks = [
        task("a", choice("space"), choice("hockey"), choice("space")),
        task("b", choice("space"), choice("hockey")),
    ]
    with pytest.warns(KnowledgeWarning, match="no label for 1 document on which annotators disagree"):
        knowledge = Knowledge.from_label_studio(write(tmp_path / "answers.json", tasks))
    assert labels_of(knowledge) == {"a": "space"}


def test_the_short_export_of_label_studio(tmp_path):
    rows = [
        {"id": 1, "document": "a", "text": "t", "group": "space", "annotator": 1},
        {"id": 2, "document": "b", "text": "t", "group": {"choices": ["one", "two"]}, "annotator": 1},
        {"id": 3, "document": "c", "text": "t", "annotator": 1},
    ]
    assert labels_of(Knowledge.from_label_studio(write(tmp_path / "a.json", rows))) == {"a": "space"}


def test_other_keys_for_ids(tmp_path):
    tasks = [{"data": {"key": "a"}, "annotations": [choice("space")]}]
    path = write(tmp_path / "a.json", tasks)
    assert labels_of(Knowledge.from_label_studio(path, id="key")) == {"a": "space"}
    with pytest.raises(KnowledgeError, match=r"task 1 has no 'document'.*id="):
        Knowledge.from_label_studio(path)


def test_flat_records_and_lines_of_argilla(tmp_path):
    flat = {
        "id": "a",
        "text": "t",
        "group.responses": ["space", "hockey"],
        "group.responses.status": ["submitted", "draft"],
        "group.suggestion": "hockey",
    }
    nested = {"id": "b", "responses": {"group": [{"value": "hockey", "user_id": "u"}]}, "suggestions": {}}
    path = write(tmp_path / "records.jsonl", f"{json.dumps(flat)}\n{json.dumps(nested)}\n")
    assert labels_of(Knowledge.from_argilla(path)) == {"a": "space", "b": "hockey"}


@pytest.mark.parametrize("read", [Knowledge.from_label_studio, Knowledge.from_argilla])
@pytest.mark.parametrize("content", ["", "no json", "[1, 2]", '{"a": 1', "[" * 100_000, '"text"'])
def test_other_files_are_refused_or_empty(tmp_path, read, content):
    path = write(tmp_path / "a.json", content)
    if content:
        with pytest.raises(KnowledgeError, match=r"a\.json is not"):
            read(path)
    else:
        assert not read(path)


def test_a_missing_file_and_bytes_are_refused(tmp_path):
    with pytest.raises(KnowledgeError, match="cannot be read"):
        Knowledge.from_label_studio(tmp_path / "none.json")
    (tmp_path / "bytes.json").write_bytes(b"\xff\xfe\x00")
    with pytest.raises(KnowledgeError, match="UTF-8"):
        Knowledge.from_argilla(tmp_path / "bytes.json")


def test_answers_write_a_knowledge_file(tmp_path):
    tasks = [task("a", choice("space: orbit, nasa")), task("b", choice("No group"))]
    knowledge = Knowledge.from_label_studio(write(tmp_path / "answers.json", tasks))
    knowledge.write(tmp_path / "knowledge.yaml")
    again = Knowledge.read(tmp_path / "knowledge.yaml")
    assert [(line.kind, line.subject, line.object) for line in again] == [
        ("label", "a", "space: orbit, nasa"),
        ("outside", "b", None),
    ]
