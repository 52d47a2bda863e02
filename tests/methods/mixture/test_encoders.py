"""Encoders of documents: objects, names, arrays and columns, for the documents of a run and new ones."""

from __future__ import annotations

import json

import numpy as np
import pytest
from sklearn.metrics import normalized_mutual_info_score

import colligate as cg
from colligate.corpus import encoders
from colligate.errors import InputError, MissingEncoderWarning, ParameterError

# every document has other words: only their vectors tell what a text is about
SUBJECTS = [
    "cat kitten puppy dog horse pony sheep lamb goat cow calf rabbit hare mouse hamster",
    "bank loan mortgage interest bond stock dividend currency dollar euro tax budget credit debt wage",
    "rain snow storm wind thunder cloud fog hail sleet drizzle sunshine frost blizzard hurricane gale",
]
LISTS = [words.split() for words in SUBJECTS]
WIDTH = 12


def make_texts(n_texts, seed):
    """Make texts and their subjects; those of another seed than 0 have mostly words that seed 0 never has."""
    rng = np.random.default_rng(seed)
    words = slice(10) if seed == 0 else slice(9, 15)
    subjects = rng.integers(3, size=n_texts)
    return [" ".join(rng.choice(LISTS[subject][words], 3, replace=False)) for subject in subjects], subjects


def make_static_model(seed=0, width=WIDTH):
    """Make a small model of model2vec: the vector of a word is that of its subject, with noise."""
    model2vec = pytest.importorskip("model2vec")
    tokenizers = pytest.importorskip("tokenizers")
    rng = np.random.default_rng(seed)
    words = [word for words in LISTS for word in words]
    vocabulary = {"[UNK]": 0, **{word: number + 1 for number, word in enumerate(words)}}
    centres = rng.normal(size=(3, width))
    vectors = np.vstack(
        [np.zeros(width), np.repeat(centres, 15, axis=0) + rng.normal(scale=0.2, size=(45, width))]
    )
    tokenizer = tokenizers.Tokenizer(tokenizers.models.WordLevel(vocabulary, unk_token="[UNK]"))
    tokenizer.pre_tokenizer = tokenizers.pre_tokenizers.Whitespace()
    return model2vec.StaticModel(vectors.astype(np.float32), tokenizer)


class Embedder:
    """An encoder as FastEmbed has them: `embed` yields one vector after the other."""

    def __init__(self, model):
        self.model = model

    def embed(self, documents):
        yield from self.model.encode(documents)


@pytest.fixture(scope="module")
def static_model():
    return make_static_model()


@pytest.fixture(scope="module")
def fitted(static_model):
    """A fitted method, with the texts and subjects of its documents."""
    texts, subjects = make_texts(150, 0)
    return method(static_model).fit(texts), texts, subjects


def method(embeddings):
    return cg.make("colligate", n_clusters=3, random_state=0, embeddings=embeddings)


def agreement(labels, subjects):
    return normalized_mutual_info_score(subjects, labels)


def test_an_object_of_model2vec_groups_documents_and_new_ones(fitted):
    model, _, subjects = fitted
    assert agreement(model.labels_, subjects) > 0.95
    new, true = make_texts(60, 1)
    # of words that the run does not know, the encoder knows the vectors
    assert agreement(model.predict(new), true) > 0.95
    assert agreement(model.transform(new).argmax(axis=1), true) > 0.95
    assert agreement(method(None).fit(fitted[1]).predict(new), true) < 0.8


def test_documents_of_the_run_get_their_groups_again(fitted):
    model, texts, _ = fitted
    np.testing.assert_array_equal(model.predict(texts), model.labels_)


def test_an_encoder_that_yields_vectors_is_as_good(fitted, static_model):
    model, texts, _ = fitted
    np.testing.assert_array_equal(method(Embedder(static_model)).fit(texts).labels_, model.labels_)


