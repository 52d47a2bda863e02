"""Finding errors: doubtful documents by one key, search with marks and a selection, reasons, similar ones."""

from __future__ import annotations

import json

import pytest

from colligate.corpus import Corpus
from colligate.questions.uncertainty import margin_uncertainty
from colligate.studio.project import Project, Settings
from colligate.studio.server.handlers.groups import load_layout
from tests.studio.browser.helpers import open_page, serving
from tests.studio.test_session import home

ROWS = "#details .documents .row"


def listed(page, place="#details"):
    return [
        int(at)
        for at in page.locator(f"{place} .documents .row").evaluate_all(
            "all => all.map((r) => r.dataset.document)"
        )
    ]


def doubts(studio):
    return margin_uncertainty(studio.session.view().result)


def is_sorted(values):
    return values == sorted(values)


def shown_id(page):
    return page.locator("#details .grip .id").inner_text()


def fetched(page, part='"order"'):
    """Wait until a list that is asked for has come; its request has this part."""
    return page.expect_response(
        lambda answer: answer.url.endswith("/documents") and part in (answer.request.post_data or "")
    )


def search(page, text):
    with fetched(page, json.dumps(text, ensure_ascii=False)):
        page.locator("#search > input").fill(text)
    page.wait_for_timeout(100)


def close_search(page):
    page.get_by_role("button", name="Close the search").click()
    page.locator("#hits").wait_for(state="hidden")


def test_all_documents_are_listed_by_doubt_and_by_anything_else(page, studio):
    page.locator(ROWS).nth(49).wait_for()
    doubt = doubts(studio)
    assert is_sorted([-round(doubt[at], 6) for at in listed(page)])
    texts = studio.session.project.network.corpus.texts
    order, reverse = (
        page.get_by_label("Order: Documents"),
        page.get_by_role("button", name="Reverse the order"),
    )
    with fetched(page):
        order.select_option("length")
    page.wait_for_timeout(100)
    assert is_sorted([-len(texts[at]) for at in listed(page)])
    with fetched(page):
        reverse.click()
    page.wait_for_timeout(100)
    assert is_sorted([len(texts[at]) for at in listed(page)])
    with fetched(page):
        reverse.click()
    with fetched(page):
        order.select_option("doubt")


def test_a_list_goes_on_to_its_last_document(page):
    page.locator(ROWS).nth(49).wait_for()
    more = page.locator("#details .documents").get_by_role("button", name="Show more")
    while more.count():
        more.click()
        page.wait_for_timeout(250)
    assert sorted(listed(page)) == list(range(120))


def test_one_key_opens_the_next_doubtful_document(page, studio):
    ids = list(studio.session.view().row_of)
    expected = [ids[at] for at in (-doubts(studio).round(9)).argsort(kind="stable")[:4].tolist()]
    studio.session.record("outside", {"document": expected[1]})
    page.locator("#journal li.live").wait_for()
    for id in (expected[0], expected[2], expected[3]):
        page.keyboard.press("n")
        page.locator("#details .grip .id", has_text=id).wait_for()
        assert page.locator("#details .next .chip").count() == 1
    page.keyboard.press("Shift+N")
    page.locator("#details .grip .id", has_text=expected[2]).wait_for()
    page.keyboard.press("k")
    page.locator("#journal li.live .what", has_text=f"{expected[2]} belongs in").wait_for()
    kept = studio.session.project.journal.live()[-1].body
    assert kept["group"] == home(studio.session.view(), expected[2])
    page.keyboard.press("n")
    page.locator("#details .grip .id", has_text=expected[3]).wait_for()
    page.keyboard.press("b")
    page.locator("#journal li.live .what", has_text=f"{expected[3]} belongs in").wait_for()
    view = studio.session.view()
    moved = studio.session.project.journal.live()[-1].body
    assert moved["group"] == view.identity(int(view.result.runner_up[view.row_of[expected[3]]]))


