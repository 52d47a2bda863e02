"""Measure the source tree: its size, its names, and how many files one run walks through.

    python -m tools.house [--source src]      print all measures
    python -m tools.house --names             list banned names only; exit 1 if there are any

The second form runs in CI. `--source` measures another checkout with the same rules.
"""

from __future__ import annotations

import argparse
import ast
import importlib
import inspect
import io
import json
import os
import pkgutil
import statistics
import subprocess
import sys
import tempfile
import threading
import tokenize
from collections import Counter, defaultdict
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Iterator
    from types import FrameType, ModuleType

# Names that say nothing about what they hold.
BANNED = frozenset({"found", "own", "told", "said", "given", "at", "some", "here", "heard"})
# `at` is the index method of arrays and frames, and a column of the journal.
ALLOWED_ATTRIBUTES = frozenset({"at"})

# Modules or packages whose modules have one importer in their package, and why they stand alone all the same.
SINGLE_IMPORTER_REASONS = {
    "colligate.cli": "one file per command, and the answers of ask",
    "colligate.corpus.card": "what a notebook shows, apart from Corpus",
    "colligate.knowledge.card": "what a notebook shows, apart from Knowledge",
    "colligate.corpus.store": "the stored format of a corpus, apart from Corpus",
    "colligate.network.store": "the stored format of a network, apart from Network",
    "colligate.network.table_files": "files of mentions, apart from tables in memory",
    "colligate.entities.kb.load_rdf": "RDF files, beside tables (load_tables)",
    "colligate.entities.mentions.context": "rules on the words around a mention, apart from the search",
    "colligate.knowledge.sources.tables": "reads tables of concepts; also public",
    "colligate.methods.colligate": "methods are found by name",
    "colligate.methods.cp": "methods are found by name",
    "colligate.methods.information.relation_weights": "the estimate of relation weights, a model of its own",
    "colligate.methods.mixture.group_names": "seeds from the names of groups alone, a model of its own",
    "colligate.methods.new_groups": "which documents make a new group, apart from the update around it",
    "colligate.methods.margin.qp": "a quadratic solver that knows nothing of clustering",
    "colligate.result.annotation_files": "files of annotation tools, apart from other exports",
    "colligate.result.changing": "changes to groups, apart from reading a result",
    "colligate.result.fields": "the stored data of a result, apart from what is computed from it",
    "colligate.result.result_frames": "tables and files of a result, apart from changes to it",
    "colligate.result.similar": "the search for similar documents, apart from explanations",
    "colligate.result.update_summary": "what an update did, apart from the changes themselves",
    "colligate.studio.worker.first_look": "a first picture while a run goes on, apart from the run",
    "colligate.report": "one file per chart, and the page around them",
    "colligate.questions.words": "which words to ask about, apart from the kinds of question",
    "colligate.questions.uncertainty": "uncertainty and selection, apart from the kinds of question",
    "colligate.studio.server.events": "server-sent events, apart from requests",
    "colligate.studio.server.routes": "all routes in one list",
    "colligate.studio.worker.runner": "runs one job; the process around it is __main__",
}

GOALS = {
    "files": 260,
    "lines": 38_000,
    "longest file": 600,
    "files of one cluster run": 90,
    "files of one fit of colligate": 35,
}


@dataclass(frozen=True)
class Module:
    """One source file with its parsed tree."""

    name: str
    path: Path
    text: str
    tree: ast.Module

    @property
    def package(self) -> str:
        """The package that holds the module, e.g. `colligate.methods.mixture`."""
        return self.name if self.path.name == "__init__.py" else self.name.rpartition(".")[0]

    @property
    def n_lines(self) -> int:
        """The number of lines."""
        return len(self.text.splitlines())


def read_modules(source: Path) -> dict[str, Module]:
    """Parse every Python file below `source`, by dotted name."""
    modules = {}
    for path in sorted(source.rglob("*.py")):
        parts = path.relative_to(source).with_suffix("").parts
        name = ".".join(parts[:-1] if parts[-1] == "__init__" else parts)
        text = path.read_text(encoding="utf-8")
        modules[name] = Module(name, path, text, ast.parse(text))
    return modules


