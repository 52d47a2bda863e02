"""Cluster, read what came out, say what is wrong with it, and cluster again.

    python examples/correct_and_recluster.py

Two of the first run's groups are about computers, and both hold posts on PCs and on Macintoshes. Whoever
wants them parted by maker says so with two word lists. The newsgroups the posts came from serve only to tell
what the correction did.
"""

from __future__ import annotations

import gzip
import json
from importlib.resources import files

import numpy as np

import colligate as cg
from colligate.methods.fit import RunOptions


def read_posts() -> tuple[cg.Corpus, np.ndarray]:
    """The posts of the demo, and the newsgroup of each."""
    raw = gzip.decompress((files("colligate") / "demo" / "newsgroups.jsonl.gz").read_bytes())
    posts_read = [json.loads(line) for line in raw.decode("utf-8").splitlines()]
    corpus = cg.Corpus.from_texts(
        [post["text"] for post in posts_read], ids=[post["id"] for post in posts_read]
    )
    return corpus, np.array([post["group"] for post in posts_read])


def print_metrics(name: str, result: cg.Result, newsgroup: np.ndarray) -> None:
    """Print the groups of a run, and how they compare with the newsgroups."""
    metrics = result.evaluate(newsgroup)
    print(f"{name}: NMI {metrics['nmi']:.3f}, accuracy {metrics['accuracy']:.3f}")
    for size, group in zip(np.bincount(result.labels["documents"]), result.group_names, strict=True):
        print(f"  {size:4d}  {group}")


def main() -> None:
    """Cluster twice, with a correction between."""
    corpus, newsgroup = read_posts()
    first = cg.make("citcc", n_clusters=6, random_state=0).fit(corpus).result_
    print_metrics("first run", first, newsgroup)

    read_first = int(first.confidence.argmin())
    print(f"least sure of {corpus.ids[read_first]} (confidence {first.confidence[read_first]:.0%})\n")

    correction = (
        cg.Knowledge()
        .category("macintosh", words=["mac", "apple", "quadra", "centris", "powerbook", "nubus"])
        .category("pc", words=["pc", "isa", "eisa", "vlb", "bios", "motherboard", "dos"])
    )
    model = cg.make("citcc", n_clusters=6, random_state=0)
    second = model.fit(corpus, knowledge=correction, options=RunOptions(compare=True)).result_
    print_metrics("second run", second, newsgroup)

    changes = second.changes()
    assert changes is not None
    print(f"the correction moved {changes.moved.sum()} of {len(corpus)} posts")
    print("what became of it:", second.audit().counts())


if __name__ == "__main__":
    main()
