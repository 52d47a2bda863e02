"""The Python of the README and of the guide runs as it stands."""

import re
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
PAGES = ("README.md", "docs/guide.md", "docs/frames.md", "docs/figures.md", "docs/networks.md")
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


@pytest.mark.parametrize("page", PAGES)
def test_links_to_files_lead_somewhere(page):
    text = (ROOT / page).read_text(encoding="utf-8")
    targets = re.findall(r"\]\((?!https?:|#)([^)#]+)", text)
    missing = [target for target in targets if not ((ROOT / page).parent / target).exists()]
    assert not missing


def test_the_two_commands_stand_in_the_readme():
    text = (ROOT / "README.md").read_text(encoding="utf-8")
    assert "pip install . && colligate demo" in text
    assert 'pip install -e ".[test]" && pytest' in text
