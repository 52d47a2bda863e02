"""Make the list of everyday English words that `colligate.entities` never takes for names by themselves.

    python -m experiments.build_everyday [--data FOLDER]

A word is everyday if it stands in small letters in at least a hundredth of the documents of some corpora of
the data folder, added up over the corpora, and in capitals in hardly more documents than that; two corpora
must have it. Parts of addresses do not count. Stop words, days and months are added.
"""

from __future__ import annotations

import argparse
import calendar
import re
from collections import Counter
from importlib.resources import files
from pathlib import Path

from sklearn.feature_extraction.text import ENGLISH_STOP_WORDS

from experiments.corpora.folder import DEFAULT, lines

CORPORA = {
    "20newsgroups": ("text",),
    "reuters21578": ("title", "text"),
    "ohsumed_single23": ("title", "text"),
    "webkb": ("text",),
}
WORD = re.compile(r"[^\W\d_]+")
ADDRESS = re.compile(r"\S*@\S*|[a-z0-9-]+(?:\.[a-z0-9-]+)+")
FEWEST, SHARE, SMALL = 5, 0.01, 0.8
MORE = ["re", "subject", "hello", "hi", "thanks", "okay", "ok", "yes", "mr", "mrs", "ms", "dr", "god"]
MORE += ["internet", "english"]


def counts(folder: Path, corpus: str) -> tuple[int, Counter[str], Counter[str]]:
    """How many documents there are, and how many have each word in small letters, and with a capital."""
    small: Counter[str] = Counter()
    capital: Counter[str] = Counter()
    total = 0
    for document in lines(folder / f"{corpus}.jsonl.gz", "one document in a line, as JSON"):
        total += 1
        text = " ".join(document[key] or "" for key in CORPORA[corpus])
        for word in set(WORD.findall(ADDRESS.sub(" ", text))):
            small.update([word] if word.islower() else [])
            capital.update([] if word.islower() else [word.lower()])
    return total, small, capital


def everyday(folder: Path) -> set[str]:
    """All everyday words."""
    share: Counter[str] = Counter()
    spread: Counter[str] = Counter()
    for total, small, capital in (counts(folder, corpus) for corpus in CORPORA):
        for word, many in small.items():
            if many >= FEWEST:
                spread[word] += 1
                share[word] += many / total if many >= SMALL * capital[word] else 0
    found = {word for word, part in share.items() if part >= SHARE and spread[word] > 1}
    dates = {*calendar.day_name, *calendar.month_name, *calendar.day_abbr, *calendar.month_abbr} - {""}
    plain = {word for word in found if word.isascii() and len(word) > 1}
    return plain | ENGLISH_STOP_WORDS | {word.lower() for word in dates} | set(MORE)


def main() -> None:
    raw = argparse.RawDescriptionHelpFormatter
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=raw)
    parser.add_argument("--data", type=Path, default=DEFAULT, help="the folder of corpora")
    words = everyday(parser.parse_args().data)
    target = Path(str(files("colligate.entities.mentions") / "common_words.txt"))
    target.write_text("\n".join(sorted(words)) + "\n", encoding="utf-8")
    print(f"{len(words):,} words in {target}")


if __name__ == "__main__":
    main()
