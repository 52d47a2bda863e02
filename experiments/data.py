"""The data folder: where it is, and the corpora in it."""

from __future__ import annotations

import gzip
import json
import re
from collections import Counter
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

import colligate as cg

if TYPE_CHECKING:
    from collections.abc import Iterator

    import pandas as pd

DEFAULT = Path(__file__).resolve().parents[2] / "shared" / "data"
SUBJECT = re.compile(r"^Subject: (.*)$", re.MULTILINE)


def newsgroups(folder: Path, groups: tuple[str, ...] | None, min_df: int) -> tuple[cg.Corpus, np.ndarray]:
    """20 Newsgroups, "bydate": subject and body of each post, and the group it was posted to.

    The other header lines name the group in one way or another and stay out.
    """
    path = folder / "20newsgroups.jsonl.gz"
    about = 'one post of the release "bydate" in a line, as JSON with the fields id, group, header and text'
    posts = [post for post in lines(path, about) if groups is None or post["group"] in groups]
    texts = ["\n".join([*SUBJECT.findall(post["header"]), post["text"]]) for post in posts]
    corpus = cg.Corpus.from_texts(
        texts, ids=[post["id"] for post in posts], analyser=cg.Analyser(min_df=min_df)
    )
    return corpus, np.array([post["group"] for post in posts])


def dblp(folder: Path, min_df: int = 2) -> tuple[cg.Corpus, np.ndarray, pd.DataFrame]:
    """DBLP, "four areas": titles of papers, the area of each, and a table of their authors and venues.

    The area is that of the venue, so that a network with venues knows the answer in all but name.
    """
    import pandas as pd

    papers = list(dblp_papers(folder))
    ids = [str(paper["id"]) for paper in papers]
    titles = [paper["title"] for paper in papers]
    corpus = cg.Corpus.from_texts(titles, ids=ids, analyser=cg.Analyser(min_df=min_df))
    rows = [
        (name, other, kind)
        for name, paper in zip(ids, papers, strict=True)
        for kind, others in (("authors", paper["authors"]), ("venues", [paper["conf"]]))
        for other in others
    ]
    table = pd.DataFrame(rows, columns=["document", "name", "type"])
    return corpus, np.array([paper["label"] for paper in papers]), table


def researchers(folder: Path, most: int) -> tuple[cg.Corpus, np.ndarray]:
    """DBLP, "four areas": the titles of each of the authors with the most papers, and the area of most."""
    written: dict[str, list[dict[str, Any]]] = {}
    for paper in dblp_papers(folder):
        for author in paper["authors"]:
            written.setdefault(author, []).append(paper)
    names = sorted(written, key=lambda name: (-len(written[name]), name))[:most]
    texts = ["\n".join(paper["title"] for paper in written[name]) for name in names]
    areas = [
        Counter(sorted(paper["label"] for paper in written[name])).most_common(1)[0][0] for name in names
    ]
    return cg.Corpus.from_texts(texts, ids=names, analyser=cg.Analyser(min_df=2)), np.array(areas)


def dblp_papers(folder: Path) -> Iterator[dict[str, Any]]:
    """The papers of DBLP, "four areas": id, label (the area), conf, title, authors."""
    about = "one paper in a line, as JSON with the fields id, label, conf, title and authors"
    return lines(folder / "dblp_four_area.jsonl.gz", about)


def lines(path: Path, about: str) -> Iterator[dict[str, Any]]:
    """The objects of a JSONL file of the data folder; `about` says what stands in it."""
    if not path.exists():
        raise SystemExit(f"{path} is not there. Give the folder that holds it with --data. It has {about}.")
    with gzip.open(path, "rt", encoding="utf-8") as stream:
        yield from map(json.loads, stream)
