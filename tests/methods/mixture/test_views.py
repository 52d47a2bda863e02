import warnings

import numpy as np
import pytest
from scipy import sparse

import colligate as cg
from colligate.corpus.embeddings import embed_texts, embed_words
from colligate.errors import InputError, MissingPackageWarning
from colligate.methods.mixture import views
from colligate.methods.mixture.em import run_em
from colligate.methods.mixture.ensemble import first_labels, smooth_labels
from colligate.methods.mixture.prediction import model_directions
from colligate.methods.mixture.priors import without_knowledge
from colligate.result.metrics import evaluate

# every document has other words: without their meaning nothing joins documents of a subject
SUBJECTS = [
    "cat kitten puppy dog horse pony sheep lamb goat cow calf rabbit hare mouse hamster",
    "bank loan mortgage interest bond stock dividend currency dollar euro tax budget credit debt wage",
    "rain snow storm wind thunder cloud fog hail sleet drizzle sunshine frost blizzard hurricane gale",
]


@pytest.fixture(scope="module")
def short_texts():
    """Texts of three words of one subject each, and their subjects."""
    rng = np.random.default_rng(0)
    subjects = rng.integers(3, size=240)
    lists = [words.split() for words in SUBJECTS]
    texts = [" ".join(rng.choice(lists[subject], 3, replace=False)) for subject in subjects]
    return texts, subjects


def fitted(texts, **parameters):
    corpus = cg.Corpus.from_texts(texts)
    return cg.make("colligate", n_clusters=3, random_state=0, **parameters).fit(corpus).result_


def test_words_of_one_meaning_are_near_each_other():
    rows = embed_words(["kitten", "cat", "mortgage", "loan", "word17", "..."])
    unit = rows[:4] / np.linalg.norm(rows[:4], axis=1, keepdims=True)
    cosines = unit @ unit.T
    assert cosines[0, 1] > cosines[0, 2:].max()
    assert cosines[2, 3] > cosines[2, :2].max()
    assert not rows[4:].any()


def test_words_get_the_same_vector_in_any_company():
    together = embed_words(["dog", "unfathomable", "cat"])
    np.testing.assert_array_equal(together[2], embed_words(["cat"])[0])


def test_vectors_of_words_count_in_short_texts(short_texts):
    texts, _ = short_texts
    assert fitted(texts).model["kappa"][1] > 0
    assert len(fitted(texts, embeddings=None).model["kappa"]) == 1


def test_new_documents_get_the_scores_of_the_run(short_texts):
    texts, _ = short_texts
    result = fitted(texts)
    model = cg.make("colligate", n_clusters=3, random_state=0)
    model.fit(cg.Corpus.from_texts(texts))
    np.testing.assert_array_equal(model.predict(cg.Corpus.from_texts(texts)), result.labels["documents"])


def test_the_parts_of_words_add_up_to_the_direction():
    rng = np.random.default_rng(0)
    counts = sparse.csr_array(rng.poisson(0.4, size=(30, 12)).astype(float))
    vectors = rng.normal(size=(12, 5)).astype(np.float32)
    vectors[3] = 0.0
    space = views.LatentSpace.of_vectors(counts, vectors)
    directions = np.asarray(space.directions(counts).unit)
    assert abs(directions.mean(axis=0)).max() < 0.2
    for number in range(5):
        row = sparse.csr_array(counts[[number]])
        np.testing.assert_allclose(space.feature_parts(row).sum(axis=0), directions[number], atol=1e-6)


def test_documents_of_stop_words_alone_are_grouped(short_texts):
    texts, _ = short_texts
    labels = fitted([*texts, "what is this and why", "", "17 42"]).labels["documents"]
    assert labels[-3] >= 0
    assert labels[-2:].tolist() == [-1, -1]


def test_documents_of_stop_words_alone_shape_no_group(short_texts):
    texts, subjects = short_texts
    method = cg.make("colligate", n_clusters=4)
    problem = method.problem(
        cg.Network.from_corpus(cg.Corpus.from_texts([*texts, "what is this and why"])), {}
    )
    assert np.flatnonzero(problem.filled & ~problem.shapes_groups).tolist() == [240]
    assert first_labels(problem, np.random.default_rng(0), None)[-1] == -1
    # a group of its own does not last
    priors = without_knowledge(problem)
    resp = smooth_labels(problem, priors, np.append(subjects, 3).astype(np.int32))
    labels = run_em(problem, priors, resp, 15, 1e-3).resp.argmax(axis=1)
    assert np.count_nonzero(labels == labels[-1]) > 1


