"""What notebooks show: one short line, and a card in which hostile text does nothing."""

from html.parser import HTMLParser

import numpy as np
import pytest

import colligate as cg
from colligate._html import Bar, Dot, Table, make_card

EVIL = "<script>alert(1)</script><img src=x onerror=alert(2)>\"' onload=\u202e\x00\x1b[31m"
WORDS = [
    "orbit nasa shuttle",
    "nasa launch orbit",
    "puck goalie ice",
    "hockey puck ice",
    "orbit shuttle nasa",
]
ALLOWED = {"div", "style", "h4", "p", "table", "thead", "tbody", "tr", "th", "td", "span", "i"}


class Tags(HTMLParser):
    """Collects the elements of a page, and checks that every one of them is closed."""

    def __init__(self, page):
        super().__init__()
        self.tags, self.attributes, self.texts, self.open = set(), set(), [], []
        self.feed(page)
        self.close()
        assert self.open == []

    def handle_starttag(self, tag, attributes):
        self.tags.add(tag)
        self.attributes.update(name for name, _ in attributes)
        self.open.append(tag)

    def handle_endtag(self, tag):
        assert self.open.pop() == tag

    def handle_data(self, data):
        self.texts.append(data)


def objects():
    """One of each object, made of hostile text wherever text can be."""
    ids = [f"{EVIL}{number}" for number in range(len(WORDS))]
    texts = [f"{text} {EVIL}" for text in WORDS]
    corpus = cg.Corpus.from_texts(texts, ids, columns={EVIL: [EVIL] * 5, "title": [EVIL] * 5})
    knowledge = (
        cg.Knowledge(contradictions="report")
        .together(documents=[(ids[0], ids[1]), (ids[0], ids[2])], source=EVIL)
        .label({ids[2]: EVIL})
        .category("space", words=["nasa"])
    )
    model = cg.make("colligate", n_clusters=2, random_state=0, n_ensemble=2)
    result = model.fit(corpus, knowledge=knowledge).result_
    audit, why = result.audit(), result.why(ids[0])
    frames = [result.documents, result.groups, result.words, result.statements]
    return [corpus, knowledge, result, audit, why, *frames, cg.Knowledge(), model]


@pytest.mark.filterwarnings("ignore::colligate.errors.KnowledgeWarning")
def test_every_object_has_one_short_line_and_a_harmless_card():
    *cards, model = objects()
    for shown in cards:
        line, page = repr(shown), shown._repr_html_()
        assert line.isprintable()
        assert len(line) < 400, line
        tags = Tags(page)
        assert tags.tags <= ALLOWED
        assert tags.attributes <= {"class", "style"}
        assert "\u202e" not in page
        assert "\x00" not in page
        assert "\x1b" not in page
        assert len(page) < 20_000
    assert "alert(1)" in "".join(Tags(cards[0]._repr_html_()).texts)
    assert repr(model) == "Colligate(n_clusters=2, n_ensemble=2, random_state=0)"


def test_long_texts_are_cut_and_long_tables_are_short():
    texts = [f"orbit{number % 70} " * 5000 for number in range(300)]
    corpus = cg.Corpus.from_texts(texts)
    page = corpus._repr_html_()
    assert len(page) < 6000
    assert "and 295 more documents" in page
    assert "1,500,000" not in page
    result = cg.make("kmeans", n_clusters=60, random_state=0, n_init=1, max_iter=1)
    with pytest.warns(UserWarning, match="before it converged"):
        shown = result.fit(corpus).result_
    assert "and 20 smaller groups" in shown._repr_html_()
    assert "and 292 more rows" in shown.documents._repr_html_()


def test_cells_are_written_by_their_type():
    rows = [[None, True, 12345, 0.123456, Bar(-2, 4), Bar(1, 4, "#fff"), Dot("a & b", "#123456")]]
    page = make_card("a < b", "", Table(list("abcdefg"), rows, "note", frozenset("c")))
    assert "a &lt; b" in page
    assert '<td class="number">12,345</td>' in page
    assert ">0.123<" in page
    assert ">–<" in page
    assert ">yes<" in page
    assert 'class="against"' in page
    assert "width:50.0%" in page
    assert "width:25.0%;background:#fff" in page
    assert "a &amp; b" in page
    pair = make_card("", "", Table(["a"], [[Dot("b", ("#111111", "#eeeeee"))]]))
    assert "background:#111111;background:light-dark(#111111,#eeeeee)" in pair


def test_the_card_of_a_result_has_the_groups_of_its_frame():
    result = cg.make("kmeans", n_clusters=2, random_state=0).fit(WORDS).result_
    texts = Tags(result._repr_html_()).texts
    for row in result.groups.rows():
        assert row["name"] in texts
        assert str(row["size"]) in texts
    assert "Result: 5 documents in 2 groups" in texts


def test_an_explanation_is_one_line_with_names_of_groups():
    model = cg.make("kmeans", n_clusters=2, random_state=0).fit(WORDS)
    why = model.result_.why(0)
    assert why.group_name == model.result_.group_names[why.group]
    assert why.runner_up_name == model.result_.group_names[why.runner_up]
    assert repr(why).startswith(f"Why(1 is in {why.group_name!r} rather than {why.runner_up_name!r}: ")


def test_a_corpus_and_knowledge_are_one_line_with_their_sizes():
    assert (
        repr(cg.Corpus.from_texts(["orbit nasa"] * 1200))
        == "Corpus(1,200 documents, 2 words, from the texts)"
    )
    knowledge = cg.Knowledge().label({"a": "space"}).change("merge", 1, 2)
    assert repr(knowledge) == "Knowledge(1 statement, 1 change)"
    assert repr(cg.Knowledge()) == "Knowledge(0 statements)"


def test_arrays_among_parameters_are_shown_by_their_size():
    model = cg.make(
        "colligate", embeddings=np.zeros((1500, 256)), init=np.zeros(1500, int), n_clusters="auto"
    )
    changed = "embeddings=<ndarray 1500×256>, init=<ndarray 1500>, n_clusters='auto'"
    assert repr(model) == f"Colligate({changed})"
    named = cg.make("colligate", init_names={f"name {number}": number for number in range(50)})
    assert repr(named) == "Colligate(init_names=<dict of 50>)"


@pytest.mark.parametrize("name", [method.name for method in cg.methods()])
def test_every_estimator_is_one_short_line(name):
    assert repr(cg.make(name)) == f"{type(cg.make(name)).__name__}()"
    assert len(cg.make(name)._repr_html_()) > 100
