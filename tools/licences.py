"""List the licences of the packages that Colligate needs.

    pip install ".[all]" && python -m tools.licences

Walks from Colligate's requirements to theirs, as they are installed here, and writes `docs/licences.md`: one
row per package with the licence that its metadata state. Extras for users are listed apart; those that are
not installed are named. Exits with 1 if a package states no licence.
"""

from __future__ import annotations

import re
import sys
from importlib import metadata
from pathlib import Path
from typing import TYPE_CHECKING

from packaging.requirements import Requirement

from colligate.cli.doctor import list_extras

if TYPE_CHECKING:
    from collections.abc import Iterable

PAGE = Path(__file__).resolve().parents[1] / "docs" / "licences.md"
NO_LICENCE = "none stated"
MAX_LENGTH = 60
INTRODUCTION = """# Licences of packages

The packages that `pip install colligate` brings, and their licences as their metadata state them.
`python -m tools.licences` makes this page from the packages of an environment. Colligate itself is under the
Apache License 2.0; the texts of its demo are under CC BY-SA 3.0.
"""


def list_packages(roots: Iterable[tuple[str, str]]) -> set[str]:
    """List the installed packages that roots lead to: requirements, each with an extra of its owner."""
    found: set[str] = set()
    waiting = [(Requirement(line), extra) for line, extra in roots]
    while waiting:
        requirement, extra = waiting.pop()
        if requirement.marker and not requirement.marker.evaluate({"extra": extra}):
            continue
        name = normalise(requirement.name)
        try:
            lines = metadata.requires(requirement.name) or []
        except metadata.PackageNotFoundError:
            continue
        if name not in found:
            found.add(name)
            for inner in ("", *requirement.extras):
                waiting.extend((Requirement(line), inner) for line in lines)
    return found


def normalise(name: str) -> str:
    """Write the name of a package as PyPI does."""
    return re.sub(r"[-_.]+", "-", name).lower()


def find_licence(name: str) -> str:
    """Return the licence that the metadata of a package state: expression, classifiers, or the first line."""
    stated = metadata.metadata(name)
    if expression := stated.get("License-Expression"):
        return str(expression)
    classifiers = [
        line.rpartition(" :: ")[2]
        for line in stated.get_all("Classifier") or ()
        if line.startswith("License ::")
    ]
    named = [line for line in classifiers if line != "OSI Approved"]
    if named:
        return ", ".join(named)
    lines = str(stated.get("License") or "").strip().splitlines()
    return lines[0][:MAX_LENGTH] if lines else NO_LICENCE


def format_table(names: Iterable[str]) -> str:
    """Write a table of packages and licences."""
    rows = [
        f"| [{name}](https://pypi.org/project/{name}/) | {find_licence(name)} |" for name in sorted(names)
    ]
    return "\n".join(["| package | licence |", "|---|---|", *rows])


def main() -> int:
    """Write the page."""
    lines = metadata.requires("colligate") or []
    needed = list_packages((line, "") for line in lines)
    extras = list_extras()
    installed = sorted(name for name, extra in extras.items() if extra["present"])
    further = list_packages((line, extra) for extra in installed for line in lines) - needed - {"colligate"}
    page = f"{INTRODUCTION}\n{format_table(needed)}\n"
    if further:
        page += f"\n## Extras\n\nWhat the extras {', '.join(installed)} add.\n"
        if absent := sorted(extras.keys() - set(installed)):
            page += f"Not installed when this page was made: {', '.join(absent)}.\n"
        page += f"\n{format_table(further)}\n"
    PAGE.write_text(page, encoding="utf-8")
    unclear = [name for name in needed | further if find_licence(name) == NO_LICENCE]
    print(f"{PAGE}: {len(needed)} packages, {len(further)} more with extras")
    if unclear:
        print(f"no licence is stated by {', '.join(sorted(unclear))}", file=sys.stderr)
    return 1 if unclear else 0


if __name__ == "__main__":
    raise SystemExit(main())
