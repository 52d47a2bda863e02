"""Sort support tickets: names for the groups you expect, tickets to read first, and copies.

    python examples/support_tickets.py [TICKETS.csv]

The file has the columns id, text and product. The default file is made up: 360 tickets.
"""

from __future__ import annotations

import sys
from pathlib import Path

import colligate as cg

SAMPLE = Path(__file__).parent / "data" / "tickets.csv"


def cluster(path: Path = SAMPLE) -> cg.Result:
    """Group the tickets; seed words name three of the six groups."""
    knowledge = (
        cg.Knowledge()
        .category("sign in", words=["password", "login", "account"])
        .category("billing", words=["invoice", "charged", "payments"])
        .category("delivery", words=["parcel", "tracking", "courier"])
    )
    return cg.make("colligate", n_clusters=6, random_state=0).fit(path, knowledge=knowledge).result_


def main(path: Path) -> None:
    """Print the groups, the groups of each product, tickets to read first, and copies."""
    result = cluster(path)
    for name, size in zip(result.group_names, result.groups["size"].to_pylist(), strict=True):
        print(f"{size:4d}  {name}")

    products = result.over("product").to_pandas()
    print("\ntickets of each product")
    print(products.pivot(index="name", columns="value", values="documents").to_string())

    corpus = result.corpus
    print("\nread these first, the groups are least sure of them:")
    for row in result.confidence.argsort()[:3].tolist():
        print(f"  {corpus.ids[row]} {result.confidence[row]:.0%} {corpus.texts[row][:70]}")

    copies = corpus.duplicates()
    print(f"\n{len(copies)} of {len(corpus)} tickets are copies of another one or nearly so")
    print("statements:", result.audit().counts())


if __name__ == "__main__":
    main(Path(sys.argv[1]) if len(sys.argv) > 1 else SAMPLE)
