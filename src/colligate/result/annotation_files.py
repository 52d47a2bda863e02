"""Exchange files for annotation tools: documents with the groups of a result as predictions.

Label Studio reads `tasks.json` (tasks with predictions and annotations) with the interface `config.xml`.
Argilla reads the folder with `rg.Dataset.from_disk`: its settings, and records with suggestions. What
annotators answer there becomes knowledge by `Knowledge.from_label_studio` and `Knowledge.from_argilla`.
"""

from __future__ import annotations

import json
import math
import xml.etree.ElementTree as ET
from dataclasses import dataclass
from datetime import date
from typing import TYPE_CHECKING, Any

from colligate._storage.atomic import write_folder
from colligate._text import clean
from colligate.errors import InputError
from colligate.knowledge.annotations import DOCUMENT_KEY, NO_GROUP, QUESTION
from colligate.result.groups import find_groups_by_name, list_claims
from colligate.result.tables import documents_table, find_stated
from colligate.version import __version__

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping
    from pathlib import Path

    from colligate.result.result import Result


TASKS, CONFIG = "tasks.json", "config.xml"
RECORDS, SETTINGS, DATASET = "records.json", ".argilla/settings.json", ".argilla/dataset.json"
TASK_KEYS = (DOCUMENT_KEY, QUESTION)
HEADING = "Which group does the text belong to?"
GUIDELINES = (
    "Choose the group of each text. The suggestion is the group that Colligate found; its score is the "
    f"confidence. Choose “{NO_GROUP}” for a text that belongs to none."
)
AGENT = f"colligate {__version__}"
BATCH_ROWS = 1024


@dataclass(frozen=True)
class Task:
    """One document: its group, unless it has none, and the answer that the user gave before."""

    id: str
    title: str | None
    text: str
    columns: Mapping[str, Any]
    prediction: str | None
    confidence: float
    answer: str | None


def write_label_studio(result: Result, folder: Path, *, overwrite: bool = False) -> Path:
    """Write tasks and the labelling interface for Label Studio to a new folder."""
    tasks = [_make_label_studio_task(task) for task in list_tasks(result)]
    with write_folder(folder, overwrite=overwrite, owned=lambda _: (TASKS, CONFIG)) as new:
        _write_json(new / TASKS, tasks)
        config = make_label_studio_config(list_choices(result), titled=_has_titles(result))
        (new / CONFIG).write_text(config, encoding="utf-8")
    return folder


def write_argilla(result: Result, folder: Path, name: str, *, overwrite: bool = False) -> Path:
    """Write a dataset of Argilla, as `rg.Dataset.from_disk` reads it, to a new folder."""
    records = [_make_argilla_record(task) for task in list_tasks(result)]
    files = (RECORDS, SETTINGS, DATASET)
    with write_folder(folder, overwrite=overwrite, owned=lambda _: files) as new:
        (new / SETTINGS).parent.mkdir()
        _write_json(new / RECORDS, records)
        _write_json(new / SETTINGS, make_argilla_settings(list_choices(result), titled=_has_titles(result)))
        _write_json(new / DATASET, {"name": name, "guidelines": GUIDELINES, "allow_extra_metadata": True})
    return folder


def list_choices(result: Result) -> list[str]:
    """List what annotators can choose: a name for each group, other labels of the user, and no group."""
    return list(dict.fromkeys((*_name_choices(result), *_list_labels(result), NO_GROUP)))


def list_tasks(result: Result) -> Iterator[Task]:
    """Yield the documents in the order of the input."""
    if result.corpus is None or result.corpus.texts is None:
        raise InputError(
            "annotation tools need the texts of the documents, but this result has no texts; fit on texts"
        )
    names, answers = _name_choices(result), _list_answers(result)
    table = documents_table(result)
    others = table.column_names[table.column_names.index("stated") + 1 :]
    rows = (row for batch in table.to_batches(max_chunksize=BATCH_ROWS) for row in batch.to_pylist())
    labels = result.labels[result.centre].tolist()
    for row, label, answer in zip(rows, labels, answers, strict=True):
        yield Task(
            id=row["id"],
            title=row.get("title"),
            text=row["text"] or "",
            columns={name: row[name] for name in others if name not in ("title", "text")},
            prediction=names[label] if label >= 0 else None,
            confidence=row["confidence"],
            answer=answer,
        )


def make_label_studio_config(choices: Iterable[str], *, titled: bool) -> str:
    """Make the labelling interface: the text, and one choice of a group."""
    view = ET.Element("View")
    if titled:
        ET.SubElement(view, "Header", value="$title")
    ET.SubElement(view, "Text", name="text", value="$text")
    ET.SubElement(view, "Header", value=HEADING, size="4")
    control = ET.SubElement(
        view, "Choices", name=QUESTION, toName="text", choice="single", showInline="false"
    )
    for choice in choices:
        ET.SubElement(control, "Choice", value=choice)
    ET.indent(view)
    return ET.tostring(view, encoding="unicode") + "\n"


