"""Folding of copies: one document counts, all get its group, and every statement keeps its outcome."""

from __future__ import annotations

import numpy as np
import pytest

import colligate as cg
from colligate.errors import InputError, ParameterError
from colligate.methods.fit import RunOptions

FOLD = RunOptions(fold_duplicates=True)
SUBJECTS = ("goal match team player", "bank money market stock", "star moon planet orbit")


@pytest.fixture(scope="module")
def corpus() -> cg.Corpus:
    rng = np.random.default_rng(0)
    texts = [
        " ".join(rng.choice([*SUBJECTS[k % 3].split(), *(f"w{k}x{j}" for j in range(8)), "the"], 40))
        for k in range(30)
    ]
    # eight copies of each of the first three documents
    texts += [f"{texts[k % 3]} again" for k in range(24)]
    return cg.Corpus.from_texts(
        texts, ids=[f"d{k}" for k in range(len(texts))], analyser=cg.Analyser(min_df=1)
    )


def make(**parameters: object) -> cg.Colligate:
    return cg.make("colligate", n_clusters=3, random_state=0, n_ensemble=2, embeddings=None, **parameters)


def test_a_folded_run_is_the_run_of_the_originals(corpus):
    result = make().fit(corpus, options=FOLD).result_
    alone = make().fit(corpus[:30]).result_
    assert result.labels["documents"][:30].tolist() == alone.labels["documents"].tolist()
    assert result.history == alone.history
    assert result.copy_of[:33].tolist() == [*range(30), 0, 1, 2]
    for values in (result.labels["documents"], result.memberships["documents"], result.model["agreement"]):
        assert np.array_equal(values, values[result.copy_of])
    assert len(result.network.types["documents"]) == 54


def test_statements_about_copies_count_for_the_original_and_keep_their_outcome(corpus):
    knowledge = (
        cg.Knowledge()
        .label({"d30": "sport", "d31": "money"})
        .together(documents=[("d33", "d3"), ("d30", "d33")])
        .apart(documents=[("d32", "d4"), ("d34", "d37")])
    )
    result = make().fit(corpus, knowledge=knowledge, options=FOLD).result_
    audit = result.audit()
    assert len(audit) == 6
    assert [audit.statement(k).status for k in range(6)] == ["kept"] * 5 + ["broken"]
    assert audit.statement(5).text == "documents d34 and d37 belong apart"
    assert result.labels["documents"][0] == result.named_groups["sport"]


def test_conflicting_labels_of_copies_take_the_first_and_the_other_is_broken(corpus):
    knowledge = cg.Knowledge().label({"d0": "sport", "d30": "money", "d1": "money"})
    result = make().fit(corpus, knowledge=knowledge, options=FOLD).result_
    statuses = {result.audit().statement(k).text: result.audit().statement(k).status for k in range(3)}
    assert statuses["document d30 is labelled money"] == "broken"
    assert statuses["document d0 is labelled sport"] == "kept"


def test_arrays_with_a_row_for_each_document_are_folded_too(corpus):
    start = np.arange(54) % 3
    result = make(init=start).fit(corpus, options=FOLD).result_
    alone = make(init=start[:30]).fit(corpus[:30]).result_
    assert result.labels["documents"][:30].tolist() == alone.labels["documents"].tolist()


def test_outsiders_and_other_methods_fold(corpus):
    knowledge = cg.Knowledge().outside(["d32"])
    result = make().fit(corpus, knowledge=knowledge, options=FOLD).result_
    assert result.labels["documents"][[2, 32, 35]].tolist() == [-1, -1, -1]
    labels = cg.make("kmeans", n_clusters=3, random_state=0).fit(corpus, options=FOLD).labels_
    assert labels[30:].tolist() == [labels[k % 3] for k in range(24)]


def test_another_threshold_is_given_by_the_copies(corpus):
    options = RunOptions(fold_duplicates=corpus.duplicates(1.0))
    result = make().fit(corpus, options=options).result_
    # copies with "again" are copies of the first such text
    assert result.copy_of[30:36].tolist() == [30, 31, 32, 30, 31, 32]


def test_a_changed_result_folds_the_same_copies_and_is_stored(corpus, tmp_path):
    result = make().fit(corpus, options=FOLD).result_
    result.save(tmp_path / "run")
    loaded = cg.Result.load(tmp_path / "run")
    assert loaded.copy_of.tolist() == result.copy_of.tolist()
    target = next(k for k in result.group_numbers if k != result.labels["documents"][0])
    moved = loaded.move(["d30"], target)
    assert moved.copy_of.tolist() == result.copy_of.tolist()
    numbers = moved.numbers_of(moved.labels["documents"])
    assert {int(numbers[k]) for k in (0, *range(30, 54, 3))} == {target}
    assert loaded.documents.to_arrow().column("copy_of").to_pylist()[29:31] == [None, "d0"]


def test_what_cannot_be_folded_is_refused(corpus):
    with pytest.raises(InputError, match="copies are found by texts or words with names"):
        make().fit(corpus.counts, options=FOLD)
    with pytest.raises(InputError, match="fold_duplicates has 30 documents, but there are 54"):
        make().fit(corpus, options=RunOptions(fold_duplicates=corpus[:30].duplicates()))
    with pytest.raises(ParameterError, match="fold_duplicates must be True, False or the Duplicates"):
        make().fit(corpus, options=RunOptions(fold_duplicates="yes"))
    with pytest.raises(ParameterError, match="only 30 documents are not empty"):
        cg.make("kmeans", n_clusters=40).fit(corpus, options=FOLD)
