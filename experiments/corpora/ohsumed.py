"""OHSUMED, abstracts with exactly one of 23 disease categories: 7,400, the part that is usually taken."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

import colligate as cg
from experiments.corpora.folder import read_lines

if TYPE_CHECKING:
    from pathlib import Path

FILE = "ohsumed_single23.jsonl.gz"


def read_ohsumed(folder: Path, min_df: int = 2) -> tuple[cg.Corpus, np.ndarray]:
    """Titles with abstracts, and the category of each."""
    about = "one abstract in a line, as JSON with the fields id, label, title and text"
    abstracts = list(read_lines(folder / FILE, about))
    corpus = cg.Corpus.from_texts(
        [f"{one['title']}\n{one['text']}" for one in abstracts],
        ids=[one["id"] for one in abstracts],
        analyser=cg.Analyser(min_df=min_df, keep_markup=True),
    )
    return corpus, np.array([one["label"] for one in abstracts])
