"""Questions to the search of the documentation: what counts as answered."""

from __future__ import annotations

import pytest

from tests.studio.browser.helpers import chromium_path
from tools import search

# like the page of Sphinx: it lists links for the words of the address, and says when it has finished
SEARCH = """<p class="search-summary"></p><ul class="search"></ul><script>
const query = new URLSearchParams(location.search).get("q");
for (const name of query.includes("export") ? ["guide.html#top", "guide.html", "tables.html"] : [])
  document.querySelector("ul").insertAdjacentHTML("beforeend", `<li><a href="${name}">x</a></li>`);
document.querySelector("p").textContent = "Search finished";
</script>"""
PAGES = {
    "search.html": SEARCH,
    "guide.html": "<h1>Guide</h1><p>nothing</p>",
    "tables.html": "<p>Use <code>run\n --csv</code>.</p>",
}


@pytest.fixture
def folder(tmp_path):
    for name, text in PAGES.items():
        (tmp_path / name).write_text(text, encoding="utf-8")
    return tmp_path


def test_an_answer_is_found_whatever_its_markup_and_lines(folder):
    question = search.Question("export", "Use run --csv")
    assert search.find_answer(folder, ["guide.html", "tables.html"], question) == "tables.html"
    assert search.find_answer(folder, ["guide.html"], question) is None


@pytest.mark.slow
@pytest.mark.skipif(chromium_path() is None, reason="needs Chromium")
def test_a_question_without_an_answer_on_the_first_pages_fails(folder, monkeypatch, capsys):
    answered = search.Question("export a table", "Use run --csv")
    monkeypatch.setattr(search, "QUESTIONS", (answered,))
    assert search.main([str(folder)]) == 0
    monkeypatch.setattr(search, "QUESTIONS", (answered, search.Question("delete", "Use run --csv")))
    assert search.main([str(folder)]) == 1
    printed = capsys.readouterr().out
    assert "export a table: tables.html" in printed
    assert "delete: not answered by any page" in printed
    assert "1 of 2 questions are answered" in printed
