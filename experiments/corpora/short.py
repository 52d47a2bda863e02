"""Short texts with published clusterings: titles, captions, news and tweets, one in a line, in lower case.

The classes of captions and titles are even; those of news and tweets are many and very uneven.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

import colligate as cg
from experiments.corpora.folder import read_lines

if TYPE_CHECKING:
    from pathlib import Path

NAMES = ("short_captions", "short_tweets", "short_biomedical", "short_googlenews")


def name_file(name: str) -> str:
    """The file of a set in the data folder."""
    return f"{name}.jsonl.gz"


def read_short(folder: Path, name: str) -> tuple[cg.Corpus, np.ndarray]:
    """The texts, counted with the default analyser, and the class of each."""
    lines = list(read_lines(folder / name_file(name), "one text in a line, with text and label"))
    labels = np.array([str(line["label"]) for line in lines])
    return cg.Corpus.from_texts([line["text"] for line in lines]), labels
