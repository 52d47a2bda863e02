"""Every corpus by name, as the same pair: a `Corpus` and the class of each document.

Names are those of the table below, `20ng/A+B` for two newsgroups (`newsgroups.PAIRS` lists all 190), and HT1
to HT7. Where a part differs from the one a paper took, the file of its family says how.
"""

from __future__ import annotations

from dataclasses import dataclass
from difflib import get_close_matches
from functools import partial
from typing import TYPE_CHECKING

from experiments.corpora import dblp, newsgroups, ohsumed, rcv1, reuters, stored, triplets, webkb

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    import numpy as np

    import colligate as cg

    Pair = tuple[cg.Corpus, np.ndarray]


@dataclass(frozen=True)
class Source:
    """The files of a corpus, and how it is read from the data folder."""

    files: tuple[str, ...]
    read: Callable[[Path], Pair]


def _titles(folder: Path) -> Pair:
    corpus, areas, _ = dblp.dblp(folder)
    return corpus, areas


def _posts(groups: tuple[str, ...] | None, min_df: int) -> Source:
    return Source((newsgroups.FILE,), partial(newsgroups.newsgroups, groups=groups, min_df=min_df))


SOURCES = {
    "20ng": _posts(None, 5),
    "20ng/supergroups": Source((newsgroups.FILE,), newsgroups.supergroups),
    **{f"20ng/{'+'.join(pair)}": _posts(pair, 2) for pair in newsgroups.PAIRS},
    "reuters/6 largest": Source((reuters.FILE,), partial(reuters.topics, first=0, last=6)),
    "reuters/next 10": Source((reuters.FILE,), partial(reuters.topics, first=6, last=16)),
    "r52": Source((reuters.SINGLE,), reuters.r52),
    "r8": Source((reuters.SINGLE,), reuters.r8),
    "webkb": Source((webkb.FILE,), webkb.webkb),
    "webkb/all": Source((webkb.FILE,), partial(webkb.webkb, classes=None)),
    "ohsumed": Source((ohsumed.FILE,), ohsumed.ohsumed),
    "dblp": Source((dblp.FILE,), _titles),
    "dblp/authors": Source((dblp.FILE,), dblp.researchers),
    "rcv1": Source((rcv1.FILE,), rcv1.rcv1),
    "cstr": Source(("cstr.npz",), stored.cstr),
    **{name: Source((f"tmdata_{name}.npz",), partial(stored.tmdata, name=name)) for name in stored.TMDATA},
    **{name: Source(triplets.files(name), partial(triplets.corpus, name=name)) for name in triplets.NAMES},
}


def source(name: str) -> Source:
    """Where a corpus comes from."""
    if name not in SOURCES:
        near = get_close_matches(name, SOURCES, n=3)
        raise SystemExit(f"there is no corpus {name!r}. Near: {', '.join(near) or 'none'}.")
    return SOURCES[name]


def load(name: str, folder: Path) -> Pair:
    """A corpus of the data folder and the class of each document."""
    return source(name).read(folder)
