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

NEW = ["The shuttle reached its orbit around the moon.", "Zeus sent the god Apollo to Troy."]


def read_texts() -> tuple[list[str], np.ndarray]:
    """Return the texts of the demo, and the subject of each as a number."""
    raw = gzip.decompress((files("colligate") / "demo" / "articles.jsonl.gz").read_bytes())
    rows = [json.loads(line) for line in raw.decode("utf-8").splitlines()]
    subjects = [row["group"] for row in rows]
    return [row["text"] for row in rows], np.unique(subjects, return_inverse=True)[1]


def main() -> None:
    """Fit a pipeline, then the same method on a matrix with some rows labelled."""
    texts, subject = read_texts()
    counter = CountVectorizer(stop_words="english", min_df=2)

    pipeline = make_pipeline(counter, cg.make("colligate", n_clusters=6, random_state=0)).fit(texts)
    groups = pipeline.predict(texts)
    print(f"pipeline: ARI {adjusted_rand_score(subject, groups):.3f}; new texts in groups", end=" ")
    print(*pipeline.predict(NEW))

    matrix = counter.fit_transform(texts)
    labels = np.full(len(texts), -1)
    labels[:90] = subject[:90]
    model = cg.make("colligate", n_clusters=6, random_state=0).fit(matrix, labels)
    rest = labels < 0
    score = adjusted_rand_score(subject[rest], model.labels_[rest])
    print(f"matrix with 90 labels: ARI {score:.3f} on the other {rest.sum()} rows")
    print("labels kept:", model.result_.audit().counts()["kept"], "of", len(model.result_.audit()))

    links = cg.Knowledge().together(documents=np.array([[0, 2], [3, 5]])).apart(words=[(0, 1)])
    linked = cg.make("colligate", n_clusters=6, random_state=0).fit(matrix, knowledge=links)
    print("by position:", linked.result_.audit().statement(0).text)


if __name__ == "__main__":
    main()
