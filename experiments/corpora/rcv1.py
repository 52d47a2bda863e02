"""RCV1, a sample of 2,316 of 804,414 stories, stored as counts of words; full texts are not free.

Runs of capitalised words are stored too, as all their parts of two to four words. So names can be found in a
story, though not the order of its words: `join_pieces` writes the runs that are names of a knowledge base,
and all other words by themselves.
"""

from __future__ import annotations

import csv
import gzip
from collections import Counter
from typing import TYPE_CHECKING, Any

import colligate as cg
from experiments.corpora.folder import read_lines
from experiments.corpora.reuters import keep_single_topic

if TYPE_CHECKING:
    from collections.abc import Collection, Iterator, Mapping, Sequence
    from pathlib import Path

    import numpy as np

FILE, HIERARCHY = "rcv1_sample_bow.jsonl.gz", "rcv1_topic_hierarchy.tsv.gz"
BRANCHES = ("CCAT", "ECAT", "GCAT", "MCAT")
STORIES = ("ECAT", "C151", "M14")


def read_rcv1(
    folder: Path, wanted: Sequence[str] = BRANCHES, *, others: bool = False, min_df: int = 2
) -> tuple[cg.Corpus, np.ndarray]:
    """Stories with exactly one of the wanted topics; with `others` also those with none of them, ""."""
    stories = list(read_stories(folder))
    kept, labels = keep_single_topic([set(story["topics"]) for story in stories], wanted, others=others)
    stories = [stories[position] for position in kept.tolist()]
    texts = [" ".join(" ".join([word] * count) for word, count in story["bow"].items()) for story in stories]
    ids = [story["id"] for story in stories]
    return cg.Corpus.from_texts(texts, ids=ids, analyser=cg.Analyser(min_df=min_df, keep_markup=True)), labels


def read_branch(
    folder: Path, branch: str, names: Collection[str] = (), min_df: int = 2
) -> tuple[cg.Corpus, np.ndarray]:
    """Stories with exactly one of the lowest topics of a branch, and that topic of each.

    Their texts are those of `join_pieces`, with `names` in one piece; counts do not depend on these.
    """
    lowest = sorted(list_topics(folder, branch)[1])
    stories = list(read_stories(folder))
    kept, labels = keep_single_topic([set(story["topics"]) for story in stories], lowest, others=False)
    stories = [stories[position] for position in kept.tolist()]
    texts = [join_pieces(story["bow"], story["cap_phrases"], names) for story in stories]
    ids = [story["id"] for story in stories]
    return cg.Corpus.from_texts(texts, ids=ids, analyser=cg.Analyser(min_df=min_df, keep_markup=True)), labels


def read_stories(folder: Path) -> Iterator[dict[str, Any]]:
    """All stories of the sample."""
    about = "one story in a line, as JSON with the fields id, topics, bow and cap_phrases"
    return read_lines(folder / FILE, about)


def list_topics(folder: Path, branch: str) -> tuple[set[str], set[str]]:
    """The topics below a branch, and those of them with no other below."""
    with gzip.open(folder / HIERARCHY, "rt", encoding="utf-8", newline="") as stream:
        above = {row["topic"]: row["parent"] for row in csv.DictReader(stream, delimiter="\t")}
    below = {branch}
    while more := {topic for topic, parent in above.items() if parent in below} - below:
        below |= more
    topics = below - {branch}
    return topics, topics - set(above.values())


def join_pieces(counts: Mapping[str, int], runs: Mapping[str, int], names: Collection[str] = ()) -> str:
    """A text with the same counts: runs that are names, the longest first, then single words.

    Every piece follows *of*, which is a stop word, so that no name stands at the beginning of a sentence.
    """
    left, pieces = Counter(counts), []
    for run in sorted(set(runs) & set(names), key=lambda run: (-len(run.split()), run)):
        words = Counter(run.split())
        times = min(runs[run], *(left[word] // count for word, count in words.items()))
        pieces += [run] * times
        left -= Counter({word: times * count for word, count in words.items()})
    pieces += left.elements()
    return " ".join(f"of {piece}," for piece in pieces)
