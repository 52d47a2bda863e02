"""Draw the papers that `examples/dblp_network.py` runs on.

    python -m experiments.build_dblp_sample [DATA_FOLDER]

The data folder holds `dblp_four_area.jsonl.gz`. From each area come the first papers in the order of a hash
of their ids, so that the same input gives the same bytes. Nothing else was considered in the choice.
"""

from __future__ import annotations

import hashlib
import json
import sys
from pathlib import Path
from typing import Any

from experiments.corpora.dblp import dblp_papers
from experiments.corpora.folder import DEFAULT

TARGET = Path(__file__).resolve().parents[1] / "examples" / "data" / "dblp.jsonl"
PER_AREA = 100
FIELDS = ("id", "title", "authors", "conf", "label")


def order(paper: dict[str, Any]) -> str:
    return hashlib.sha256(str(paper["id"]).encode()).hexdigest()


def main(arguments: list[str]) -> None:
    papers = sorted(dblp_papers(Path(arguments[0]) if arguments else DEFAULT), key=order)
    areas = sorted({paper["label"] for paper in papers})
    drawn = [paper for area in areas for paper in [p for p in papers if p["label"] == area][:PER_AREA]]
    rows = [json.dumps({field: paper[field] for field in FIELDS}) for paper in sorted(drawn, key=order)]
    TARGET.parent.mkdir(exist_ok=True)
    TARGET.write_text("\n".join(rows) + "\n", encoding="utf-8")
    print(f"{TARGET}: {len(rows)} papers")


if __name__ == "__main__":
    main(sys.argv[1:])
