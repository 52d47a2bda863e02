"""Group news, see how the share of each group changes over time, and join the groups to larger ones.

    python examples/news_over_time.py [NEWS.jsonl] [NUMBER_OF_GROUPS]

Each line of the file is an object with text and date, and with a title if there is one. The default file is
made up: 480 short texts, half a year.
"""

from __future__ import annotations

import sys
from pathlib import Path

import colligate as cg

SAMPLE = Path(__file__).parent / "data" / "news.jsonl"


def cluster(path: Path = SAMPLE, n_clusters: int = 6) -> cg.Result:
    """Read the news and group them; the date stays with each document."""
    return cg.make("colligate", n_clusters=n_clusters, random_state=0).fit(path).result_


def main(path: Path, n_clusters: int) -> None:
    """Print the groups, their shares over time, and the hierarchy."""
    result = cluster(path, n_clusters)
    print(result)

    rows = result.over("date", time=True).to_pandas()
    print("\nshare of each group, in percent")
    shares = rows.pivot(index="name", columns=rows.columns[0], values="share")
    print((100 * shares).round().to_string())
    print(f"\nwords of {rows['name'][0]!r} in {rows.iloc[0, 0]}: {rows['words'][0]}")

    print(f"\n{result.hierarchy()}")


if __name__ == "__main__":
    arguments = sys.argv[1:]
    main(Path(arguments[0]) if arguments else SAMPLE, int(arguments[1]) if len(arguments) > 1 else 6)
