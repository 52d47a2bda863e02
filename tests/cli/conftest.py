"""Tiny corpora for the command line, and a way to call it."""

from __future__ import annotations

import csv
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from typer.testing import CliRunner

from colligate.cli.main import app

TOPICS = {
    "space": "orbit nasa shuttle moon launch rocket lunar satellite",
    "hockey": "puck goalie playoff team ice skate league score",
    "food": "bread butter oven flour recipe sugar baking dough",
}

Call = Callable[..., Any]


def topic_rows(per_topic: int = 12, seed: int = 0) -> list[tuple[str, str, str]]:
    rng = np.random.default_rng(seed)
    rows = []
    for topic, words in TOPICS.items():
        for number in range(per_topic):
            text = " ".join(rng.choice(words.split(), 9)) + " people" * int(rng.integers(3))
            rows.append((f"{topic[0]}{number}", topic, text))
    return rows


def write_rows(path: Path, rows: list[tuple[str, ...]], header: tuple[str, ...]) -> Path:
    with path.open("w", encoding="utf-8", newline="") as stream:
        csv.writer(stream).writerows([header, *rows])
    return path


def write_docs(folder: Path) -> Path:
    return write_rows(folder / "docs.csv", topic_rows(), ("id", "label", "text"))


def write_knowledge(folder: Path) -> Path:
    path = folder / "knowledge.yaml"
    path.write_text(
        "categories:\n  space: [orbit, nasa]\n"
        "documents:\n  together: [[s0, s1]]\n  apart: [[s0, h0]]\n  labels: {s2: space, h2: hockey}\n",
        encoding="utf-8",
    )
    return path


@pytest.fixture
def docs(tmp_path: Path) -> Path:
    return write_docs(tmp_path)


@pytest.fixture
def knowledge(tmp_path: Path) -> Path:
    return write_knowledge(tmp_path)


@pytest.fixture(scope="session")
def call() -> Call:
    def run(*arguments: object) -> Any:
        return CliRunner().invoke(app, [str(argument) for argument in arguments])

    return run


@pytest.fixture(scope="session")
def finished_run(call: Call, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder of a run on `docs` with `knowledge`, made once; tests take copies of it."""
    folder = tmp_path_factory.mktemp("finished")
    docs, knowledge, out = write_docs(folder), write_knowledge(folder), folder / "run"
    done = call("cluster", docs, "--clusters", 3, "--knowledge", knowledge, "--out", out, "--restarts", 3)
    assert done.exit_code == 0, done.output
    return out


@pytest.fixture
def run_folder(finished_run: Path, tmp_path: Path) -> Path:
    """A copy of the finished run."""
    return Path(shutil.copytree(finished_run, tmp_path / "run"))
