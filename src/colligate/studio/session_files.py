"""The files of a session: a notebook that makes the groups of a run again, with what it reads."""

from __future__ import annotations

import shutil
from typing import TYPE_CHECKING

from colligate._storage.atomic import write_folder
from colligate.errors import NotFoundError
from colligate.network.inputs import is_stored_network
from colligate.result.notebook import KNOWLEDGE, NOTEBOOK, START, Recipe, format_notebook
from colligate.studio.planning import FOLD, STOP_WORDS, format_command, list_word_options, start_path

if TYPE_CHECKING:
    from pathlib import Path

    from colligate.studio.project import Project
    from colligate.studio.project.runs import RunRecord

COMMAND = "command.txt"


def make_recipe(project: Project, record: RunRecord) -> Recipe:
    """Describe how a run was made, for a notebook."""
    record = project.recipe(record)
    reading = dict(project.settings.reading)
    base, types = reading.pop("kb", None), reading.pop("kb-type", ())
    folds = reading.pop(FOLD, False)
    return Recipe(
        input=project.settings.input,
        method=record.method,
        parameters=dict(record.parameters),
        reading=reading,
        analyser=list_word_options(project),
        is_network=is_stored_network(project.settings.input),
        base=base,
        base_types=tuple(types),
        has_knowledge=bool(record.knowledge),
        has_start=start_path(project.folder, record.number).is_file(),
        fold_duplicates=folds,
    )


def write_session(project: Project, record: RunRecord, folder: Path) -> Path:
    """Write the notebook, the knowledge file, the start file and the command of a run to a new folder."""
    record = project.recipe(record)
    with write_folder(folder) as new:
        (new / NOTEBOOK).write_text(format_notebook(make_recipe(project, record)), encoding="utf-8")
        (new / COMMAND).write_text(f"{format_command(project, record)}\n", encoding="utf-8")
        stop_words = list_word_options(project).get("stop_words")
        if isinstance(stop_words, tuple):
            (new / STOP_WORDS).write_text("\n".join(stop_words) + "\n", encoding="utf-8")
        if record.knowledge:
            (new / KNOWLEDGE).write_text(record.knowledge, encoding="utf-8")
        start = start_path(project.folder, record.number)
        if record.started and not start.is_file():
            raise NotFoundError(f"the start file of run {record.number} is lost; cluster again")
        if start.is_file():
            shutil.copyfile(start, new / START)
    return folder
