import re

from colligate.world.linking import link
from colligate.world.page import render, seen, write_page


def page(base, documents, title="Title"):
    return render(link(list(documents), list(documents.values()), base, n_jobs=1), title)


def test_texts_with_their_entities_marked(base, documents, tmp_path):
    text = page(base, documents)
    marks = re.findall(r'<mark class="c\d" title="([^"]+)">([^<]+)</mark>', text)
    assert any(about.startswith("Apple: Organisation / firm, ") and name == "Apple" for about, name in marks)
    assert ("Bill Gates: Person / founder, 100% sure", "Bill Gates") in marks
    assert "3 of 4 documents speak of 9 entities" in text
    assert "based_in" in text
    linked = link(list(documents), list(documents.values()), base, n_jobs=1)
    path = write_page(linked, "Title", tmp_path / "a" / "page.html")
    assert path.read_text(encoding="utf-8") == text


def test_the_text_is_whole(base):
    text = "In  Seattle\n  we saw\tIBM."
    shown = re.search(r'<p class="text" dir="auto">(.*?)</p>', page(base, {"a": text}), re.DOTALL)
    assert re.sub("<[^>]+>", "", shown[1]) == text


def test_hostile_texts_ids_and_titles_stay_text(base):
    hostile = '<script>alert("x")</script> {{ 7*7 }} \u202eIBM'
    text = page(base, {f"<b>{hostile}": hostile}, hostile)
    assert "<script" not in text
    assert "<b>" not in text
    assert "{{ 7*7 }}" in text
    assert "\u202e" not in text
    assert not re.search(r"(src|href)\s*=", text)


def test_nothing_found(base):
    assert "No document speaks of an entity" in page(base, {"a": "none"})


def test_what_is_seen():
    assert seen("a\x00b\u202ec\ud800d\u200de\n") == "abcd\u200de\n"


def test_a_long_text_is_cut(base):
    text = page(base, {"a": "IBM " + "x " * 50_000 + "Seattle"})
    assert len(text) < 40_000
    assert "…" in text
