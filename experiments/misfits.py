"""Which documents are said to fit no group: `python -m experiments.misfits [--data FOLDER] [--out FILE]`.

3,000 posts of 20 newsgroups are clustered into 20 groups with 60 texts of words drawn from all posts,
60 texts of random letters, 60 image captions and 60 medical abstracts, which are a subject of their own. The
figures are the shares of each kind whose misfit is above a level.
"""

from __future__ import annotations

import argparse
import json
import string
from pathlib import Path

import numpy as np

import colligate as cg
from colligate._storage.atomic import write_file
from experiments.corpora.folder import DATA_FOLDER, read_lines

OUT = Path(__file__).parent / "results" / "misfits.json"
N_POSTS, N_ODD = 3_000, 60
LEVELS = (0.01, 0.05, 0.2)


def main() -> None:
    """Cluster and write the shares."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--data", type=Path, default=DATA_FOLDER)
    parser.add_argument("--out", type=Path, default=OUT)
    options = parser.parse_args()

    def read(name: str) -> list[str]:
        return [row["text"] for row in read_lines(options.data / name, "texts")]

    rng = np.random.default_rng(0)
    posts = read("20newsgroups.jsonl.gz")
    posts = [posts[row] for row in rng.choice(len(posts), N_POSTS, replace=False)]
    words, letters = " ".join(posts).split(), list(string.ascii_lowercase + " " * 5)
    texts = {
        "posts": posts,
        "words of all posts": [" ".join(rng.choice(words, rng.integers(20, 300))) for _ in range(N_ODD)],
        "random letters": ["".join(rng.choice(letters, 400)) for _ in range(N_ODD)],
        "image captions": read("short_captions.jsonl.gz")[:N_ODD],
        "medical abstracts": read("ohsumed_single23.jsonl.gz")[:N_ODD],
    }
    kinds = np.repeat(list(texts), [len(part) for part in texts.values()])
    corpus = cg.Corpus.from_texts([text for part in texts.values() for text in part])
    misfit = cg.make("colligate", n_clusters=20, random_state=0).fit(corpus).result_.misfit
    figures = {
        kind: {str(level): float((misfit[chosen] > level).mean()) for level in LEVELS} | {"n": len(chosen)}
        for kind in texts
        if len(chosen := np.flatnonzero((kinds == kind) & ~np.isnan(misfit)))
    }
    with write_file(options.out) as temporary:
        temporary.write_text(json.dumps(figures, indent=1) + "\n", encoding="utf-8")
    print(json.dumps(figures, indent=1))


if __name__ == "__main__":
    main()