def test_documents_with_nothing_but_embeddings_shape_groups_if_they_are_the_most():
    counts = sparse.csr_array(np.eye(20, 6, k=-14))
    rows = np.repeat(np.eye(2), 10, axis=0)
    assert cg.make("colligate", n_clusters=2, embeddings=rows).fit(counts).labels_.tolist() in (
        [0] * 10 + [1] * 10,
        [1] * 10 + [0] * 10,
    )


def test_documents_with_an_embedding_and_no_words_are_grouped(short_texts):
    texts, subjects = short_texts
    rows = np.eye(3)[np.append(subjects, subjects[:20])]
    labels = fitted([*texts, *[""] * 20], embeddings=["auto", rows]).labels["documents"]
    same = np.mean(
        [np.bincount(labels[:240][subjects == subjects[i]]).argmax() == labels[240 + i] for i in range(20)]
    )
    assert same > 0.9


def test_several_embeddings_have_a_weight_each(short_texts):
    texts, subjects = short_texts
    clear = np.eye(3)[subjects] + np.random.default_rng(0).normal(scale=0.3, size=(240, 3))
    noise = np.random.default_rng(1).normal(size=(240, 8))
    kappa = fitted(texts, embeddings=["wordllama", clear, noise]).model["kappa"]
    assert kappa[1:3].min() > 1.0
    assert kappa[3:].sum() <= 1.0


def test_numbers_in_place_of_words_have_no_vectors():
    counts = sparse.csr_array(np.random.default_rng(0).poisson(1.0, size=(40, 9)).astype(float))
    model = cg.make("colligate", n_clusters=2, random_state=0)
    assert len(model.fit(counts).result_.model["kappa"]) == 1
    with pytest.raises(InputError, match="needs the words"):
        cg.make("colligate", n_clusters=2, embeddings="wordllama").fit(counts)


def test_without_the_package_short_texts_are_told_what_is_missing(short_texts, monkeypatch):
    texts, _ = short_texts
    monkeypatch.setattr(views, "has_word_vectors", lambda: False)
    with pytest.warns(MissingPackageWarning, match="pip install wordllama"):
        without = fitted(texts)
    np.testing.assert_array_equal(
        without.labels["documents"], fitted(texts, embeddings=None).labels["documents"]
    )
    with pytest.raises(InputError, match="pip install wordllama"):
        fitted(texts, embeddings="wordllama")
    with warnings.catch_warnings():
        warnings.simplefilter("error", MissingPackageWarning)
        fitted(
            [" ".join(f"{a} {b}x" for a in t.split() for b in t.split()) * 4 for t in texts], embeddings=None
        )


def test_labels_teach_by_the_meaning_of_words():
    # no two subjects or documents share a word, so that labels say nothing by the words themselves
    words = [(word, subject) for subject, row in enumerate(SUBJECTS) for word in row.split()]
    texts = [" ".join([word] * 3) for word, _ in words]
    subjects = np.array([subject for _, subject in words])
    labelled = np.arange(len(words)) % 15 < 5
    knowledge = cg.Knowledge().label({int(i): f"s{subjects[i]}" for i in np.flatnonzero(labelled)})
    corpus = cg.Corpus.from_texts(texts)
    model = cg.make("colligate", n_clusters=3, random_state=0).fit(corpus, knowledge=knowledge).result_.model
    unit = np.asarray(model_directions(model, cg.Network.from_corpus(corpus).relations[0].matrix).unit)
    predicted = (unit @ model["classifier_slope"] + model["classifier_offset"]).argmax(axis=1)
    assert (predicted == subjects)[~labelled].mean() > 0.8


