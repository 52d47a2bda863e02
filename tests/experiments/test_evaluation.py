import gzip
import json
from dataclasses import fields, replace

import numpy as np
import pytest
from scipy.sparse import csr_array

import colligate as cg
from colligate.corpus.embeddings import sum_word_pieces
from colligate.methods.mixture.constants import Constants
from colligate.result.metrics import evaluate
from experiments.corpora.catalogue import load_corpus
from experiments.evaluation import ablation, knowledge, page
from experiments.evaluation.certainty import calibration_error, find_right
from experiments.evaluation.fits import fit_network
from experiments.evaluation.goals import BELOW, FIRST, TIED, rank_among
from experiments.evaluation.gsdmm import run_gsdmm
from experiments.evaluation.statements import (
    User,
    join_statements,
    make_labels,
    make_links,
    make_seed_words,
    make_word_links,
    select_seed_words,
)
from experiments.runner.store import RESULTS

LABELS = np.array(["a", "b", "c"]).repeat(40)


@pytest.fixture(scope="module")
def network():
    """Three classes of documents; each has twelve words of its own, and all share twelve."""
    rng = np.random.default_rng(0)
    counts = rng.poisson(0.3, (120, 48))
    for number in range(3):
        counts[40 * number : 40 * (number + 1), 12 * number : 12 * (number + 1)] += rng.poisson(0.8, (40, 12))
    words = [f"w{number}" for number in range(48)]
    return cg.Network.from_corpus(cg.Corpus.from_counts(csr_array(counts.astype(np.float64)), words))


def user(network, wrong=0.0):
    return User(network, LABELS, 0, wrong)


def test_the_page_is_what_the_stored_runs_say():
    stale = "run `python -m experiments.evaluation.page`"
    assert page.PAGE.read_text(encoding="utf-8") == page.compose_page(RESULTS), stale


def test_words_speak_for_the_class_that_has_them(network):
    words, groups = select_seed_words(network.neighbourhood("documents").matrix, LABELS)
    assert len(words) == len(set(words.tolist())) == 30
    in_class = words < 36
    assert in_class.mean() > 0.9
    assert (np.array(["a", "b", "c"])[words[in_class] // 12] == groups[in_class]).all()


def test_every_class_has_a_label(network):
    statements = make_labels(0.01)(user(network))
    assert sorted(LABELS[statements.named]) == ["a", "b", "c"]
    assert len(make_labels(0.5)(user(network)).named) == 60


@pytest.mark.parametrize("kind", [make_labels(0.5), make_seed_words, make_word_links, make_links])
def test_a_share_of_the_statements_is_wrong(network, kind):
    assert not kind(user(network)).wrong.any()
    statements = kind(user(network, 0.4))
    assert len(statements.wrong) == len(statements.knowledge)
    assert statements.wrong.mean() == pytest.approx(0.4, abs=0.05)


def test_wrong_labels_are_of_another_group_and_the_others_stay(network):
    right, wrong = (make_labels(0.5)(user(network, share)) for share in (0.0, 0.4))
    assert (right.named == wrong.named).all()
    labels = [one.object for one in wrong.knowledge]
    assert ((np.array(labels) != LABELS[wrong.named]) == wrong.wrong).all()


def test_wrong_links_are_turned_round(network):
    statements = make_links(user(network, 0.4))
    for one, wrong in zip(statements.knowledge, statements.wrong, strict=True):
        same = LABELS[one.subject] == LABELS[one.object]
        assert (one.kind == "together") == (same != wrong), one


def test_a_kind_says_the_same_alone_and_among_others(network):
    alone = make_links(user(network))
    both = join_statements(kind(user(network)) for kind in (make_labels(0.1), make_links))
    assert len(both.wrong) == len(both.knowledge) == len(alone.knowledge) + 12
    assert set(alone.named) <= set(both.named)


def test_a_document_is_right_by_the_commonest_class_of_its_group_or_the_matched_one():
    groups, labels = np.array([0, 0, 0, 1, 1, 1]), np.array(["a", "a", "a", "a", "a", "b"])
    right = find_right(groups, labels)
    assert right["commonest"].tolist() == [True] * 5 + [False]
    assert right["matched"].tolist() == [True] * 3 + [False] * 2 + [True]


def test_the_calibration_error_is_the_distance_of_confidence_and_right_documents():
    confidence = np.array([0.75, 0.75, 0.75, 0.75, 0.15, 0.15])
    right = np.array([True, True, True, False, True, False])
    # .75 is right; .15 should be .5
    assert calibration_error(confidence, right) == pytest.approx(0.35 * 2 / 6)
    assert calibration_error(np.ones(3), np.ones(3, dtype=bool)) == 0.0


def test_trust_is_told_of_every_statement(network):
    statements = make_labels(0.5)(user(network, 0.2))
    trust = fit_network(network, 3, statements.knowledge, 0).model["trust"]
    assert trust[statements.wrong].mean() < trust[~statements.wrong].mean()


def test_places():
    values = {"high": {0: 0.5, 1: 0.7}, "low": {0: 0.45, 1: 0.65}, "least": {0: 0.1, 1: 0.1}}
    assert rank_among(values["high"], [values["low"], {}]) == FIRST
    assert rank_among(values["low"], [values["high"], values["least"]]) == TIED
    assert rank_among(values["least"], [values["low"]]) == BELOW


@pytest.mark.parametrize("part", [part for parts in ablation.PARTS.values() for part in parts.values()])
def test_parts_are_changes_of_the_constants(part):
    assert set(part) <= {field.name for field in fields(Constants)}


def test_an_ablation_changes_one_fit_and_no_other(network):
    knowledge = make_labels(0.5)(user(network)).knowledge
    without = replace(Constants(), **ablation.LABELS["no classifier"])
    assert fit_network(network, 3, knowledge, 0, without).model["classifier_beta"] == 0.0
    assert fit_network(network, 3, knowledge, 0).model["classifier_beta"] > 0.0


def test_kinds_that_a_corpus_cannot_have_are_left_out():
    assert knowledge.TOGETHER not in knowledge.list_kinds("la1")
    assert knowledge.MANY in knowledge.list_kinds("20 newsgroups")


def test_gsdmm_finds_groups_of_separate_words_and_repeats_itself(network):
    counts = network.neighbourhood("documents").matrix
    groups = run_gsdmm(counts, 3, seed=0)
    assert evaluate(LABELS, groups)["nmi"] > 0.5
    assert (groups == run_gsdmm(counts, 3, seed=0)).all()
    # words that no two classes share leave no doubt
    apart = csr_array(np.kron(np.eye(3), np.ones((40, 4))))
    assert evaluate(LABELS, run_gsdmm(apart, 6, seed=1))["nmi"] == pytest.approx(1.0)


def test_short_texts_are_read_with_their_classes(tmp_path):
    lines = [{"id": 1, "label": 7, "text": "old cat sleeps"}, {"id": 2, "label": 12, "text": "new train"}]
    with gzip.open(tmp_path / "short_tweets.jsonl.gz", "wt", encoding="utf-8") as stream:
        stream.writelines(json.dumps(line) + "\n" for line in lines)
    documents, labels = load_corpus("short_tweets", tmp_path)
    assert list(documents.texts) == ["old cat sleeps", "new train"]
    assert labels.tolist() == ["7", "12"]


def test_the_vector_of_a_short_text_is_the_sum_of_its_words():
    text, cat, sleeps, empty = sum_word_pieces(["cat sleeps", "cat", "sleeps", ""])
    assert text == pytest.approx(cat + sleeps, abs=1e-4)
    assert not empty.any()
