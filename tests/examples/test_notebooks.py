"""The notebooks run from top to bottom in a real kernel, and are stored without outputs."""

from pathlib import Path

import nbformat
import pytest
from nbclient import NotebookClient

EXAMPLES = Path(__file__).resolve().parents[2] / "examples"
NOTEBOOKS = ("first_steps.ipynb", "from_bertopic.ipynb")
SECONDS = 300


def read(name):
    return nbformat.read(EXAMPLES / name, as_version=4)


def join_outputs(notebook):
    cells = (cell for cell in notebook.cells if cell.cell_type == "code")
    return "\n".join(str(output) for cell in cells for output in cell.outputs)


@pytest.fixture
def execute(tmp_path, monkeypatch):
    """Run a notebook where its data are, with the files of the kernel elsewhere."""
    for name in ("JUPYTER_RUNTIME_DIR", "IPYTHONDIR", "JUPYTER_CONFIG_DIR"):
        monkeypatch.setenv(name, str(tmp_path))

    def run(name):
        notebook = read(name)
        resources = {"metadata": {"path": str(EXAMPLES)}}
        NotebookClient(notebook, timeout=SECONDS, resources=resources).execute()
        return notebook

    return run


@pytest.mark.slow
def test_first_steps(execute):
    printed = join_outputs(execute("first_steps.ipynb"))
    assert "360 documents in 5 groups" in printed
    assert "six groups with knowledge: NMI 1.00" in printed
    assert "'Access'" in printed


@pytest.mark.slow
def test_from_bertopic(execute):
    printed = join_outputs(execute("from_bertopic.ipynb"))
    assert "all documents (480)" in printed
    assert "new group 5, strike" in printed
    assert "labour: " in printed


@pytest.mark.parametrize("name", NOTEBOOKS)
def test_notebooks_are_stored_without_outputs(name):
    notebook = read(name)
    nbformat.validate(notebook)
    code = [cell for cell in notebook.cells if cell.cell_type == "code"]
    assert code
    assert all(not cell.outputs and cell.execution_count is None for cell in code)


def test_every_notebook_is_run_here():
    assert sorted(path.name for path in EXAMPLES.glob("*.ipynb")) == sorted(NOTEBOOKS)
