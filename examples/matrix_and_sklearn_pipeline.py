"""The methods as scikit-learn estimators: in a pipeline, on a matrix, and with labels for a few rows.

python examples/matrix_and_sklearn_pipeline.py
"""

from __future__ import annotations

import gzip
import json
from importlib.resources import files

import numpy as np
from sklearn.feature_extraction.text import CountVectorizer
from sklearn.metrics import adjusted_rand_score
from sklearn.pipeline import make_pipeline

import colligate as cg

NEW = ["The shuttle reached its orbit around the moon.", "The goalie lost the puck in the playoffs."]


def read_posts() -> tuple[list[str], np.ndarray]:
    """Return the texts of the demo, and the newsgroup of each as a number."""
    raw = gzip.decompress((files("colligate") / "demo" / "newsgroups.jsonl.gz").read_bytes())
    posts = [json.loads(line) for line in raw.decode("utf-8").splitlines()]
    newsgroups = [post["group"] for post in posts]
    return [post["text"] for post in posts], np.unique(newsgroups, return_inverse=True)[1]


def main() -> None:
    """Fit a pipeline, then the same method on a matrix with some rows labelled."""
    texts, newsgroup = read_posts()
    counter = CountVectorizer(stop_words="english", min_df=2)

    pipeline = make_pipeline(counter, cg.make("colligate", n_clusters=6, random_state=0)).fit(texts)
    groups = pipeline.predict(texts)
    print(f"pipeline: ARI {adjusted_rand_score(newsgroup, groups):.3f}; new texts in groups", end=" ")
    print(*pipeline.predict(NEW))

    matrix = counter.fit_transform(texts)
    labels = np.full(len(texts), -1)
    labels[:90] = newsgroup[:90]
    model = cg.make("colligate", n_clusters=6, random_state=0).fit(matrix, labels)
    rest = labels < 0
    score = adjusted_rand_score(newsgroup[rest], model.labels_[rest])
    print(f"matrix with 90 labels: ARI {score:.3f} on the other {rest.sum()} rows")
    print("labels kept:", model.result_.audit().counts()["kept"], "of", len(model.result_.audit()))

    links = cg.Knowledge().together(documents=np.array([[0, 2], [3, 5]])).apart(words=[(0, 1)])
    linked = cg.make("colligate", n_clusters=6, random_state=0).fit(matrix, knowledge=links)
    print("by position:", linked.result_.audit().statement(0).text)


if __name__ == "__main__":
    main()
