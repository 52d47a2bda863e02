import json
import re
import runpy
import sys
from pathlib import Path

import pytest

pytestmark = pytest.mark.slow

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
    assert "Statements: {'kept': 25, 'broken': 0" in told
    assert (tmp_path / "out" / "report.html").stat().st_size > 10_000
    assert (tmp_path / "out" / "model" / "manifest.json").is_file()


def test_correct_and_recluster(output):
    told = output("correct_and_recluster.py")
    first, second = (
        float(line.rpartition(" ")[2]) for line in told.splitlines() if line.startswith(("first", "second"))
    )
    assert second > first
    assert "macintosh: " in told
    assert "statements: {'kept': " in told


def test_matrix_and_sklearn_pipeline(output):
    told = output("matrix_and_sklearn_pipeline.py")
    assert "labels kept: 90 of 90" in told
    assert "by position: documents 0 and 2 belong together" in told
    one, other = told.splitlines()[0].split()[-2:]
    assert one != other


def test_dblp_network(output):
    told = output("dblp_network.py")
    assert told.startswith("Network(documents: 400; words: 375; authors: 1,021; venues: 19;")
    assert sum(int(size) for size in re.findall(r"^group \d: (\d+) papers$", told, re.MULTILINE)) == 400
    for kind in ("words", "authors", "venues"):
        assert len(re.findall(rf"^  {kind} +\w.*, ", told, re.MULTILINE)) == 4
    assert float(told.split()[-1]) > 0.4


def test_dblp_network_takes_papers_without_labels(output, tmp_path):
    names = [("sorting of lists", "Ada", "A"), ("heaps of lists", "Ada", "A"), ("red suns", "Bob", "B")]
    papers = [
        {"id": at, "title": title, "authors": [author], "conf": conf}
        for at, (title, author, conf) in enumerate(names * 4)
    ]
    (tmp_path / "papers.jsonl").write_text("\n".join(map(json.dumps, papers)), encoding="utf-8")
    told = output("dblp_network.py", "papers.jsonl")
    assert "authors: 2; venues: 2" in told
    assert "NMI" not in told


def test_every_example_is_run_here():
    tests = Path(__file__).read_text(encoding="utf-8")
    assert all(f'output("{path.name}"' in tests for path in EXAMPLES.glob("*.py"))
