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
  const [group, sure] = [Uint16Array.from([0, 1]), Uint8Array.from([255, 255])];
  points.setPoints({ n: 2, before: now, now, group, sure });
  points.resize(200, 100, 1);
  const camera = { x: 0.5, y: 0.5, scale: 100, width: 200, height: 100 };
  points.draw(camera, { size: 6, step: 1, chosen: -1 }, 1);
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
