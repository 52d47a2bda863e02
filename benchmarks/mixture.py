"""The method `colligate` from counts to labels against one fit of scikit-learn's KMeans, on 20 Newsgroups.

    python -m benchmarks.mixture [--data FOLDER] [--repeats 3]

Prints seconds and the ratio, which must be at most 10. KMeans has one start (n_init=1) on the tf-idf of the
same counts; ours has its defaults, all its runs included. Both may use every core. Times on a shared machine
mean little, ratios within one run more.
"""

from __future__ import annotations

import sys

from sklearn.cluster import KMeans

import colligate as cg
from benchmarks.timing import CLUSTERS, make_parser, measure_seconds
from colligate.methods.kmeans import use_int32_indices
from colligate.methods.spherical import tfidf
from experiments.corpora.newsgroups import read_newsgroups

MOST = 10.0


def main() -> int:
    arguments = make_parser(__doc__).parse_args()
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
