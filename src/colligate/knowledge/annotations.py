"""Answers of annotators from Label Studio and Argilla, as labels of documents.

Predictions and suggestions are not answers, and are left out. Where annotators answer differently, the answer
that most of them gave counts; if there is none, the document is left out with a warning.
"""

from __future__ import annotations

import json
import warnings
from collections import Counter, defaultdict
from typing import TYPE_CHECKING, Any

from colligate._storage.plain_file import read_bounded
from colligate.errors import KnowledgeError, KnowledgeWarning, Parameter
from colligate.knowledge.text import format_count

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator
    from pathlib import Path

QUESTION = "group"
"""The question of the exported files: which group a text belongs to."""
DOCUMENT_KEY = "document"
"""The key of a document's id in the data of a task; `id` is the number of the task itself."""
NO_GROUP = "No group"
"""The answer that a text belongs to no group."""
ARGILLA_RECORDS = "records.json"
SUBMITTED = "submitted"

Answer = tuple[str, str]
"""The id of a document, and what an annotator chose for it."""


def read_label_studio(path: Path, question: str, id: str) -> dict[str, str]:
    """Return the answer for each document of an export of Label Studio: JSON or JSON-MIN."""
    tasks = _read_objects(path, "an export of Label Studio")
    return _choose_answers(_list_label_studio(path, tasks, question, id), path)


def read_argilla(path: Path, question: str) -> dict[str, str]:
    """Return the answer for each record of Argilla: a folder of `to_disk`, or a file of records."""
    file = path / ARGILLA_RECORDS if path.is_dir() else path
    return _choose_answers(_list_argilla(file, _read_objects(file, "a file of Argilla"), question), file)


def _read_objects(path: Path, what: str) -> list[dict[str, Any]]:
    """Read a JSON list of objects, or one object in each line."""
    try:
        text = read_bounded(path).decode("utf-8-sig")
    except OSError as error:
        raise KnowledgeError(f"{path} cannot be read: {error.strerror or error}") from None
    except UnicodeDecodeError:
        raise KnowledgeError(f"{path} is not {what}: it is not UTF-8 text; export the file again") from None
    try:
        content = json.loads(text) if text.lstrip().startswith("[") else _read_lines(text)
    except (ValueError, RecursionError) as error:
        raise KnowledgeError(f"{path} is not {what} ({error!s:.100}); export the file again") from None
    if not isinstance(content, list) or not all(isinstance(item, dict) for item in content):
        raise KnowledgeError(
            f"{path} is not {what}: it must contain a list of JSON objects; export the file again"
        )
    return content


def _read_lines(text: str) -> list[Any]:
    return [json.loads(line) for line in text.splitlines() if line.strip()]


def _list_label_studio(
    path: Path, tasks: Iterable[dict[str, Any]], question: str, id: str
) -> Iterator[Answer]:
    for number, task in enumerate(tasks, start=1):
        is_full = isinstance(task.get("data"), dict)
        answers = _list_annotations(task, question) if is_full else _list_choices(task.get(question))
        document = (task["data"] if is_full else task).get(id)
        for answer in answers:
            if document is None:
                raise KnowledgeError(
                    f"{path}: task {number} has no {id!r}, which should contain the id of the document; "
                    "name the right key with ",
                    Parameter("id", ...),
                )
            yield str(document), answer


def _list_annotations(task: dict[str, Any], question: str) -> Iterator[str]:
    """Yield the choices in the annotations of a task; skipped tasks have cancelled ones."""
    for annotation in _list_dicts(task.get("annotations")):
        if not annotation.get("was_cancelled"):
            for part in _list_dicts(annotation.get("result")):
                if part.get("from_name") == question and part.get("type") == "choices":
                    yield from _list_choices(part.get("value"))


def _list_choices(value: Any) -> Iterator[str]:
    """Yield one choice: text, or {"choices": […]}; several at once are no single group."""
    choices = value.get("choices") if isinstance(value, dict) else value
    if isinstance(choices, list) and len(choices) == 1:
        choices = choices[0]
    if isinstance(choices, str) and choices.strip():
        yield choices.strip()


def _list_argilla(path: Path, records: Iterable[dict[str, Any]], question: str) -> Iterator[Answer]:
    for number, record in enumerate(records, start=1):
        for answer in _list_responses(record, question):
            if record.get("id") is None:
                raise KnowledgeError(f"{path}: record {number} has no id; export the records with their ids")
            yield str(record["id"]), answer


def _list_responses(record: dict[str, Any], question: str) -> Iterator[str]:
    """Yield the submitted responses of a record: nested, or flat as `to_list(flatten=True)` writes them."""
    if isinstance(record.get("responses"), dict):
        for response in _list_dicts(record["responses"].get(question)):
            if response.get("status") in (None, SUBMITTED):
                yield from _list_choices(response.get("value"))
        return
    values = record.get(f"{question}.responses")
    values = values if isinstance(values, list) else []
    statuses = record.get(f"{question}.responses.status")
    statuses = statuses if isinstance(statuses, list) else [None] * len(values)
    for value, status in zip(values, statuses, strict=False):
        if status in (None, SUBMITTED):
            yield from _list_choices(value)


def _list_dicts(value: Any) -> list[dict[str, Any]]:
    return [item for item in value if isinstance(item, dict)] if isinstance(value, list) else []


def _choose_answers(answers: Iterable[Answer], path: Path) -> dict[str, str]:
    votes: dict[str, Counter[str]] = defaultdict(Counter)
    for document, answer in answers:
        votes[document][answer] += 1
    chosen, n_tied = {}, 0
    for document, counts in votes.items():
        (first, most), *others = counts.most_common(2)
        if others and others[0][1] == most:
            n_tied += 1
        else:
            chosen[document] = first
    if n_tied:
        warnings.warn(
            f"{path.name}: no label for {format_count(n_tied, 'documents')} on which annotators disagree",
            KnowledgeWarning,
            stacklevel=3,
        )
    return chosen
