"""Every corpus by name, as the same pair: a `Corpus` and the class of each document.

Names are those of the table below, `20ng/A+B` for two newsgroups (`newsgroups.PAIRS` lists all 190), and HT1
to HT7. Where a part differs from the one a paper took, the file of its family says how.
"""

from __future__ import annotations

from dataclasses import dataclass
from difflib import get_close_matches
from functools import partial
from typing import TYPE_CHECKING

from experiments.corpora import dblp, newsgroups, ohsumed, rcv1, reuters, short, stored, triplets, webkb

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


def _read_titles(folder: Path) -> Pair:
    corpus, areas, _ = dblp.read_dblp(folder)
    return corpus, areas


def _read_posts(groups: tuple[str, ...] | None, min_df: int) -> Source:
    return Source((newsgroups.FILE,), partial(newsgroups.read_newsgroups, groups=groups, min_df=min_df))


SOURCES = {
    "20ng": _read_posts(None, 5),
    "20ng/supergroups": Source((newsgroups.FILE,), newsgroups.read_supergroups),
    **{f"20ng/{'+'.join(pair)}": _read_posts(pair, 2) for pair in newsgroups.PAIRS},
    "reuters/6 largest": Source((reuters.FILE,), partial(reuters.read_topics, first=0, last=6)),
    "reuters/next 10": Source((reuters.FILE,), partial(reuters.read_topics, first=6, last=16)),
    "r52": Source((reuters.SINGLE,), reuters.read_r52),
    "r8": Source((reuters.SINGLE,), reuters.read_r8),
    "webkb": Source((webkb.FILE,), webkb.read_webkb),
    "webkb/all": Source((webkb.FILE,), partial(webkb.read_webkb, classes=None)),
    "ohsumed": Source((ohsumed.FILE,), ohsumed.read_ohsumed),
    "dblp": Source((dblp.FILE,), _read_titles),
    "dblp/authors": Source((dblp.FILE,), dblp.read_authors),
    "rcv1": Source((rcv1.FILE,), rcv1.read_rcv1),
    "cstr": Source(("cstr.npz",), stored.read_cstr),
    **{
        name: Source((f"tmdata_{name}.npz",), partial(stored.read_tmdata, name=name))
        for name in stored.TMDATA
    },
    **{name: Source((short.name_file(name),), partial(short.read_short, name=name)) for name in short.NAMES},
    **{
        name: Source(triplets.list_files(name), partial(triplets.select_words, name=name))
        for name in triplets.NAMES
    },
}


def find_source(name: str) -> Source:
    """Where a corpus comes from."""
    if name not in SOURCES:
        near = get_close_matches(name, SOURCES, n=3)
        raise SystemExit(f"there is no corpus {name!r}. Near: {', '.join(near) or 'none'}.")
    return SOURCES[name]


def load_corpus(name: str, folder: Path) -> Pair:
    """A corpus of the data folder and the class of each document."""
    return find_source(name).read(folder)
