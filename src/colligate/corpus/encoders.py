"""Encoders: objects that turn texts into vectors, and what a model remembers of them.

An encoder has a method `encode` (sentence-transformers, model2vec) or `embed` (FastEmbed). It is given as an
object, or as the name of a model that an installed package loads. Vectors may also come as an array, or as a
column of the input. A model stores the encoding of two short texts, so that another encoder is noticed.
"""

from __future__ import annotations

import json
import warnings
from dataclasses import asdict, dataclass
from functools import lru_cache
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from colligate.corpus.embeddings import MODELS, embed_texts, has_word_vectors
from colligate.errors import InputError, MissingEncoderWarning, ParameterError
from colligate.shards.matrix import ShardedMatrix

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping, Sequence

    from numpy.typing import NDArray

    from colligate.corpus.corpus import Corpus

    Floats = NDArray[np.float64]
    Model = Mapping[str, NDArray[Any]]

WORD_VECTORS = ("auto", "wordllama")
"""The names of vectors of words; "auto" does without where there are none."""
COLUMN = "column:"
PROBES = ("The quick brown fox jumps over the lazy dog.", "Ein kurzer Satz mit zwei Zahlen: 3 und 17.")
# Two encodings of one text by one model differ by rounding, by a share far below this.
MAX_DIFFERENCE = 0.05
MAX_WIDTH = 10**6
# vectors of more short texts by all their word pieces would take too much memory, and texts of a cluster are
# collected for them: then there are only those of counted words
MAX_WHOLE_TEXTS = 100_000
ARRAY, BY_COLUMN, BY_NAME, OBJECT = "array", "column", "name", "object"


def is_encoder(value: Any) -> bool:
    """Whether an object can turn texts into vectors."""
    is_text = isinstance(value, str | bytes)
    return not is_text and any(callable(getattr(value, name, None)) for name in ("encode", "embed"))


def list_embeddings(embeddings: Any) -> list[Any]:
    """Return one or several embeddings as a list; a list of rows is one array."""
    if embeddings is None:
        return []
    if isinstance(embeddings, list | tuple) and any(_is_entry(entry) for entry in embeddings):
        return list(embeddings)
    return [embeddings]


def _is_entry(value: Any) -> bool:
    return value is None or isinstance(value, str) or is_encoder(value) or np.ndim(value) == 2


# Vectors of documents


@dataclass(frozen=True)
class Source:
    """Where the vectors of documents come from, as a model stores it.

    `position` is the place in the user's list of `total` embeddings.
    """

    kind: str
    name: str
    width: int
    position: int
    total: int

    @property
    def is_word_vectors(self) -> bool:
        """Whether these are vectors of word pieces, which new documents without texts have by their words."""
        return self.kind == BY_NAME and self.name in WORD_VECTORS

    def __str__(self) -> str:
        what = {BY_COLUMN: "the column", OBJECT: "an encoder of the class", BY_NAME: "the model"}
        return f"{what[self.kind]} {self.name}" if self.kind in what else "an array"


@dataclass(frozen=True, eq=False)
class DocumentVectors:
    """A vector for each document, where they come from, and the encoding of the probes.

    There is no source if the vectors depend on all documents, so that new documents have none.
    """

    rows: Floats
    source: Source | None
    probe: NDArray[np.float32]


def make_vectors(
    embedding: Any, corpus: Corpus | None, n_documents: int, place: tuple[int, int]
) -> DocumentVectors:
    """Return a vector for each document; a row of zeros is a document without one.

    `place` is the position in the user's list of embeddings, and its length.
    """
    probe = np.zeros((0, 0), dtype=np.float32)
    if isinstance(embedding, str) and embedding.startswith(COLUMN):
        kind, name = BY_COLUMN, embedding.removeprefix(COLUMN)
        rows = read_column(corpus, name, n_documents)
    elif isinstance(embedding, str):
        kind, name, texts = BY_NAME, embedding, _texts_of(corpus, f"embeddings={embedding!r}")
        if name == "glove":
            # its weights depend on all texts
            return DocumentVectors(embed_texts(texts, name).astype(np.float64), None, probe)
        encoder = load_encoder(name)
        rows, probe = encode_texts(encoder, texts), _encode_probes(encoder)
    elif is_encoder(embedding):
        kind, name = OBJECT, type(embedding).__name__
        texts = _texts_of(corpus, f"the encoder {name}")
        rows, probe = encode_texts(embedding, texts), _encode_probes(embedding)
    else:
        kind, name, rows = ARRAY, "", check_array(embedding, n_documents)
    return DocumentVectors(rows, Source(kind, name, rows.shape[1], *place), probe)


