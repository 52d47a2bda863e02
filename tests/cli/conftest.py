"""Tiny corpora for the command line, and a way to call it."""

from __future__ import annotations

import csv
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import numpy as np
import pytest
from typer.testing import CliRunner

from colligate.cli.main import app

if TYPE_CHECKING:
    from pathlib import Path

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


@pytest.fixture
def docs(tmp_path: Path) -> Path:
    return write_rows(tmp_path / "docs.csv", topic_rows(), ("id", "label", "text"))


@pytest.fixture
def knowledge(tmp_path: Path) -> Path:
    path = tmp_path / "knowledge.yaml"
    path.write_text(
        "categories:\n  space: [orbit, nasa]\n"
        "documents:\n  together: [[s0, s1]]\n  apart: [[s0, h0]]\n  labels: {s2: space, h2: hockey}\n",
        encoding="utf-8",
    )
    return path


@pytest.fixture(scope="session")
def call() -> Call:
    def run(*arguments: object) -> Any:
        return CliRunner().invoke(app, [str(argument) for argument in arguments])

    return run


@pytest.fixture
def run_folder(call: Call, docs: Path, knowledge: Path, tmp_path: Path) -> Path:
    out = tmp_path / "run"
    done = call("cluster", docs, "--clusters", 3, "--knowledge", knowledge, "--out", out, "--restarts", 3)
    assert done.exit_code == 0, done.output
    return out
