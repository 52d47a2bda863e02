"""Do what a new user does in the first hour, from the wheel in a new environment, and print what happens.

    python -m tools.newcomer [--lowest] [--python PATH] [--skip-demo] [--log FILE]

Install, demo (cold, then warm), a CSV file of 50 rows, a wrong file, a knowledge file with two mistakes, the
studio, and a result that is saved and loaded by another process. Every step has a sentence that the output
must contain, and the command fails if one does not. `--lowest` installs the lowest versions that
pyproject.toml allows (it needs `uv`). `--python` is an environment that has the package already; then nothing
is built or installed. The studio is opened in Chromium.
"""

from __future__ import annotations

import argparse
import json
import os
import re
import shutil
import subprocess
import sys
import tempfile
import venv
from dataclasses import asdict, dataclass
from pathlib import Path

from colligate.version import __version__
from tools.release import build

TOPICS = (
    "orbit shuttle moon rocket launch crew",
    "goal team match league season coach",
    "bread oven flour sugar dough recipe",
)
KNOWLEDGE = """categories:
  Space: [orbit, rockett]
documents:
  together: [[d0, d3], [d1, d999]]
"""
LOAD = """import colligate as cg
result = cg.Result.load("run/model")
print(len(result.labels["documents"]), "documents;", result.predict(["rocket to the moon"])[0] >= 0)
"""


@dataclass
class Step:
    """What was done, how it ended, its processor seconds, and the line that a user reads."""

    what: str
    code: int
    seconds: float
    line: str
    expected: bool


class Visit:
    """A new user in an empty folder."""

    def __init__(self, python: Path, folder: Path) -> None:
        self.python = python
        self.folder = folder
        self.steps: list[Step] = []
        # compiled code of earlier runs would make the first run warm
        self.environment = {**os.environ, "NUMBA_CACHE_DIR": str(folder / "cache"), "COLUMNS": "120"}
        # the source would be imported instead of the wheel
        self.environment.pop("PYTHONPATH", None)

    def do(self, what: str, words: list[str], expected: str, code: int = 0) -> None:
        """Run a command; its output must match `expected`, and its exit code must be `code`."""
        before = os.times()
        done = subprocess.run(
            [self.python, *words],
            cwd=self.folder,
            env=self.environment,
            capture_output=True,
            text=True,
            check=False,
        )
        self.note(what, done.returncode, _measure(before), done.stderr + done.stdout, expected, code)

    def note(self, what: str, ended: int, seconds: float, output: str, expected: str, code: int = 0) -> None:
        """Keep a step, and print it."""
        match = re.search(rf".*(?:{expected}).*", output)
        fits = match is not None and ended == code and "Traceback" not in output
        line = match[0].strip() if match else output.strip()[-300:]
        self.steps.append(Step(what, ended, round(seconds, 1), line, fits))
        print(f"{'ok  ' if fits else 'FAIL'} {what}: exit {ended}, {seconds:.1f} s: {line}", flush=True)


def visit(python: Path, folder: Path, *, demo: bool) -> list[Step]:
    """Walk through all steps."""
    user = Visit(python, folder)
    command = ["-m", "colligate"]
    user.do(
        "import colligate", ["-c", "import colligate; print(colligate.__version__)"], re.escape(__version__)
    )
    user.do("colligate --help", [*command, "--help"], "Group documents with the help")
    if demo:
        for name in ("cold", "warm"):
            user.do(f"colligate demo, {name}", [*command, "demo", "--out", name], "Report: ")
    rows = [f"d{row},{TOPICS[row % 3]} {row % 7}" for row in range(50)]
    (folder / "mine.csv").write_text("id,text\n" + "\n".join(rows) + "\n")
    (folder / "picture.csv").write_bytes(b"\x89PNG\r\n\x1a\n\x00\x00\x00\rIHDR")
    (folder / "knowledge.yaml").write_text(KNOWLEDGE)
    cluster = [*command, "cluster", "mine.csv", "-k", "3"]
    user.do("a CSV file of 50 rows", [*cluster, "--out", "run"], "Report: ")
    user.do("the same command again", [*cluster, "--out", "run"], "--overwrite", 3)
    user.do("a file that is not there", [*command, "cluster", "mine.cvs", "-k", "3"], "check the name", 1)
    user.do(
        "a picture as input", [*command, "cluster", "picture.csv", "-k", "3"], "picture.csv is a picture", 1
    )
    knowledge = [*cluster, "--knowledge", "knowledge.yaml", "--out", "known"]
    user.do("a knowledge file with two mistakes", knowledge, "2 statements use unknown names", 1)
    user.do("a misspelt option", [*cluster, "--overwite"], "--overwrite", 2)
    user.do("a saved result, loaded by another process", ["-c", LOAD], "50 documents; True")
    _open_studio(user)
    return user.steps


