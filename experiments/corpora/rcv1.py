"""RCV1, a sample of 2,316 of 804,414 stories, stored as counts of words; full texts are not free."""

from __future__ import annotations

from typing import TYPE_CHECKING

import colligate as cg
from experiments.corpora.folder import read_lines
from experiments.corpora.reuters import keep_single_topic

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    import numpy as np

FILE = "rcv1_sample_bow.jsonl.gz"
BRANCHES = ("CCAT", "ECAT", "GCAT", "MCAT")
STORIES = ("ECAT", "C151", "M14")


def read_rcv1(
    folder: Path, wanted: Sequence[str] = BRANCHES, *, others: bool = False, min_df: int = 2
) -> tuple[cg.Corpus, np.ndarray]:
    """Stories with exactly one of the wanted topics; with `others` also those with none of them, ""."""
    about = "one story in a line, as JSON with the fields id, topics and bow"
    stories = list(read_lines(folder / FILE, about))
    kept, labels = keep_single_topic([set(story["topics"]) for story in stories], wanted, others=others)
    stories = [stories[position] for position in kept.tolist()]
    texts = [" ".join(" ".join([word] * count) for word, count in story["bow"].items()) for story in stories]
    ids = [story["id"] for story in stories]
    return cg.Corpus.from_texts(texts, ids=ids, analyser=cg.Analyser(min_df=min_df, keep_markup=True)), labels