def test_hits_are_ranked_marked_and_stay_while_documents_open(page, studio):
    search(page, "orbit moon")
    positions = page.evaluate("async () => (await import('/static/store.js')).state.hits.positions")
    assert page.locator("#hits h2").inner_text() == f"{len(positions)} hits"
    first = page.locator("#hits .row").first
    assert set(first.locator("mark").all_inner_texts()) == {"orbit", "moon"}
    assert listed(page, "#hits") == positions[:50]
    for row in range(3):
        page.locator("#hits .row button").nth(row).click()
        page.locator(
            "#details .grip .id", has_text=page.locator("#hits .row .key").nth(row).inner_text()
        ).wait_for()
        assert page.locator("#hits .row").count() == min(len(positions), 50)
    page.locator("#view").click(position={"x": 5, "y": 5})
    assert page.locator("#hits").is_visible()
    search(page, "orbit moon -launch")
    page.locator("#hits h2", has_text=str(len(positions))).wait_for(state="detached")
    refined = page.evaluate("async () => (await import('/static/store.js')).state.hits.positions")
    assert set(refined) < set(positions)
    close_search(page)


def test_all_hits_are_selected_and_moved_by_one_act(page, studio):
    search(page, "puck")
    page.get_by_role("button", name="Select all hits").click()
    count = page.evaluate("async () => (await import('/static/store.js')).state.hits.positions.length")
    page.locator("#details h2", has_text=f"{count} documents selected").wait_for()
    page.locator("#hits h2").click()
    page.keyboard.press("m")
    page.keyboard.press("ArrowDown")
    page.keyboard.press("Enter")
    page.locator("#journal .what", has_text="more belong in").wait_for()
    (entry,) = studio.session.project.journal.live()
    assert len(entry.body["documents"]) == count
    page.keyboard.press("Escape")
    close_search(page)


def test_hits_are_reached_and_left_by_keys(page):
    page.keyboard.press("/")
    page.keyboard.type("goalie")
    page.locator("#hits .row").nth(1).wait_for()
    page.keyboard.press("ArrowDown")
    page.keyboard.press("ArrowDown")
    second = page.locator("#hits .row").nth(1)
    assert second.locator("button").evaluate("one => one === document.activeElement")
    page.keyboard.press("Enter")
    page.locator("#details .grip .id", has_text=second.locator(".key").inner_text()).wait_for()
    page.keyboard.press("Escape")
    page.locator("#hits").wait_for(state="hidden")
    assert page.locator("#search > input").evaluate("one => one === document.activeElement")
    page.keyboard.press("Escape")


def test_reason_words_are_marked_in_the_text_and_explained(page, studio):
    view = studio.session.view()
    at = int((-doubts(studio)).argsort()[0])
    page.evaluate("at => { location.hash = `#/map/document/${at}`; }", at)
    page.locator("#details .meaning").wait_for()
    words = dict(view.result.why(at, 60).words)
    most = max(map(abs, words.values()))
    marked = page.locator("#details h2 mark, #details .body mark")
    texts = marked.evaluate_all("all => all.map((one) => [one.firstChild.data.toLowerCase(), one.className])")
    assert {word for word, _ in texts} == {
        word for word, weight in words.items() if abs(weight) / most >= 0.1
    }
    for word, name in texts:
        assert name == ("reason-for" if words[word] > 0 else "reason-against")
    page.locator("#details article .rows .row").first.wait_for()
    page.locator("#details mark[tabindex]").first.focus()
    page.locator("#details .meaning", has_text="supports").wait_for()
    assert page.locator("#details mark[tabindex]").first.get_attribute("title").startswith("for ")
    page.locator("#details mark[tabindex]").first.blur()
    page.locator("#details .meaning mark").first.wait_for()


def test_similar_documents_are_listed_with_their_groups(page, studio):
    page.evaluate("() => { location.hash = '#/map/document/0'; }")
    rows = page.locator("#details article .rows .row")
    rows.first.wait_for()
    expected = studio.session.view().result.similar(0)
    found = [int(at) for at in rows.evaluate_all("all => all.map((r) => r.dataset.document)")]
    assert found == [each.position for each in expected]
    assert rows.first.locator(".of").inner_text()
    rows.first.locator("button").click()
    page.locator("#details .grip .id", has_text=expected[0].document).wait_for()


