"""The figures of a result: what each one shows is what the result says."""

from __future__ import annotations

import re
import xml.etree.ElementTree as ET

import numpy as np
import pytest

import colligate as cg
from colligate.errors import InputError, NotFoundError, ParameterError
from colligate.methods.fit import RunOptions

SUBJECTS = ("orbit nasa moon", "hockey puck goalie", "engine wheel brake")
SVG = "{http://www.w3.org/2000/svg}"


def make_corpus(n_documents: int = 36) -> cg.Corpus:
    texts = [f"{SUBJECTS[k % 3]} {SUBJECTS[k % 3]} day{k % 4}" for k in range(n_documents)]
    columns = {
        "source": ["BBC" if k % 2 else "Reuters" for k in range(n_documents)],
        "date": [f"2024-{1 + k % 12:02d}-03" for k in range(n_documents)],
        "remark": [f"remark {k}" for k in range(n_documents)],
    }
    ids = [f"d{k}" for k in range(n_documents)]
    return cg.Corpus.from_texts(texts, ids, columns=columns, analyser=cg.Analyser(min_df=1))


@pytest.fixture(scope="module")
def result() -> cg.Result:
    return cg.make("kmeans", n_clusters=3, random_state=0).fit(make_corpus()).result_


def texts_of(figure) -> list[str]:
    root = ET.fromstring(figure.to_svg().encode())
    return ["".join(part.itertext()) for part in root.iter(f"{SVG}text")]


def titles_of(figure) -> list[str]:
    return [part.text or "" for part in ET.fromstring(figure.to_svg().encode()).iter(f"{SVG}title")]


def test_the_map_has_a_dot_for_each_document_and_is_a_page_as_html(result, tmp_path):
    figure = result.figures.map()
    assert figure.to_svg().count("h0") == 36
    page = figure.restyle(labels={0: "My own"}).save(tmp_path / "map.html").read_text(encoding="utf-8")
    assert '"name":"My own"' in page
    assert 'id="canvas"' in page
    assert result.map_picture(tmp_path / "map.svg").read_text(encoding="utf-8").count("h0") == 36
    titled = result.map_picture(tmp_path / "titled.svg", "My map").read_text(encoding="utf-8")
    assert ">My map</text>" in titled


def test_sizes_are_those_of_the_groups(result):
    shown = texts_of(result.figures.sizes())
    for group in result.groups.rows():
        assert any(text.endswith(f"{group['cluster']} {group['name']}") for text in shown)
        assert any(text.startswith(f"{group['size']} · ") for text in shown)


def test_documents_in_no_group_are_a_bar_of_their_own():
    corpus = cg.Corpus.from_texts([*SUBJECTS * 4, ""], analyser=cg.Analyser(min_df=1))
    result = cg.make("kmeans", n_clusters=2, random_state=0).fit(corpus).result_
    assert "in no group" in " ".join(texts_of(result.figures.sizes()))


def test_words_are_the_top_words_of_the_chosen_groups(result):
    shown = " ".join(texts_of(result.figures.words(2, groups=[1])))
    top = [word for word, _ in result.top_words(2)[result.group_numbers.index(1)]]
    others = {word for k, words in enumerate(result.top_words(2)) for word, _ in words if k != 1}
    assert all(word in shown for word in top)
    assert not any(re.search(rf"\b{word}\b", shown) for word in others - set(top))
    numbered = result.figures.words(2, groups=np.array([1])).restyle(labels={np.int64(1): "Ice"})
    assert "1 Ice" in " ".join(texts_of(numbered))
    by_name = result.figures.words(2, groups=[result.group_names[1]])
    assert texts_of(by_name) == texts_of(result.figures.words(2, groups=[1]))


def test_cells_of_the_heat_map_compare_counts_with_expectations(result):
    figure = result.figures.heat(1)
    words = [words[0][0] for words in result.top_words(1)]
    table = result.object_tables["words"].counts
    column = list(result.network.types["words"].names).index(words[0])
    observed = table[[0]][:, [column]].sum()
    expected = table[[0]].sum() * table[:, [column]].sum() / table.sum()
    lift = np.log2((observed + 1) / (expected + 1))
    assert f"{lift:+.1f}" in texts_of(figure)
    assert set(words) <= set(texts_of(figure))


