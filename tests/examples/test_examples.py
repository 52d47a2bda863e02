import json
import re
import runpy
import sys
from pathlib import Path

import pytest

from tools import gallery, made_up_texts

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
    for name in ("countries: ", "states: ", "myths: ", "space: "):
        assert name in told
    assert "it belongs together with text-0063, which is in the same group" in told
    assert "Statements: {'kept': 24, 'broken': 0" in told
    assert (tmp_path / "out" / "report.html").stat().st_size > 10_000
    assert (tmp_path / "out" / "model" / "manifest.json").is_file()


def test_correct_and_recluster(output):
    told = output("correct_and_recluster.py")
    first, second = (
        float(line.rpartition(" ")[2]) for line in told.splitlines() if line.startswith(("first", "second"))
    )
    assert second > first
    assert "states: " in told
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


def test_news_over_time(output):
    told = output("news_over_time.py")
    assert "480 documents in 6 groups" in told
    assert "2025-01  2025-02  2025-03  2025-04  2025-05  2025-06" in told
    (strike,) = re.findall(r"^strike.*?((?:[ ]+\d+\.0){6})$", told, re.MULTILINE)
    assert [float(share) > 0 for share in strike.split()] == [False] * 3 + [True] * 3
    assert "all documents (480)" in told


def test_support_tickets(output):
    told = output("support_tickets.py")
    assert sum(map(int, re.findall(r"^ +(\d+)  \w", told, re.MULTILINE))) == 360
    for name in ("sign in: ", "billing: ", "delivery: "):
        assert name in told
    assert "statements: {'kept': 9, 'broken': 0" in told


def test_survey_in_two_languages(output):
    told = output("survey_in_two_languages.py")
    (before, before_language), (after, after_language) = re.findall(
        r"NMI (\S+) with the themes, (\S+) with the languages", told
    )
    assert float(after) > 0.9 > float(before)
    assert float(after_language) < 0.1 < float(before_language)


def test_stream_of_months(output):
    told = output("stream_of_months.py")
    assert "2025-04: 80 new documents: 65 in the groups that were there, 15 in 1 new group" in told
    assert told.count("new group 5") == 1
    assert told.count("0 earlier documents moved to another group") == 5


@pytest.mark.parametrize("name", ["tickets.csv", "survey.csv", "news.jsonl"])
def test_the_made_up_texts_are_those_of_the_generator(name, tmp_path, monkeypatch):
    monkeypatch.setattr(sys, "argv", ["made_up_texts", "--to", str(tmp_path)])
    made_up_texts.main()
    assert (tmp_path / name).read_bytes() == (EXAMPLES / "data" / name).read_bytes()


def test_the_gallery_shows_examples_and_pictures_that_are_there():
    page = gallery.PAGE.read_text(encoding="utf-8")
    for entry in gallery.ENTRIES:
        assert f"../examples/{entry.example}.py" in page
        assert (EXAMPLES / f"{entry.example}.py").is_file()
        for shot in entry.shots:
            assert f"images/gallery/{shot.name}.png" in page
            assert (gallery.PICTURES / f"{shot.name}.png").stat().st_size > 1_000


def test_every_example_is_run_here():
    tests = Path(__file__).read_text(encoding="utf-8")
    assert all(f'output("{path.name}"' in tests for path in EXAMPLES.glob("*.py"))
