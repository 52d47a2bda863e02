"""What the order of documents and words and the scale of counts change, method by method.

    python -m benchmarks.invariances [--documents 240] [--store]

Every method groups a sample of the demo's texts, whose groups overlap, and the same texts with their rows in
another order, with their columns in another order, and with all counts times seven. The figure is the
adjusted Rand index between the two groupings, the lowest of three orders; 1 means the same groups. With
`--store`, the table is written into `docs/methods/index.md`.
"""

from __future__ import annotations

import argparse
import gzip
import json
import warnings
from importlib.resources import files
from pathlib import Path

import numpy as np
from sklearn.metrics import adjusted_rand_score

import colligate as cg
from colligate.registry import load_methods

PAGE = Path(__file__).parents[1] / "docs" / "methods" / "index.md"
START, END = "<!-- invariances -->", "<!-- end of invariances -->"
SEEDS = (0, 1, 2)
N_GROUPS = 6
SCALE = 7


def load_counts(n_documents: int) -> np.ndarray:
    """Count the words of every n-th text of the demo."""
    with gzip.open(str(files("colligate.demo") / "articles.jsonl.gz"), "rt", encoding="utf-8") as stream:
        texts = [json.loads(line)["text"] for line in stream]
    step = len(texts) // n_documents
    corpus = cg.Corpus.from_texts(texts[::step][:n_documents], analyser=cg.Analyser(min_df=3))
    return cg.Network.from_corpus(corpus).counts.toarray()


def group(method: str, counts: np.ndarray) -> np.ndarray:
    """Group the rows with one seed."""
    return cg.make(method, n_clusters=N_GROUPS, random_state=0, n_jobs=1).fit(counts).labels_


def measure(method: str, counts: np.ndarray) -> dict[str, float]:
    """Return the lowest index of all orders of rows, of all orders of columns, and that of the scale."""
    labels = group(method, counts)
    rows, columns = [], []
    for seed in SEEDS:
        rng = np.random.default_rng(seed)
        order = rng.permutation(len(counts))
        rows.append(adjusted_rand_score(labels[order], group(method, counts[order])))
        columns.append(
            adjusted_rand_score(labels, group(method, counts[:, rng.permutation(counts.shape[1])]))
        )
    scaled = adjusted_rand_score(labels, group(method, SCALE * counts))
    return {"rows": min(rows), "columns": min(columns), "scale": scaled}


def main() -> None:
    raw = argparse.RawDescriptionHelpFormatter
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=raw)
    parser.add_argument("--documents", type=int, default=240)
    parser.add_argument("--store", action="store_true", help="write the table into the page of the methods")
    options = parser.parse_args()
    warnings.simplefilter("ignore")
    counts = load_counts(options.documents)
    lines = [
        "| method | other order of documents | other order of words | counts × 7 |",
        "|---|---:|---:|---:|",
    ]
    for method, cls in sorted(load_methods().items()):
        if not cls.needs:
            figures = measure(method, counts)
            lines.append(
                f"| `{method}` | " + " | ".join(f"{figure:.2f}" for figure in figures.values()) + " |"
            )
            print(lines[-1], flush=True)
    if options.store:
        before, _, rest = PAGE.read_text(encoding="utf-8").partition(START)
        after = rest.partition(END)[2]
        PAGE.write_text(f"{before}{START}\n" + "\n".join(lines) + f"\n{END}{after}", encoding="utf-8")


if __name__ == "__main__":
    main()
