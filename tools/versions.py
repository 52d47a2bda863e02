"""Run a part of the tests with the lowest versions that pyproject.toml allows, or with the newest Python.

    python -m tools.versions lowest [--keep FOLDER]     lowest versions of direct requirements, oldest Python
    python -m tools.versions newest [--keep FOLDER]     newest versions, and the newest Python of this machine
    python -m tools.versions newest --python PATH       the newest versions, and this Python
    python -m tools.versions list                       the Pythons that are there

It needs `uv`, and makes an environment of its own. `colligate doctor` groups texts there and compiles the
kernels, so that no test waits for the compiler; then the tests run. Where there is no such Python, nothing
runs, and a line says so. Warnings of old and new versions are no errors here. With `--store`, a run that
passed is noted in `tools/versions.json`, with its Python and the versions of all requirements.
"""

from __future__ import annotations

import argparse
import importlib.util
import json
import os
import re
import shutil
import subprocess
import sys
import tempfile
import time
import tomllib
from pathlib import Path

ROOT = Path(__file__).parents[1]
STORED = Path(__file__).with_name("versions.json")
OLDEST = (3, 11)
NEWEST = (3, 14)
"""Newer ones are not tried: compiled requirements have no wheels for them yet."""
# one or two files for everything that uses another package: a minute on one core
TESTS = (
    "tests/storage",
    "tests/cli/test_main.py",
    "tests/cli/test_cluster.py",
    "tests/corpus/readers",
    "tests/result/test_store.py",
    "tests/network/test_table_files.py",
    "tests/entities/kb",
    "tests/knowledge/test_yaml_file.py",
    "tests/studio/test_server.py",
    "tests/studio/test_schema.py",
)
PYTEST = ("-q", "--numprocesses", "0", "-o", "filterwarnings=default")
FAILED_TESTS = 1
"""What pytest returns if tests failed; it returns others if it could not run them."""


def main(arguments: list[str] | None = None) -> int:
    """Run the command line."""
    description = __doc__.partition("\n")[0]
    parser = argparse.ArgumentParser(prog="python -m tools.versions", description=description)
    parser.add_argument("lane", choices=("lowest", "newest", "list"))
    parser.add_argument("--python", help="take this Python, such as /opt/python/bin/python3.14")
    parser.add_argument("--store", action="store_true", help="note a run that passed in tools/versions.json")
    parser.add_argument("--keep", type=Path, help="make the environment in this folder, and keep it")
    options = parser.parse_args(arguments)
    pythons = find_pythons()
    if options.lane == "list":
        for version, path in pythons.items():
            print(f"{'.'.join(map(str, version))}  {path}")
        return 0
    python = options.python or choose_python(options.lane, pythons)
    if python is None:
        reason = f"no Python {'.'.join(map(str, OLDEST))}" if options.lane == "lowest" else "no newer Python"
        print(f"{options.lane}: skipped, because this machine has {reason}")
        return 0
    if importlib.util.find_spec("uv") is None:
        parser.error("uv is not installed; run: pip install uv")
    with tempfile.TemporaryDirectory(prefix="versions-") as temporary:
        folder = options.keep or Path(temporary, "venv")
        code = run_tests(options.lane, python, folder)
        if options.store and code == 0:
            store_run(options.lane, folder)
        return code


def find_pythons() -> dict[tuple[int, int], str]:
    """Return the Pythons of this machine that Colligate supports: on the path, or those of pyenv."""
    home = Path(os.environ.get("PYENV_ROOT", Path.home() / ".pyenv"))
    pythons = {}
    for minor in range(OLDEST[1], NEWEST[1] + 1):
        name = f"python3.{minor}"
        candidates = [shutil.which(name), *map(str, sorted(home.glob(f"versions/3.{minor}.*/bin/{name}")))]
        working = [path for path in candidates if path is not None and _works(path)]
        if working:
            pythons[3, minor] = working[-1]
    return pythons


def _works(path: str) -> bool:
    """Whether a Python starts; a shim of pyenv may stand for one that is not chosen."""
    return subprocess.run([path, "-c", "import venv"], capture_output=True, check=False).returncode == 0


def choose_python(lane: str, pythons: dict[tuple[int, int], str]) -> str | None:
    """Return the oldest supported Python, or the newest one if it is newer than that of this process."""
    if lane == "lowest":
        return pythons.get(OLDEST)
    newest = max(pythons, default=OLDEST)
    return pythons[newest] if newest > sys.version_info[:2] else None


def find_installed(folder: Path) -> Path:
    """Return the Python of an environment."""
    return folder / ("Scripts" if os.name == "nt" else "bin") / "python"


def store_run(lane: str, folder: Path) -> None:
    """Note that a lane passed, with its Python and the versions of what pyproject.toml requires."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    names = [re.match(r"[\w.-]+", requirement)[0] for requirement in project["dependencies"]]  # type: ignore[index]
    script = (
        "import json, platform, sys; from importlib.metadata import version; "
        "print(json.dumps([platform.python_version(), {name: version(name) for name in sys.argv[1:]}]))"
    )
    answer = subprocess.check_output([find_installed(folder), "-c", script, *names], text=True)
    python, packages = json.loads(answer)
    runs = json.loads(STORED.read_text(encoding="utf-8")) if STORED.exists() else {}
    minor = python.rpartition(".")[0]
    runs[f"{lane}, Python {minor}"] = {"python": python, "tests": list(TESTS), "packages": packages}
    text = json.dumps(dict(sorted(runs.items())), indent=1)
    STORED.write_text(text + "\n", encoding="utf-8")


def run_tests(lane: str, python: str, folder: Path) -> int:
    """Install the package into a new environment, let it check itself, and run the tests there."""
    start = time.monotonic()
    uv = [sys.executable, "-m", "uv"]
    resolution = "lowest-direct" if lane == "lowest" else "highest"
    subprocess.run([*uv, "venv", "--quiet", "--clear", "--python", python, folder], check=True)
    installed = find_installed(folder)
    # named, because `python -m uv` installs into the environment of that Python otherwise
    where = ["--python", installed, "--quiet", "--resolution", resolution]
    subprocess.run([*uv, "pip", "install", *where, "-e", ".[test]"], cwd=ROOT, check=True)
    # Numba keeps one set of kernels for a version of Python: other versions of Numba would overwrite it
    environment = {**os.environ, "NUMBA_CACHE_DIR": str(folder / "kernels")}
    # the modules of another environment would come first
    environment.pop("PYTHONPATH", None)

    def run(*arguments: str | Path) -> int:
        command = [installed, "-m", *arguments]
        return subprocess.run(command, cwd=ROOT, env=environment, check=False).returncode

    pytest = ("pytest", *PYTEST, "-o", f"cache_dir={folder / 'cache'}", *TESTS)
    code = run("colligate", "doctor") or run(*pytest)
    if code == FAILED_TESTS:
        # some tests wait only so long, and the machine is busy with other checks: what failed runs once more
        code = run(*pytest, "--last-failed")
    version = subprocess.check_output([installed, "--version"], text=True).strip()
    outcome = "failed" if code else "passed"
    print(f"{lane}: {outcome} with {version}, {resolution} versions, {time.monotonic() - start:.0f} s")
    return code


if __name__ == "__main__":
    sys.exit(main())
