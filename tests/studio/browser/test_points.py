"""The two ways to draw points, by the card and by the processor, draw the same ones at the same places."""

from __future__ import annotations

import pytest

from tests.studio.browser.conftest import FLAGS
from tests.studio.browser.helpers import chromium_path, open_page

SOFTWARE_CARD = ["--use-angle=swiftshader", "--enable-unsafe-swiftshader"]
DRAW = """async (name) => {
  const [{ WebGlPoints }, { StampedPoints }] = await Promise.all([
    import("/static/map/webgl.js"), import("/static/map/splat.js")]);
  const canvas = document.createElement("canvas");
  document.querySelector(".frame").append(canvas);
  canvas.style.backgroundColor = "rgb(255, 255, 255)";
  const points = new { WebGlPoints, StampedPoints }[name](canvas);
  const now = Float32Array.from([0.25, 0.5, 0.75, 0.5]);
  points.setColours([[200, 0, 0], [0, 0, 200]]);
  const [colour, lit] = [Uint16Array.from([0, 1]), Uint8Array.from([1, 1])];
  const sure = Uint8Array.from([255, 255]);
  points.setColumns({ before: now, now, colour, sure, lit });
  points.resize(200, 100, 1);
  const camera = { x: 0.5, y: 0.5, scale: 100, width: 200, height: 100 };
  points.draw(camera, { size: 6, step: 1 }, 1);
  const copy = document.createElement("canvas");
  Object.assign(copy, { width: canvas.width, height: canvas.height });
  const context = copy.getContext("2d");
  context.fillStyle = "white";
  context.fillRect(0, 0, copy.width, copy.height);
  context.drawImage(canvas, 0, 0);
  const [left, top] = [(canvas.width - 200) / 2, (canvas.height - 100) / 2];
  const at = (x, y) => Array.from(context.getImageData(left + x, top + y, 1, 1).data.slice(0, 3));
  canvas.remove();
  return [at(75, 50), at(125, 50), at(100, 50), at(75, 60)];
}"""


LOSE = """() => {
  const context = document.querySelector(".points").getContext("webgl2");
  window.lost = context.getExtension("WEBGL_lose_context");
  window.lost.loseContext();
}"""
INK = """() => new Promise((done) => requestAnimationFrame(() => {
  const canvas = document.querySelector(".points");
  const copy = new OffscreenCanvas(canvas.width, canvas.height);
  const context = copy.getContext("2d");
  context.drawImage(canvas, 0, 0);
  const { data } = context.getImageData(0, 0, copy.width, copy.height);
  let coloured = 0;
  for (let k = 0; k < data.length; k += 4) {
    const least = Math.min(data[k], data[k + 1], data[k + 2]);
    const most = Math.max(data[k], data[k + 1], data[k + 2]);
    if (data[k + 3] > 0 && most - least > 40) coloured++;
  }
  done(coloured);
}))"""
HIDE_SOFTWARE = """
const extensionOf = WebGL2RenderingContext.prototype.getExtension;
WebGL2RenderingContext.prototype.getExtension = function (name) {
  return name === "WEBGL_debug_renderer_info" ? null : extensionOf.call(this, name);
};
const contextOf = HTMLCanvasElement.prototype.getContext;
HTMLCanvasElement.prototype.getContext = function (kind, options) {
  return contextOf.call(this, kind, { ...options, preserveDrawingBuffer: true });
};
"""
"""The page takes a card in software for a real one, and its picture can be read after it was drawn."""


@pytest.fixture(scope="module")
def page(browser, studio):
    started = browser.browser_type.launch(executable_path=chromium_path(), args=[*FLAGS, *SOFTWARE_CARD])
    yield open_page(started, studio)
    started.close()


@pytest.mark.parametrize("name", ["StampedPoints", "WebGlPoints"])
def test_points_are_where_they_are_told_to_be(page, name):
    if name == "WebGlPoints" and not page.evaluate("!!document.createElement('canvas').getContext('webgl2')"):
        pytest.skip("this Chromium has no WebGL2")
    first, second, between, below = page.evaluate(DRAW, name)
    assert first[0] > 190
    assert max(first[1:]) < 60
    assert second[2] > 190
    assert max(second[:2]) < 60
    assert between == below == [255, 255, 255]


@pytest.fixture
def card(page, studio):
    """A page whose points are drawn by the card."""
    if not page.evaluate("!!document.createElement('canvas').getContext('webgl2')"):
        pytest.skip("this Chromium has no WebGL2")
    made = page.context.new_page()
    made.add_init_script(HIDE_SOFTWARE)
    made.goto(page.url)
    made.wait_for_selector(".label:not([hidden])")
    assert made.locator(".points").get_attribute("data-renderer") == "WebGlPoints"
    yield made
    made.close()


def test_a_card_that_was_lost_and_comes_back_draws_the_map_again(card):
    before = card.evaluate(INK)
    assert before > 100
    card.evaluate(LOSE)
    card.wait_for_function("() => document.querySelector('.points').getContext('webgl2').isContextLost()")
    card.evaluate("() => window.lost.restoreContext()")
    card.wait_for_function("() => !document.querySelector('.points').getContext('webgl2').isContextLost()")
    card.wait_for_timeout(200)
    assert card.evaluate(INK) == before
    assert card.locator(".points").get_attribute("data-renderer") == "WebGlPoints"


def test_without_the_lost_card_the_processor_draws_the_map(card):
    card.evaluate(LOSE)
    card.wait_for_selector(".points[data-renderer=StampedPoints]")
    card.wait_for_timeout(200)
    assert card.evaluate(INK) > 100
