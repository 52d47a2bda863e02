"""The studio: how long "cluster again" takes, as a ratio to a fit of scikit-learn's KMeans.

    python -m benchmarks.studio [--data FOLDER] [--repeats 3] [--documents 2000 18846]

For each number of documents of 20 Newsgroups a project is made and clustered, one document is dragged to
another group, and it is clustered again with a real worker: from the request until its groups are answered
(`again`), of which the worker itself takes `work`. `map` is the time of the answer with the map of that run,
`open` that of opening the project. KMeans has as many groups, tf-idf and one start.
"""

from __future__ import annotations

import queue
import tempfile
import time
from pathlib import Path
from typing import Any

import colligate as cg
from benchmarks.timing import make_parser, measure_seconds
from colligate.methods.spherical import tfidf
from colligate.studio.project import Project, Settings
from colligate.studio.server.endpoint import Call
from colligate.studio.server.handlers.groups import get_groups, get_map
from colligate.studio.session import Session

CLUSTERS = 20
WAIT = 600


class Studio:
    """A session whose runs are waited for."""

    def __init__(self, project: Project) -> None:
        self.session = Session(project)
        self._ended: queue.Queue[Any] = queue.Queue()
        self.session.listeners.append(self._hear)

    def run(self) -> int:
        """Cluster (again), wait, and ask for the groups."""
        self.session.request_run({})
        job = self._ended.get(timeout=WAIT)
        if job["status"] != "done":
            raise SystemExit(job["message"])
        get_groups(self.session, Call({"run": job["run"]}))
        return int(job["run"])

    def drag(self) -> None:
        """Say that the least sure document of the first group belongs to its next best one."""
        view = self.session.view()
        document = int(view.by_membership[0][-1])
        target = view.identity(int(view.result.runner_up[document]))
        self.session.record("label", {"document": view.ids([document])[0], "group": target})

    def _hear(self, kind: str, content: Any) -> None:
        if kind == "job" and content["status"] in ("done", "failed", "cancelled"):
            self._ended.put(dict(content))


def measure_project(corpus: cg.Corpus, folder: Path, repeats: int) -> dict[str, float]:
    """The seconds of everything, the shortest of several."""
    studio = Studio(Project.create(folder, corpus, Settings("20newsgroups", "", "citcc", CLUSTERS)))
    try:
        studio.run()
        again, work, maps = [], [], []
        for _ in range(repeats + 1):  # the first one compiles what knowledge needs
            studio.drag()
            began = time.perf_counter()
            number = studio.run()
            again.append(time.perf_counter() - began)
            work.append(studio.session.view(number).record.seconds)
            maps.append(measure_seconds(lambda run=number: get_map(studio.session, Call({"run": run})), 1))
    finally:
        studio.session.close()
    timings = {
        "again": min(again[1:]),
        "work": min(work[1:]),
        "map": min(maps),
        "kmeans": _measure_kmeans(corpus, repeats),
    }
    return timings | {"open": measure_seconds(lambda: Project(folder).close(), 1)}


def _measure_kmeans(corpus: cg.Corpus, repeats: int) -> float:
    from sklearn.cluster import KMeans

    matrix = tfidf(corpus.counts)
    return measure_seconds(lambda: KMeans(CLUSTERS, n_init=1, random_state=0).fit(matrix), repeats)


def main() -> None:
    parser = make_parser(__doc__)
    parser.add_argument("--documents", type=int, nargs="+", default=[2_000, 18_846])
    asked = parser.parse_args()
    whole = cg.Corpus.read(asked.data / "20newsgroups.jsonl.gz")
    for count in asked.documents:
        corpus = cg.Corpus.from_texts(list(whole.texts or ())[:count], ids=whole.ids[:count])
        with tempfile.TemporaryDirectory() as folder:
            timings = measure_project(corpus, Path(folder) / "project", asked.repeats)
        ratio = timings["again"] / timings["kmeans"]
        summary = ", ".join(f"{name} {value:.3f} s" for name, value in timings.items())
        print(f"{len(corpus):,} documents: {summary}; again / KMeans {ratio:.2f}")


if __name__ == "__main__":
    main()
