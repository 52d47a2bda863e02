from __future__ import annotations

import json
from typing import TYPE_CHECKING

from colligate.result.notebook import Recipe, format_notebook, make_notebook

if TYPE_CHECKING:
    from pathlib import Path

    import pytest

HOSTILE = 'a\'); import os; os.abort() #\n""".csv'


def run_cells(folder: Path, monkeypatch: pytest.MonkeyPatch, name: str = "session.ipynb") -> dict:
    """Run the code of a notebook in its folder, as Jupyter would."""
    monkeypatch.chdir(folder)
    names: dict = {}
    for cell in json.loads((folder / name).read_text(encoding="utf-8"))["cells"]:
        if cell["cell_type"] == "code":
            exec(compile("".join(cell["source"]), cell["id"], "exec"), names)
    return names


def test_the_notebook_has_the_form_of_nbformat_4() -> None:
    notebook = make_notebook(Recipe("docs.csv", "colligate", {"n_clusters": 3}, has_knowledge=True))
    assert (notebook["nbformat"], notebook["nbformat_minor"]) == (4, 5)
    ids = [cell["id"] for cell in notebook["cells"]]
    assert len(set(ids)) == len(ids)
    for cell in notebook["cells"]:
        keys = {"cell_type", "id", "metadata", "source"}
        assert set(cell) == (
            keys if cell["cell_type"] == "markdown" else keys | {"execution_count", "outputs"}
        )


def test_names_from_users_are_literals() -> None:
    recipe = Recipe(HOSTILE, "colligate", {"n_clusters": 3}, reading={"text": [HOSTILE]}, base=HOSTILE)
    source = "".join(make_notebook(recipe)["cells"][1]["source"])
    compile(source, "cell", "exec")
    assert source.count(repr(HOSTILE)) == 3
    assert "abort" not in source.replace(repr(HOSTILE), "")


def test_only_files_that_there_are_are_read() -> None:
    text = format_notebook(Recipe("docs.csv", "colligate", {}))
    assert "knowledge.yaml" not in text
    assert "start.json" not in text
