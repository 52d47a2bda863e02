"""Install the lowest versions that pyproject.toml allows, and run a part of the tests with them.

    python -m tools.lowest_versions [--python 3.11] [--keep FOLDER]

It needs `uv`. Dependencies of dependencies are the newest ones. Warnings of old versions are no errors here.
"""

from __future__ import annotations

import argparse
import os
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

ROOT = Path(__file__).parents[1]
TESTS = (
    "tests/storage",
    "tests/cli/test_main.py",
    "tests/cli/test_cluster.py",
    "tests/corpus/readers",
    "tests/result/test_store.py",
    "tests/entities/kb",
    "tests/studio/test_server.py",
    "tests/studio/test_schema.py",
)
PYTEST = ("-q", "--numprocesses", "0", "-o", "filterwarnings=default", "-p", "no:cacheprovider")


def main(arguments: list[str] | None = None) -> int:
    """Run the command line."""
    description = __doc__.partition("\n")[0]
    parser = argparse.ArgumentParser(prog="python -m tools.lowest_versions", description=description)
    parser.add_argument("--python", default=f"{sys.version_info.major}.{sys.version_info.minor}")
    parser.add_argument("--keep", type=Path, help="make the environment in this folder, and keep it")
    options = parser.parse_args(arguments)
    uv = shutil.which("uv")
    if uv is None:
        parser.error("uv is needed; install it with `pip install uv`")
    with tempfile.TemporaryDirectory(prefix="lowest-") as temporary:
        folder = options.keep or Path(temporary, "venv")
        environment = {**os.environ, "VIRTUAL_ENV": str(folder)}
        subprocess.run([uv, "venv", "--quiet", "--python", options.python, folder], check=True)
        install = [uv, "pip", "install", "--quiet", "--resolution", "lowest-direct", "-e", ".[test]"]
        subprocess.run(install, cwd=ROOT, env=environment, check=True)
        python = folder / ("Scripts" if os.name == "nt" else "bin") / "python"
        return subprocess.run([python, "-m", "pytest", *PYTEST, *TESTS], cwd=ROOT, check=False).returncode


if __name__ == "__main__":
    sys.exit(main())
