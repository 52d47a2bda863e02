"""The groups by a column of the input: by class, over time, and the documents of a cell; titles in lists."""

from __future__ import annotations

import csv
import re
from collections import Counter

import pytest

from colligate.corpus import Corpus
from colligate.studio.project import Project, Settings
from colligate.studio.project.folder import hash_input
from tests.studio.browser.helpers import SIZE, open_page, picture, serving
from tests.studio.browser.news import write_news
from tests.studio.browser.test_access import findings

HOSTILE = "<img src=x onerror=alert(1)>"
SIZES = [(1440, 900), (1024, 768), (390, 844)]


@pytest.fixture(scope="module")
def news(tmp_path_factory):
    """Stories with a title, a date and a section; one section is hostile, three stories have none."""
    docs = write_news(tmp_path_factory.mktemp("news") / "news.csv")
    with docs.open(encoding="utf-8", newline="") as stream:
        rows = list(csv.DictReader(stream))
    for number, row in enumerate(rows):
        row["section"] = "" if number < 3 else row["section"].replace("film", HOSTILE)
    with docs.open("w", encoding="utf-8", newline="") as stream:
        table = csv.DictWriter(stream, list(rows[0]))
        table.writeheader()
        table.writerows(rows)
    return docs


@pytest.fixture(scope="module")
def studio(news):
    settings = Settings(news.name, hash_input(news), "kmeans", 5)
    Project.create(news.parent / "news.studio", Corpus.read(news), settings).close()
    with serving(news.parent / "news.studio") as made:
        yield made


@pytest.fixture(scope="module")
def first(browser, studio):
    made = open_page(browser, studio, bypass_csp=True, reduced_motion="reduce")
    yield made
    assert made.errors == []
    made.context.close()


def show(page, column):
    if not page.locator(".by-column").is_visible():
        page.get_by_role("button", name="Groups by column").click()
    page.get_by_label("Column", exact=True).select_option(column)
    chart = page.get_by_role("region", name=f"by {column}")
    chart.wait_for()
    return chart


def count(studio, news, column):
    """How many documents each group has with each value."""
    with news.open(encoding="utf-8", newline="") as stream:
        values = {row["id"]: column(row) for row in csv.DictReader(stream)}
    return Counter((group, values[id]) for id, group in studio.groups().items())


def read_table(chart):
    """The numbers of the table, by the number of the group and the head of the column."""
    heads = chart.locator("thead th span").all_text_contents()
    cells = {}
    for row in chart.locator("tbody tr").all():
        group = int(row.locator("th .no").text_content())
        numbers = [cell.text_content() for cell in row.locator("td").all()]
        cells |= {(group, head): int(n) for head, n in zip(heads, numbers, strict=True) if int(n or 0)}
    return cells


def test_groups_by_class_are_a_table_with_the_groups_of_the_list(page, studio, news):
    chart = show(page, "section")
    assert page.url.endswith("#/columns")
    assert read_table(chart) == dict(count(studio, news, lambda row: row["section"] or "no value"))
    listed = page.locator("#groups li")
    names = listed.locator(".name").all_text_contents()
    assert chart.locator("tbody th .name").all_text_contents() == names
    colour = "e => getComputedStyle(e).backgroundColor"
    swatches = chart.locator("th .swatch").evaluate_all(f"all => all.map({colour})")
    assert swatches == listed.locator(".swatch").evaluate_all(f"all => all.map({colour})")
    assert chart.locator("img").count() == 0
    # the line below a number is the interval of its share in the value
    cell = chart.locator("td:has(button)").first
    low, high = re.search(r"\(95 %: (\d+) % to (\d+) %\)", cell.get_attribute("title")).groups()
    track, line = cell.locator(".interval").bounding_box(), cell.locator(".interval i").bounding_box()
    start, end = (100 * (line["x"] + side - track["x"]) / track["width"] for side in (0, line["width"]))
    assert start == pytest.approx(int(low), abs=2)
    assert end == pytest.approx(int(high), abs=5)


def test_groups_over_time_are_bars_that_can_be_read_as_a_table(page, studio, news):
    chart = show(page, "date")
    months = count(studio, news, lambda row: row["date"][:7])
    assert read_table(chart) == dict(months)
    totals = Counter()
    for (_, month), number in months.items():
        totals[month] += number
    ratios = set()
    for bar in chart.locator("td button").all():
        month, _, rest = bar.get_attribute("aria-label").partition(": ")
        height = bar.locator(".bar").bounding_box()["height"]
        share = int(rest.split()[0]) / totals[month]
        assert (bar.locator(".pale").count() == 1) == (totals[month] < 5)
        if 3 < height < 0.97 * bar.bounding_box()["height"]:
            ratios.add(height / share)
    assert max(ratios) / min(ratios) < 1.2
    assert chart.locator(".whisker").count() >= len(months)
    assert "(95 %: " in chart.locator("td button").first.get_attribute("aria-label")


