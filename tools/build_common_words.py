"""Make the list of common English words that `colligate.entities` never takes for names by themselves.

    python -m tools.build_common_words [--data FOLDER]

For each corpus, count the documents that have a word in lower case. A word is common if these shares, summed
over the corpora, reach one per cent, at least two corpora have it, and it is not mostly capitalised. Parts of
addresses do not count. Stop words, days and months are added.
"""

from __future__ import annotations

import argparse
import calendar
import re
from collections import Counter
from importlib.resources import files
from pathlib import Path

from sklearn.feature_extraction.text import ENGLISH_STOP_WORDS

from experiments.corpora.folder import DATA_FOLDER, read_lines

CORPORA = {
    "20newsgroups": ("text",),
    "reuters21578": ("title", "text"),
    "ohsumed_single23": ("title", "text"),
    "webkb": ("text",),
}
WORD = re.compile(r"[^\W\d_]+")
ADDRESS = re.compile(r"\S*@\S*|[a-z0-9-]+(?:\.[a-z0-9-]+)+")
MIN_DOCUMENTS, MIN_SHARE, MIN_LOWER_CASE = 5, 0.01, 0.8
MORE = ["re", "subject", "hello", "hi", "thanks", "okay", "ok", "yes", "mr", "mrs", "ms", "dr", "god"]
MORE += ["internet", "english"]


def count_words(folder: Path, corpus: str) -> tuple[int, Counter[str], Counter[str]]:
    """Count the documents, those with each word in lower case, and those with it capitalised."""
    small: Counter[str] = Counter()
    capital: Counter[str] = Counter()
    total = 0
    for document in read_lines(folder / f"{corpus}.jsonl.gz", "one document in a line, as JSON"):
        total += 1
        text = " ".join(document[key] or "" for key in CORPORA[corpus])
        for word in set(WORD.findall(ADDRESS.sub(" ", text))):
            small.update([word] if word.islower() else [])
            capital.update([] if word.islower() else [word.lower()])
    return total, small, capital


def select_words(folder: Path) -> set[str]:
    """Select the common words."""
    share: Counter[str] = Counter()
    spread: Counter[str] = Counter()
    for total, small, capital in (count_words(folder, corpus) for corpus in CORPORA):
        for word, many in small.items():
            if many >= MIN_DOCUMENTS:
                spread[word] += 1
                share[word] += many / total if many >= MIN_LOWER_CASE * capital[word] else 0
    common = {word for word, part in share.items() if part >= MIN_SHARE and spread[word] > 1}
    dates = {*calendar.day_name, *calendar.month_name, *calendar.day_abbr, *calendar.month_abbr} - {""}
    plain = {word for word in common if word.isascii() and len(word) > 1}
    return plain | ENGLISH_STOP_WORDS | {word.lower() for word in dates} | set(MORE)


def main() -> None:
    """Write the list."""
    raw = argparse.RawDescriptionHelpFormatter
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=raw)
    parser.add_argument("--data", type=Path, default=DATA_FOLDER, help="the folder of corpora")
    words = select_words(parser.parse_args().data)
    target = Path(str(files("colligate.entities.mentions") / "common_words.txt"))
    target.write_text("\n".join(sorted(words)) + "\n", encoding="utf-8")
    print(f"{len(words):,} words in {target}")


if __name__ == "__main__":
    main()
