"""Names of groups in `colligate`: the documents nearest to a name are suggested as labels."""

from types import SimpleNamespace

import numpy as np
import pytest

import colligate as cg
from colligate.errors import KnowledgeWarning, RefusedKnowledgeError
from colligate.methods.mixture import group_names
from colligate.methods.mixture import problem as problem_module
from colligate.methods.mixture.constants import Constants
from colligate.methods.mixture.group_names import label_uncovered_groups, nearest_documents
from colligate.methods.mixture.priors import NamedGroups, NameNearness, SeedEntries

SUBJECTS = [
    "cat kitten puppy dog horse pony sheep lamb goat cow calf rabbit hare mouse hamster",
    "bank loan mortgage interest bond stock dividend currency dollar euro tax budget credit debt wage",
    "rain snow storm wind thunder cloud fog hail sleet drizzle sunshine frost blizzard hurricane gale",
]
NAMES = ["animals", "money and finance", "weather"]


@pytest.fixture(scope="module")
def documents():
    """Texts of four words of one subject each, and their subjects."""
    rng = np.random.default_rng(0)
    subjects = rng.integers(3, size=240)
    lists = [words.split() for words in SUBJECTS]
    texts = [" ".join(rng.choice(lists[subject], 4, replace=False)) for subject in subjects]
    return cg.Corpus.from_texts(texts), subjects


def fit(corpus, knowledge, n_clusters=3, **parameters):
    model = cg.make("colligate", n_clusters=n_clusters, random_state=0, **parameters)
    return model.fit(corpus, knowledge=knowledge)


def accuracy(result, subjects, names=NAMES):
    groups = [result.named_groups[name] for name in names]
    return np.mean([result.labels["documents"][i] == groups[subject] for i, subject in enumerate(subjects)])


@pytest.fixture(scope="module")
def named(documents):
    return fit(documents[0], cg.Knowledge().names(NAMES))


def test_groups_are_found_by_their_names_alone(named, documents):
    result = named.result_
    assert accuracy(result, documents[1]) > 0.95
    assert [name.split(":")[0] for name in result.group_names] == NAMES
    assert [result.audit().statement(number).status for number in range(3)] == ["kept"] * 3


def test_new_documents_get_a_name(named):
    groups = named.predict(cg.Corpus.from_texts(["sheep goat", "mortgage debt", "snow fog"]))
    assert groups.tolist() == [named.result_.named_groups[name] for name in NAMES]


def test_the_order_of_the_names_does_not_matter(documents):
    result = fit(documents[0], cg.Knowledge().names(NAMES[::-1])).result_
    assert accuracy(result, documents[1]) > 0.95


def test_groups_without_a_name_remain(documents):
    result = fit(documents[0], cg.Knowledge().names(NAMES[:1])).result_
    group = result.named_groups["animals"]
    assert np.mean((result.labels["documents"] == group) == (documents[1] == 0)) > 0.95
    assert len(np.unique(result.labels["documents"])) == 3


def test_names_need_no_embeddings_in_the_model(documents):
    result = fit(documents[0], cg.Knowledge().names(NAMES), embeddings=None).result_
    assert accuracy(result, documents[1]) > 0.8


def test_a_meaning_counts_in_place_of_the_name(documents):
    names = {"7": "animals", "8": "money", "9": "weather"}
    result = fit(documents[0], cg.Knowledge().names(names)).result_
    assert accuracy(result, documents[1], list(names)) > 0.95


def test_a_name_is_one_group_with_its_labels_and_seed_words(documents):
    corpus, subjects = documents
    knowledge = cg.Knowledge().names(NAMES).category("weather", words=["rain"])
    labelled = np.flatnonzero(subjects == 0)[:12].tolist()
    result = fit(corpus, knowledge.label(dict.fromkeys(labelled, "animals"))).result_
    assert set(result.named_groups) == set(NAMES)
    assert accuracy(result, subjects) > 0.95
    trust = result.trust
    # names have none: their nearest documents always agree with each other
    assert np.isnan(trust[:3]).all()
    assert not np.isnan(trust[4:]).any()


