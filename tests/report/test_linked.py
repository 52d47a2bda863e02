import re

import pytest

from colligate.entities.kb import open_base
from colligate.entities.linker import link
from colligate.report.linked import render, write_page

ENTITIES = """entity,name,type,subtype
apple_inc,Apple,Organisation,firm
ibm,IBM,Organisation,firm
microsoft,Microsoft,Organisation,firm
gates,Bill Gates,Person,founder
seattle,Seattle,Place,city
odd,Rob <b> \u202eO'Neil,Person,<script>
"""
FACTS = "head,relation,tail\nmicrosoft,based_in,seattle\ngates,founded,microsoft\n"
DOCUMENTS = {
    "mac": "We saw that the firm Apple sued Microsoft, not IBM.",
    "bill": "We know that Bill Gates founded Microsoft. Then Microsoft moved to Seattle with IBM.",
    "empty": "",
}


@pytest.fixture(scope="module")
def base(tmp_path_factory):
    from colligate.entities.kb import build

    folder = tmp_path_factory.mktemp("kb")
    (folder / "entities.csv").write_text(ENTITIES, encoding="utf-8")
    (folder / "facts.csv").write_text(FACTS, encoding="utf-8")
    build([folder / "entities.csv", folder / "facts.csv"], folder / "kb")
    return open_base(folder / "kb")


def linked(base, documents):
    return link(list(documents), list(documents.values()), base, n_jobs=1)


def page(base, documents, title="Title"):
    return render(linked(base, documents), title)


def test_texts_with_their_entities_marked(base, tmp_path):
    text = page(base, DOCUMENTS)
    marks = re.findall(r'<mark class="c\d" title="([^"]+)">([^<]+)</mark>', text)
    assert ("Apple: Organisation / firm, 100% sure", "Apple") in marks
    assert ("Bill Gates: Person / founder, 100% sure", "Bill Gates") in marks
    assert "2 of 3 documents mention entities" in text
    path = write_page(linked(base, DOCUMENTS), "Title", tmp_path / "a" / "page.html")
    assert path.read_text(encoding="utf-8") == text


def test_entities_by_type_and_relations_as_people_read_them(base):
    text = page(base, DOCUMENTS)
    assert re.findall(
        r'<span class="mark c\d"><bdi>(\w+)</bdi></span> <span class="quiet">([^<]+)<', text
    ) == [
        ("Organisation", "3 entities"),
        ("Person", "1 entity"),
        ("Place", "1 entity"),
    ]
    cells = [re.sub("<[^>]+>", "", cell) for cell in re.findall(r"<td><bdi>(.*?)</td>", text)]
    assert cells[:2] == ["founded", "Microsoft"]
    assert "urn:colligate" not in text


def test_the_text_is_whole(base):
    text = "In  Seattle\n  we saw\tIBM."
    shown = re.search(r'<p class="text" dir="auto">(.*?)</p>', page(base, {"a": text}), re.DOTALL)
    assert re.sub("<[^>]+>", "", shown[1]) == text


def test_hostile_texts_ids_titles_and_names_stay_text(base):
    hostile = '<script>alert("x")</script> {{ 7*7 }} \u202eIBM\x00 and Rob <b> \u202eO\'Neil'
    text = page(base, {f"<b>{hostile}": hostile}, hostile)
    assert "Person / &lt;script&gt;" in text
    assert "<script" not in text
    assert "<b>" not in text
    assert "{{ 7*7 }}" in text
    assert not {"\u202e", "\x00"} & set(text)
    assert not re.search(r'\bsrc\s*=|href\s*="(?!#)', text)


def test_nothing_found(base):
    assert "No document mentions an entity" in page(base, {"a": "none"})


def test_a_long_text_is_cut(base):
    short, long = (page(base, {"a": "IBM " + "x " * many + "Seattle"}) for many in (10, 50_000))
    assert len(long) - len(short) < 25_000
    assert "…" in long