def test_a_cell_lists_its_documents_and_dims_the_others(page, studio, news):
    chart = show(page, "section")
    cells = chart.locator("td button")
    sizes = [int(text) for text in cells.all_text_contents()]
    cell = cells.nth(sizes.index(max(sizes)))
    label = cell.get_attribute("aria-label")
    cell.click()
    size = int(label.split()[0])
    page.locator(".selected h2", has_text=f"{size} document").wait_for()
    rows = page.locator("#details .documents .row")
    rows.first.wait_for()
    assert rows.count() == size
    assert cell.get_attribute("aria-pressed") == "true"
    section = label.rsplit(": ", 1)[1]
    with news.open(encoding="utf-8", newline="") as stream:
        sections = {row["id"]: row["section"] for row in csv.DictReader(stream)}
    ids = rows.locator(".key").all_text_contents()
    assert {sections[id] for id in ids} == {section}
    assert len({studio.groups()[id] for id in ids}) == 1
    lit = "async () => { const { state } = await import('/static/store.js'); let n = 0;"
    lit += " for (let i = 0; i < state.map.n; i++) n += state.filter?.(i) ?? true; return n; }"
    assert page.evaluate(lit) == size
    cell.click()
    assert cell.get_attribute("aria-pressed") == "false"
    assert page.locator(".selected").count() == 0
    assert page.evaluate(lit) == len(sections)


def test_a_cell_is_listed_although_a_group_was_open(page):
    page.locator("#groups li button").first.click()
    page.locator("#details article h2 .no").wait_for()
    chart = show(page, "section")
    chart.locator("td button").first.click()
    page.get_by_role("heading", name="Selected documents").wait_for()
    page.keyboard.press("Escape")


def test_arrows_step_from_cell_to_cell(page):
    chart = show(page, "date")
    assert chart.locator("td button[tabindex='0']").count() == 1
    chart.locator("td button").first.focus()
    before = page.evaluate("document.activeElement.dataset.place")
    page.keyboard.press("ArrowRight")
    assert int(page.evaluate("document.activeElement.dataset.place")) > int(before)
    page.keyboard.press("ArrowDown")
    assert page.evaluate("document.activeElement.dataset.line") != "0"
    page.keyboard.press("Enter")
    page.locator("#details .selected").wait_for()
    picture(page, "time")
    page.keyboard.press("Escape")


def test_a_new_name_is_in_the_table_at_once(page, studio):
    group = min(studio.groups().values())
    chart = show(page, "section")
    studio.session.record("name", {"group": group, "name": "Renamed"})
    chart.locator("tbody th .name", has_text="Renamed").wait_for()


@pytest.mark.parametrize("size", SIZES)
@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("column", ["section", "date"])
def test_the_charts_fit_and_axe_finds_nothing(page, column, scheme, size):
    page.set_viewport_size({"width": size[0], "height": size[1]})
    page.emulate_media(color_scheme=scheme, reduced_motion="reduce")
    chart = show(page, column)
    assert findings(page) == []
    assert page.evaluate("document.documentElement.scrollWidth") <= size[0]
    box = chart.bounding_box()
    assert box["x"] >= 0
    assert box["x"] + box["width"] <= size[0]
    page.emulate_media(color_scheme="light")
    page.set_viewport_size(SIZE)


def test_rows_of_lists_begin_with_the_title_in_bold(page, news):
    with news.open(encoding="utf-8", newline="") as stream:
        titles = {row["id"]: (row["title"], row["text"]) for row in csv.DictReader(stream)}
    row = page.locator("#details .documents .row").first
    row.wait_for()
    title, text = titles[row.locator(".key").text_content()]
    shown = row.locator(".title")
    assert shown.text_content() == title
    assert int(shown.evaluate("e => getComputedStyle(e).fontWeight")) >= 600
    assert row.locator(".text").text_content().startswith(text[:40])
    assert shown.bounding_box()["y"] < row.locator(".who").bounding_box()["y"]


def test_hits_in_titles_are_marked(page, news):
    with news.open(encoding="utf-8", newline="") as stream:
        word = next(csv.DictReader(stream))["title"].split()[0]
    page.locator("#search > input").fill(f'"{word}"')
    page.locator("#hits .title mark", has_text=word).first.wait_for()
    page.get_by_role("button", name="Close the search").click()


def test_the_report_has_the_same_numbers(page, studio, news):
    report = page.context.new_page()
    report.goto(f"{page.url.split('#')[0]}api/runs/1/report")
    dates, sections = report.locator("#columns table").all()
    assert read_report(sections) == dict(count(studio, news, lambda row: row["section"] or "no value"))
    assert read_report(dates) == dict(count(studio, news, lambda row: row["date"][:7]))
    assert findings(report) == []
    report.close()


def read_report(table):
    """The numbers of a table of the report, by the number of the group and the head of the column."""
    heads = table.locator("thead th span").all_text_contents()
    cells = {}
    for row in table.locator("tbody tr").all():
        group = int(row.locator(".badge").text_content())
        numbers = row.locator("td").all_text_contents()
        cells |= {(group, head): int(n) for head, n in zip(heads, numbers, strict=True) if int(n or 0)}
    return cells