def test_groups_of_words_are_drawn_where_the_method_makes_some(result):
    with pytest.raises(InputError, match="kmeans makes no groups of words"):
        result.figures.heat(word_groups=True)
    other = cg.make("itcc", n_clusters=2, n_word_clusters=3, random_state=0).fit(make_corpus()).result_
    assert any("of all mass" in title for title in titles_of(other.figures.heat(word_groups=True)))


def test_flows_count_documents_by_their_ids(result):
    rows = np.arange(35, 5, -1)
    other = cg.make("kmeans", n_clusters=2, random_state=0).fit(make_corpus()[rows]).result_
    figure = result.figures.flows(other, sides=("three", "two"))
    counted = [
        int(match[1]) for title in titles_of(figure) if (match := re.match(r"(\d+) documents?: ", title))
    ]
    assert sum(counted) == 30
    assert {"three", "two"} <= set(texts_of(figure))
    strangers = cg.Corpus.from_texts(list(SUBJECTS) * 3, [f"x{k}" for k in range(9)])
    stranger = cg.make("kmeans", n_clusters=2, random_state=0).fit(strangers).result_
    with pytest.raises(InputError, match="have no document in common"):
        result.figures.flows(stranger)
    with pytest.raises(InputError, match="has no run without knowledge"):
        result.figures.flows()


def test_flows_because_of_knowledge_are_those_of_the_report():
    knowledge = cg.Knowledge().label({"d0": "b", "d3": "b", "d1": "b"})
    model = cg.make("colligate", n_clusters=3, random_state=0, n_ensemble=2)
    result = model.fit(make_corpus(), knowledge=knowledge, options=RunOptions(compare=True)).result_
    assert "without the knowledge" in texts_of(result.figures.flows())


def test_the_trace_the_restarts_and_the_tree(result):
    assert "iteration" in texts_of(result.figures.trace())
    assert "restart" in texts_of(result.figures.trace(restarts=True))
    names = " ".join(texts_of(result.figures.hierarchy()))
    assert all(name in names for name in result.group_names)
    one = cg.make("kmeans", n_clusters=2, random_state=0, n_init=1).fit(make_corpus()).result_
    with pytest.raises(InputError, match="only one run"):
        one.figures.trace(restarts=True)
    with pytest.raises(InputError, match="fewer than three groups"):
        one.figures.hierarchy()


def test_shares_over_a_column_are_those_of_its_frame(result):
    figure = result.figures.over("source")
    tips = titles_of(figure)
    for row in result.over("source").rows():
        if row["documents"]:
            assert any(tip.startswith(f"{row['value']}: {row['documents']} of {row['of']}, ") for tip in tips)
    assert result.figures.over("date", time=True).drawing.title == "Groups by date"


def test_wrong_requests_are_one_clear_line(result):
    figures = result.figures
    with pytest.raises(NotFoundError, match="there is no column 'nothing'; the columns are: source, date"):
        figures.over("nothing")
    with pytest.raises(InputError, match="cannot be read as dates, such as 'remark 0'"):
        figures.over("remark", time=True)
    with pytest.raises(ParameterError, match="there is no group 9; the groups are 0 "):
        figures.words(groups=[9])
    with pytest.raises(ParameterError, match="must be a whole number from 1 to 50; got 0"):
        figures.words(0)
    assert repr(figures) == "Figures(map, sizes, words, heat, flows, trace, hierarchy, over)"


def test_the_same_result_gives_the_same_figures(result):
    again = cg.make("kmeans", n_clusters=3, random_state=0).fit(make_corpus()).result_
    for name in ("map", "sizes", "words", "heat", "trace", "hierarchy"):
        assert getattr(result.figures, name)().to_svg() == getattr(again.figures, name)().to_svg()


def test_a_notebook_shows_a_figure_as_svg_and_the_map_as_a_widget(result):
    formatters = pytest.importorskip("IPython.core.formatters")
    pytest.importorskip("anywidget")
    shown, _ = formatters.DisplayFormatter().format(result.figures.sizes())
    assert shown["image/svg+xml"] == result.figures.sizes()._repr_svg_()
    assert shown["text/plain"].startswith("Figure(sizes, ")
    assert "application/vnd.jupyter.widget-view+json" in result.map_widget()._repr_mimebundle_()[0]
