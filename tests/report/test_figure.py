"""Figures: every drawing as SVG, PNG and HTML, in any style, with text that is hostile."""

from __future__ import annotations

import io
import re
import sys
import xml.etree.ElementTree as ET
from functools import partial
from importlib.resources import files

import pytest

from colligate.errors import InputError, ParameterError
from colligate.report.column_chart import draw_shares
from colligate.report.drawing import Band, Box, Dots, Drawing, Line, Ring, Text
from colligate.report.figure import Figure
from colligate.report.flow_chart import draw_flow
from colligate.report.group_bars import draw_sizes, draw_words
from colligate.report.heat_chart import draw_heat, make_heat_table
from colligate.report.map import draw_map
from colligate.report.palette import choose_colours
from colligate.report.style import DARK, LIGHT, Style
from colligate.report.trace_chart import draw_history, draw_restarts
from colligate.report.tree_chart import draw_tree
from colligate.report.view import (
    AssociationView,
    ChangeView,
    ColumnCountsView,
    GroupWordsView,
    MapGroupView,
    MapView,
    TraceView,
    TreeRowView,
    WordGroupView,
)

HOSTILE = "</text><script>alert(1)</script><img src=x onerror=alert(2)>\"' & ]]>"
SVG = "{http://www.w3.org/2000/svg}"
ALLOWED = {"svg", "title", "desc", "rect", "text", "path", "circle", "g"}


def make_figures(name: str = "orbit, nasa") -> dict[str, Figure]:
    """One figure of each kind; the third group is empty, the second has the number 7."""
    groups = [
        GroupWordsView(0, name, 4, [(name, 0.5), ("moon", 0.25)]),
        GroupWordsView(7, "hockey", 2, [("puck", 0.1)]),
        GroupWordsView(8, "nothing", 0, []),
    ]
    places = [
        MapGroupView(0, name, 4, 0.25, 0.5),
        MapGroupView(7, "hockey", 2, 0.75, 0.5),
        MapGroupView(8, "nothing", 0),
    ]
    points = MapView([0.2, 0.25, 0.3, 0.25, 0.7, 0.8], [0.5] * 6, [0, 0, 0, 0, 7, 7], 6, 6)
    association = AssociationView(
        [WordGroupView(None, 1, [name]), WordGroupView(3, 5, ["puck", name])],
        [[2.0, -3.0], [-1.0, 0.1], [0.0, 0.0]],
        [[0.4, 0.1], [0.1, 0.4], [0.0, 0.0]],
    )
    changes = ChangeView(1, 6, 0.5, [name, "b"], [name, "hockey", "nothing"], [[3, 1, 0], [1, 1, 0]], ())
    rows = [
        TreeRowView((), "all", 6, None),
        TreeRowView((True,), name, 4, 0),
        TreeRowView((False,), name, 2, None),
        TreeRowView((False, True), "hockey", 2, 7),
        TreeRowView((False, False), "nothing", 0, 8),
    ]
    column = ColumnCountsView(name, "", [name, "b"], [[3, 1], [0, 2], [0, 0]], [0, 0, 0])
    trace = TraceView([3.0, 2.0, 1.5], [1.5, 1.7], 0, True)
    colours = ["g0", "g7", "g8"]
    heat = make_heat_table(association, groups)
    draws = {
        "map": lambda style: draw_map(points, places, style=style),
        "sizes": lambda style: draw_sizes(groups, 2, style=style),
        "words": lambda style: draw_words(groups, style=style),
        "heat": lambda style: draw_heat(heat, style=style),
        "flows": lambda style: draw_flow(changes, colours, style=style),
        "trace": partial(draw_history, trace),
        "restarts": partial(draw_restarts, trace),
        "hierarchy": lambda style: draw_tree(rows, style=style),
        "over": lambda style: draw_shares(column, groups, style=style),
    }
    return {kind: Figure(kind, draw) for kind, draw in draws.items()}


def to_hex(pixel: tuple[int, int, int]) -> str:
    return "#" + "".join(f"{part:02x}" for part in pixel)


KINDS = sorted(make_figures())


