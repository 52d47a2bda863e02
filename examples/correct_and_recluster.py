"""Cluster, read the documents the result is least sure of, say where they belong, and cluster again.

    python examples/correct_and_recluster.py

The reader who says where a post belongs is played by the newsgroup the post came from. The figures at the end
are about the posts that this reader was never asked about.
"""

from __future__ import annotations

import gzip
import json
from importlib.resources import files

import numpy as np

import colligate as cg

N_ASKED = 60


def posts() -> tuple[cg.Corpus, np.ndarray]:
    """The posts of the demo, and the newsgroup of each."""
    raw = gzip.decompress((files("colligate") / "demo" / "newsgroups.jsonl.gz").read_bytes())
    found = [json.loads(line) for line in raw.decode("utf-8").splitlines()]
    corpus = cg.Corpus.from_texts([post["text"] for post in found], ids=[post["id"] for post in found])
    return corpus, np.array([post["group"] for post in found])


def main() -> None:
    """Cluster twice, with a correction between."""
    corpus, newsgroup = posts()
    first = cg.make("citcc", n_clusters=6, random_state=0).fit(corpus).result_

    unsure = np.argsort(first.confidence, kind="stable")[:N_ASKED]
    print("The post to read first:", corpus.ids[unsure[0]], f"(confidence {first.confidence[unsure[0]]:.0%})")
    corrected = cg.Knowledge().label(
        {corpus.ids[i]: newsgroup[i] for i in unsure}, source="read after the first run"
    )

    second = cg.make("citcc", n_clusters=6, random_state=0).fit(corpus, knowledge=corrected).result_
    print("The audit of the corrections:", second.audit().counts())

    not_asked = np.ones(len(corpus), dtype=bool)
    not_asked[unsure] = False
    for name, result in (("first", first), ("second", second)):
        found = result.evaluate(newsgroup, mask=not_asked)
        print(f"{name} run, posts not asked about: NMI {found['nmi']:.3f}, accuracy {found['accuracy']:.3f}")


if __name__ == "__main__":
    main()
