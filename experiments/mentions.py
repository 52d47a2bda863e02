"""Which documents mention which entities of a knowledge base: a simple gazetteer for experiments.

    python -m experiments.mentions [--data FOLDER] [--base figer]

Prints how many entities of each type and sub-type 20 Newsgroups mentions. Names are matched token by token,
in their own case, the longest first. A name of one word must look like one in this corpus: capitalised in
most places, no everyday word, no first name, not beside another capitalised word. Entities of fewer than two
documents are left out.
"""

from __future__ import annotations

import argparse
import re
from collections import Counter, defaultdict
from pathlib import Path
from typing import TYPE_CHECKING

from sklearn.feature_extraction.text import ENGLISH_STOP_WORDS

from experiments.corpora.folder import DATA_FOLDER
from experiments.corpora.newsgroups import read_newsgroups
from experiments.entities import BASES, read_common_words, read_entities

if TYPE_CHECKING:
    from collections.abc import Iterator

    import pandas as pd

    import colligate as cg
    from experiments.entities import Entity

TOKEN = re.compile(r"\w+|[^\w\s]")
LONGEST = 6
CAPITALISED = 0.6
FIRST_NAME = 5
SHORTEST = 3
FEWEST = 2
Tokens = tuple[str, ...]


def find_mentions(corpus: cg.Corpus, folder: Path, base: str) -> pd.DataFrame:
    """A row for each document and entity it mentions: document, name, type, subtype (a list), count."""
    import pandas as pd

    texts = [TOKEN.findall(text) for text in corpus.texts or []]
    known = read_entities(folder, base)
    names = _index_names(known, _likely_names(known, texts) - _capitals(read_common_words(folder)))
    counts = [Counter(_find_names(tokens, names)) for tokens in texts]
    spread = Counter(name for count in counts for name in count)
    rows = [
        (document, name, known[name][0], list(known[name][1]), count)
        for document, occurrences in zip(corpus.ids, counts, strict=True)
        for name, count in sorted(occurrences.items())
        if spread[name] >= FEWEST
    ]
    return pd.DataFrame(rows, columns=["document", "name", "type", "subtype", "count"])


def _index_names(known: dict[str, Entity], single: set[str]) -> dict[str, dict[Tokens, str]]:
    """By their first token the names that may be matched, each with the name as it is written."""
    names: dict[str, dict[Tokens, str]] = defaultdict(dict)
    for name in sorted(known):
        tokens = tuple(TOKEN.findall(name))
        words = [token for token in tokens if token.isalpha() and token not in STOP]
        fit = len(tokens) <= LONGEST and any(len(word) >= SHORTEST for word in words)
        if fit and (name in single if len(tokens) == 1 else len(words) > 1):
            names[tokens[0]].setdefault(tokens, name)
    return names


def _likely_names(known: dict[str, Entity], texts: list[list[str]]) -> set[str]:
    """Tokens that are capitalised in most places where they occur, and are no first name of known people."""
    counts = Counter(token for tokens in texts for token in tokens)
    total: Counter[str] = Counter()
    capital: Counter[str] = Counter()
    for token, count in counts.items():
        total[token.lower()] += count
        capital[token.lower()] += count * token[0].isupper()
    people = (name.split() for name, (kind, _) in known.items() if kind == "people")
    first = Counter(words[0] for words in people if len(words) > 1)
    return {
        token
        for token in counts
        if capital[token.lower()] >= CAPITALISED * total[token.lower()] and first[token] < FIRST_NAME
    }


def _capitals(words: set[str]) -> set[str]:
    return {form for word in words for form in (word.capitalize(), word.upper())}


STOP = _capitals(set(ENGLISH_STOP_WORDS)) | ENGLISH_STOP_WORDS


def _find_names(tokens: list[str], names: dict[str, dict[Tokens, str]]) -> Iterator[str]:
    """The names in a text from left to right, the longest at each place."""
    position = 0
    while position < len(tokens):
        continuations = names.get(tokens[position])
        length = _longest(tokens, position, continuations) if continuations else 0
        if continuations and (length > 1 or (length == 1 and _is_alone(tokens, position))):
            yield continuations[tuple(tokens[position : position + length])]
        position += length or 1


def _longest(tokens: list[str], position: int, continuations: dict[Tokens, str]) -> int:
    most = min(LONGEST, len(tokens) - position)
    return next((n for n in range(most, 0, -1) if tuple(tokens[position : position + n]) in continuations), 0)


def _is_alone(tokens: list[str], position: int) -> bool:
    """Whether a word is not part of a longer name, such as York in New York."""
    beside = [*tokens[max(position - 1, 0) : position], *tokens[position + 1 : position + 2]]
    return not any(token[0].isupper() and token not in STOP for token in beside)


def print_mentions(table: pd.DataFrame) -> None:
    """Print the entities of each type, and of each sub-type among those that have exactly one."""
    entity = table.drop_duplicates("name")
    documents = table["document"].nunique()
    print(f"{len(entity):,} entities, {table['count'].sum():,} mentions in {documents:,} documents")
    for kind, rows in entity.groupby("type"):
        one = rows[rows["subtype"].map(len) == 1]["subtype"].map(lambda subtypes: subtypes[0])
        print(f"\n{kind}: {len(rows):,}, of which {len(one):,} have one sub-type")
        print("  " + ", ".join(f"{name} {count}" for name, count in one.value_counts().items()))


def main() -> None:
    raw = argparse.RawDescriptionHelpFormatter
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=raw)
    parser.add_argument("--data", type=Path, default=DATA_FOLDER, help="the folder of corpora")
    parser.add_argument("--base", choices=sorted(BASES), default="figer", help="the knowledge base")
    options = parser.parse_args()
    corpus, _ = read_newsgroups(options.data, None, 5)
    print_mentions(find_mentions(corpus, options.data, options.base))


if __name__ == "__main__":
    main()