def make_argilla_settings(choices: Iterable[str], *, titled: bool) -> dict[str, Any]:
    """Make the settings of a dataset: the fields of a record, and one question for its group."""
    options = [{"value": choice, "text": choice} for choice in choices]
    fields = ([("title", False)] if titled else []) + [("text", True)]
    return {
        "guidelines": GUIDELINES,
        "allow_extra_metadata": True,
        "distribution": {"strategy": "overlap", "min_submitted": 1},
        "fields": [
            {
                "name": name,
                "title": name.capitalize(),
                "required": required,
                "type": "text",
                "settings": {"type": "text", "use_markdown": False},
            }
            for name, required in fields
        ],
        "questions": [
            {
                "name": QUESTION,
                "title": HEADING,
                "required": True,
                "type": "label_selection",
                "settings": {"type": "label_selection", "options": options, "visible_options": None},
            }
        ],
        "metadata": [],
        "vectors": [],
    }


def _make_label_studio_task(task: Task) -> dict[str, Any]:
    data = {**_list_values(task.columns), DOCUMENT_KEY: task.id, "title": task.title or "", "text": task.text}
    made: dict[str, Any] = {"data": data}
    if task.prediction is not None:
        made["predictions"] = [
            {
                "model_version": AGENT,
                "score": task.confidence,
                "result": [_make_choice(task.prediction)],
            }
        ]
    if task.answer is not None:
        made["annotations"] = [{"result": [_make_choice(task.answer)]}]
    return made


def _make_choice(choice: str) -> dict[str, Any]:
    return {"from_name": QUESTION, "to_name": "text", "type": "choices", "value": {"choices": [choice]}}


def _make_argilla_record(task: Task) -> dict[str, Any]:
    """Make a record; what the user stated is a sure suggestion, as a response needs a user of the server."""
    fields = {"text": task.text} | ({} if task.title is None else {"title": task.title})
    suggestions = {}
    if task.answer is not None:
        suggestions = {QUESTION: {"value": task.answer, "score": 1.0, "agent": "user"}}
    elif task.prediction is not None:
        suggestions = {QUESTION: {"value": task.prediction, "score": task.confidence, "agent": AGENT}}
    return {
        "id": task.id,
        "fields": fields,
        "metadata": _list_values(task.columns),
        "suggestions": suggestions,
        "responses": {},
        "vectors": {},
        "status": "pending",
    }


def _list_values(columns: Mapping[str, Any]) -> dict[str, Any]:
    """Return the values that there are, dates as text; a name that has another meaning gets `input_`."""
    values = {
        name: value.isoformat() if isinstance(value, date) else value
        for name, value in columns.items()
        # JSON has no infinity
        if value is not None and not (isinstance(value, float) and math.isinf(value))
    }
    return {f"input_{name}" if name in TASK_KEYS else name: value for name, value in values.items()}


def _has_titles(result: Result) -> bool:
    return result.corpus is not None and result.corpus.title_column is not None


def _name_choices(result: Result) -> list[str]:
    """Name the groups as the user calls them, or as the knowledge does, else by their words.

    An answer with the name that the knowledge uses joins what was stated before. Control characters are left
    out, because the interface is XML.
    """
    claimed = list_claims(result)
    names = zip(result.given_names, result.group_names, strict=True)
    return [clean(chosen or claimed.get(group, name)) for group, (chosen, name) in enumerate(names)]


def _list_labels(result: Result) -> tuple[str, ...]:
    return tuple(dict.fromkeys(answer for answer in _list_answers(result) if answer is not None))


def _list_answers(result: Result) -> list[str | None]:
    """Return the label that the user gave to each document; exemplars of a group are not answers."""
    guidance = None if result.compiled is None else result.compiled.guidance.get(result.centre)
    answers: list[str | None] = [None] * result.labels[result.centre].size
    if guidance is None:
        return answers
    choices, groups = _name_choices(result), find_groups_by_name(result)
    for row in find_stated(result).nonzero()[0].tolist():
        if guidance.labels is None or guidance.labels[row] < 0:
            answers[row] = NO_GROUP
        else:
            label = guidance.label_names[guidance.labels[row]]
            answers[row] = choices[groups[label]] if label in groups else clean(label)
    return answers


def _write_json(path: Path, content: Any) -> None:
    text = json.dumps(content, ensure_ascii=False, indent=1, allow_nan=False)
    path.write_text(f"{text}\n", encoding="utf-8", errors="backslashreplace")
