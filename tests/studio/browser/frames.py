"""Frames per second of a large map, measured in the page while a hand moves it."""

from __future__ import annotations

import json
import time
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

if TYPE_CHECKING:
    from numpy.typing import NDArray
    from playwright.sync_api import Page

N = 200_000
SECONDS = 2.0
COUNT_DRAWS = """() => {  // the overlay is cleared in every frame in which the map is drawn
  window.draws = [];
  const { clearRect } = CanvasRenderingContext2D.prototype;
  CanvasRenderingContext2D.prototype.clearRect = function (...box) {
    window.draws.push(performance.now());
    return clearRect.apply(this, box);
  };
}"""
RENDERER = """() => {
  const points = document.querySelector(".points");
  return points.hidden ? "density" : points.dataset.renderer;
}"""


@dataclass(frozen=True)
class Frames:
    """Milliseconds between frames, of how many points, and who drew them."""

    n_points: int
    renderer: str
    gaps: NDArray[np.float64]

    @property
    def per_second(self) -> float:
        """Frames per second, on average."""
        return float(1000 / np.mean(self.gaps))

    def __str__(self) -> str:
        return (
            f"{self.n_points:,} points, {self.renderer}: {self.per_second:.0f} frames/s, "
            f"nine of ten within {np.quantile(self.gaps, 0.9):.0f} ms"
        )


def show_points(page: Page, groups: list[int], n_points: int) -> None:
    """Show a map of so many points in the place of that of a page."""
    body = map_of_points(groups, n_points)
    page.route("**/api/runs/*/map", lambda route: route.fulfill(body=body), times=1)
    page.reload()
    page.wait_for_selector("#middle[data-ready]")


def measured(page: Page, groups: list[int], n_points: int = N, zooms: int = 0) -> Frames:
    """Show a map of so many points, zoom in so many times, and move the map by hand for a while."""
    show_points(page, groups, n_points)
    for _ in range(zooms):
        page.get_by_role("button", name="Zoom in").click()
    page.evaluate(COUNT_DRAWS)
    page.mouse.move(600, 400)
    page.mouse.down()
    began, at = time.perf_counter(), 0
    while time.perf_counter() - began < SECONDS:
        at += 1
        page.mouse.move(600 + 150 * np.sin(at / 20), 400 + 100 * np.cos(at / 20))
    page.mouse.up()
    renderer: Any = page.evaluate(RENDERER)
    return Frames(n_points, renderer, np.diff(page.evaluate("window.draws")))


def map_of_points(groups: list[int], n_points: int) -> bytes:
    """What the server sends, of documents in overlapping discs."""
    rng = np.random.default_rng(0)
    centres = rng.random((len(groups), 2)) * 0.7 + 0.15
    own = rng.integers(len(groups), size=n_points)
    places = (centres[own] + rng.normal(0, 0.06, (n_points, 2))).astype("<f4")
    header = {
        "n": n_points,
        "fields": [["x", "f4"], ["y", "f4"], ["group", "u2"], ["confidence", "u1"]],
        "groups": groups,
        "centres": centres.tolist(),
        "radii": [0.12] * len(groups),
    }
    text = json.dumps(header).encode()
    text += b" " * (-(4 + len(text)) % 4)
    columns = (
        places[:, 0],
        places[:, 1],
        np.array(groups)[own].astype("<u2"),
        rng.integers(256, size=n_points).astype("u1"),
    )
    return b"".join([len(text).to_bytes(4, "little"), text, *(column.tobytes() for column in columns)])
