"""The world-knowledge paper (2015)."""

from __future__ import annotations

from experiments.published.inventory import SAMPLE
from experiments.published.paper003 import NMI
from experiments.runner.claims import Claim, Pair

REDUNDANT = (
    "entities change nothing beyond the deviation over seeds: the words of a name are words of the document "
    "already, and ITCC on words alone is far above the published one"
)
NEWS = "20 newsgroups"
WORDS = f"{NEWS} | itcc | words | –"
HINC, CHINC = (f"{NEWS} | {method} | words + figer | share" for method in ("hinc", "chinc"))


def told(method: str, other: str, features: str = "words + Freebase") -> tuple[float, float]:
    """The published NMI of two methods on the newsgroups."""
    below = ("itcc", "words") if other == "itcc" else (other, features)
    return NMI[method, features][0], NMI[below][0]


CLAIMS = (
    Claim(
        "003",
        "Table 6",
        "co-clustering by information is above k-means on the newsgroups",
        "foundation",
        (Pair(f"{NEWS} | itcc | 0 links", f"{NEWS} | kmeans | 0 links", (0.501, 0.429)),),
    ),
    Claim(
        "003",
        "Table 6",
        "CITCC with 250,000 links from labels is above ITCC on the newsgroups",
        "foundation",
        (Pair(f"{NEWS} | citcc | 250000 links", f"{NEWS} | itcc | 0 links", (0.569, 0.501)),),
    ),
    Claim(
        "003",
        "Table 6",
        "HINC with Freebase is above ITCC",
        "networks",
        (Pair(HINC, WORDS, told("hinc", "itcc")),),
        why=REDUNDANT,
    ),
    Claim(
        "003",
        "Table 6",
        "CHINC with Freebase is above HINC with it",
        "networks",
        (Pair(CHINC, HINC, told("chinc", "hinc")),),
        why=REDUNDANT,
    ),
    Claim(
        "003",
        "Table 6",
        "CHINC with a knowledge base is above CITCC with 250,000 links from labels",
        "networks",
        (Pair(CHINC, f"{NEWS} | citcc | 250000 links", (0.631, 0.569), "foundation"),),
        why="our CITCC gives its links ten times the published weight, and gains far more by them",
    ),
    Claim("003", "Table 6", "the same order on MCAT, CCAT and ECAT of RCV1", why=SAMPLE),
    Claim(
        "003",
        "Table 4",
        "CBSF is more precise than DFBSF, and that than FBSF",
        why="needs people's judgements; those of `experiments/judged` are one language model's",
    ),
)
