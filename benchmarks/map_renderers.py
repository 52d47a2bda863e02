"""The renderers of the studio's map beside regl-scatterplot: time, memory, a lost card, the page's policy.

    npm install --prefix /tmp/packages regl-scatterplot@1.16.0
    python -m benchmarks.map_renderers --packages /tmp/packages [--points 20000 200000]

Every renderer draws the same points in a new Chromium. The table has milliseconds to the first picture and of
a frame while the map is moved and zoomed, the memory of all processes above that of an empty page, the share
of the picture that is back after the graphics card was lost and restored, and whether anything is drawn under
the policy of the page. Times and memory are ratios to `WebGlPoints` of the same run, whose line is in
ms and MB. regl makes functions of texts, so it is measured under a policy that allows that.
"""

from __future__ import annotations

import argparse
import shutil
import sys
import threading
import uuid
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from importlib.resources import files
from pathlib import Path
from typing import TYPE_CHECKING, Any

from colligate.studio.server.security import POLICY

if TYPE_CHECKING:
    from collections.abc import Iterator

RENDERERS = ("WebGlPoints", "StampedPoints", "Density", "regl-scatterplot")
REFERENCE = RENDERERS[0]
LOOSE = POLICY + "; script-src 'self' 'unsafe-eval'; style-src 'self' 'unsafe-inline'"
FLAGS = [
    "--no-sandbox",
    "--disable-dev-shm-usage",
    "--use-angle=swiftshader",
    "--enable-unsafe-swiftshader",
    "--disable-frame-rate-limit",
    "--disable-gpu-vsync",
]
PAGE = b"""<!doctype html><title>Renderers</title><body>
<script src="/packages/regl.js"></script><script type="module" src="/benchmark.js"></script>"""
STUDIO = Path(str(files("colligate.studio"))) / "static"


def make_handler(packages: Path) -> type[BaseHTTPRequestHandler]:
    """Return a handler that serves the page, the studio's files and the packages."""
    modules = packages / "node_modules"
    paths = {
        "/benchmark.js": Path(__file__).with_suffix(".js"),
        "/packages/regl.js": modules / "regl" / "dist" / "regl.min.js",
        "/packages/pub-sub-es.js": modules / "pub-sub-es" / "dist" / "index.js",
        "/packages/regl-scatterplot.js": modules / "regl-scatterplot" / "dist" / "regl-scatterplot.esm.js",
    }
    texts = {
        "/strict": PAGE,
        "/loose": PAGE,
        "/packages/regl-module.js": b"export default globalThis.createREGL;",
    }

    class Handler(BaseHTTPRequestHandler):
        """Serve a file with the policy of the page."""

        def do_GET(self) -> None:
            """Send a file; bare names of packages in it become addresses."""
            path = paths.get(self.path)
            if path is None and self.path.startswith("/studio/"):
                path = STUDIO / self.path.removeprefix("/studio/")
            content = texts.get(self.path)
            if content is None and path is not None and path.is_file():
                content = path.read_bytes()
                content = content.replace(b"from 'pub-sub-es'", b"from '/packages/pub-sub-es.js'")
                content = content.replace(b"from 'regl'", b"from '/packages/regl-module.js'")
            self.send_response(404 if content is None else 200)
            kind = "text/html" if self.path in ("/strict", "/loose") else "text/javascript"
            self.send_header("content-type", kind)
            self.send_header("content-security-policy", LOOSE if self.path == "/loose" else POLICY)
            self.end_headers()
            self.wfile.write(content or b"")

        def log_message(self, format: str, *args: Any) -> None:
            """Print nothing."""

    return Handler


@contextmanager
def open_page(driver: Any, address: str) -> Iterator[tuple[Any, str]]:
    """Open the page in a new browser, which has a mark in its command line."""
    mark = f"--benchmark={uuid.uuid4().hex}"
    browser = driver.chromium.launch(executable_path=shutil.which("chromium"), args=[*FLAGS, mark])
    try:
        page = browser.new_context(viewport={"width": 900, "height": 800}).new_page()
        page.set_default_timeout(180_000)
        page.goto(address)
        page.wait_for_function("() => globalThis.isReady")
        yield page, mark
    finally:
        browser.close()