@pytest.fixture(scope="module")
def hostile(browser, tmp_path_factory):
    """A page on texts that are markup and patterns."""
    folder = tmp_path_factory.mktemp("hostile")
    lines = ["<img src=x onerror='window.hurt=1'> (a+)+$ bread oven", "[\\p{L}] c++ .* orbit moon 東京 <b>"]
    rows = [{"id": f"<i>{n}", "text": f"{lines[n % 2]} word{n % 5}"} for n in range(60)]
    docs = folder / "docs.jsonl"
    docs.write_text("\n".join(map(json.dumps, rows)), encoding="utf-8")
    settings = Settings(str(docs), "", "kmeans", 2)
    project = Project.create(folder / "hostile.studio", Corpus.read(docs), settings)
    project.close()
    with serving(project.folder) as studio:
        yield open_page(browser, studio)


@pytest.mark.parametrize("text", ["<img", "(a+)+$", "c++", ".*", "東京", '"<img src=x"', "[\\p{L}]"])
def test_hostile_queries_and_texts_stay_text(hostile, text):
    search(hostile, text)
    assert hostile.locator("#hits .row").count() == 30
    marks = set(hostile.locator("#hits .row mark").all_inner_texts())
    assert marks == {text.strip('"')}
    hostile.locator("#hits .row button").first.click()
    hostile.locator("#details .meaning").wait_for()
    assert hostile.locator("#hits img, #details img, #hits b, #details article b").count() == 0
    assert hostile.evaluate("window.hurt") is None
    assert hostile.errors == []


def in_view(page, studio):
    """The positions of the documents in view, as the map itself counts them."""
    box = page.evaluate("async () => (await import('/static/store.js')).state.box")
    places = load_layout(studio.session, studio.session.view()).documents
    inside = (places >= (box[0], box[1])).all(axis=1) & (places <= (box[2], box[3])).all(axis=1)
    return set(inside.nonzero()[0].tolist())


def test_the_list_follows_what_is_in_view(page, studio):
    page.get_by_role("button", name="Fit", exact=True).click()
    page.get_by_role("button", name="List", exact=True).click()
    page.get_by_role("heading", name="120 documents in view").wait_for()
    for _ in range(3):
        with fetched(page, '"box"'):
            page.get_by_role("button", name="Zoom in").click()
    page.wait_for_timeout(200)
    expected = in_view(page, studio)
    assert 0 < len(expected) < 120
    page.get_by_role("heading", name=f"{len(expected)} document").wait_for()
    assert set(listed(page, ".list")) <= expected
    first = listed(page, ".list")[0]
    id = list(studio.session.view().row_of)[first]
    studio.session.record("outside", {"document": id})
    page.locator(f".list .row[data-document='{first}']").get_by_role("img", name="has a statement").wait_for()
    studio.session.undo()
    page.locator(f".list .row[data-document='{first}'] [role=img]").wait_for(state="detached")
    with fetched(page, '"box"'):
        assert studio.watched.run(fresh=True, n_clusters=3)["status"] == "done"
    run = studio.session.view().record.number
    page.get_by_text(f"Run {run} is done").first.wait_for()
    page.wait_for_timeout(1500)
    assert set(listed(page, ".list")) <= in_view(page, studio)
    groups = studio.session.view().identities
    names = page.evaluate("async () => (await import('/static/store.js')).state.groups.map((g) => g.short)")
    for row in page.locator(".list .row").all()[:5]:
        assert (
            row.locator(".of").inner_text()
            == names[sorted(set(groups)).index(groups[int(row.get_attribute("data-document"))])]
        )
    page.get_by_role("button", name="List", exact=True).click()
    page.locator(".mapview .list").wait_for(state="hidden")


POINTS = """() => {  // the points as they are drawn, without what lies above them
  const canvas = document.querySelector("canvas.points");
  return canvas.toDataURL();
}"""


def test_hits_stand_out_on_the_map(page):
    page.get_by_role("button", name="Fit", exact=True).click()
    page.wait_for_timeout(1200)
    before = page.evaluate(POINTS)
    search(page, "puck")
    page.wait_for_timeout(300)
    assert page.evaluate(POINTS) != before
    close_search(page)
    page.wait_for_timeout(300)
    assert page.evaluate(POINTS) == before
