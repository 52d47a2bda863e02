"""Move, merge and rename modules of the package by a table, and follow in every file that names them.

    python -m tools.move_modules TABLE.py [--dry]

The table is a Python file. It names modules without the leading `colligate.`; each part may be left out:

    MERGE = {"corpus.corpus": ["corpus.corpus", "corpus.checks"]}  # new module: old modules, in this order
    PACKAGES = {"world": "entities"}                               # a package with all modules in it
    DROP = ["corpus.legacy"]                                       # modules to delete
    RENAME = {"corpus.checks:whole": "check_counts"}               # function, class or constant
    LOCAL = {"corpus.corpus:Corpus.read": {"rest": "records"}}     # variables and parameters of one function

Definitions, imports, references, dotted names and file paths are rewritten in all files that git does not
ignore. Problems (a name that a local variable hides, two definitions of one name, an import of a dropped
module) are listed, and nothing is written; `--dry` never writes.

Methods, attributes, keywords of calls and files other than modules stay, and a circular import that
a merge makes is not detected. Afterwards run `ruff check --fix --extend-select PIE790 .` and `ruff format .`.
"""

from __future__ import annotations

import argparse
import runpy
import subprocess
from pathlib import Path
from typing import TYPE_CHECKING, Any

from tools.move_modules.merge import Merge
from tools.move_modules.plan import Plan
from tools.move_modules.rewriter import REFERENCE, Rewriter
from tools.move_modules.source import Source

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

TEXT_SUFFIXES = frozenset({".md", ".toml", ".js", ".css", ".html", ".yaml", ".cfg"})
TEXT_FILES = frozenset({".ci/run"})


def rewrite_tree(root: Path, table: Mapping[str, Any]) -> tuple[dict[Path, str | None], list[str]]:
    """Return the new text of every file that changes, None for one that goes, and the problems."""
    plan = Plan(root, table)
    texts: dict[Path, str | None] = {source.path: None for source in plan.sources.values()}
    for target, names in plan.groups.items():
        if len(names) == 1:
            texts[plan.new_path(target)] = Rewriter(plan, plan.sources[names[0]], target).rewrite()
            continue
        merge = Merge(plan, target)
        for name in names:
            merge.add(name)
        texts[plan.new_path(target)] = merge.text()
    for path in list_files(root):
        if path in texts:
            continue
        if path.suffix == ".py":
            texts[path] = Rewriter(plan, Source(path, path.relative_to(root).as_posix())).rewrite()
        else:
            texts[path] = REFERENCE.sub(
                lambda match: plan.move_reference(match[0]), path.read_text(encoding="utf-8")
            )
    for symbol in plan.unused_locals:
        plan.report(f"{symbol.module} has no function {symbol.name}")
    changed = {
        path: text
        for path, text in texts.items()
        if text is None or not path.exists() or path.read_text(encoding="utf-8") != text
    }
    return changed, list(plan.problems)


def list_files(root: Path) -> Iterator[Path]:
    """Yield the Python and text files that git does not ignore."""
    command = ["git", "ls-files", "--cached", "--others", "--exclude-standard"]
    for name in subprocess.run(
        command, cwd=root, capture_output=True, text=True, check=True
    ).stdout.splitlines():
        path = root / name
        if path.is_file() and (path.suffix in {".py", *TEXT_SUFFIXES} or name in TEXT_FILES):
            yield path


def main(arguments: Sequence[str] | None = None) -> int:
    """Move the modules; 1 if there are problems."""
    parser = argparse.ArgumentParser(prog="python -m tools.move_modules", description=__doc__.splitlines()[0])
    parser.add_argument("table", type=Path, help="a Python file with MERGE, PACKAGES, DROP, RENAME and LOCAL")
    parser.add_argument("--dry", action="store_true", help="list problems and files, and write nothing")
    options = parser.parse_args(arguments)
    changed, problems = rewrite_tree(Path.cwd(), runpy.run_path(str(options.table)))
    print(*(f"problem: {problem}" for problem in problems), sep="\n", end="\n" if problems else "")
    if options.dry or problems:
        print(
            *(f"would {'delete' if text is None else 'write'} {path}" for path, text in changed.items()),
            sep="\n",
        )
        return int(bool(problems))
    for path, text in changed.items():
        if text is None:
            path.unlink()
        else:
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text, encoding="utf-8")
    print(f"{len(changed)} files changed")
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
