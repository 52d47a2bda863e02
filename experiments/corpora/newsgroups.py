"""20 Newsgroups, the release "bydate" of 18,846 posts, and the parts of it that the papers take.

The papers of 2010 and 2011 take the older release of 19,997 posts, which has more posts of each group, some
of them twice: atheism and graphics are 1,772 posts here, 1,985 there. A post is its subject and its body; the
other header lines name the group in one way or another and stay out.
"""

from __future__ import annotations

import re
from functools import cache
from itertools import combinations
from typing import TYPE_CHECKING

import numpy as np

import colligate as cg
from experiments.corpora.folder import read_lines

if TYPE_CHECKING:
    from pathlib import Path

FILE = "20newsgroups.jsonl.gz"
SUBJECT = re.compile(r"^Subject: (.*)$", re.MULTILINE)
PAIR = ("alt.atheism", "comp.graphics")
SUPERGROUPS = ("comp", "rec", "sci", "talk")
GROUPS = (
    *("alt.atheism", "comp.graphics", "comp.os.ms-windows.misc", "comp.sys.ibm.pc.hardware"),
    *("comp.sys.mac.hardware", "comp.windows.x", "misc.forsale", "rec.autos", "rec.motorcycles"),
    *("rec.sport.baseball", "rec.sport.hockey", "sci.crypt", "sci.electronics", "sci.med", "sci.space"),
    *("soc.religion.christian", "talk.politics.guns", "talk.politics.mideast", "talk.politics.misc"),
    "talk.religion.misc",
)
PAIRS = tuple(combinations(GROUPS, 2))
"""The 190 problems of two groups."""


def read_newsgroups(
    folder: Path, groups: tuple[str, ...] | None, min_df: int
) -> tuple[cg.Corpus, np.ndarray]:
    """The posts of some groups, or of all, and the group of each."""
    posts = [post for post in _read_posts(folder) if groups is None or post[1] in groups]
    corpus = cg.Corpus.from_texts(
        [text for _, _, text in posts],
        ids=[name for name, _, _ in posts],
        analyser=cg.Analyser(min_df=min_df, keep_markup=True),
    )
    return corpus, np.array([group for _, group, _ in posts])


def read_supergroups(folder: Path, min_df: int = 5) -> tuple[cg.Corpus, np.ndarray]:
    """The posts of the four large branches, and the branch of each."""
    corpus, groups = read_newsgroups(folder, tuple(group for group in GROUPS if branch_of(group)), min_df)
    return corpus, np.array([branch_of(group) for group in groups.tolist()])


def branch_of(group: str) -> str:
    """The large branch a group is of; "" if it is of none."""
    top = group.split(".")[0]
    return top if top in SUPERGROUPS else ""


@cache
def _read_posts(folder: Path) -> tuple[tuple[str, str, str], ...]:
    """Id, group and text of every post."""
    about = 'one post of the release "bydate" in a line, as JSON with the fields id, group, header and text'
    return tuple(
        (post["id"], post["group"], "\n".join([*SUBJECT.findall(post["header"]), post["text"]]))
        for post in read_lines(folder / FILE, about)
    )