def test_a_label_of_the_user_overrules_a_name(documents):
    corpus, subjects = documents
    suggested = fit(corpus, cg.Knowledge().names(NAMES)).result_
    document = int(np.flatnonzero(subjects == 0)[0])
    result = fit(corpus, cg.Knowledge().names(NAMES).label({document: "weather"})).result_
    assert suggested.labels["documents"][document] == suggested.named_groups["animals"]
    assert result.labels["documents"][document] == result.named_groups["weather"]


def test_documents_near_a_name_are_no_surer_than_others(documents):
    # at a high temperature words say little: only a label of the user makes a document sure
    knowledge = cg.Knowledge().names(NAMES).label({0: "weather"})
    largest = fit(documents[0], knowledge, temperature=1e3).result_.memberships["documents"].max(axis=1)
    assert np.flatnonzero(largest > 0.9).tolist() == [0]


def test_groups_to_start_from_stay_whatever_the_names_suggest(documents):
    corpus, subjects = documents
    # two subjects were merged, and all that is left of the names is what they are bound to
    init = np.where(subjects == 2, 0, subjects)
    bound = {"animals": 0, "weather": 0, "money and finance": 1}
    result = fit(corpus, cg.Knowledge().names(NAMES), 2, init=init, init_names=bound, init_weight=5.0).result_
    assert result.named_groups == bound
    assert result.audit().counts()["kept"] == 3
    np.testing.assert_array_equal(result.labels["documents"], init)


def test_more_names_than_groups_share_groups_with_a_warning(documents):
    with pytest.warns(KnowledgeWarning, match="3 different names"):
        result = fit(documents[0], cg.Knowledge().names(NAMES), 2).result_
    assert len(set(result.named_groups.values())) == 2
    assert "broken" in [result.audit().statement(number).status for number in range(3)]


def test_other_methods_refuse_names(documents):
    model = cg.make("kmeans", n_clusters=3)
    with pytest.raises(RefusedKnowledgeError, match=r"kmeans does not accept names on documents.*colligate"):
        model.fit(documents[0], knowledge=cg.Knowledge().names(NAMES))


def test_a_name_without_letters_needs_seed_words_or_a_meaning(documents):
    with pytest.raises(RefusedKnowledgeError, match=r"the name 17 cannot be used alone.*seed words"):
        fit(documents[0], cg.Knowledge().names(["animals", "17"]))
    knowledge = cg.Knowledge().names(["animals", "17"]).category("17", words=["rain", "snow", "storm"])
    with pytest.warns(KnowledgeWarning, match="17 alone says nothing"):
        result = fit(documents[0], knowledge).result_
    is_17 = result.labels["documents"] == result.named_groups["17"]
    assert np.mean(is_17 == (documents[1] == 2)) > 0.95


def test_names_need_the_package_of_word_vectors(documents, monkeypatch):
    monkeypatch.setattr(group_names, "has_word_vectors", lambda: False)
    with pytest.raises(RefusedKnowledgeError, match="pip install wordllama"):
        fit(documents[0], cg.Knowledge().names(NAMES))


def test_names_need_words(documents):
    counts = np.random.default_rng(0).poisson(1.0, (30, 20))
    with pytest.raises(RefusedKnowledgeError, match="words of the documents are not known"):
        fit(counts, cg.Knowledge().names(NAMES))


def test_the_nearest_documents_stand_out_from_the_second_name_and_from_the_mean():
    # eq. 24 by hand; the second name is near to all documents, which says nothing about any of them
    cosines = np.array([[0.9, 0.9], [0.1, 0.9], [0.0, 0.9], [0.0, 0.5], [0.0, 0.8], [0.1, 0.8]])
    member, name = nearest_documents(cosines, np.arange(6), 1, Constants())
    z = (cosines - cosines.mean(axis=0)) / cosines.std(axis=0)
    margin = np.column_stack([z[:, 0] - np.maximum(z[:, 1], 0.0), z[:, 1] - np.maximum(z[:, 0], 0.0)])
    for document, column in zip(member, name, strict=True):
        assert margin[document, column] > 0
    # six documents for one group: the names expect √6 and √30 of them, and label a third
    assert (member.tolist(), name.tolist()) == ([0, 1], [0, 1])