@pytest.mark.parametrize("kind", KINDS)
def test_a_figure_stands_alone_as_svg(kind: str) -> None:
    figure = make_figures()[kind]
    root = ET.fromstring(figure.to_svg().encode())
    assert {part.tag.removeprefix(SVG) for part in root.iter()} <= ALLOWED
    assert not any("href" in name or name == "class" for part in root.iter() for name in part.attrib)
    assert "var(" not in figure.to_svg()
    assert figure.to_svg() == make_figures()[kind].to_svg()
    # notebooks cut what is wider than their output
    assert float(ET.fromstring(figure._repr_svg_().encode()).get("width")) <= 800
    assert 'width="1200"' in figure.restyle(width=1200)._repr_svg_()
    assert re.fullmatch(rf"Figure\({kind}, \d+ × \d+\)", repr(figure))


@pytest.mark.parametrize("kind", KINDS)
def test_hostile_text_is_only_text(kind: str) -> None:
    figure = make_figures(HOSTILE)[kind].restyle(title=HOSTILE, labels={7: HOSTILE})
    root = ET.fromstring(figure.to_svg().encode())
    assert {part.tag.removeprefix(SVG) for part in root.iter()} <= ALLOWED
    assert not any(name.startswith("on") for part in root.iter() for name in part.attrib)
    assert root.find(f"{SVG}title").text == HOSTILE
    page = figure.to_html()
    assert "<script" not in page
    assert "<img" not in page


@pytest.mark.parametrize("theme", ["light", "dark"])
@pytest.mark.parametrize("kind", KINDS)
def test_a_png_has_twice_the_size_and_the_paper_of_the_theme(kind: str, theme: str) -> None:
    image = pytest.importorskip("PIL.Image")
    figure = make_figures()[kind].restyle(theme=theme, width=300)
    picture = image.open(io.BytesIO(figure.to_png())).convert("RGB")
    assert picture.size[0] == 600
    paper = {"light": LIGHT, "dark": DARK}[theme]["paper"]
    assert to_hex(picture.getpixel((2, 2))) == paper
    assert len(picture.getcolors(maxcolors=2**24)) > 10


def test_every_mark_is_painted_in_its_colour_and_place() -> None:
    image = pytest.importorskip("PIL.Image")
    marks = [
        Box(0, 0, 20, 20, "g0"),
        Dots([(50, 10)], 16, "g1"),
        Line([[(80, 10), (120, 10)]], "accent", 6),
        Ring(150, 10, 8, "g2", 4),
        Band((180, 10), (220, 10), 12, "g3", opacity=1.0),
        Text("████", 240, 10, 14, "g4", turn=0),
        Text("████", 300, 90, 14, "g5", turn=-90),
    ]
    drawing = Drawing("", "", 320, 100, marks)
    figure = Figure("marks", lambda style: drawing).restyle(title="")
    picture = image.open(io.BytesIO(figure.to_png())).convert("RGB")
    colours = [f"g{k}" for k in range(6)]
    style = figure.style

    def seen(x: float, y: float) -> str:
        return to_hex(picture.getpixel((round(2 * (x + 16)), round(2 * (y + 16)))))

    spots = [(10, 10), (50, 10), (150, 18), (200, 10), (250, 10), (300, 70)]
    wanted = [colours[k] for k in (0, 1, 2, 3, 4, 5)]
    assert [seen(*spot) for spot in spots] == [style.resolve(colour) for colour in wanted]
    assert seen(100, 10) == style.resolve("accent")
    # inside a ring and beside a turned text there is paper
    assert seen(150, 10) == seen(330, 90) == style.resolve("paper")


def test_half_transparent_bands_let_the_paper_shine_through() -> None:
    image = pytest.importorskip("PIL.Image")
    drawing = Drawing("", "", 100, 40, [Band((0, 20), (100, 20), 20, "ink", opacity=0.5)])
    figure = Figure("band", lambda style: drawing).restyle(title="")
    picture = image.open(io.BytesIO(figure.to_png())).convert("L")
    paper, ink = (int(LIGHT[name][1:3], 16) for name in ("paper", "ink"))
    assert picture.getpixel((132, 72)) == pytest.approx((paper + ink) / 2, abs=6)


