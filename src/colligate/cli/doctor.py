"""`colligate doctor`: what is installed, what the machine offers, and whether Colligate works on it."""

from __future__ import annotations

import os
import platform
import re
import shutil
import subprocess
import sys
import tempfile
import time
import warnings
from dataclasses import asdict
from importlib import metadata
from importlib.resources import as_file, files
from pathlib import Path
from typing import Any

import typer
from rich.table import Table
from rich.text import Text

from colligate._machine import count_cores, read_memory
from colligate.cli import options as o
from colligate.cli.console import escape_control, print_json, print_message, print_result
from colligate.cli.demo import KNOWLEDGE, TEXTS
from colligate.errors import ColligateError, KnowledgeWarning
from colligate.version import __version__

EXTRAS = {
    "entities": "a statistical recogniser of names, for `colligate link`",
    "embeddings": "GloVe word vectors and a sentence model for English",
    "chinese": "words of Chinese texts (--segmenter zh)",
    "japanese": "words of Japanese texts (--segmenter ja)",
    "thai": "words of Thai texts (--segmenter th)",
    "png": "the map as a PNG from Python and the command line",
    "notebook": "the interactive map inside a notebook",
    "gpu": "methods on an NVIDIA GPU (--device cuda)",
    "distributed": "documents on a Dask cluster (--scheduler)",
}
"""What the extras for users bring; those for developers are not shown."""
DEVELOPMENT = {"test", "docs", "lint", "experiments", "release", "all"}
REQUIREMENT = re.compile(r"^\s*([\w.-]+)\s*(?:\[[^\]]*\])?\s*\(?([^;)]*)\)?\s*(?:;\s*(.*))?$")
EXTRA = re.compile(r"extra\s*==\s*['\"]([\w.-]+)['\"]")
MIN_MEMORY_MB, MIN_DISK_MB = 1024, 500
GPU_QUERY = ("nvidia-smi", "--query-gpu=name,memory.total", "--format=csv,noheader")
SAMPLE, N_CLUSTERS, MIN_NMI = 3, 6, 0.7
"""The self-test groups every third text of the demo. Its NMI is near .9; far below, something is broken."""


def doctor(context: typer.Context, json: o.AsJson = False) -> None:
    """Check this installation: versions, memory, GPU, extras, folders, and a self-test of some seconds.

    Prints one line for each problem, and exits with 1 if there is one. Nothing is sent anywhere.
    """
    packages, extras = list_packages(), list_extras()
    folders = describe_folders()
    machine = describe_machine()
    test = run_self_test()
    problems = [
        *(package["problem"] for package in packages.values() if package["problem"]),
        *find_machine_problems(machine, folders),
        *([test["problem"]] if test["problem"] else []),
    ]
    record = {
        "colligate": __version__,
        "python": platform.python_version(),
        "machine": machine,
        "packages": packages,
        "extras": extras,
        "folders": folders,
        "self_test": test,
        "problems": problems,
    }
    print_json(record) if json else _print_record(record)
    if problems:
        raise typer.Exit(1)


def list_packages() -> dict[str, dict[str, Any]]:
    """List the packages that Colligate needs, with their versions and what is wrong with them."""
    return {
        name: _check_package(name, bounds) for name, bounds, extra in _list_requirements() if extra is None
    }


def list_extras() -> dict[str, dict[str, Any]]:
    """List the extras for users: what each brings, and which of its packages are missing."""
    wanted: dict[str, list[str]] = {name: [] for name in EXTRAS}
    for name, bounds, extra in _list_requirements():
        if extra is not None and extra not in DEVELOPMENT and name != "colligate":
            wanted.setdefault(extra, [])
            if _check_package(name, bounds)["problem"]:
                wanted[extra].append(name)
    return {
        extra: {"brings": EXTRAS.get(extra, ""), "present": not missing, "missing": missing}
        for extra, missing in wanted.items()
    }