def measure_memory(mark: str) -> float:
    """Return the megabytes of a browser and all its processes, shared pages divided between them."""
    parents, main = {}, None
    for folder in Path("/proc").glob("[0-9]*"):
        try:
            parents[folder.name] = (folder / "stat").read_text().rpartition(")")[2].split()[1]
            if main is None and mark.encode() in (folder / "cmdline").read_bytes():
                main = folder.name
        except OSError:
            continue
    family, grown = {main}, True
    while grown:
        children = {name for name, parent in parents.items() if parent in family} - family
        family |= children
        grown = bool(children)
    total = 0.0
    for name in family:
        try:
            lines = Path(f"/proc/{name}/smaps_rollup").read_text().splitlines()
        except OSError:
            continue
        total += sum(int(line.split()[1]) for line in lines if line.startswith("Pss:")) / 1024
    return total


def measure(driver: Any, address: str, name: str, n_points: int) -> dict[str, float | None]:
    """Measure a renderer in a new browser."""
    with open_page(driver, f"{address}/loose") as (page, mark):
        empty = measure_memory(mark)
        figures: dict[str, float | None] = page.evaluate(
            "([name, n]) => globalThis.measure(name, n)", [name, n_points]
        )
        # frames that wait for the screen are not memory of the renderer
        page.wait_for_timeout(1500)
        page.request_gc()
        figures["memory"] = measure_memory(mark) - empty
        figures["restored"] = page.evaluate("() => globalThis.loseCard()")
    return figures


def try_policy(driver: Any, address: str, name: str) -> str:
    """Say whether a renderer draws under the policy of the studio's page."""
    with open_page(driver, f"{address}/strict") as (page, _):
        try:
            page.evaluate("(name) => globalThis.measure(name, 1000)", name)
        # whatever the package raises is the finding
        except Exception as error:
            return str(error).splitlines()[0][:120]
    return "draws"


def main() -> int:
    from playwright.sync_api import sync_playwright

    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--packages", type=Path, required=True, help="the folder of npm install --prefix")
    parser.add_argument("--points", type=int, nargs="+", default=[2000, 20_000, 200_000])
    options = parser.parse_args()
    server = ThreadingHTTPServer(("127.0.0.1", 0), make_handler(options.packages))
    threading.Thread(target=server.serve_forever, daemon=True).start()
    address = f"http://127.0.0.1:{server.server_port}"
    with sync_playwright() as driver:
        for n_points in options.points:
            figures = {name: measure(driver, address, name, n_points) for name in RENDERERS}
            print_table(n_points, figures)
        print()
        for name in RENDERERS:
            print(f"{name:18} under the policy of the page: {try_policy(driver, address, name)}")
    server.shutdown()
    return 0


def _format_cell(name: str, value: float | None, reference: float | None) -> str:
    if value is None or reference is None or min(value, reference) <= 0:
        return f"{'–':>12}"
    return f"{value:12.1f}" if name == REFERENCE else f"{value / reference:11.2f}×"


def print_table(n_points: int, figures: dict[str, dict[str, float | None]]) -> None:
    """Print the figures of the reference, then the ratios of the others to it."""
    columns = ("first", "pan", "zoom", "memory")
    print(f"\n{n_points:,} points")
    print(f"{'':18}" + "".join(f"{column:>12}" for column in (*columns, "restored")))
    for name, row in figures.items():
        cells = [_format_cell(name, row[column], figures[REFERENCE][column]) for column in columns]
        restored = "–" if row["restored"] is None else f"{row['restored']:.0%}"
        print(f"{name:18}" + "".join(cells) + f"{restored:>12}")


if __name__ == "__main__":
    sys.exit(main())
