import runpy
import sys
from pathlib import Path

import pytest

EXAMPLES = Path(__file__).resolve().parents[2] / "examples"


@pytest.fixture
def output(monkeypatch, tmp_path, capsys):
    """Run an example as a script in an empty folder and return what it prints."""

    def run(name, *arguments):
        monkeypatch.chdir(tmp_path)
        monkeypatch.setattr(sys, "argv", [name, *arguments])
        runpy.run_path(str(EXAMPLES / name), run_name="__main__")
        return capsys.readouterr().out

    return run


def test_cluster_with_knowledge(output, tmp_path):
    told = output("cluster_with_knowledge.py", "out")
    for name in ("macintosh: ", "pc: ", "cars: ", "motorcycles: "):
        assert name in told
    assert "it belongs together with post-0064, which is in the same group" in told
    assert "What became of the knowledge: {'kept': 24, 'broken': 1" in told
    assert (tmp_path / "out" / "report.html").stat().st_size > 10_000
    assert (tmp_path / "out" / "model" / "manifest.json").is_file()


def test_correct_and_recluster(output):
    told = output("correct_and_recluster.py")
    first, second = (
        float(line.rpartition(" ")[2]) for line in told.splitlines() if line.startswith(("first", "second"))
    )
    assert second > first
    assert "macintosh: " in told
    assert "what became of it: {'kept': " in told


def test_matrix_and_sklearn_pipeline(output):
    told = output("matrix_and_sklearn_pipeline.py")
    assert "labels kept: 90 of 90" in told
    assert "by position: documents 0 and 2 belong together" in told
    one, other = told.splitlines()[0].split()[-2:]
    assert one != other


def test_every_example_is_run_here():
    tests = Path(__file__).read_text(encoding="utf-8")
    assert all(f'output("{path.name}"' in tests for path in EXAMPLES.glob("*.py"))