def _open_studio(user: Visit) -> None:
    """Start the studio, open its address in a real browser, wait for the groups, and end it."""
    before = os.times()
    words = [user.python, "-m", "colligate", "studio", "mine.csv", "-k", "3", "--no-browser"]
    process = subprocess.Popen(
        words,
        cwd=user.folder,
        env=user.environment,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        text=True,
    )
    try:
        assert process.stdout is not None
        seen = _look(process.stdout.readline().strip())
    finally:
        process.terminate()
        process.wait()
    user.note("the studio, in a browser", 0, _measure(before), seen, "Colligate.*, 3 groups listed")


def _look(address: str) -> str:
    """Open the studio in Chromium; return the title of the page, and how many groups it lists."""
    from playwright.sync_api import sync_playwright

    program = shutil.which("chromium") or shutil.which("chromium-browser") or shutil.which("google-chrome")
    with sync_playwright() as driver:
        browser = driver.chromium.launch(executable_path=program, args=["--no-sandbox"])
        page = browser.new_page()
        page.goto(address)
        # the first run may compile
        page.locator(".groups li").first.wait_for(timeout=300_000)
        seen = f"{page.title()}, {page.locator('.groups li').count()} groups listed"
        browser.close()
    return seen


def _measure(before: os.times_result) -> float:
    """Return the processor seconds of the commands since then, which a busy machine hardly changes."""
    now = os.times()
    return now.children_user + now.children_system - before.children_user - before.children_system


def choose_installer(python: Path, *, lowest: bool) -> list[str | Path]:
    """Return the command that installs into an environment: that of users, or uv for the lowest versions."""
    if not lowest:
        return [python, "-m", "pip", "install", "--quiet"]
    uv = [sys.executable, "-m", "uv", "pip", "install", "--quiet"]
    return [*uv, "--python", python, "--resolution", "lowest-direct"]


def main(arguments: list[str] | None = None) -> int:
    """Run the command line."""
    description = __doc__.partition("\n")[0]
    parser = argparse.ArgumentParser(prog="python -m tools.newcomer", description=description)
    parser.add_argument("--python", type=Path)
    parser.add_argument("--lowest", action="store_true", help="install the lowest versions of requirements")
    parser.add_argument("--skip-demo", action="store_true")
    parser.add_argument("--log", type=Path)
    options = parser.parse_args(arguments)
    with tempfile.TemporaryDirectory(prefix="newcomer-") as name:
        folder, python = Path(name), options.python
        install = []
        if python is None:
            wheel, _ = build()
            before = os.times()
            venv.create(folder / "env", with_pip=True)
            python = folder / "env" / ("Scripts" if os.name == "nt" else "bin") / "python"
            subprocess.run([*choose_installer(python, lowest=options.lowest), wheel], check=True)
            install = [Step("pip install", 0, round(_measure(before), 1), wheel.name, True)]
        steps = install + visit(python, folder, demo=not options.skip_demo)
    if options.log is not None:
        options.log.write_text(
            json.dumps([asdict(step) for step in steps], indent=1) + "\n", encoding="utf-8"
        )
    return 0 if all(step.expected for step in steps) else 1


if __name__ == "__main__":
    sys.exit(main())
