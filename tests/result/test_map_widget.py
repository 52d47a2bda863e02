"""The map as a widget: real anywidget, without a browser."""

from __future__ import annotations

import sys

import pytest

import colligate as cg
from colligate.errors import InputError, ParameterError
from colligate.report import map_widget
from tests.result.conftest import build

EVIL = "d\u202e</script><img src=x onerror=alert(1)>"


def test_selected_documents_come_back_as_their_ids():
    pytest.importorskip("anywidget")
    widget = build().map_widget()
    assert widget.data["ids"][:2] == ["d0", "d1"]
    widget.set_state({"rows": [2, 0]})  # what a browser sends
    assert widget.selected == ["d2", "d0"]
    seen = []
    widget.observe(lambda change: seen.append(change["new"]), "selected")
    widget.selected = ["d1"]
    assert widget.rows == [1]
    assert seen == [["d1"]]
    widget.set_state({"rows": [1, 10_000, -1]})
    assert widget.selected == ["d1"]
    assert repr(widget) == "MapWidget(10 documents, 1 selected)"


def test_ids_are_those_of_the_documents_even_where_the_page_shows_them_without_unseen_characters():
    pytest.importorskip("anywidget")
    texts = ["orbit nasa moon", "puck ice hockey"] * 4
    corpus = cg.Corpus.from_texts(texts, [f"{EVIL}{k}" for k in range(8)], analyser=cg.Analyser(min_df=1))
    widget = cg.make("kmeans", n_clusters=2, random_state=0).fit(corpus).result_.map_widget()
    widget.set_state({"rows": [3]})
    assert widget.selected == [f"{EVIL}3"]
    assert "\u202e" not in widget.data["ids"][3]


def test_wrong_ids_and_heights_are_one_clear_line():
    pytest.importorskip("anywidget")
    widget = build().map_widget(height=400)
    with pytest.raises(InputError, match="'nobody' is not the id of a document on the map"):
        widget.selected = ["nobody"]
    with pytest.raises(ParameterError, match="height must be a whole number of pixels from 200 to 4000"):
        build().map_widget(height=3)


def test_the_script_has_no_text_of_documents_and_loads_nothing():
    module = map_widget.make_module()
    assert "http" not in module.replace("http-equiv", "")
    assert "import(" not in module
    assert module.count("export default") == 1


def test_without_anywidget_the_message_says_what_to_install(monkeypatch):
    map_widget._find_class.cache_clear()
    monkeypatch.setitem(sys.modules, "anywidget", None)
    with pytest.raises(InputError, match=r"needs anywidget: pip install 'colligate\[notebook\]'"):
        build().map_widget()
