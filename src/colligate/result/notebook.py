"""A Jupyter notebook that repeats a run: it reads the same files, clusters, and shows the groups.

The notebook is nbformat 4.5 without outputs. Paths and names come from users, so they are in its code as
literals only.
"""

from __future__ import annotations

import json
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Mapping

NOTEBOOK, KNOWLEDGE, START = "session.ipynb", "knowledge.yaml", "start.json"
"""The names of the files of a session, side by side in one folder."""


@dataclass(frozen=True)
class Recipe:
    """What a notebook repeats.

    `input` is the file of the documents, or a stored network; `reading` are the arguments of `Corpus.read`,
    `analyser` those of `Analyser`. Entities come from the table `mentions` or from the knowledge base `base`.
    `has_knowledge` and `has_start` tell which of the two files are beside the notebook. With
    `fold_duplicates`, copies count once.
    """

    input: str
    method: str
    parameters: Mapping[str, Any]
    reading: Mapping[str, Any] = field(default_factory=dict)
    analyser: Mapping[str, Any] = field(default_factory=dict)
    is_network: bool = False
    mentions: str | None = None
    base: str | None = None
    base_types: tuple[str, ...] = ()
    min_documents: int = 2
    has_knowledge: bool = False
    has_start: bool = False
    fold_duplicates: bool = False


def format_notebook(recipe: Recipe) -> str:
    """Return a notebook as text."""
    return json.dumps(make_notebook(recipe), indent=1) + "\n"


def make_notebook(recipe: Recipe) -> dict[str, Any]:
    """Make a notebook: documents, knowledge, method, groups."""
    cells = [
        ("markdown", _make_heading(recipe)),
        ("code", _read_documents(recipe)),
        *([("code", _READ_KNOWLEDGE)] if recipe.has_knowledge else []),
        ("code", _make_method(recipe)),
        ("code", _fit(recipe)),
        ("markdown", "## Groups"),
        ("code", _SHOW_GROUPS),
        ("markdown", "## Files\n\nRemove the `#` before what you want to write."),
        ("code", _WRITE_FILES),
    ]
    return {
        "nbformat": 4,
        "nbformat_minor": 5,
        "metadata": {
            "kernelspec": {"display_name": "Python 3", "language": "python", "name": "python3"},
            "language_info": {"name": "python"},
        },
        "cells": [_make_cell(number, kind, source) for number, (kind, source) in enumerate(cells)],
    }


_READ_KNOWLEDGE = f"""\
knowledge = cg.Knowledge.read("{KNOWLEDGE}", unknown="report", contradictions="report")
knowledge"""
_SHOW_GROUPS = "result.groups"
_WRITE_FILES = """\
# result.documents.to_pandas()
# result.write_documents("documents.xlsx")
# result.report("report.html")
# result.map_page("map.html")"""


def _make_heading(recipe: Recipe) -> str:
    beside = [name for name, used in ((KNOWLEDGE, recipe.has_knowledge), (START, recipe.has_start)) if used]
    files = " and ".join(f"`{name}`" for name in beside)
    needs = (
        f" It needs {files} in the same folder, and the documents." if beside else " It needs the documents."
    )
    return f"# Repeat a session of Colligate\n\nThis notebook makes the same groups again.{needs}"


def _read_documents(recipe: Recipe) -> str:
    lines = ["import colligate as cg", ""]
    if recipe.is_network:
        return "\n".join([*lines, f"documents = cg.Network.load({recipe.input!r})", "documents"])
    arguments = [repr(recipe.input), *_format_arguments(recipe.reading)]
    if recipe.analyser:
        arguments.append(f"analyser=cg.Analyser({', '.join(_format_arguments(recipe.analyser))})")
    lines.append(f"documents = cg.Corpus.read({', '.join(arguments)})")
    if recipe.mentions is not None:
        lines.append(f"documents = cg.Network.from_tables(documents, {recipe.mentions!r}, unknown='report')")
    if recipe.base is not None:
        lines[:1] = [
            "import colligate as cg",
            "from colligate.entities.kb.store import open_base",
            "from colligate.entities.linker import link",
            "from colligate.entities.network import entity_network",
        ]
        lines += [
            f"base = open_base({recipe.base!r})",
            f"linked = link(documents.ids, documents.texts, base, types={list(recipe.base_types) or None!r})",
            f"documents = entity_network(documents, linked, min_documents={recipe.min_documents})",
        ]
    return "\n".join([*lines, "documents"])


def _make_method(recipe: Recipe) -> str:
    arguments = [repr(recipe.method), *_format_arguments(recipe.parameters)]
    lines = [f"model = cg.make({', '.join(arguments)})"]
    if recipe.has_start:
        is_network = recipe.is_network or recipe.mentions is not None or recipe.base is not None
        lines = [
            "from pathlib import Path",
            "",
            "from colligate.methods.start_file import read_start",
            "",
            *lines,
            f"network = {'documents' if is_network else 'cg.Network.from_corpus(documents)'}",
            f'start = read_start(Path("{START}"), network)',
            "model.set_params(**start.parameters(network, type(model)))",
        ]
    return "\n".join([*lines, "model"])


def _fit(recipe: Recipe) -> str:
    arguments = ["documents"]
    arguments += ["knowledge=knowledge"] if recipe.has_knowledge else []
    arguments += ["options=RunOptions(fold_duplicates=True)"] if recipe.fold_duplicates else []
    imports = "from colligate.methods.fit import RunOptions\n\n" if recipe.fold_duplicates else ""
    call = f"{imports}model.fit({', '.join(arguments)})"
    # the groups of a start keep their numbers and names
    result = "start.number_groups(model.result_)" if recipe.has_start else "model.result_"
    return f"{call}\nresult = {result}\nresult"


def _format_arguments(arguments: Mapping[str, Any]) -> list[str]:
    return [f"{name}={value!r}" for name, value in arguments.items()]


def _make_cell(number: int, kind: str, source: str) -> dict[str, Any]:
    cell: dict[str, Any] = {
        "cell_type": kind,
        "id": f"cell-{number}",
        "metadata": {},
        "source": source.splitlines(keepends=True),
    }
    return cell if kind == "markdown" else {**cell, "execution_count": None, "outputs": []}
