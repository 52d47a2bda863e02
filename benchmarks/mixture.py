"""The method `colligate` from counts to labels against one fit of scikit-learn's KMeans, on 20 Newsgroups.

    python -m benchmarks.mixture [--data FOLDER] [--repeats 3] [--baseline SRC]

Prints seconds and the ratio, which must be at most 10. KMeans has one start (n_init=1) on the tf-idf of the
same counts; ours has its defaults, all its runs included. Both may use every core. Times on a shared machine
mean little, ratios within one run more.

With `--baseline`, the `src` folder of another version, fits of the counts by it and by this one are compared
in processor time and peak memory, each version in a process of its own, one after the other.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tempfile
from pathlib import Path

from scipy import sparse
from sklearn.cluster import KMeans

import colligate as cg
from benchmarks.timing import CLUSTERS, make_parser, measure_seconds
from colligate.methods.kmeans import use_int32_indices
from colligate.methods.spherical import tfidf
from experiments.corpora.newsgroups import read_newsgroups

MOST = 10.0
ROOT = Path(__file__).parents[1]
FIT = """
import json, resource, sys, time, warnings
from pathlib import Path
warnings.simplefilter("ignore")
import colligate as cg
from scipy import sparse
counts, words = sparse.load_npz(sys.argv[1]), json.loads(Path(sys.argv[2]).read_text())
cg.make("colligate", n_clusters=2, random_state=0).fit(counts[:200])
names = {"documents": range(counts.shape[0]), "words": words}
types = {name: cg.ObjectType(name, listed) for name, listed in names.items()}
network = cg.Network(types, [cg.Relation("documents", "words", sparse.csr_array(counts))])
begin = time.process_time()
cg.make("colligate", n_clusters=int(sys.argv[3]), random_state=0).fit(network)
seconds, peak = time.process_time() - begin, resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
print(json.dumps({"processor seconds": seconds, "peak MiB": peak}))
"""


def compare_versions(data: Path, baseline: Path, repeats: int) -> None:
    """Print processor time and peak memory of a fit by another version and by this one, and their ratios."""
    versions = {"other version": baseline, "this version": ROOT / "src"}
    fits: dict[str, list[dict[str, float]]] = {name: [] for name in versions}
    corpus, _ = read_newsgroups(data, None, 5)
    with tempfile.TemporaryDirectory() as folder:
        counts, words = Path(folder) / "counts.npz", Path(folder) / "words.json"
        sparse.save_npz(counts, corpus.counts)
        words.write_text(json.dumps(list(corpus.words)), encoding="utf-8")
        command = [sys.executable, "-c", FIT, str(counts), str(words), str(CLUSTERS)]
        for _ in range(repeats):
            for name, source in versions.items():
                environment = {**os.environ, "PYTHONPATH": str(source.resolve())}
                answer = subprocess.run(command, env=environment, stdout=subprocess.PIPE, check=True)
                fits[name].append(json.loads(answer.stdout.splitlines()[-1]))
    for figure in ("processor seconds", "peak MiB"):
        before, now = (min(fit[figure] for fit in fits[name]) for name in versions)
        print(f"{figure:20} other {before:8.1f}   this {now:8.1f}   ratio {now / before:5.2f}")


def main() -> int:
    parser = make_parser(__doc__)
    parser.add_argument("--baseline", type=Path, help="the src folder of another version")
    arguments = parser.parse_args()
    if arguments.baseline:
        compare_versions(arguments.data, arguments.baseline, arguments.repeats)
        return 0
    corpus, _ = read_newsgroups(arguments.data, None, 5)
    rows = use_int32_indices(tfidf(corpus.counts))
    # what compiles once is compiled first
    cg.make("colligate", n_clusters=2, random_state=0).fit(corpus.counts[:200])
    ours = measure_seconds(
        lambda: cg.make("colligate", n_clusters=CLUSTERS, random_state=0).fit(corpus.counts),
        arguments.repeats,
    )
    peer = measure_seconds(lambda: KMeans(CLUSTERS, n_init=1, random_state=0).fit(rows), arguments.repeats)
    print(f"{len(corpus):,} documents, {len(corpus.words):,} words, {corpus.counts.nnz:,} entries")
    print(f"{'KMeans, one start':40} {peer:8.2f} s")
    print(
        f"{'colligate, from counts to labels':40} {ours:8.2f} s   {ours / peer:6.2f} (goal: at most {MOST:g})"
    )
    return int(ours / peer > MOST)


if __name__ == "__main__":
    sys.exit(main())