def count_comment_lines(text: str) -> int:
    """Count the lines that hold a comment, alone or behind code."""
    tokens = tokenize.generate_tokens(io.StringIO(text).readline)
    return len({token.start[0] for token in tokens if token.type == tokenize.COMMENT})


def find_importers(modules: dict[str, Module]) -> dict[str, set[str]]:
    """Map every module to those that import it, imports for typing included."""
    importers: dict[str, set[str]] = defaultdict(set)
    for module in modules.values():
        for node in ast.walk(module.tree):
            if isinstance(node, ast.ImportFrom) and node.module in modules:
                for alias in node.names:
                    full = f"{node.module}.{alias.name}"
                    importers[full if full in modules else node.module].add(module.name)
            elif isinstance(node, ast.Import):
                for alias in node.names:
                    if alias.name in modules:
                        importers[alias.name].add(module.name)
    return importers


def find_single_importers(modules: dict[str, Module]) -> list[tuple[str, str]]:
    """List modules that only one module of their own package imports, and for which no reason is stated."""
    importers = find_importers(modules)
    pairs = []
    for name, module in modules.items():
        users = importers.get(name, set()) - {name}
        excused = name in SINGLE_IMPORTER_REASONS or module.package in SINGLE_IMPORTER_REASONS
        if module.path.name == "__init__.py" or len(users) != 1 or excused:
            continue
        (user,) = users
        is_facade = modules[user].path.name == "__init__.py"
        if modules[user].package == module.package and not is_facade:
            pairs.append((name, user))
    return pairs


def find_banned_names(modules: dict[str, Module]) -> list[tuple[Path, int, str]]:
    """List where a banned name is bound: a variable, parameter, attribute, field, function or class."""
    places = []
    for module in modules.values():
        for line, name, is_attribute in bound_names(module.tree):
            allowed = is_attribute and name in ALLOWED_ATTRIBUTES
            if name.strip("_") in BANNED and not allowed:
                places.append((module.path, line, name))
    return places


def bound_names(tree: ast.AST) -> Iterator[tuple[int, str, bool]]:
    """Yield the line and name of everything that the code binds, and whether it is an attribute or field."""
    fields = {
        id(statement.target)
        for node in ast.walk(tree)
        if isinstance(node, ast.ClassDef)
        for statement in node.body
        if isinstance(statement, ast.AnnAssign)
    }
    for node in ast.walk(tree):
        if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store):
            yield node.lineno, node.id, id(node) in fields
        elif isinstance(node, ast.arg):
            yield node.lineno, node.arg, False
        elif isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)):
            yield node.lineno, node.name, False
        elif isinstance(node, ast.Attribute) and isinstance(node.ctx, ast.Store):
            yield node.lineno, node.attr, True
        elif isinstance(node, ast.alias) and node.asname:
            yield node.lineno, node.asname, False


class CallCounter:
    """Counts the files that run and the calls that cross from one package to another."""

    def __init__(self, root: Path) -> None:
        self._root = str(root) + os.sep
        self.files: set[str] = set()
        self.cross_package_calls = 0

    def __call__(self, frame: FrameType, event: str, _: Any) -> None:
        """Count one event of `sys.setprofile`."""
        # The bodies of modules and classes run at import; only functions are optimised.
        if event != "call" or not frame.f_code.co_flags & inspect.CO_OPTIMIZED:
            return
        callee = self._relative(frame)
        if callee is None:
            return
        self.files.add(callee)
        caller = None if frame.f_back is None else self._relative(frame.f_back)
        if caller is not None and caller.partition(os.sep)[0] != callee.partition(os.sep)[0]:
            self.cross_package_calls += 1

    def _relative(self, frame: FrameType) -> str | None:
        path = frame.f_code.co_filename
        # Compiled templates are frames too; only Python files count.
        return path[len(self._root) :] if path.startswith(self._root) and path.endswith(".py") else None


