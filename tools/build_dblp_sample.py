"""Draw the papers that `examples/dblp_network.py` runs on.

    python -m tools.build_dblp_sample [--data FOLDER]

The data folder holds `dblp_four_area.jsonl.gz`. From each area come the first papers in the order of a hash
of their ids, so that the same input gives the same bytes. Nothing else decides the choice.
"""

from __future__ import annotations

import argparse
import hashlib
import json
from pathlib import Path
from typing import Any

from experiments.corpora.dblp import read_papers
from experiments.corpora.folder import DATA_FOLDER

TARGET = Path(__file__).resolve().parents[1] / "examples" / "data" / "dblp.jsonl"
PER_AREA = 100
FIELDS = ("id", "title", "authors", "conf", "label")


def sort_key(paper: dict[str, Any]) -> str:
    """Order papers by a hash of their ids."""
    return hashlib.sha256(str(paper["id"]).encode()).hexdigest()


def main() -> None:
    """Write the sample."""
    raw = argparse.RawDescriptionHelpFormatter
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=raw)
    parser.add_argument("--data", type=Path, default=DATA_FOLDER, help="the folder of corpora")
    papers = sorted(read_papers(parser.parse_args().data), key=sort_key)
    areas = sorted({paper["label"] for paper in papers})
    drawn = [paper for area in areas for paper in [p for p in papers if p["label"] == area][:PER_AREA]]
    rows = [json.dumps({field: paper[field] for field in FIELDS}) for paper in sorted(drawn, key=sort_key)]
    TARGET.parent.mkdir(exist_ok=True)
    TARGET.write_text("\n".join(rows) + "\n", encoding="utf-8")
    print(f"{TARGET}: {len(rows)} papers")


if __name__ == "__main__":
    main()