def check_array(value: Any, n_documents: int) -> Floats:
    """Return a user's vectors as an array of numbers with a row for each document."""
    try:
        rows = np.array(value, dtype=np.float64)
    except (TypeError, ValueError):
        raise ParameterError(
            "embeddings must be an encoder, the name of one, or an array of numbers with a row for each "
            f"document; got {type(value).__name__}",
            parameter="embeddings",
        ) from None
    if rows.ndim != 2 or len(rows) != n_documents:
        raise ParameterError(
            f"embeddings must be an array with a row for each of the {n_documents} documents; "
            f"got the shape {rows.shape}",
            parameter="embeddings",
        )
    if not np.isfinite(rows).all():
        raise ParameterError(
            "embeddings must be finite numbers, but some are infinite or NaN; correct the array",
            parameter="embeddings",
        )
    return rows


def read_column(corpus: Corpus | None, name: str, n_documents: int) -> Floats:
    """Read a column of vectors, which are lists of numbers; a missing one is a row of zeros."""
    if corpus is None or name not in corpus.columns:
        names = ", ".join([] if corpus is None else corpus.columns) or "none"
        raise ParameterError(
            f"embeddings='{COLUMN}{name}' needs a column {name!r}; the columns beside text and id are: "
            f"{names}",
            parameter="embeddings",
        )
    rows: list[list[float]] = []
    for number, value in enumerate(corpus.columns[name].to_pylist()):
        rows.append([] if value is None else _parse_vector(value, name, corpus.ids[number]))
    widths = sorted({len(row) for row in rows if row})
    if len(widths) != 1:
        raise ParameterError(
            f"the vectors in the column {name!r} must all have the same length, from 1; they have "
            f"{' and '.join(map(str, widths[:3])) or 'no numbers'}",
            parameter="embeddings",
        )
    filled = np.array([row or [0.0] * widths[0] for row in rows], dtype=np.float64)
    return check_array(filled, n_documents)


def _parse_vector(value: Any, column: str, id: str) -> list[float]:
    try:
        # nested values of the input are kept as JSON
        numbers = json.loads(value) if isinstance(value, str) else value
        return [float(number) for number in numbers]
    except (TypeError, ValueError):
        raise ParameterError(
            f"the column {column!r} must have lists of numbers; document {id!r} has {str(value)[:40]!r}",
            parameter="embeddings",
        ) from None


def _texts_of(corpus: Corpus | None, what: str) -> Sequence[str]:
    if corpus is None or corpus.texts is None:
        raise InputError(
            f"{what} needs the texts of the documents, and there are none; pass documents with texts, or an "
            "array with a row for each document"
        )
    return corpus.texts


# Encoders


class _BuiltIn:
    """A model of the extra `embeddings` as an encoder."""

    def __init__(self, name: str) -> None:
        self.name = name

    def encode(self, texts: Sequence[str]) -> NDArray[np.float32]:
        """Return a vector for each text."""
        return embed_texts(texts, self.name)


def _load_sentence_transformer(name: str) -> Any:
    return import_module("sentence_transformers").SentenceTransformer(name)


def _load_model2vec(name: str) -> Any:
    return import_module("model2vec").StaticModel.from_pretrained(name)


def _load_fastembed(name: str) -> Any:
    return import_module("fastembed").TextEmbedding(name)


LOADERS: dict[str, tuple[str, Callable[[str], Any]]] = {
    "sentence-transformers": ("sentence_transformers", _load_sentence_transformer),
    "model2vec": ("model2vec", _load_model2vec),
    "fastembed": ("fastembed", _load_fastembed),
}
"""The packages that load a model by its name, with the name of the module."""


