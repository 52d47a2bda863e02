"""Cluster, read the groups, correct them with knowledge, and cluster again.

    python examples/correct_and_recluster.py

Two groups of the first run are about computers, and both mix posts on PCs and on Macintoshes. Two lists of
seed words separate them by maker. The newsgroups of the posts are only used to measure the effect.
"""

from __future__ import annotations

import gzip
import json
from importlib.resources import files

import numpy as np

import colligate as cg
from colligate.methods.fit import RunOptions


def read_posts() -> tuple[cg.Corpus, np.ndarray]:
    """Return the posts of the demo, and the newsgroup of each."""
    raw = gzip.decompress((files("colligate") / "demo" / "newsgroups.jsonl.gz").read_bytes())
    posts = [json.loads(line) for line in raw.decode("utf-8").splitlines()]
    corpus = cg.Corpus.from_texts([post["text"] for post in posts], ids=[post["id"] for post in posts])
    return corpus, np.array([post["group"] for post in posts])


def print_groups(title: str, result: cg.Result, newsgroup: np.ndarray) -> None:
    """Print the groups of a run, and how well they match the newsgroups."""
    scores = result.evaluate(newsgroup)
    print(f"{title}: NMI {scores['nmi']:.3f}, accuracy {scores['accuracy']:.3f}")
    for size, group in zip(np.bincount(result.labels["documents"]), result.group_names, strict=True):
        print(f"  {size:4d}  {group}")


def main() -> None:
    """Cluster twice, with a correction in between."""
    corpus, newsgroup = read_posts()
    first = cg.make("colligate", n_clusters=6, random_state=0).fit(corpus).result_
    print_groups("first run", first, newsgroup)

    read_first = int(first.confidence.argmin())
    print(f"least sure of {corpus.ids[read_first]} (confidence {first.confidence[read_first]:.0%})\n")

    correction = (
        cg.Knowledge()
        .category("macintosh", words=["mac", "apple", "quadra", "centris", "powerbook", "nubus"])
        .category("pc", words=["pc", "isa", "eisa", "vlb", "bios", "motherboard", "dos"])
    )
    model = cg.make("colligate", n_clusters=6, random_state=0)
    second = model.fit(corpus, knowledge=correction, options=RunOptions(compare=True)).result_
    print_groups("second run", second, newsgroup)

    changes = second.changes()
    assert changes is not None
    print(f"the correction moved {changes.moved.sum()} of {len(corpus)} posts")
    print("statements:", second.audit().counts())


if __name__ == "__main__":
    main()