def _list_requirements() -> list[tuple[str, str, str | None]]:
    """List name, bounds and extra of every requirement in the metadata of this installation."""
    listed = []
    for line in metadata.requires("colligate") or ():
        if match := REQUIREMENT.match(line):
            extra = EXTRA.search(match[3] or "")
            listed.append((match[1], match[2].strip(), extra[1] if extra else None))
    return listed


def _check_package(name: str, bounds: str) -> dict[str, Any]:
    """Compare an installed version with its bounds."""
    try:
        version = metadata.version(name)
    except metadata.PackageNotFoundError:
        problem = f"{name} is not installed; run: pip install '{name}{bounds}'"
        return {"version": None, "problem": problem}
    if all(_is_within(version, bound.strip()) for bound in bounds.split(",") if bound.strip()):
        return {"version": version, "problem": ""}
    problem = f"{name} {version} does not fit {bounds}; run: pip install '{name}{bounds}'"
    return {"version": version, "problem": problem}


def _is_within(version: str, bound: str) -> bool:
    """Compare the numbers of a version with one bound, such as >=2.0; bounds of other forms hold."""
    match = re.match(r"^(>=|<|==)\s*([\d.]+)$", bound)
    if match is None:
        return True
    parts = [
        [int(number) for number in re.findall(r"\d+", text.split("+")[0])] for text in (version, match[2])
    ]
    width = max(map(len, parts))
    installed, wanted = ([*numbers, *[0] * (width - len(numbers))] for numbers in parts)
    return {">=": installed >= wanted, "<": installed < wanted, "==": installed == wanted}[match[1]]


def describe_machine() -> dict[str, Any]:
    """Describe system, cores, memory and GPUs."""
    return {
        "system": platform.platform(),
        "cores": count_cores(),
        "memory_mb": _describe_memory(),
        "gpus": _list_gpus(),
        "encoding": sys.stdout.encoding,
    }


def _describe_memory() -> dict[str, int | None]:
    """Return the memory in MB of the machine, or of its container, and what is free of it."""
    return {
        name: None if n_bytes is None else n_bytes // 2**20 for name, n_bytes in asdict(read_memory()).items()
    }


def _list_gpus() -> list[str]:
    """List the GPUs that NVIDIA's tool reports; empty without the tool."""
    if shutil.which(GPU_QUERY[0]) is None:
        return []
    try:
        done = subprocess.run(GPU_QUERY, capture_output=True, text=True, timeout=10, check=True)
    except (OSError, subprocess.SubprocessError):
        return []
    return [line.strip() for line in done.stdout.splitlines() if line.strip()]


def describe_folders() -> dict[str, dict[str, Any]]:
    """Describe the folders that Colligate writes to: path, whether it can be written, free space."""
    from colligate.entities.kb.endpoint import default_cache_path
    from colligate.kernels.numba.compilation import find_cache

    return {
        name: _describe_folder(path)
        for name, path in {
            "compiled kernels": find_cache(),
            "answers of SPARQL endpoints": default_cache_path().parent,
            "temporary files": Path(tempfile.gettempdir()),
            "this folder": Path.cwd(),
        }.items()
    }


def _describe_folder(path: Path) -> dict[str, Any]:
    existing = next(folder for folder in (path, *path.parents) if folder.exists())
    return {
        "path": str(path),
        "writable": os.access(existing, os.W_OK),
        "free_mb": shutil.disk_usage(existing).free // 2**20,
    }


def find_machine_problems(machine: dict[str, Any], folders: dict[str, dict[str, Any]]) -> list[str]:
    """Return one line for each problem of the machine and the folders."""
    problems = []
    available = machine["memory_mb"]["available"]
    if available is not None and available < MIN_MEMORY_MB:
        problems.append(
            f"only {available:,} MB of memory are free; close other programs, or use fewer documents"
        )
    for name, folder in folders.items():
        if not folder["writable"] and name == "compiled kernels":
            problems.append(
                f"{folder['path']} cannot be written, so every run compiles the kernels; set the environment "
                "variable NUMBA_CACHE_DIR to a folder that can be written"
            )
        elif not folder["writable"] and name != "this folder":
            problems.append(
                f"the folder of {name}, {folder['path']}, cannot be written; change its permissions"
            )
        if folder["free_mb"] < MIN_DISK_MB:
            problems.append(f"only {folder['free_mb']:,} MB are free in {folder['path']}; free some space")
    return problems


