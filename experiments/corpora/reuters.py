"""Reuters-21578: its single-label parts R52 and R8, and stories by their largest topics.

R52 and R8 have the published numbers of stories; they come in lower case, letters alone. The parts by topics
take stories with a body and with one of the wanted topics; those with several of them are left out.
"""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING, Any

import numpy as np

import colligate as cg
from experiments.corpora.folder import read_lines

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

FILE, SINGLE = "reuters21578.jsonl.gz", "reuters_r52.jsonl.gz"


def read_r52(folder: Path, min_df: int = 2, *, r8: bool = False) -> tuple[cg.Corpus, np.ndarray]:
    """R52, or the part of its eight largest classes that is R8."""
    about = "one story in a line, as JSON with the fields id, label, in_r8 and text"
    stories = [story for story in read_lines(folder / SINGLE, about) if story["in_r8"] or not r8]
    corpus = cg.Corpus.from_texts(
        [story["text"] for story in stories],
        ids=[story["id"] for story in stories],
        analyser=cg.Analyser(min_df=min_df, keep_markup=True),
    )
    return corpus, np.array([story["label"] for story in stories])


def read_r8(folder: Path, min_df: int = 2) -> tuple[cg.Corpus, np.ndarray]:
    """R8."""
    return read_r52(folder, min_df, r8=True)


def read_topics(
    folder: Path, first: int, last: int, *, others: bool = False, min_df: int = 2
) -> tuple[cg.Corpus, np.ndarray]:
    """Stories of the topics between two places by their size; with `others` also those of other topics, "".

    Topics are counted over all stories with a body.
    """
    about = "one story in a line, as JSON with the fields id, topics, title and text"
    stories = [story for story in read_lines(folder / FILE, about) if story["text"]]
    sizes = Counter(topic for story in stories for topic in story["topics"])
    wanted = [topic for topic, _ in sizes.most_common(last)][first:]
    stories = [story for story in stories if story["topics"]]
    kept, labels = keep_single_topic([set(story["topics"]) for story in stories], wanted, others=others)
    stories = [stories[position] for position in kept.tolist()]
    texts = [f"{story['title']}\n{story['text']}" for story in stories]
    ids = [str(story["id"]) for story in stories]
    return cg.Corpus.from_texts(texts, ids=ids, analyser=cg.Analyser(min_df=min_df, keep_markup=True)), labels


def keep_single_topic(
    topics_of_stories: Sequence[set[Any]], wanted: Sequence[str], *, others: bool
) -> tuple[np.ndarray, np.ndarray]:
    """Which documents have one of the wanted topics, or at most one with `others`; and which it is."""
    matches = [[topic for topic in wanted if topic in topics] for topics in topics_of_stories]
    kept = np.flatnonzero([len(topics) == 1 or (others and not topics) for topics in matches])
    return kept, np.array([matches[position][0] if matches[position] else "" for position in kept.tolist()])
