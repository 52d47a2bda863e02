from __future__ import annotations

from typing import Any, ClassVar

import numpy as np
import pytest

from colligate import registry
from colligate._array import softmax_rows
from colligate._storage.array_schema import ArraySpec
from colligate.corpus import Corpus
from colligate.network import Network
from colligate.result import Result
from colligate.result.association import count_by_group

TEXTS = [
    "orbit nasa launch shuttle orbit moon",
    "nasa launch rocket orbit moon shuttle nasa",
    "shuttle rocket orbit moon moon launch",
    "launch nasa orbit rocket",
    "orbit nasa launch shuttle orbit moon",
    "hockey goal team puck goal ice",
    "team puck ice hockey season team",
    "goal season hockey team puck",
    "ice puck goal goal hockey season season",
    "hockey team puck orbit ice",
    "",
]
LABELS = [0, 0, 0, 0, 0, 1, 1, 1, 1, 1, -1]
IDS = [f"d{number}" for number in range(len(TEXTS))]
WORDS = sorted({word for text in TEXTS for word in text.split()})


class FakeMethod:
    """Scores by the log of the words' shares in each group."""

    name, family, paper, takes = "fake", "tests", "none", ("links:documents",)
    model_schema: ClassVar[Any] = {
        "log_words": ArraySpec(("counted words", "groups+")),
        "directions": ArraySpec(("documents", "dimensions"), optional=True),
    }

    @staticmethod
    def predict_scores(model: Any, matrix: Any) -> Any:
        return np.asarray(matrix @ model["log_words"], dtype=np.float64)

    @staticmethod
    def check_model(model: Any) -> None:
        pass

    @staticmethod
    def directions(model: Any, matrix: Any) -> Any:
        return model.get("directions")

    @staticmethod
    def evidence(model: Any, columns: Any, counts: Any) -> Any:
        return counts[:, None] * model["log_words"][columns]


def counts_of(texts: list[str], words: list[str] = WORDS) -> np.ndarray:
    place = {word: column for column, word in enumerate(words)}
    table = np.zeros((len(texts), len(words)), dtype=np.int32)
    for row, text in enumerate(texts):
        for word in text.split():
            table[row, place[word]] += 1
    return table


def build(
    labels: Any = LABELS,
    texts: list[str] = TEXTS,
    n_groups: int = 2,
    *,
    with_corpus: bool = True,
    word_labels: Any = None,
    **more: Any,
) -> Result:
    table = counts_of(texts)
    corpus = Corpus.from_counts(table, WORDS, [f"d{row}" for row in range(len(texts))], texts)
    network = Network.from_corpus(corpus) if with_corpus else Network.from_matrix(table)
    found = np.asarray(labels, dtype=np.int32)
    matrix = network.relations[0].matrix
    shares = count_by_group(found, n_groups, matrix).toarray() + 0.5
    model = {"log_words": np.log(shares / shares.sum(axis=1, keepdims=True)).T}
    memberships = softmax_rows(0.3 * FakeMethod.predict_scores(model, matrix))
    memberships[found < 0] = 0
    fields: dict[str, Any] = {
        "method": "fake",
        "parameters": {"n_clusters": n_groups, "tol": 1e-4},
        "seed": 7,
        "network": network,
        "corpus": corpus if with_corpus else None,
        "labels": {"documents": found},
        "memberships": {"documents": memberships},
        "association": {},
        "history": (3.0, 2.5, 2.25),
        "n_iter": 3,
        "converged": True,
        "restarts": (2.25, 2.75),
        "chosen": 0,
        "model": model,
    }
    if word_labels is not None:
        chosen = np.asarray(word_labels, dtype=np.int32)
        groups = int(chosen.max()) + 1
        fields["labels"]["words"] = chosen
        fields["memberships"]["words"] = np.eye(groups, dtype=np.float32)[chosen]
        mass = count_by_group(chosen, groups, count_by_group(found, n_groups, matrix).T.tocsr()).toarray().T
        fields["association"] = {"documents × words": mass / mass.sum()}
    return Result(**(fields | more))


@pytest.fixture
def fake_method(monkeypatch: pytest.MonkeyPatch) -> type[FakeMethod]:
    monkeypatch.setattr(registry, "find_method", lambda name: FakeMethod)
    return FakeMethod


@pytest.fixture
def make_result(fake_method: type[FakeMethod]) -> Any:
    return build


@pytest.fixture
def result(fake_method: type[FakeMethod]) -> Result:
    word_labels = [
        0 if word in {"orbit", "nasa", "launch", "shuttle", "moon", "rocket"} else 1 for word in WORDS
    ]
    return build(word_labels=word_labels)