def test_styles_change_size_colours_fonts_names_and_title() -> None:
    figure = make_figures()["sizes"]
    styled = figure.restyle(
        width=500, title="Posts", colours={7: "#abcdef", "ink": "#010203"}, labels={7: "Ice"}, font="Georgia"
    )
    text = styled.to_svg()
    for part in ("#abcdef", "#010203", ">7 Ice<", 'font-family="Georgia"', ">Posts</text>", 'width="500"'):
        assert part in text
    assert figure.style == Style(), "restyle returns another figure"
    again = styled.restyle(colours={0: "#000000"}, font_size=20)
    assert again.style.colours == {7: "#abcdef", "ink": "#010203", 0: "#000000"}
    assert again.drawing.height > styled.drawing.height
    assert ">Sizes of groups</text>" not in figure.restyle(title="").to_svg()


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"theme": "blue"}, "theme must be 'light' or 'dark'"),
        ({"width": 3}, "width must be a number from 50 to 10000"),
        ({"height": "tall"}, "height must be a number"),
        ({"font_size": 500}, "font_size must be a number from 6 to 48"),
        ({"font": 'x" onload="alert(1)'}, "font must be names of fonts"),
        ({"title": 7}, "title must be a text"),
        ({"colours": {3: "red"}}, "a colour must be written as #rrggbb"),
        ({"colours": {3: '#000000"/><script>'}}, "a colour must be written as #rrggbb"),
        ({"colours": {"sky": "#000000"}}, "'sky' is neither the number of a group nor one of paper"),
        ({"colours": ["#000000"]}, "colours must be a mapping"),
        ({"labels": {"a": "b"}}, "labels must give texts to numbers of groups"),
        ({"background": "#000000"}, "a figure has no 'background'; use one of theme, title"),
    ],
)
def test_a_wrong_style_is_one_clear_line(changes: dict, message: str) -> None:
    with pytest.raises(ParameterError) as caught:
        make_figures()["sizes"].restyle(**changes)
    assert message in str(caught.value)
    assert "\n" not in str(caught.value)


def test_files_are_written_by_the_end_of_their_name(tmp_path) -> None:
    figure = make_figures()["words"]
    assert figure.save(tmp_path / "words.svg").read_text(encoding="utf-8") == figure.to_svg()
    assert figure.save(tmp_path / "words.html").read_text(encoding="utf-8").startswith("<!doctype html>")
    assert figure.save(tmp_path / "words.bin", format="svg").exists()
    with pytest.raises(InputError, match=r"must be saved as \.svg, \.png or \.html; got 'gif'"):
        figure.save(tmp_path / "words.gif")
    assert not (tmp_path / "words.gif").exists()


def test_a_figure_without_content_is_refused() -> None:
    with pytest.raises(InputError, match="nothing to draw in the figure 'trace'"):
        Figure("trace", partial(draw_history, TraceView([], [], 0, True)))


def test_without_pillow_the_message_says_what_to_install(monkeypatch: pytest.MonkeyPatch, tmp_path) -> None:
    monkeypatch.setitem(sys.modules, "PIL", None)
    with pytest.raises(InputError, match=r"colligate\[png\]"):
        make_figures()["map"].save(tmp_path / "map.png")


def test_a_huge_png_is_refused_in_one_line() -> None:
    with pytest.raises(InputError, match="is too large; choose SVG"):
        make_figures()["sizes"].restyle(width=9000, height=9000).to_png()


def test_groups_have_the_colours_of_their_numbers_in_both_themes() -> None:
    figure = make_figures()["map"]
    for side, theme in enumerate(("light", "dark")):
        text = figure.restyle(theme=theme).to_svg()
        for number in (0, 7):
            assert f'stroke="{choose_colours(8)[number][side]}"' in text


def test_the_themes_are_those_of_the_pages() -> None:
    sheet = files("colligate.report").joinpath("templates", "style", "base.css").read_text(encoding="utf-8")
    light, dark = sheet.split("@media screen and (prefers-color-scheme: dark)")[:2]
    for part, theme in ((light, LIGHT), (dark.split("}")[0], DARK)):
        written = dict(re.findall(r"--([\w-]+): (#[0-9a-f]{6});", part))
        assert {name: written[name] for name in theme} == theme


def test_names_that_do_not_fit_are_cut_and_told_in_full() -> None:
    long = "an extraordinarily long name of a group " * 6
    for kind in ("sizes", "words", "heat", "hierarchy", "over", "flows", "map"):
        figure = make_figures(long.strip())[kind]
        assert figure.drawing.width < 1300, kind
        assert long.strip()[:60] in figure.to_svg(), kind
