"""Planted copies and similar documents: `python -m experiments.copies [--data FOLDER] [--out FILE]`.

Copies: 1,000 posts of 20 newsgroups get a copy in which a share of the words is left out, in random places. A
planted copy is found if it has the same original as its post. It is wrong if it has another one. Each copy is
of another post, at a random place among the others.

Similar documents: of ten documents that `Result.similar` lists, how many have the class of the first, by the
cosine of words alone, of directions alone, and by the mean of both.
"""

from __future__ import annotations

import argparse
import json
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

import colligate as cg
from colligate._storage.atomic import write_file
from experiments.corpora.folder import DATA_FOLDER, read_lines

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from colligate.corpus.duplicates import Duplicates

OUT = Path(__file__).parent / "results" / "copies.json"
N_PLANTED, LEAST_WORDS = 1_000, 20
DROPPED = (0.0, 0.02, 0.05, 0.1, 0.2)
THRESHOLDS = (0.5, 0.6, 0.7, 0.8)
SETS = {
    "20 newsgroups": ("20newsgroups.jsonl.gz", "text", "group"),
    "Google News": ("short_googlenews.jsonl.gz", "text", "label"),
    "Reuters R52": ("reuters_r52.jsonl.gz", "text", "label"),
}
N_DOCUMENTS, N_QUERIES, N_SIMILAR = 3_000, 500, 10


def drop_words(text: str, share: float, rng: np.random.Generator) -> str:
    """Leave out a share of the words."""
    words = text.split()
    return " ".join(word for word, keep in zip(words, rng.random(len(words)) >= share, strict=True) if keep)


def plant_copies(texts: list[str], share: float, rng: np.random.Generator) -> dict[str, Any]:
    """Plant copies and measure how many are found at every threshold."""
    long = [row for row, text in enumerate(texts) if len(text.split()) >= LEAST_WORDS]
    sources = rng.choice(long, N_PLANTED, replace=False)
    everything = [*texts, *(drop_words(texts[row], share, rng) for row in sources)]
    order = rng.permutation(len(everything))
    place = np.argsort(order)
    corpus = cg.Corpus.from_texts([everything[row] for row in order])
    measured = {}
    for threshold in THRESHOLDS:
        copies = corpus.duplicates(threshold)
        planted, posts = place[len(texts) :], place[sources]
        measured[str(threshold)] = judge(copies, planted, posts)
    return measured


def judge(copies: Duplicates, planted: NDArray[np.int64], posts: NDArray[np.int64]) -> dict[str, float]:
    """Return recall and precision of the planted copies, and how many others were found."""
    original = copies.original
    right = original[planted] == original[posts]
    in_sets = np.isin(original, original[copies.copies])
    claimed = in_sets[planted] | right
    n_found = int(right.sum())
    return {
        "recall": n_found / len(planted),
        "precision": n_found / max(int(claimed.sum()), 1),
        "other_copies": len(copies) - n_found,
    }


def compare_similar(name: str, text: str, label: str, folder: Path) -> dict[str, float]:
    """Return the share of similar documents with the same class, by words, directions and both."""
    rows = list(read_lines(folder / name, f"{text} and {label}"))
    rng = np.random.default_rng(0)
    rows = [rows[k] for k in rng.choice(len(rows), min(N_DOCUMENTS, len(rows)), replace=False)]
    classes = np.array([str(row[label]) for row in rows])
    corpus = cg.Corpus.from_texts([row[text] for row in rows])
    method = cg.make("colligate", n_clusters=min(len(set(classes)), 50), random_state=0)
    result = method.fit(corpus).result_
    queries = rng.choice(len(rows), N_QUERIES, replace=False)
    unit, directions = result.unit_tfidf, result.directions
    words, latent = (unit[queries] @ unit.T).toarray(), directions[queries] @ directions.T
    shares = {}
    for measure, scores in {"words": words, "directions": latent, "both": (words + latent) / 2}.items():
        scores[np.arange(len(queries)), queries] = -1.0
        best = np.argsort(-scores, axis=1, kind="stable")[:, :N_SIMILAR]
        shares[measure] = float((classes[best] == classes[queries][:, None]).mean())
    return shares


def main() -> None:
    """Run both parts and write the figures."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--data", type=Path, default=DATA_FOLDER)
    parser.add_argument("--out", type=Path, default=OUT)
    options = parser.parse_args()
    texts = [row["text"] for row in read_lines(options.data / "20newsgroups.jsonl.gz", "posts")]
    rng = np.random.default_rng(0)
    figures: dict[str, Any] = {
        "planted": {str(share): plant_copies(texts, share, rng) for share in DROPPED},
        "similar": {name: compare_similar(*source, options.data) for name, source in SETS.items()},
    }
    with write_file(options.out) as temporary:
        temporary.write_text(json.dumps(figures, indent=1) + "\n", encoding="utf-8")
    print(json.dumps(figures, indent=1))


if __name__ == "__main__":
    main()