_LOADED_NAMES: set[str] = set()
"""The names of encoders that the user of this process named: stored results cannot add to them."""


def is_trusted_name(name: str) -> bool:
    """Whether the encoder that a stored result names may be loaded without being named by the user.

    Loading a model of another package can read any folder, download files and run code.
    """
    return name in MODELS or name in _LOADED_NAMES


@lru_cache(maxsize=2)
def load_encoder(name: str) -> Any:
    """Load an encoder by its name: `PACKAGE:MODEL`, or a model or folder for the first package installed."""
    _LOADED_NAMES.add(name)
    if name in MODELS:
        return _BuiltIn(name)
    package, sign, model = name.partition(":")
    if not sign or package not in LOADERS:
        package, model = _choose_package(name), name
    module, load = LOADERS[package]
    if find_spec(module) is None:
        raise InputError(
            f"embeddings={name!r} needs the package {package}, which is not installed; install it with "
            f"`pip install {package}`"
        )
    try:
        return load(model)
    except Exception as error:
        reason = (str(error).strip() or type(error).__name__).splitlines()[0][:200]
        raise InputError(f"{package} cannot load the model {model!r}: {reason}") from error


def _choose_package(name: str) -> str:
    """Choose the package for a model without one; a folder of model2vec says that it is one."""
    folder = Path(name).expanduser()
    if "/" not in name and not folder.is_dir():
        known = ", ".join(map(repr, dict.fromkeys((*WORD_VECTORS, *MODELS))))
        raise ParameterError(
            f"embeddings does not know {name!r}; use {known}, '{COLUMN}NAME', or a model of an installed "
            f"package ({', '.join(LOADERS)}) such as 'model2vec:NAME'",
            parameter="embeddings",
        )
    config = folder / "config.json"
    if config.is_file() and '"model2vec"' in config.read_text(encoding="utf-8", errors="replace"):
        return "model2vec"
    for package, (module, _) in LOADERS.items():
        if find_spec(module) is not None:
            return package
    raise InputError(
        f"no package that loads the model {name!r} is installed; install one of {', '.join(LOADERS)}"
    )


def encode_texts(encoder: Any, texts: Sequence[str]) -> Floats:
    """Return a vector for each text; zeros for one without a character that is no white space."""
    name = type(encoder).__name__
    function = encoder.encode if callable(getattr(encoder, "encode", None)) else encoder.embed
    answer = function(list(texts))
    try:
        # FastEmbed yields one vector after the other
        is_array = hasattr(answer, "__array__") or isinstance(answer, list | tuple)
        rows = np.array(answer if is_array else list(answer), dtype=np.float64)
    except (TypeError, ValueError):
        raise InputError(
            f"the encoder {name} must return an array of numbers; got {type(answer).__name__}"
        ) from None
    if rows.ndim != 2 or len(rows) != len(texts):
        raise InputError(
            f"the encoder {name} must return a row for each of the {len(texts)} texts; got the shape "
            f"{rows.shape}"
        )
    if not np.isfinite(rows).all():
        raise InputError(f"the encoder {name} returned numbers that are infinite or NaN")
    rows[[not text.strip() for text in texts]] = 0.0
    return rows


def _encode_probes(encoder: Any) -> NDArray[np.float32]:
    return encode_texts(encoder, PROBES).astype(np.float32)


# What a model remembers


def pack_source(vectors_source: Source, probe: NDArray[np.float32]) -> dict[str, NDArray[Any]]:
    """Return a source as arrays that can be stored."""
    record = json.dumps(asdict(vectors_source)).encode()
    return {"source": np.frombuffer(record, dtype=np.uint8), "probe": probe}


def check_source(record: NDArray[Any]) -> None:
    """Raise ValueError for bytes that `pack_source` did not write."""
    try:
        values: Any = json.loads(record.tobytes())
        Source(**values)
    except (TypeError, ValueError, RecursionError) as error:
        raise ValueError("must describe the source of vectors") from error
    counts = [values[name] for name in ("width", "position", "total")]
    is_count = all(type(count) is int and 0 <= count < MAX_WIDTH for count in counts)
    is_kind = values["kind"] in (ARRAY, BY_COLUMN, BY_NAME, OBJECT)
    if not is_kind or not isinstance(values["name"], str) or not is_count:
        raise ValueError("must describe the source of vectors")


