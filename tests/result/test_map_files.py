from __future__ import annotations

import json
import re

import pytest

from colligate.corpus import Corpus
from colligate.errors import InputError
from colligate.knowledge import Knowledge
from colligate.network import Network
from colligate.result import map_files
from colligate.result.map_files import make_map_view
from tests.result.conftest import IDS, LABELS, TEXTS, build


def test_every_document_of_a_group_is_on_the_map_with_its_text() -> None:
    view = make_map_view(build())
    grouped = [row for row, label in enumerate(LABELS) if label >= 0]
    assert view.ids == [f"d{row}" for row in grouped]
    assert view.texts == [TEXTS[row] for row in grouped]
    assert view.group == [LABELS[row] for row in grouped]
    assert view.total == len(LABELS)
    assert [group.size for group in view.groups] == [5, 5]
    assert all(0 <= place <= 1 for place in (*view.x, *view.y))


def test_titles_columns_and_what_the_user_stated_are_on_the_map() -> None:
    columns = {"title": ["First", None, *IDS[2:]], "source": ["BBC", None, *["Reuters"] * 9]}
    corpus = Corpus.from_texts(TEXTS, IDS, columns=columns)
    network = Network.from_corpus(corpus)
    compiled = Knowledge().label({"d1": "space"}).compile(network.names)
    view = make_map_view(build(corpus=corpus, network=network, compiled=compiled, statement_costs=[0.0]))
    assert view.titles[:3] == ["First", "", "d2"]
    (column,) = view.columns
    assert (column.name, column.values) == ("source", ["BBC", "Reuters"])
    assert column.codes[:3] == [0, -1, 1]
    assert [row for row, stated in enumerate(view.stated) if stated] == [1]


def test_a_map_without_documents_in_groups_is_empty() -> None:
    corpus = Corpus.from_texts(TEXTS, IDS, columns={"title": IDS, "source": IDS})
    network = Network.from_corpus(corpus)
    view = make_map_view(build([-1] * len(IDS), corpus=corpus, network=network))
    assert (view.titles, [column.codes for column in view.columns]) == ([], [[]])


def test_long_texts_are_cut_to_one_length_that_fits(monkeypatch: pytest.MonkeyPatch) -> None:
    assert make_map_view(build()).text_length is None
    monkeypatch.setattr(map_files, "TEXT_LENGTHS", (100, 12, 4))
    monkeypatch.setattr(map_files, "TEXT_BUDGET", 120)
    view = make_map_view(build())
    assert view.text_length == 12
    assert max(map(len, view.texts)) == 12


def test_files(tmp_path) -> None:
    result = build()
    page = result.map_page(tmp_path / "map.html", "My map").read_text(encoding="utf-8")
    assert "<title>My map · Colligate</title>" in page
    ids = json.loads(re.findall(r'id="data">(.*?)</script>', page, re.S)[0])["ids"]
    assert len(ids) == 10
    assert result.map_picture(tmp_path / "map.svg").read_text(encoding="utf-8").startswith("<?xml")
    assert result.map_picture(tmp_path / "map.of", format="svg").exists()
    with pytest.raises(InputError, match=r"saved as \.svg, \.png or \.html"):
        result.map_picture(tmp_path / "map.gif")
    assert not (tmp_path / "map.gif").exists()
