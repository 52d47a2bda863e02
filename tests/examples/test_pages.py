"""The code of the README, the tutorial and other pages runs as it stands, and prints what they show."""

import re
from itertools import pairwise
from pathlib import Path

import pytest

from tools.pages import read_blocks, run_page

ROOT = Path(__file__).resolve().parents[2]
PAGES = ("README.md", "docs/guide.md", "docs/frames.md", "docs/figures.md", "docs/networks.md")
SHOWN = (
    "docs/tutorial.md",
    *(f"docs/howto/{name}.md" for name in ("read_your_texts", "state_knowledge", "keep_results")),
)
BLOCK = re.compile(r"^```python\n(.*?)^```$", re.MULTILINE | re.DOTALL)


def blocks(page):
    return BLOCK.findall((ROOT / page).read_text(encoding="utf-8"))


@pytest.mark.slow
@pytest.mark.parametrize("page", PAGES)
def test_the_python_of_a_page_runs_from_top_to_bottom(page, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    names = {"__name__": "page"}
    found = blocks(page)
    assert found
    for block in found:
        exec(compile(block, page, "exec"), names)
    assert (tmp_path / "report.html").is_file()


def test_the_example_of_the_readme_has_about_ten_lines():
    (example,) = blocks("README.md")
    assert len(example.strip().splitlines()) <= 12


@pytest.mark.slow
@pytest.mark.parametrize("page", SHOWN)
def test_a_page_prints_what_it_shows(page, tmp_path):
    done = run_page((ROOT / page).read_text(encoding="utf-8"), tmp_path)
    shown = [
        (printed.strip(), block.text.strip())
        for (_, printed), (block, _) in pairwise(done)
        if block.language == "text" and block.file is None and printed is not None
    ]
    assert shown
    for printed, expected in shown:
        assert without_digits(printed) == without_digits(expected)


def without_digits(text):
    """Leave out figures and columns of tables, which may differ between machines."""
    return re.sub(r"[\d.%\s─━┃│]+", " ", text)


def test_the_commands_of_the_how_to_pages_exist():
    from typer.main import get_command

    from colligate.cli.main import app

    commands = get_command(app).commands
    for path in (ROOT / "docs" / "howto").glob("*.md"):
        for block in read_blocks(path.read_text(encoding="utf-8")):
            for line in block.text.splitlines() if block.language == "sh" else ():
                if (words := line.split())[:1] == ["colligate"]:
                    command = commands[words[1]]
                    known = {option for parameter in command.params for option in parameter.opts}
                    if words[1] != "kb":
                        assert {word for word in words if word.startswith("--")} <= known, line


def test_the_two_commands_stand_in_the_readme():
    text = (ROOT / "README.md").read_text(encoding="utf-8")
    assert "pip install . && colligate demo" in text
    assert 'pip install -e ".[test]" && pytest' in text
