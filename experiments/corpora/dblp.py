"""DBLP, "four areas": 14,376 papers of 20 venues. The area is that of the venue.

The word-space paper uses another selection, 552 authors of nine areas; `read_authors` has the same form.
"""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING, Any

import numpy as np

import colligate as cg
from experiments.corpora.folder import read_lines

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    import pandas as pd

FILE = "dblp_four_area.jsonl.gz"
PRODUCTIVE = 552


def read_dblp(folder: Path, min_df: int = 2) -> tuple[cg.Corpus, np.ndarray, pd.DataFrame]:
    """Titles of papers, the area of each, and a table of their authors and venues.

    A network with venues knows the answer in all but name.
    """
    import pandas as pd

    papers = list(read_papers(folder))
    ids = [str(paper["id"]) for paper in papers]
    titles = [paper["title"] for paper in papers]
    corpus = cg.Corpus.from_texts(titles, ids=ids, analyser=cg.Analyser(min_df=min_df, keep_markup=True))
    rows = [
        (name, other, kind)
        for name, paper in zip(ids, papers, strict=True)
        for kind, others in (("authors", paper["authors"]), ("venues", [paper["conf"]]))
        for other in others
    ]
    table = pd.DataFrame(rows, columns=["document", "name", "type"])
    return corpus, np.array([paper["label"] for paper in papers]), table


def read_authors(folder: Path, most: int = PRODUCTIVE) -> tuple[cg.Corpus, np.ndarray]:
    """The titles of each of the authors with the most papers, and the area of most of them."""
    written: dict[str, list[dict[str, Any]]] = {}
    for paper in read_papers(folder):
        for author in paper["authors"]:
            written.setdefault(author, []).append(paper)
    names = sorted(written, key=lambda name: (-len(written[name]), name))[:most]
    texts = ["\n".join(paper["title"] for paper in written[name]) for name in names]
    areas = [
        Counter(sorted(paper["label"] for paper in written[name])).most_common(1)[0][0] for name in names
    ]
    return cg.Corpus.from_texts(texts, ids=names, analyser=cg.Analyser(min_df=2, keep_markup=True)), np.array(
        areas
    )


def read_papers(folder: Path) -> Iterator[dict[str, Any]]:
    """The papers: id, label (the area), conf, title, authors."""
    about = "one paper in a line, as JSON with the fields id, label, conf, title and authors"
    return read_lines(folder / FILE, about)
