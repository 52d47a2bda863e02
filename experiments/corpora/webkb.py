"""WebKB, pages of four universities: 8,281 of the published 8,282, and the usual four classes (4,199)."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

import colligate as cg
from experiments.corpora.folder import read_lines

if TYPE_CHECKING:
    from pathlib import Path

FILE = "webkb.jsonl.gz"
PAGES, STAFF = ("course", "faculty", "project", "student"), ("other", "staff")


def read_webkb(
    folder: Path, classes: tuple[str, ...] | None = PAGES, min_df: int = 2
) -> tuple[cg.Corpus, np.ndarray]:
    """The pages of some classes, or of all seven, and the class of each."""
    about = "one page in a line, as JSON with the fields url, label, university, title and text"
    pages = [page for page in read_lines(folder / FILE, about) if classes is None or page["label"] in classes]
    # a few addresses occur twice, so that pages are numbered
    corpus = cg.Corpus.from_texts(
        [page["text"] for page in pages], analyser=cg.Analyser(min_df=min_df, keep_markup=True)
    )
    return corpus, np.array([page["label"] for page in pages])
