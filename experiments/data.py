"""The data folder: where it is, and the corpora in it."""

from __future__ import annotations

import gzip
import json
import re
from pathlib import Path

import numpy as np

import colligate as cg

DEFAULT = Path(__file__).resolve().parents[2] / "shared" / "data"
SUBJECT = re.compile(r"^Subject: (.*)$", re.MULTILINE)


def newsgroups(folder: Path, groups: tuple[str, ...] | None, min_df: int) -> tuple[cg.Corpus, np.ndarray]:
    """20 Newsgroups, "bydate": subject and body of each post, and the group it was posted to.

    The other header lines name the group in one way or another and stay out.
    """
    path = folder / "20newsgroups.jsonl.gz"
    if not path.exists():
        raise SystemExit(
            f"{path} is not there. Give the folder that holds it with --data. The file has one post of the "
            'release "bydate" in a line, as JSON with the fields id, group, header and text.'
        )
    with gzip.open(path, "rt", encoding="utf-8") as lines:
        posts = [post for post in map(json.loads, lines) if groups is None or post["group"] in groups]
    texts = ["\n".join([*SUBJECT.findall(post["header"]), post["text"]]) for post in posts]
    corpus = cg.Corpus.from_texts(
        texts, ids=[post["id"] for post in posts], analyser=cg.Analyser(min_df=min_df)
    )
    return corpus, np.array([post["group"] for post in posts])