def list_sources(model: Model) -> Iterator[tuple[str, Source]]:
    """Yield the sources of a model's vectors, each with the beginning of the names of its arrays."""
    for key in model:
        if key.startswith("rows") and key.endswith("_source"):
            yield key.removesuffix("source"), Source(**json.loads(bytes(model[key].tobytes())))


def encode_new(model: Model, corpus: Corpus | None, n_documents: int, embeddings: Any) -> dict[str, Floats]:
    """Return the vectors of new documents by the beginnings of the names of the model's arrays.

    `embeddings` are those of the new documents, or encoders. Sources that are not at hand are left out,
    as are embeddings that the fit left out because they told nothing.
    """
    sources = dict(list_sources(model))
    passed = list_embeddings(embeddings)
    n_sources = sum(not source.is_word_vectors for source in sources.values())
    vectors = {}
    for key, source in sources.items():
        if source.is_word_vectors:
            rows = _encode_word_pieces(source, model[f"{key}probe"], corpus, n_documents)
        else:
            choice = _pick(passed, source, n_sources)
            rows = _encode_source(source, model[f"{key}probe"], corpus, n_documents, choice)
        if rows is not None:
            vectors[key] = rows
    return vectors


def _pick(passed: list[Any], source: Source, n_sources: int) -> Any:
    """Return what the user passed for a source: by its position, or the only one for the only one."""
    if not passed:
        return None
    if len(passed) == source.total:
        return passed[source.position]
    if len(passed) == n_sources == 1:
        return passed[0]
    raise ParameterError(
        f"the fit had {source.total} embeddings; pass as many, in the same order; got {len(passed)}",
        parameter="embeddings",
    )


def _encode_word_pieces(
    source: Source, probe: NDArray[Any], corpus: Corpus | None, n_documents: int
) -> Floats | None:
    """Encode new texts by word pieces; None without texts or the package, and of many texts on a cluster."""
    if corpus is None or corpus.texts is None or not has_word_vectors():
        return None
    if isinstance(corpus.counts, ShardedMatrix) and n_documents > MAX_WHOLE_TEXTS:
        return None
    vectors = make_vectors(source.name, corpus, n_documents, (source.position, source.total))
    _refuse_other(source, probe, vectors)
    return vectors.rows


def _encode_source(
    source: Source, probe: NDArray[Any], corpus: Corpus | None, n_documents: int, passed: Any
) -> Floats | None:
    is_usable = source.kind == BY_COLUMN or (source.kind == BY_NAME and is_trusted_name(source.name))
    # of documents that come as counts, nothing else is known
    if passed is None and is_usable and corpus is not None:
        passed = COLUMN + source.name if source.kind == BY_COLUMN else source.name
    if passed is None:
        if source.kind != ARRAY:
            why = "and these are only counts of words"
            if source.kind == OBJECT or corpus is not None:
                why = "which is not stored"
            warnings.warn(
                f"the groups were made with {source}, {why}; pass it or vectors to predict with "
                "embeddings=..., or the new documents are grouped by their words alone",
                MissingEncoderWarning,
                stacklevel=2,
            )
        return None
    vectors = make_vectors(passed, corpus, n_documents, (source.position, source.total))
    _refuse_other(source, probe, vectors)
    return vectors.rows


def _refuse_other(source: Source, probe: NDArray[Any], vectors: DocumentVectors) -> None:
    """Refuse vectors of another width, or of an encoder that encodes the probes differently."""
    width = vectors.rows.shape[1]
    if width != source.width:
        raise InputError(
            f"the groups were made with {source}, whose vectors have {source.width} numbers; these have "
            f"{width}; use the same encoder"
        )
    is_known = probe.size > 0 and vectors.probe.size > 0
    if is_known and np.linalg.norm(probe - vectors.probe) > MAX_DIFFERENCE * np.linalg.norm(probe):
        raise InputError(
            f"the groups were made with {source}, and {vectors.source} encodes texts differently; use the "
            "same encoder"
        )
