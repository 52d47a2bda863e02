"""Follow a stream month by month: groups stay, new documents are placed, new groups are found.

    python examples/stream_of_months.py

The news are made up. From the fourth month on they are also about a strike, of which nothing was written
before.
"""

from __future__ import annotations

import json
from itertools import pairwise
from pathlib import Path

import pandas as pd

import colligate as cg

SAMPLE = Path(__file__).parent / "data" / "news.jsonl"


def read_months(path: Path = SAMPLE) -> list[tuple[str, pd.DataFrame]]:
    """Return the news of each month."""
    news = pd.DataFrame(json.loads(line) for line in path.read_text(encoding="utf-8").splitlines())
    return list(news.groupby(news["date"].str[:7]))


def cluster() -> list[tuple[str, cg.Result]]:
    """Group the first month, and update the result with each of the others."""
    (first, news), *others = read_months()
    steps = [(first, cg.make("colligate", n_clusters=5, random_state=0).fit(news).result_)]
    for month, news in others:
        steps.append((month, steps[-1][1].update(news)))
    return steps


def main() -> None:
    """Print what changed in each month, and the groups at the end."""
    steps = cluster()
    for (_, before), (month, after) in pairwise(steps):
        print(f"{month}: {after.changes_since(before)}")
    last = steps[-1][1]
    for number, name, size in zip(
        last.group_numbers, last.group_names, last.groups["size"].to_pylist(), strict=True
    ):
        print(f"  {number}  {size:4d}  {name}")


if __name__ == "__main__":
    main()