@pytest.mark.parametrize("further", [False, True], ids=["words", "words and rows"])
def test_the_classifier_has_the_same_scores_for_new_documents(short_texts, further):
    texts, subjects = short_texts
    # rows of an array are unknown for new documents: the classifier reads them without
    rows = np.random.default_rng(0).normal(size=(240, 4)) + 3.0 * np.eye(4)[subjects]
    embeddings = ["auto", rows] if further else "auto"
    knowledge = cg.Knowledge().label({i: f"s{subjects[i]}" for i in range(30)})
    method = cg.make("colligate", n_clusters=3, random_state=0, embeddings=embeddings)
    method.fit(cg.Corpus.from_texts(texts), knowledge=knowledge)
    model, counts = method.result_.model, method.result_.neighbourhood.matrix
    assert len(model["classifier_slope"]) == model["basis"].shape[1] + model["words_basis"].shape[1]
    for number in range(30, 40):
        row = sparse.csr_array(counts[[number]].astype(float))
        evidence = method.evidence(model, row.indices.astype(np.int64), row.data).sum(axis=0)
        offset = method.predict_scores(model, row)[0] - evidence
        if number == 30:
            first = offset - offset.mean()
        # the rest is the same for all documents: shares of groups and the offset of the classifier
        np.testing.assert_allclose(offset - offset.mean(), first, atol=1e-5)
    placed = method.predict(cg.Corpus.from_texts(texts))
    assert (placed == method.result_.labels["documents"])[30:].mean() > 0.95


@pytest.fixture(scope="module")
def stated():
    """Questions that begin alike: what tells them apart is in words that too few of them share to count."""
    rng = np.random.default_rng(1)
    subjects = rng.integers(3, size=150)
    lists = [words.split() for words in SUBJECTS]
    texts = [
        f"please tell me what to do about it {' '.join(rng.choice(lists[subject], 2, replace=False))}"
        for subject in subjects
    ]
    return texts, subjects


def test_short_texts_have_the_directions_of_whole_texts(stated):
    texts, subjects = stated
    corpus = cg.Corpus.from_texts(texts, analyser=cg.Analyser(min_df=8))
    assert corpus.counts.shape[1] < 45
    labels = cg.make("colligate", n_clusters=3, random_state=0).fit(corpus).result_.labels["documents"]
    assert evaluate(subjects, labels)["nmi"] > 0.9


def test_words_of_few_documents_and_stop_words_tell_where_new_texts_belong(stated):
    texts, subjects = stated
    result = fitted(texts)
    group = {
        subject: np.bincount(result.labels["documents"][subjects == subject]).argmax() for subject in range(3)
    }
    # none of these words is in the run
    new = ["how much cash is in my account", "the poodle and the terrier bark"]
    assert result.predict(new).tolist() == [group[1], group[0]]


def test_new_documents_without_texts_go_by_their_counted_words(stated):
    texts, _ = stated
    result = fitted(texts)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        of_counts = result.predict(result.network.counts)
    assert (of_counts == result.predict(texts)).mean() > 0.9


def test_labels_teach_directions_of_whole_texts_and_of_words(stated):
    texts, subjects = stated
    corpus = cg.Corpus.from_texts(texts)
    known = cg.Knowledge().label({corpus.ids[i]: f"subject {subjects[i]}" for i in range(30)})
    model = cg.make("colligate", n_clusters=3, random_state=0).fit(corpus, knowledge=known)
    np.testing.assert_array_equal(model.predict(texts)[30:], model.labels_[30:])
    assert (model.predict(corpus.counts) == model.labels_).mean() > 0.9


def test_long_texts_have_the_directions_of_their_counted_words(short_texts):
    texts, subjects = short_texts
    lists = [words.split() for words in SUBJECTS]
    longer = [
        f"{text} {' '.join(lists[subject])} {' '.join(SUBJECTS[2].split()[:9])}"
        for text, subject in zip(texts, subjects, strict=True)
    ]
    model = fitted([f"{text} {' '.join(lists[0][:9])}" for text in longer]).model
    assert not any(name.startswith("rows") for name in model)


def test_addresses_and_numbers_are_no_meaning():
    plain, with_address, number = embed_texts(
        ["a dog and a cat", "a dog and a cat http://t.co/Xy7", "17 42"], "wordllama"
    )
    np.testing.assert_allclose(plain, with_address, atol=1e-6)
    assert not number.any()
