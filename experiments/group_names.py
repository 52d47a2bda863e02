"""The names of groups on five corpora, before and after: `python -m experiments.group_names [--data FOLDER]`.

Before: all words count, and a group is called by its three most characteristic words. After: debris is left
out, and names are made of readable, different words and phrases. The page is `docs/group_names.md`. Each
corpus is fitted twice, with the same seed; groups that share most documents stand in one row.
"""

from __future__ import annotations

import argparse
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
from scipy.optimize import linear_sum_assignment

import colligate as cg
from colligate._storage.atomic import write_file
from experiments.corpora.folder import DATA_FOLDER, read_lines
from tools.golden.corpora import read_posts

if TYPE_CHECKING:
    from collections.abc import Callable

    from colligate.result import Result

PAGE = Path(__file__).parents[1] / "docs" / "group_names.md"
SEED = 0
MAX_ROWS = 30
INTRODUCTION = """# Names of groups: before and after

What groups are called on five corpora, to judge by reading. *Before*: every word counts, debris included, and
a group is called by its three most characteristic words. *After*: [debris](guide.md#debris) is not counted,
and [names](results.md#names-made-of-words) are made of words and phrases that are readable and different.
Both columns come from the method `colligate` with the number of classes as the number of groups (50 for
Google News, which has 152 classes) and seed 0. A row has the two groups that share most documents. No
language model was asked. NMI compares the groups with the classes of the corpus.

`python -m experiments.group_names` writes this page.
"""
HEADER = "| documents | before | documents | after |\n|---:|---|---:|---|\n"


@dataclass(frozen=True)
class Source:
    """A corpus: its title, its number of groups, and how to read texts and classes from a folder."""

    title: str
    n_clusters: int
    read: Callable[[Path], tuple[list[str], list[str]]]


def read_fields(
    name: str, text: str, label: str, only: str = ""
) -> Callable[[Path], tuple[list[str], list[str]]]:
    """Return a reader of a JSONL file of the data folder; `only` is a field that must be true."""

    def read(folder: Path) -> tuple[list[str], list[str]]:
        rows = [row for row in read_lines(folder / name, f"{text} and {label}") if not only or row[only]]
        return [row[text] for row in rows], [str(row[label]) for row in rows]

    return read


def read_bundled(_: Path) -> tuple[list[str], list[str]]:
    """Read the posts that come with the repository."""
    posts = read_posts()
    return [post["text"] for post in posts], [post["group"] for post in posts]


SOURCES = (
    Source("Six newsgroups", 6, read_bundled),
    Source("20 newsgroups, bodies of posts", 20, read_fields("20newsgroups.jsonl.gz", "text", "group")),
    Source("Reuters R8", 8, read_fields("reuters_r52.jsonl.gz", "text", "label", only="in_r8")),
    Source("DBLP, titles of papers", 4, read_fields("dblp_four_area.jsonl.gz", "title", "label")),
    Source("Google News, titles and snippets", 50, read_fields("short_googlenews.jsonl.gz", "text", "label")),
)


def fit(texts: list[str], n_clusters: int, *, keep_markup: bool) -> Result:
    """Cluster texts."""
    corpus = cg.Corpus.from_texts(texts, analyser=cg.Analyser(keep_markup=keep_markup))
    model = cg.make("colligate", n_clusters=n_clusters, random_state=SEED)
    result: Result = model.fit(corpus).result_
    return result


def pair_groups(first: Result, second: Result) -> list[tuple[int, int]]:
    """Pair the groups of two results so that as many documents as possible are in both, largest first."""
    a, b = first.labels["documents"], second.labels["documents"]
    inside = (a >= 0) & (b >= 0)
    shared = np.zeros((first.n_groups(), second.n_groups()), dtype=np.int64)
    np.add.at(shared, (a[inside], b[inside]), 1)
    pairs = zip(*linear_sum_assignment(-shared), strict=True)
    sizes = np.bincount(b[b >= 0], minlength=second.n_groups())
    return sorted(((int(k), int(other)) for k, other in pairs), key=lambda pair: (-sizes[pair[1]], pair))


def describe(source: Source, folder: Path) -> str:
    """Write the section of one corpus."""
    texts, classes = source.read(folder)
    before = fit(texts, source.n_clusters, keep_markup=True)
    after = fit(texts, source.n_clusters, keep_markup=False)
    figures = " before, ".join(f"{result.evaluate(classes)['nmi']:.3f}" for result in (before, after))
    debris = "" if after.corpus is None else after.corpus.describe_debris()
    rows = [
        " | ".join(
            (
                f"| {size_of(before, k)}",
                name_before(before, k),
                size_of(after, other),
                f"{after.group_names[other]} |",
            )
        )
        for k, other in pair_groups(before, after)
    ]
    cut = f"\n\nThe {MAX_ROWS} largest of {len(rows)} groups." if len(rows) > MAX_ROWS else ""
    cleaned = f" {debris[:1].upper()}{debris[1:]}." if debris else ""
    return (
        f"## {source.title}\n\n{len(texts):,} documents. NMI {figures} after.{cleaned}\n\n{HEADER}"
        + "\n".join(rows[:MAX_ROWS])
        + cut
    )


def size_of(result: Result, group: int) -> str:
    """Return the number of documents of a group."""
    return f"{int((result.labels['documents'] == group).sum()):,}"


def name_before(result: Result, group: int) -> str:
    """Return the name of a group by the former rule."""
    return ", ".join(word for word, _ in result.top_words(3)[group])


def main() -> None:
    """Write the page."""
    parser = argparse.ArgumentParser(prog="python -m experiments.group_names", description=__doc__)
    parser.add_argument("--data", type=Path, default=DATA_FOLDER, help="the data folder")
    parser.add_argument("--to", type=Path, default=PAGE, help="the page to write")
    options = parser.parse_args()
    sections = []
    for source in SOURCES:
        print(source.title, flush=True)
        sections.append(describe(source, options.data))
    with write_file(options.to) as path:
        path.write_text("\n".join([INTRODUCTION, "\n\n".join(sections), ""]), encoding="utf-8")


if __name__ == "__main__":
    main()