def test_a_stored_result_takes_the_encoder_of_the_fit_and_no_other(fitted, static_model, tmp_path):
    model, _, _ = fitted
    new, _ = make_texts(60, 1)
    model.result_.save(tmp_path / "model")
    result = cg.Result.load(tmp_path / "model")
    np.testing.assert_array_equal(result.predict(new, embeddings=static_model), model.predict(new))
    np.testing.assert_array_equal(
        result.predict(new, embeddings=static_model.encode(new)), model.predict(new)
    )
    with pytest.warns(
        MissingEncoderWarning, match="made with an encoder of the class StaticModel, which is not stored"
    ):
        result.predict(new)
    with pytest.raises(
        InputError, match="the class StaticModel encodes texts differently; use the same encoder"
    ):
        result.predict(new, embeddings=make_static_model(seed=1))
    with pytest.raises(InputError, match="vectors have 12 numbers; these have 7; use the same encoder"):
        result.predict(new, embeddings=make_static_model(width=7))
    with pytest.raises(InputError, match="vectors have 12 numbers; these have 3"):
        result.predict(new, embeddings=np.ones((60, 3)))
    with pytest.raises(ParameterError, match=r"a row for each of the 60 documents; got the shape \(59, 12\)"):
        result.predict(new, embeddings=static_model.encode(new[1:]))
    with pytest.raises(ParameterError, match="the fit had 1 embeddings; pass as many"):
        result.predict(new, embeddings=[static_model, static_model])


def test_a_named_model_is_loaded_again_for_new_documents(fitted, static_model, tmp_path):
    _, texts, _ = fitted
    static_model.save_pretrained(tmp_path / "static")
    new, true = make_texts(60, 1)
    for name in (f"model2vec:{tmp_path / 'static'}", str(tmp_path / "static")):
        method(name).fit(texts).result_.save(tmp_path / "model", overwrite=True)
        result = cg.Result.load(tmp_path / "model")
        assert agreement(result.predict(new), true) > 0.95
    make_static_model(seed=1).save_pretrained(tmp_path / "static")
    encoders.load_encoder.cache_clear()
    with pytest.raises(InputError, match="encodes texts differently"):
        result.predict(new)


def test_a_column_of_vectors_is_read_for_new_documents_too(fitted, static_model, tmp_path):
    _, texts, subjects = fitted
    new, true = make_texts(60, 1)
    for name, documents in (("docs", texts), ("new", new)):
        rows = zip(documents, static_model.encode(documents).tolist(), strict=True)
        lines = (json.dumps({"text": text, "vector": vector}) + "\n" for text, vector in rows)
        (tmp_path / f"{name}.jsonl").write_text("".join(lines), encoding="utf-8")
    model = method("column:vector").fit(cg.Corpus.read(tmp_path / "docs.jsonl"))
    assert agreement(model.labels_, subjects) > 0.95
    assert agreement(model.result_.predict(tmp_path / "new.jsonl"), true) > 0.95
    with pytest.raises(
        ParameterError, match="needs a column 'vector'; the columns beside text and id are: none"
    ):
        model.result_.predict(new)


def test_vectors_of_new_documents_stand_in_for_an_array(fitted, static_model):
    _, texts, _ = fitted
    new, true = make_texts(60, 1)
    model = method(static_model.encode(texts)).fit(texts)
    assert agreement(model.result_.predict(new, embeddings=static_model.encode(new)), true) > 0.95
    # without them the words decide, as far as they can
    assert agreement(model.predict(new), true) < 0.8


def test_several_embeddings_keep_their_places(fitted, static_model):
    _, texts, _ = fitted
    new, true = make_texts(60, 1)
    model = method([np.zeros((150, 2)), static_model]).fit(texts)
    assert agreement(model.predict(new), true) > 0.95
    assert agreement(model.result_.predict(new, embeddings=[None, static_model]), true) > 0.95


def test_labels_teach_by_the_vectors_of_new_documents(fitted, static_model):
    _, texts, subjects = fitted
    new, true = make_texts(60, 1)
    labels = {str(number + 1): f"s{subjects[number]}" for number in range(40)}
    model = method(static_model).fit(texts, knowledge=cg.Knowledge().label(labels))
    assert agreement(model.predict(new), true) > 0.95


def test_a_new_document_without_a_known_word_has_a_group_by_its_vector(static_model):
    model = method(static_model).fit(make_texts(150, 0)[0])
    labels = model.predict([" ".join(words[10:]) for words in LISTS] + [""])
    assert sorted(labels[:3]) == [0, 1, 2]
    # an empty text has no vector
    assert labels[3] == -1


class Wrong:
    """Returns what it is told to."""

    def __init__(self, answer):
        self.answer = answer

    def encode(self, texts):
        return self.answer(texts)


