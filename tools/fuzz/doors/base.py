"""A door, the sound inputs that doors start from, and the errors that are allowed."""

from __future__ import annotations

import random
import traceback
import warnings
from typing import TYPE_CHECKING, ClassVar

import colligate as cg
from colligate.errors import ColligateError

if TYPE_CHECKING:
    from pathlib import Path


SCIKIT_CHECKS = "sklearn/utils/validation.py"


TOPICS = ("orbit nasa shuttle moon rocket", "puck goalie team ice skate", "bread oven flour sugar dough")


KNOWLEDGE = """categories:
  space: [orbit, nasa]
  ice: {words: [puck, ice], strength: 2, note: from the glossary}
groups:
  space: {at_least: 1, at_most: 20}
documents:
  together: [[d0, d3], [d1, d4]]
  apart: [[d0, d1]]
  labels: {d0: space, d1: {label: ice, note: read}}
  outside: [d5]
words:
  together: [[orbit, moon]]
"""


METHODS = (
    "itcc",
    "colligate",
    "nmf",
    "kmeans",
    "m2dcu",
    "gmm",
    "plsa",
    "tnmf",
    "ckmeans",
    "cpm3c",
    "chinc",
    "ssnmf",
)


def make_texts(number: int = 24) -> list[str]:
    """Make texts of three topics."""
    rng = random.Random(0)
    return [" ".join(rng.choices(TOPICS[place % 3].split(), k=8)) for place in range(number)]


def make_corpus() -> cg.Corpus:
    """Make a corpus of the texts, with ids."""
    texts = make_texts()
    return cg.Corpus.from_texts(texts, ids=[f"d{place}" for place in range(len(texts))])


class Door:
    """One kind of input."""

    name: ClassVar[str]

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.prepare()

    def prepare(self) -> None:
        """Make what all inputs start from."""

    def attack(self, rng: random.Random) -> None:
        """Make one input, and use it."""
        raise NotImplementedError


def is_allowed(error: BaseException) -> bool:
    """Whether an error is one that the library raises on purpose, with a message for the user."""
    if isinstance(error, ColligateError):
        return True
    # matrices go through scikit-learn's checks, whose messages are as clear
    frames = traceback.extract_tb(error.__traceback__)
    return isinstance(error, ValueError | TypeError) and frames[-1].filename.endswith(SCIKIT_CHECKS)


def silence_warnings() -> None:
    """Ignore warnings: bad input gives many, and they are no findings."""
    warnings.simplefilter("ignore")