def test_a_name_that_is_nearest_to_more_documents_labels_more():
    rng = np.random.default_rng(0)
    is_first = np.arange(900) < 720
    cosines = np.column_stack([is_first, ~is_first]) * 0.4 + rng.uniform(0.0, 0.2, (900, 2))
    _, name = nearest_documents(cosines, np.arange(900), 2, Constants())
    # a tenth of √(720 · 450) and of √(180 · 450)
    assert np.bincount(name).tolist() == [56, 28]


def test_every_name_gets_a_document():
    cosines = np.tile(np.linspace(0.0, 1.0, 30)[:, None], (1, 3))
    _, name = nearest_documents(cosines, np.arange(30), 3, Constants())
    assert set(name.tolist()) == {0, 1, 2}


def label_small_groups(z, group, labelled, *, is_free=None):
    """Label a tenth of the documents in `labelled`, and return what small groups add: document to name."""
    labels = SeedEntries(
        *("documents", np.array(list(labelled)), np.array(list(labelled.values())), np.ones(len(labelled))),
        *(np.arange(7, 7 + len(labelled)), True, True),
    )
    is_free = np.ones(len(z), dtype=bool) if is_free is None else is_free
    nearness = NameNearness(z, np.array([1, 0]), is_free)
    named = NamedGroups(("second", "first"), (labels,), nearness)
    problem = SimpleNamespace(named=named, document_labels=(labels,))
    (entries,) = label_uncovered_groups(problem, [np.eye(group.max() + 1)[group]], Constants()).entries
    assert np.array_equal(entries.statement, np.arange(7, 7 + len(entries.member)))
    assert np.array_equal(entries.member[: len(labelled)], labels.member)
    n = len(labelled)
    return dict(zip(entries.member[n:].tolist(), entries.name[n:].tolist(), strict=True))


def small_groups():
    """Four small groups of 20 documents; the names label eight documents of the first one."""
    group = np.repeat(np.arange(4), 20)
    z = np.array([[2.0, 0.0], [-0.1, -0.5], [-0.1, -0.3], [-1.0, -0.2]])[group]
    z[:, 0] += np.tile(np.linspace(0.0, 0.1, 20), 4)
    return z, group, dict.fromkeys(range(8), 1)


def test_small_groups_without_labels_get_those_of_the_name_that_stands_out():
    # a tenth of all documents is labelled, so two of each group: the nearest. The third has too small a gap
    assert label_small_groups(*small_groups()) == {39: 1, 38: 1, 60: 0, 61: 0}


def test_the_name_must_be_nearest_to_most_documents_of_a_small_group():
    z, group, labelled = small_groups()
    z[20:32] = [-0.5, -0.4]
    z[32:40, 0] += 2.0
    assert z[20:40].mean(axis=0)[0] > z[20:40].mean(axis=0)[1] + 0.3
    assert label_small_groups(z, group, labelled) == {60: 0, 61: 0}


def test_documents_that_are_not_free_get_no_label_from_small_groups():
    z, group, labelled = small_groups()
    is_free = np.arange(80) != 39
    assert label_small_groups(z, group, labelled, is_free=is_free) == {38: 1, 60: 0, 61: 0}


def test_far_documents_get_no_label_if_a_group_has_no_name(documents, monkeypatch):
    calls = []
    monkeypatch.setattr(problem_module, "label_uncovered_groups", lambda *_: calls.append(1))
    fit(documents[0], cg.Knowledge().names(NAMES), n_clusters=4)
    assert not calls