@pytest.mark.parametrize(
    ("answer", "message"),
    [
        (
            lambda texts: np.ones((len(texts) - 1, 3)),
            r"must return a row for each of the 150 texts; got the shape \(149, 3\)",
        ),
        (lambda texts: np.ones(len(texts)), r"a row for each of the 150 texts; got the shape \(150,\)"),
        (lambda texts: np.full((len(texts), 3), np.nan), "returned numbers that are infinite or NaN"),
        (lambda texts: ["a"] * len(texts), "must return an array of numbers; got list"),
    ],
)
def test_what_an_encoder_returns_is_checked(fitted, answer, message):
    with pytest.raises(InputError, match=message):
        method(Wrong(answer)).fit(fitted[1])


@pytest.mark.parametrize(
    ("name", "message"),
    [
        ("bert", "embeddings does not know 'bert'; use 'auto', .* such as 'model2vec:NAME'"),
        ("column:vector", "needs a column 'vector'; the columns beside text and id are: none"),
        ("model2vec:no/such/folder", "model2vec cannot load the model 'no/such/folder': "),
    ],
)
def test_unknown_names_are_refused_in_one_line(fitted, name, message, monkeypatch):
    monkeypatch.setenv("HF_HUB_OFFLINE", "1")
    with pytest.raises((ParameterError, InputError), match=message) as caught:
        method(name).fit(fitted[1])
    assert "\n" not in str(caught.value)


def test_packages_that_are_not_installed_are_named(fitted, monkeypatch):
    monkeypatch.setattr(encoders, "find_spec", lambda name: None)
    with pytest.raises(
        InputError, match="needs the package fastembed, which is not installed; install it with"
    ):
        method("fastembed:some/model").fit(fitted[1])
    with pytest.raises(InputError, match="no package that loads the model 'some/model' is installed"):
        method("some/model").fit(fitted[1])


@pytest.mark.parametrize(
    ("vectors", "message"),
    [
        (["[1, 2]", "[1]"], "must all have the same length, from 1; they have 1 and 2"),
        (["[1, 2]", "hello"], "must have lists of numbers; document '2' has 'hello'"),
        ([None, None], "they have no numbers"),
        (["[1, 2]", "[1, NaN]"], "some are infinite or NaN"),
    ],
)
def test_columns_without_vectors_are_refused(vectors, message):
    corpus = cg.Corpus.from_texts(["cat dog", "rain snow"], columns={"vector": vectors})
    with pytest.raises(ParameterError, match=message):
        cg.make("colligate", n_clusters=2, embeddings="column:vector").fit(corpus)


def test_an_encoder_needs_texts(static_model):
    with pytest.raises(InputError, match="the encoder StaticModel needs the texts of the documents"):
        method(static_model).fit(np.eye(9) + 1)


def test_embeddings_without_effect_are_refused(fitted, static_model):
    # vectors that tell nothing are left out of the fit, and so of the prediction
    useless = method(np.zeros((150, 2))).fit(fitted[1])
    assert useless.result_.predict(["cat"], embeddings=np.zeros((1, 2))).shape == (1,)
    plain = method(None).fit(fitted[1])
    with pytest.raises(ParameterError, match="this result uses no vectors of documents"):
        plain.result_.predict(["cat"], embeddings=static_model)


def test_sentence_transformers_are_encoders(fitted, static_model):
    package = pytest.importorskip("sentence_transformers")
    modules = pytest.importorskip("sentence_transformers.models")
    encoder = package.SentenceTransformer(
        modules=[modules.StaticEmbedding(static_model.tokenizer, embedding_weights=static_model.embedding)]
    )
    model = method(encoder).fit(fitted[1])
    new, true = make_texts(60, 1)
    assert agreement(model.predict(new), true) > 0.95


def test_counts_alone_are_grouped_by_their_words_with_a_warning(fitted, static_model, tmp_path):
    static_model.save_pretrained(tmp_path / "static")
    result = method(f"model2vec:{tmp_path / 'static'}").fit(fitted[1]).result_
    with pytest.warns(MissingEncoderWarning, match="and these are only counts of words"):
        assert result.predict(result.counts).shape == (150,)


@pytest.mark.parametrize("several", [False, True])
def test_a_change_of_groups_needs_the_encoder_again(fitted, static_model, several):
    embeddings = [static_model, "auto"] if several else static_model
    result = method(embeddings).fit(fitted[1]).result_
    with pytest.raises(InputError, match=r"made with an encoder as embeddings, .*pass embeddings=… again"):
        result.merge(0, 1)
    merged = result.merge(0, 1, embeddings=embeddings)
    assert merged.n_groups() == 2
