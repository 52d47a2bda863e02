"""Cluster, read the groups, correct them with knowledge, and cluster again.

    python examples/correct_and_recluster.py

The first run mixes some texts on countries with texts on American states. Two lists of seed words separate
them. The subjects of the texts are only used to measure the effect.
"""

from __future__ import annotations

import gzip
import json
from importlib.resources import files

import numpy as np

import colligate as cg
from colligate.methods.fit import RunOptions


def read_texts() -> tuple[cg.Corpus, np.ndarray]:
    """Return the texts of the demo, and the subject of each."""
    raw = gzip.decompress((files("colligate") / "demo" / "articles.jsonl.gz").read_bytes())
    rows = [json.loads(line) for line in raw.decode("utf-8").splitlines()]
    corpus = cg.Corpus.from_texts([row["text"] for row in rows], ids=[row["id"] for row in rows])
    return corpus, np.array([row["group"] for row in rows])


def print_groups(title: str, result: cg.Result, subject: np.ndarray) -> None:
    """Print the groups of a run, and how well they match the subjects."""
    scores = result.evaluate(subject)
    print(f"{title}: NMI {scores['nmi']:.3f}, accuracy {scores['accuracy']:.3f}")
    for size, group in zip(np.bincount(result.labels["documents"]), result.group_names, strict=True):
        print(f"  {size:4d}  {group}")


def main() -> None:
    """Cluster twice, with a correction in between."""
    corpus, subject = read_texts()
    first = cg.make("colligate", n_clusters=6, random_state=0).fit(corpus).result_
    print_groups("first run", first, subject)

    read_first = int(first.confidence.argmin())
    print(f"least sure of {corpus.ids[read_first]} (confidence {first.confidence[read_first]:.0%})\n")

    correction = (
        cg.Knowledge()
        .category("countries", words=["country", "afghan", "albanian", "algeria", "angola", "azerbaijan"])
        .category("states", words=["alabama", "alaska", "alberta", "statehood", "counties", "provincial"])
    )
    model = cg.make("colligate", n_clusters=6, random_state=0)
    second = model.fit(corpus, knowledge=correction, options=RunOptions(compare=True)).result_
    print_groups("second run", second, subject)

    changes = second.changes()
    assert changes is not None
    print(f"the correction moved {changes.moved.sum()} of {len(corpus)} texts")
    print("statements:", second.audit().counts())


if __name__ == "__main__":
    main()
