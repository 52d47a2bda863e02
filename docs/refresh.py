"""Put what the code prints now into the pages that quote it.

    python docs/refresh.py [--tables]

The output below each piece of Python in the pages of `QUOTING` comes from running it, and the table of the
demo in the README from `colligate demo`; `--tables` leaves these out. The tables of figures come from what
`python -m experiments run foundation` and `python -m experiments run networks` stored; those of the papers,
which `paper_tables` makes, from what `python -m experiments run paper000 paper001 paper001_reasons paper002
paper004` stored. The page of all papers comes from `python -m experiments page`, pictures of reports from
`python -m tools.pictures`.
"""

from __future__ import annotations

import argparse
import json
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Any

import numpy as np
from paper_tables import tables

ROOT = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT))

from tools.pages import refresh_page  # noqa: E402

README = ROOT / "README.md"
HOW_TO = ("read_your_texts", "state_knowledge", "use_a_knowledge_base", "keep_results")
QUOTING = tuple(
    ROOT / "docs" / f"{name}.md"
    for name in ("tutorial", "guide", "frames", *(f"howto/{name}" for name in HOW_TO))
)
CITCC, HINC, CHINC = (ROOT / "docs" / "methods" / f"{name}.md" for name in ("citcc", "hinc", "chinc"))
FIGURES = ROOT / "experiments" / "results" / "foundation.json"
NETWORKS = ROOT / "experiments" / "results" / "networks.json"
CORPORA = {"atheism/graphics": "alt.atheism, comp.graphics", "20 newsgroups": "all twenty"}
PUBLISHED = {
    ("atheism/graphics", "kmeans", 0): ".623",
    ("atheism/graphics", "itcc", 0): ".842",
    ("20 newsgroups", "kmeans", 0): ".429",
    ("20 newsgroups", "itcc", 0): ".501",
    ("20 newsgroups", "citcc", 250_000): ".569",
}
PUBLISHED_NETWORKS = {"itcc | words": ".501", "hinc | words + figer": ".571", "chinc | words + figer": ".631"}
NEWS = "20 newsgroups"
# with fewer documents, NMI over twenty groups says little
FEWEST = 100


def between(text: str, name: str, content: str) -> str:
    """The page with new content between the comments of a name."""
    first, last = f"<!-- {name} -->\n", f"<!-- end of {name} -->"
    head, _, rest = text.partition(first)
    _, mark, tail = rest.partition(last)
    if not mark:
        raise SystemExit(f"there is no {first.strip()} … {last} in the page")
    return f"{head}{first}\n{content.strip()}\n\n{last}{tail}"


def demo_table() -> str:
    """The comparison that `colligate demo` prints."""
    with tempfile.TemporaryDirectory() as folder:
        command = [sys.executable, "-m", "colligate", "demo", "--out", f"{folder}/demo"]
        printed = subprocess.run(command, check=True, capture_output=True, text=True, encoding="utf-8").stdout
    return f"```text\n{printed[: printed.index('The knowledge file')].rstrip()}\n```"


def figures(broken: bool) -> str:
    """The table of the experiment, with the published figures or with the share of links that were broken."""
    last = "links broken" if broken else "published"
    rows = [
        f"| corpus | method | links | all posts | posts in no link | {last} |",
        "|---|---|---|---|---|---|",
    ]
    for key, runs in json.loads(FIGURES.read_text(encoding="utf-8"))["cells"].items():
        corpus, method, links, *held_out = (part.strip() for part in key.split("|"))
        # variants with other weights and starts are on the page of the world-knowledge paper
        if held_out not in ([], ["held out"]):
            continue
        count = int(links.split()[0])
        share = f"{_mean(runs, 'broken') / count:.2%}" if count else "–"
        tail = share if broken else "–" if held_out else PUBLISHED.get((corpus, method, count), "–")
        name = ", ".join([CORPORA[corpus], *(f"a tenth {how}" for how in held_out)])
        cells = (name, f"`{method}`", f"{count:,}", _spread(runs, "nmi"), _free(runs, count), tail)
        rows.append(f"| {' | '.join(cells)} |")
    return "\n".join(rows)


def network_figures(guided: bool) -> str:
    """The table of networks: documents alone, or (`guided`) the clusters of entities on 20 Newsgroups too."""
    last = "entities and their sub-types" if guided else "accuracy"
    rows = [f"| corpus | method | objects | weights | documents | {last} | published |", "|---|" + "---|" * 6]
    for key, runs in json.loads(NETWORKS.read_text(encoding="utf-8"))["cells"].items():
        corpus, method, objects, weights, *held_out = (part.strip() for part in key.split("|"))
        if (guided and corpus != NEWS) or (not guided and method == "chinc"):
            continue
        known = [_pooled(run["entities"]) for run in runs if run["entities"]]
        tail = (
            (f"{np.mean(known):.3f} ± {np.std(known):.3f}" if known else "–")
            if guided
            else _spread(runs, "accuracy")
        )
        published = (
            PUBLISHED_NETWORKS.get(f"{method} | {objects}", "–") if corpus == NEWS and not held_out else "–"
        )
        name = ", ".join([corpus, *(f"a fifth of the sub-types {word}" for word in held_out)])
        cells = (name, f"`{method}`", objects, weights, _spread(runs, "nmi"), tail, published)
        rows.append(f"| {' | '.join(cells)} |")
    return "\n".join(rows)


def _pooled(entities: dict[str, dict[str, float]]) -> float:
    agreements = entities.values()
    return float(np.average([one["nmi"] for one in agreements], weights=[one["count"] for one in agreements]))


def _free(runs: list[dict[str, Any]], links: int) -> str:
    left = float(np.mean([run["free"] for run in runs]))
    if not links:
        return "–"
    if left < FEWEST:
        return f"too few left (about {left:,.0f})" if left else "none left"
    return f"{_spread(runs, 'free_nmi')} (about {left:,.0f})"


def _spread(runs: list[dict[str, Any]], name: str) -> str:
    values = [run[name] for run in runs]
    return f"{np.mean(values):.3f} ± {np.std(values):.3f}"


def _mean(runs: list[dict[str, Any]], status: str) -> float:
    return float(np.mean([run["statements"].get(status, 0) for run in runs]))


def main() -> None:
    """Refresh all pages, or the tables of stored figures alone."""
    parser = argparse.ArgumentParser(description="Put what the code prints now into the pages that quote it.")
    parser.add_argument("--tables", action="store_true", help="only the tables of stored figures")
    readme = README.read_text(encoding="utf-8")
    if not parser.parse_args().tables:
        for page in QUOTING:
            with tempfile.TemporaryDirectory() as folder:
                refresh_page(page, Path(folder))
        readme = between(readme, "demo", demo_table())
    README.write_text(between(readme, "figures", figures(broken=False)), encoding="utf-8")
    CITCC.write_text(
        between(CITCC.read_text(encoding="utf-8"), "figures", figures(broken=True)), encoding="utf-8"
    )
    for page, guided in ((HINC, False), (CHINC, True)):
        page.write_text(
            between(page.read_text(encoding="utf-8"), "figures", network_figures(guided)), encoding="utf-8"
        )
    for name, page_tables in tables().items():
        page = ROOT / "docs" / "methods" / f"{name}.md"
        text = page.read_text(encoding="utf-8")
        for title, content in page_tables.items():
            text = between(text, title, content)
        page.write_text(text, encoding="utf-8")
    subprocess.run([sys.executable, "-m", "experiments", "page"], check=True, cwd=ROOT)


if __name__ == "__main__":
    main()