def run_self_test() -> dict[str, Any]:
    """Group a part of the demo's texts, store, load and predict, and check the outcome."""
    start = time.perf_counter()
    nmi = None
    try:
        nmi, problem = _cluster_sample()
    except ColligateError as error:
        problem = f"the self-test failed: {error}"
    except Exception as error:  # a broken package may raise anything; the doctor must still report
        problem = (
            f"the self-test failed: {type(error).__name__}: {error}; reinstall Colligate and its packages"
        )
    return {"seconds": round(time.perf_counter() - start, 1), "nmi": nmi, "problem": problem}


def _cluster_sample() -> tuple[float, str]:
    """Return the NMI of the groups with the subjects of the texts, and what went wrong."""
    from colligate.cli.inputs import make_method, read_labels
    from colligate.corpus import Corpus
    from colligate.knowledge import Knowledge
    from colligate.result import Result

    with as_file(files("colligate") / "demo") as data:
        whole = Corpus.read(data / TEXTS)
        subjects = read_labels(data / TEXTS, "group")
        knowledge = Knowledge.read(data / KNOWLEDGE, unknown="report")
    texts, ids = (list(values)[::SAMPLE] for values in (whole.texts or (), whole.ids))
    corpus = Corpus.from_texts(texts, ids=ids)
    model = make_method(o.DEFAULT_METHOD, {"n_clusters": N_CLUSTERS, "random_state": 0})
    with warnings.catch_warnings(category=KnowledgeWarning, action="ignore"):  # two thirds are not here
        model.fit(corpus, knowledge=knowledge)
    with tempfile.TemporaryDirectory() as folder:
        model.result_.save(Path(folder) / "model")
        loaded = Result.load(Path(folder) / "model")
        loaded.report(Path(folder) / "report.html")
    nmi = round(float(loaded.evaluate([subjects[id] for id in ids])["nmi"]), 3)
    if nmi < MIN_NMI:
        return (
            nmi,
            f"the self-test found wrong groups (NMI {nmi}, expected at least {MIN_NMI}); reinstall Colligate",
        )
    if loaded.predict(texts[:5]).tolist() != model.labels_[:5].tolist():
        return nmi, "the stored result predicts other groups than it has; reinstall Colligate"
    return nmi, ""


def _print_record(record: dict[str, Any]) -> None:
    machine, memory = record["machine"], record["machine"]["memory_mb"]
    size = "unknown" if memory["total"] is None else f"{memory['total']:,} MB"
    free = "" if memory["available"] is None else f", {memory['available']:,} MB free"
    print_result(
        f"Colligate {record['colligate']}, Python {record['python']}, {machine['system']}",
        f"Cores: {machine['cores']}. Memory: {size}{free}. GPU: {', '.join(machine['gpus']) or 'none'}.",
        "Packages: "
        + ", ".join(f"{name} {one['version'] or '–'}" for name, one in record["packages"].items()),
    )
    table = Table("extra", "installed", "brings", header_style="bold")
    for name, extra in record["extras"].items():
        state = "yes" if extra["present"] else f"no: pip install 'colligate[{name}]'"
        table.add_row(name, Text(state), Text(extra["brings"]))
    print_result(table)
    folders = Table("folder", header_style="bold")
    folders.add_column("path", overflow="fold")
    folders.add_column("free", justify="right")
    for name, folder in record["folders"].items():
        folders.add_row(name, Text(escape_control(folder["path"])), f"{folder['free_mb']:,} MB")
    print_result(folders)
    test = record["self_test"]
    if not test["problem"]:
        print_result(
            f"Self-test: passed in {test['seconds']} s (grouped 500 texts with knowledge, stored, loaded and "
            f"predicted; NMI {test['nmi']})."
        )
    for problem in record["problems"]:
        print_message("problem", problem)
    if not record["problems"]:
        print_result("No problems.")
