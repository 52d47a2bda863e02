"""Build a release, and check that it works for a user: wheel, sdist, bill of materials.

    python -m tools.release [--skip-demo]

1. Builds wheel and sdist into `dist/`, and checks their metadata with twine.
2. Checks their contents: the demo with its licences is inside, newsgroup posts and golden files are not.
3. Compares the version with the changelog, `CITATION.cff` and the conda recipe.
4. Installs the wheel into a new environment, with wheels only and without a compiler on the path, away from
   the source, and runs `colligate doctor` and `colligate demo` there.
5. Writes the bill of materials of that environment (CycloneDX).
6. Asks the service of PyPI for known holes in the locked versions (pip-audit). A hole stops the release. If
   the service cannot be reached, the last line says that nothing was audited.

Nothing is uploaded: `twine upload dist/*` does that.
"""

from __future__ import annotations

import argparse
import json
import os
import shutil
import subprocess
import sys
import tarfile
import tempfile
import venv
import zipfile
from pathlib import Path

from colligate.version import __version__

ROOT = Path(__file__).resolve().parents[1]
DIST = ROOT / "dist"
LOCK = ROOT / "requirements" / "dev.txt"
BILL = DIST / "colligate.cdx.json"
INSIDE = ("articles.jsonl.gz", "dbpedia.nt.gz", "knowledge.yaml", "README.md")
COMPILERS = ("cc", "gcc", "clang", "c++", "g++")
VERSIONED = {
    "CHANGELOG.md": f"## {__version__}",
    "CITATION.cff": f"version: {__version__}",
    "packaging/conda/recipe.yaml": f"version: {__version__}",
}


def run(*command: str | Path, **options: object) -> None:
    """Run a command, and stop the release if it fails."""
    print("$", *command, flush=True)
    subprocess.run([str(word) for word in command], check=True, **options)  # type: ignore[call-overload]


def build() -> tuple[Path, Path]:
    """Build wheel and sdist, and check their metadata."""
    shutil.rmtree(DIST, ignore_errors=True)
    run(sys.executable, "-m", "build", "--outdir", DIST, ROOT)
    (wheel,), (sdist,) = DIST.glob("*.whl"), DIST.glob("*.tar.gz")
    run(sys.executable, "-m", "twine", "check", "--strict", wheel, sdist)
    return wheel, sdist


def find_content_problems(names: list[str]) -> list[str]:
    """Return what is missing in a distribution, and what must not be in it."""
    problems = [
        f"demo/{name} is missing"
        for name in INSIDE
        if not any(path.endswith(f"colligate/demo/{name}") for path in names)
    ]
    unwanted = ("newsgroups.jsonl", "tests/golden", "__pycache__", ".nbi", ".nbc")
    return problems + [
        f"{path} must not be in it" for path in names if any(part in path for part in unwanted)
    ]


def find_version_problems() -> list[str]:
    """Return the files that do not have the version of the package."""
    return [
        f"{name} does not say {text!r}"
        for name, text in VERSIONED.items()
        if text not in (ROOT / name).read_text(encoding="utf-8")
    ]


def check_contents(wheel: Path, sdist: Path) -> None:
    """Stop if a distribution lacks something, has too much, or if a file has another version."""
    with zipfile.ZipFile(wheel) as packed:
        problems = [f"{wheel.name}: {one}" for one in find_content_problems(packed.namelist())]
    with tarfile.open(sdist) as packed_source:
        problems += [f"{sdist.name}: {one}" for one in find_content_problems(packed_source.getnames())]
    problems += find_version_problems()
    if problems:
        raise SystemExit("\n".join(problems))


def try_wheel(wheel: Path, *, with_demo: bool) -> None:
    """Install the wheel as a user without a compiler would, and run it."""
    with tempfile.TemporaryDirectory() as folder:
        place = Path(folder)
        venv.create(place / "env", with_pip=True)
        scripts = place / "env" / ("Scripts" if os.name == "nt" else "bin")
        environment = {**os.environ, "PATH": str(scripts), "HOME": folder, "CC": "false", "CXX": "false"}
        environment.pop("PYTHONPATH", None)
        if any(shutil.which(name, path=environment["PATH"]) for name in COMPILERS):
            raise SystemExit("there is a compiler in the new environment")
        run(
            scripts / "python",
            "-m",
            "pip",
            "install",
            "--quiet",
            "--only-binary",
            ":all:",
            wheel,
            env=environment,
        )
        run(scripts / "colligate", "doctor", cwd=place, env=environment)
        if with_demo:
            run(scripts / "colligate", "demo", cwd=place, env=environment)
            record = json.loads((place / "colligate-demo" / "run.json").read_text(encoding="utf-8"))
            print(f"the demo grouped {record['sizes']['documents']:,} documents")
        bill = [sys.executable, "-m", "cyclonedx_py", "environment", "--output-reproducible", "--of", "JSON"]
        run(*bill, "--output-file", BILL, scripts / "python")


def audit_lock() -> str:
    """Stop if a locked version has a known hole; return what was audited, in words."""
    command = [sys.executable, "-m", "pip_audit", "--strict", "--disable-pip", "-r", LOCK]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    if done.returncode == 0:
        return f"no known holes in {LOCK.name}"
    lines = (done.stderr + done.stdout).strip().splitlines()
    if any("known vulnerabilit" in line for line in lines):
        raise SystemExit("\n".join(lines))
    # with --strict, this is also the outcome where the service knows no package
    return f"{LOCK.name} was NOT audited: {lines[-1] if lines else 'pip-audit said nothing'}"


def main() -> None:
    """Build and check a release."""
    raw = argparse.RawDescriptionHelpFormatter
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=raw)
    parser.add_argument("--skip-demo", action="store_true", help="do not run the demo in the new environment")
    options = parser.parse_args()
    wheel, sdist = build()
    check_contents(wheel, sdist)
    try_wheel(wheel, with_demo=not options.skip_demo)
    audited = audit_lock()
    print(f"Colligate {__version__} is ready: {wheel.name}, {sdist.name}, {BILL.name}; {audited}")


if __name__ == "__main__":
    main()