def trace_task(task: str) -> dict[str, int]:
    """Run one task under the profiler: a whole `cluster` command, or the `fit` of a method on the demo."""
    import colligate as cg

    import_everything(cg)
    demo = Path(cg.__file__).parent / "demo"
    counter = CallCounter(Path(cg.__file__).parent)
    with tempfile.TemporaryDirectory() as folder:
        if task == "cluster":
            from typer.testing import CliRunner

            from colligate.cli.main import app

            command = ["cluster", str(demo / "articles.jsonl.gz"), "--clusters", "6"]
            command += ["--knowledge", str(demo / "knowledge.yaml"), "--out", f"{folder}/run"]
            runner = CliRunner()
            outcome = run_profiled(counter, lambda: runner.invoke(app, command))
            if outcome.exit_code != 0:
                raise SystemExit(outcome.output)
        else:
            corpus = cg.Corpus.read(demo / "articles.jsonl.gz")
            model = cg.make(task, n_clusters=6, random_state=0, n_init=1)
            knowledge = cg.Knowledge.read(demo / "knowledge.yaml") if type(model).takes else None
            run_profiled(counter, lambda: model.fit(corpus, knowledge=knowledge))
    return {"files": len(counter.files), "cross_package_calls": counter.cross_package_calls}


def import_everything(package: ModuleType) -> None:
    """Import all modules first, so that what runs at import is not counted."""
    for module in pkgutil.walk_packages(package.__path__, f"{package.__name__}."):
        if not module.name.endswith("__main__"):
            importlib.import_module(module.name)


def run_profiled(counter: CallCounter, call: Any) -> Any:
    """Call a function with the counter installed on all threads."""
    threading.setprofile(counter)
    sys.setprofile(counter)
    try:
        return call()
    finally:
        sys.setprofile(None)
        threading.setprofile(None)


def trace_in_process(source: Path, task: str) -> dict[str, int]:
    """Trace a task in a new process that imports colligate from `source`."""
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join([str(source.resolve()), str(Path.cwd())])}
    command = [sys.executable, "-m", "tools.house", "--trace", task]
    output = subprocess.run(command, env=environment, capture_output=True, text=True, check=True).stdout
    counts: dict[str, int] = json.loads(output.splitlines()[-1])
    return counts


def print_measures(source: Path) -> None:
    """Print every measure, beside its goal where there is one."""
    modules = read_modules(source)
    lengths = sorted((module.n_lines, name) for name, module in modules.items())
    n_lines = sum(length for length, _ in lengths)
    comments = sum(count_comment_lines(module.text) for module in modules.values())
    names = Counter(name for _, _, name in find_banned_names(modules))
    rows: list[tuple[str, object]] = [
        ("files", len(modules)),
        ("lines", n_lines),
        ("median file", statistics.median(length for length, _ in lengths)),
        ("longest file", f"{lengths[-1][0]} ({lengths[-1][1]})"),
        ("comment lines", f"{100 * comments / n_lines:.2f} %"),
        ("banned names", sum(names.values())),
    ]
    cluster = trace_in_process(source, "cluster")
    rows += [
        ("files of one cluster run", cluster["files"]),
        ("calls across packages of one cluster run", cluster["cross_package_calls"]),
    ]
    rows += [
        (f"files of one fit of {method}", trace_in_process(source, method)["files"])
        for method in ("colligate", "itcc")
    ]
    for title, value in rows:
        goal = f"  (goal: at most {GOALS[title]:,})" if title in GOALS else ""
        print(f"{title:44} {value}{goal}")
    pairs = find_single_importers(modules)
    print(f"{'modules with a single importer, no reason':44} {len(pairs)}")
    for name, user in pairs:
        print(f"    {name} <- {user}")


def main() -> None:
    """Read the command line."""
    parser = argparse.ArgumentParser(prog="python -m tools.house", description=__doc__.splitlines()[0])
    parser.add_argument("--source", type=Path, default=Path("src"), help="the folder that holds colligate/")
    parser.add_argument("--names", action="store_true", help="list banned names only")
    parser.add_argument("--trace", help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.trace:
        print(json.dumps(trace_task(options.trace)))
    elif options.names:
        places = find_banned_names(read_modules(options.source))
        for path, line, name in places:
            print(f"{path}:{line}: {name!r} says nothing; name what it holds")
        print(f"{len(places)} banned names")
        raise SystemExit(bool(places))
    else:
        print_measures(options.source)


if __name__ == "__main__":
    main()
