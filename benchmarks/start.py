"""How good the groups are that `itcc` and `citcc` reach from their start: this version against another one.

    python -m benchmarks.start [--baseline SRC] [--seeds 5] [--corpora newsgroups r8 webkb]
        [--methods itcc citcc] [--data FOLDER] [--store FILE]

On 20 Newsgroups, R8 and WebKB, with all parameters at their defaults and as many groups as classes. `citcc`
has the labels of every tenth document, and is judged by the others. SRC is the `src` folder of the other
version. Printed are, over the seeds, the mean of NMI with its standard error, and the mean of the objective.
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
from scipy import sparse

from benchmarks.timing import make_parser, prepend_path, store_figures

CORPORA = ("newsgroups", "r8", "webkb")
METHODS = ("itcc", "citcc")
EVERY = 10


def write_corpora(data: Path, folder: Path, names: list[str]) -> None:
    """Write the counts and the classes of every corpus, which both versions read."""
    from experiments.corpora.newsgroups import read_newsgroups
    from experiments.corpora.reuters import read_r8
    from experiments.corpora.webkb import read_webkb

    readers: dict[str, Any] = {
        "newsgroups": lambda path: read_newsgroups(path, None, 5),
        "r8": read_r8,
        "webkb": read_webkb,
    }
    for name in names:
        corpus, labels = readers[name](data)
        sparse.save_npz(folder / f"{name}.npz", sparse.csr_matrix(corpus.counts))
        np.save(folder / f"{name}.npy", np.unique(labels, return_inverse=True)[1])


def measure_fits(
    folder: Path, seeds: int, names: list[str], methods: list[str]
) -> dict[str, dict[str, float]]:
    """Return the figures of every method on every corpus, in the version that this process imports."""
    from sklearn.metrics import normalized_mutual_info_score

    import colligate as cg

    figures = {}
    for name in names:
        counts = sparse.csr_array(sparse.load_npz(folder / f"{name}.npz"))
        classes = np.load(folder / f"{name}.npy")
        known = np.arange(len(classes)) % EVERY == 0
        for method in methods:
            knowledge = cg.Knowledge().label({int(i): f"class {classes[i]}" for i in np.flatnonzero(known)})
            extra = {"knowledge": knowledge} if method == "citcc" else {}
            judged = ~known if method == "citcc" else np.ones(len(classes), dtype=bool)
            scores, objectives = [], []
            for seed in range(seeds):
                model = cg.make(method, n_clusters=int(classes.max()) + 1, random_state=seed)
                model.fit(counts, **extra)
                scores.append(normalized_mutual_info_score(classes[judged], model.labels_[judged]))
                objectives.append(float(model.history_[-1]))
            figures[f"{method} {name}"] = {
                "nmi": float(np.mean(scores)),
                "error": float(np.std(scores, ddof=1) / np.sqrt(seeds)),
                "objective": float(np.mean(objectives)),
            }
    return figures


def run_version(
    source: Path | None, folder: Path, arguments: argparse.Namespace
) -> dict[str, dict[str, float]]:
    """Measure one version in a process of its own."""
    root = Path(__file__).parents[1]
    environment = prepend_path(*([] if source is None else [source]), root)
    command = [sys.executable, "-m", "benchmarks.start", "--child", str(folder)]
    command += ["--seeds", str(arguments.seeds), "--corpora", *arguments.corpora]
    command += ["--methods", *arguments.methods]
    output = subprocess.run(command, check=True, env=environment, stdout=subprocess.PIPE, cwd=folder)
    measured: dict[str, dict[str, float]] = json.loads(output.stdout)
    return measured


def main() -> None:
    parser = make_parser(__doc__)
    parser.add_argument("--baseline", type=Path, help="the src folder of another version")
    parser.add_argument("--seeds", type=int, default=5)
    parser.add_argument("--corpora", nargs="+", choices=CORPORA, default=list(CORPORA))
    parser.add_argument("--methods", nargs="+", choices=METHODS, default=list(METHODS))
    parser.add_argument("--store", type=Path)
    parser.add_argument("--child", type=Path, help=argparse.SUPPRESS)
    arguments = parser.parse_args()
    if arguments.child is not None:
        figures = measure_fits(arguments.child, arguments.seeds, arguments.corpora, arguments.methods)
        print(json.dumps(figures))
        return
    versions = {"now": None} | (
        {} if arguments.baseline is None else {"before": arguments.baseline.resolve()}
    )
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        write_corpora(arguments.data, folder, arguments.corpora)
        runs = {version: run_version(source, folder, arguments) for version, source in versions.items()}
    for case in runs["now"]:
        shown = (
            f"{version} {run[case]['nmi']:.4f} ± {run[case]['error']:.4f} (J {run[case]['objective']:.5f})"
            for version, run in runs.items()
        )
        print(f"{case:18}", "   ".join(shown))
    if arguments.store is not None:
        store_figures(arguments.store, "start", "start", runs)


if __name__ == "__main__":
    main()
