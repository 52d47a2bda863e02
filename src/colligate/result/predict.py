"""Predict the groups of new documents, by the scores of the method that made the result.

New documents become rows over everything that the documents of the result are related to. They may lack some
relations; then these columns are empty. The objects of a new network are matched by name, or by position
where the result has only positions. Objects that the result does not have are ignored.
"""

from __future__ import annotations

import warnings
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

import numpy as np
from scipy import sparse

from colligate import registry
from colligate._array import softmax_rows
from colligate.corpus import Corpus
from colligate.corpus.encoders import WORD_VECTORS, encode_new, list_embeddings
from colligate.errors import InputError, KnowledgeWarning, MatrixError, ParameterError
from colligate.network import Network
from colligate.network.inputs import is_documents, is_stored_network, read_input
from colligate.network.neighbourhood import find_description
from colligate.network.objects import check_matrix
from colligate.result.groups import CHUNK
from colligate.shards.matrix import ShardedMatrix, count_columns

if TYPE_CHECKING:
    from collections.abc import Iterator

    from numpy.typing import NDArray

    from colligate.network import ObjectType, Part
    from colligate.result.result import Result

    Vectors = Mapping[str, NDArray[np.float64]]


def predict(result: Result, new: Any, embeddings: Any = None) -> NDArray[np.int32]:
    """Return the group of each new document; -1 for outsiders and documents without a known object."""
    counts, vectors = _read_documents(result, new, embeddings)
    if isinstance(counts, ShardedMatrix) and not vectors:
        sharded: NDArray[np.int32] = counts.collect_rows(_label_shard, *_shard_arguments(result))
        return sharded
    matrix = drop_unseen(result, counts)
    labels = np.full(matrix.shape[0], -1, dtype=np.int32)
    for rows, scores in _score_rows(result, matrix, vectors):
        best = scores.argmax(axis=1)
        # Columns beyond the groups are the scores of outsiders.
        labels[rows] = np.where(best < result.n_groups(), best, -1)
    return labels


def predict_memberships(result: Result, new: Any, embeddings: Any = None) -> NDArray[np.float32]:
    """Return the memberships of new documents; a row of zeros for one without a known object."""
    return predict_rows(result, *_read_documents(result, new, embeddings))


def predict_rows(
    result: Result, new: sparse.csr_array, vectors: Vectors | None = None
) -> NDArray[np.float32]:
    """Return the memberships of new documents that are rows over the columns of `result.neighbourhood`."""
    if isinstance(new, ShardedMatrix) and not vectors:
        sharded: NDArray[np.float32] = new.collect_rows(_share_shard, *_shard_arguments(result))
        return sharded
    matrix = drop_unseen(result, new)
    memberships = np.zeros((matrix.shape[0], result.n_groups()), dtype=np.float32)
    for rows, scores in _score_rows(result, matrix, vectors or {}):
        memberships[rows] = softmax_rows(scores)[:, : result.n_groups()]
    return memberships


def _read_documents(result: Result, new: Any, embeddings: Any) -> tuple[sparse.csr_array, Vectors]:
    """Read new documents as rows, and as vectors where the result uses some."""
    if is_stored_network(new):
        new = Network.load(new)
    documents = read_new(result, new)
    matrix = make_rows(result, documents)
    corpus = documents.corpus if isinstance(documents, Network) else documents
    corpus = corpus if isinstance(corpus, Corpus) else None
    fit = result.parameters.get("embeddings")
    if embeddings is not None and all(entry in WORD_VECTORS for entry in list_embeddings(fit)):
        raise ParameterError(
            "this result uses no vectors of documents, so embeddings have no effect on new documents; leave "
            "out embeddings",
            parameter="embeddings",
        )
    return matrix, encode_new(result.model, corpus, matrix.shape[0], embeddings)


def drop_unseen(result: Result, matrix: sparse.csr_array) -> sparse.csr_array:
    """Drop the entries that carry no evidence: unused objects, and relations of weight 0 beside others."""
    return _drop_columns(matrix, _find_silent(result))


def _find_silent(result: Result) -> NDArray[np.bool_]:
    """Mark the columns that carry no evidence."""
    # An object that no document of the result has was never fitted to any group.
    silent: NDArray[np.bool_] = count_columns(result.neighbourhood.matrix) == 0
    weights = [result.network.relations[part.relation].weight for part in result.neighbourhood.parts]
    for part, weight in zip(result.neighbourhood.parts, weights, strict=True):
        if weight == 0 and any(nonzero != 0 for nonzero in weights):
            silent[part.start : part.stop] = True
    return silent


def _drop_columns(matrix: sparse.csr_array, silent: NDArray[np.bool_]) -> sparse.csr_array:
    if not silent[matrix.indices].any():
        return matrix
    # A copy: the matrix may belong to the caller.
    seen = matrix.copy()
    seen.data = np.where(silent[matrix.indices], 0, matrix.data)
    seen.eliminate_zeros()
    return seen


def _score_rows(
    result: Result, matrix: sparse.csr_array, vectors: Vectors
) -> Iterator[tuple[NDArray[np.int64], NDArray[np.float64]]]:
    """Yield the scores of the rows that are not empty, a bounded number of rows at a time."""
    return _score_filled(result.method, result.model, matrix, vectors)


def _score_filled(
    method_name: str, model: Mapping[str, NDArray[Any]], matrix: sparse.csr_array, vectors: Vectors
) -> Iterator[tuple[NDArray[np.int64], NDArray[np.float64]]]:
    method: Any = registry.find_method(method_name)
    filled = np.diff(matrix.indptr) > 0
    for values in vectors.values():
        filled |= values.any(axis=1)
    filled_rows = np.flatnonzero(filled)
    for start in range(0, filled_rows.size, CHUNK):
        rows = filled_rows[start : start + CHUNK]
        # Slicing all rows would copy the matrix.
        part = matrix if rows.size == matrix.shape[0] else matrix[rows]
        more = ({key: values[rows] for key, values in vectors.items()},) if vectors else ()
        yield rows, method.predict_scores(model, part, *more)


def _shard_arguments(result: Result) -> tuple[Any, ...]:
    """Return what workers need to score documents."""
    return _find_silent(result), result.method, dict(result.model), result.n_groups()


def _label_shard(
    rows: sparse.csr_array, silent: NDArray[np.bool_], method: str, model: dict[str, Any], n_groups: int
) -> NDArray[np.int32]:
    """Do on a worker what `predict` does here."""
    labels = np.full(rows.shape[0], -1, dtype=np.int32)
    for part, scores in _score_filled(method, model, _drop_columns(rows, silent), {}):
        best = scores.argmax(axis=1)
        labels[part] = np.where(best < n_groups, best, -1)
    return labels


def _share_shard(
    rows: sparse.csr_array, silent: NDArray[np.bool_], method: str, model: dict[str, Any], n_groups: int
) -> NDArray[np.float32]:
    """Do on a worker what `predict_rows` does here."""
    memberships = np.zeros((rows.shape[0], n_groups), dtype=np.float32)
    for part, scores in _score_filled(method, model, _drop_columns(rows, silent), {}):
        memberships[part] = softmax_rows(scores)[:, :n_groups]
    return memberships


def make_rows(result: Result, new: Any) -> sparse.csr_array:
    """Return new documents of any form as rows over the columns of `result.neighbourhood`."""
    if is_stored_network(new):
        new = Network.load(new)
    if isinstance(new, Network):
        return _stack_parts(result, match_network(result, new))
    # SciPy's dictionary-of-keys matrix is a mapping, too.
    if isinstance(new, Mapping) and not sparse.issparse(new):
        return _stack_parts(result, _read_mapping(result, new))
    return _stack_parts(result, {_find_description(result): count_terms(result, new)})


def count_terms(result: Result, new: Any) -> sparse.csr_array:
    """Count the terms of new documents.

    The analyser of the result's corpus counts texts; without it they are refused. A corpus without texts is
    matched word by word. A matrix must have the columns of the result.
    """
    documents = read_new(result, new)
    if isinstance(documents, Corpus):
        return _count_corpus(result, documents)
    return _check_width(result, check_matrix(documents), _find_description(result))


def read_new(result: Result, new: Any) -> Any:
    """Read new documents of any form as a corpus with the words of the result; other forms stay."""
    if isinstance(new, Corpus | Network | Mapping) or sparse.issparse(new):
        return new
    if result.corpus is None:
        if is_documents(new):
            raise InputError(
                "this result was made from a matrix or a network, so it does not know how to count the "
                "words of texts; pass predict Corpus.of(documents, like=CORPUS) with the corpus of the fit, "
                "or a matrix with the same columns as in fit"
            )
        return new
    if not result.corpus.analyser.unusable:
        documents = read_input(new, like=result.corpus)
        return new if documents is None else documents
    if is_documents(new):
        _check_analyser(result.corpus)
    return new


def _find_description(result: Result) -> Part:
    part = find_description(result.network)
    if part is None:
        raise InputError(
            f"the {result.centre} of this result are in no relation, so no group can be predicted"
        )
    return part


def _stack_parts(result: Result, blocks_by_part: Mapping[Part, sparse.csr_array]) -> sparse.csr_array:
    """Stack the matrices of some parts side by side, with empty columns for the other parts."""
    parts = result.neighbourhood.parts
    if len(parts) == 1 and len(blocks_by_part) == 1:
        return next(iter(blocks_by_part.values()))
    height = next(iter(blocks_by_part.values())).shape[0]
    blocks = [blocks_by_part.get(part, sparse.csr_array((height, part.stop - part.start))) for part in parts]
    return sparse.csr_array(sparse.hstack(blocks, format="csr"))


def _read_mapping(result: Result, new: Mapping[Any, Any]) -> dict[Part, sparse.csr_array]:
    blocks: dict[Part, sparse.csr_array] = {}
    for key, values in new.items():
        part = _find_part(result, key)
        matrix = _check_width(result, check_matrix(values, str(key)), part)
        if part in blocks:
            raise InputError(
                f"{key!r:.60} means the same relation as an earlier key of the mapping; give each relation "
                "once"
            )
        blocks[part] = matrix
    if not blocks:
        raise InputError("the mapping is empty; give at least one relation or type with its matrix")
    heights = {str(key): matrix.shape[0] for key, matrix in zip(new, blocks.values(), strict=True)}
    if len(set(heights.values())) > 1:
        heights_in_words = ", ".join(f"{height:,} in {key}" for key, height in heights.items())
        raise MatrixError(
            f"all matrices must have one row for each of the new {result.centre}; got {heights_in_words}"
        )
    return blocks


def _find_part(result: Result, key: Any) -> Part:
    """Find the columns that belong to a relation, or to a type."""
    relations = result.network.relations
    parts = [part for part in result.neighbourhood.parts if not _is_reverse(result, part)]
    for part in parts:
        if relations[part.relation].name == key:
            return part
    candidates = [part for part in parts if part.other == key]
    if len(candidates) == 1:
        return candidates[0]
    names = ", ".join(repr(relations[part.relation].name) for part in candidates or parts)
    if candidates:
        raise InputError(
            f"several relations connect {result.centre} with {key}; use the name of one: {names}"
        )
    raise InputError(
        f"the result has no relation or type {key!r:.60} for its {result.centre}; use one of these "
        f"relations: {names}"
    )


def _is_reverse(result: Result, part: Part) -> bool:
    """Tell whether this is the reverse direction of a relation of the centre with itself."""
    return part.flipped and part.other == result.centre


def _check_width(result: Result, matrix: sparse.csr_array, part: Part) -> sparse.csr_array:
    if matrix.shape[1] != part.stop - part.start:
        raise MatrixError(
            f"the matrix has {matrix.shape[1]} columns, but the result has {part.stop - part.start} "
            f"{part.other}; make a matrix with the same {part.other} in the same order"
        )
    return matrix


def _count_corpus(result: Result, new: Corpus) -> sparse.csr_array:
    corpus = result.corpus
    if corpus is not None:
        same = new.analyser == corpus.analyser and new.words == corpus.words
        if new.texts is not None and not same:
            _check_analyser(corpus)
        return check_matrix(new.counts_like(corpus))
    words = result.network.types[result.terms].names
    if isinstance(words, range):
        raise InputError(
            f"the {result.terms} of this result have no names; pass predict a matrix with the same "
            "columns as in fit"
        )
    return check_matrix(new.counts_over(words))


def _check_analyser(corpus: Corpus) -> None:
    if corpus.analyser.unusable:
        raise InputError(
            f"cannot count the words of new texts: {corpus.analyser.unusable}; pass analyser=... to "
            "Result.load, or pass predict a matrix, such as corpus.counts_over(result.corpus.words)"
        )


def match_network(result: Result, new: Network) -> dict[Part, sparse.csr_array]:
    """Return new documents × objects of the result, for each relation of the new documents.

    Every object of the result's centre in the new network is a new document. Relations between other types
    are ignored. Of a relation between documents, entries between a new one and one of the result count, in
    either direction.
    """
    if result.centre not in new.types:
        raise InputError(
            f"the result groups {result.centre}, but the new network has none; "
            f"its types are {', '.join(new.types)}"
        )
    around = new.neighbourhood(result.centre)
    blocks: dict[Part, sparse.csr_array] = {}
    for part in around.parts:
        counterpart = _find_counterpart(result, new, part)
        if counterpart in blocks:
            raise InputError(
                f"two relations of the new network match {_relation_name(result, counterpart)!r}; "
                "name them as in the result"
            )
        matrix, places = around.cut(part), _map_positions(result, new.types[part.other])
        _warn_of_unknown(matrix, places, part, result.centre)
        blocks[counterpart] = _map_columns(matrix, places, counterpart.stop - counterpart.start)
    if not blocks:
        raise InputError(f"the {result.centre} of the new network are in no relation; add a relation")
    return blocks


def _find_counterpart(result: Result, new: Network, part: Part) -> Part:
    """Find the part of the result for a part of the new network: by name, or else by type."""
    name = new.relations[part.relation].name
    same = [candidate for candidate in result.neighbourhood.parts if candidate.other == part.other]
    if part.other == result.centre:
        same = [candidate for candidate in same if candidate.flipped == part.flipped]
    named = [candidate for candidate in same if _relation_name(result, candidate) == name]
    if len(same) == 1 or named:
        return (named or same)[0]
    there = ", ".join(
        dict.fromkeys(
            repr(_relation_name(result, candidate)) for candidate in same or result.neighbourhood.parts
        )
    )
    raise InputError(
        f"the relation {name!r} of the new network cannot be matched, because the result has "
        f"{'several relations' if same else 'no relation'} with {part.other}; use one of {there}"
    )


def _relation_name(result: Result, part: Part) -> str:
    return result.network.relations[part.relation].name


def _map_positions(result: Result, new: ObjectType) -> NDArray[np.int64]:
    """Return the position of each object of a new type in the result; -1 for unknown ones."""
    known_names = result.network.types[new.name].names
    if not isinstance(known_names, range) and not isinstance(new.names, range):
        table = {name: position for position, name in enumerate(known_names)}
        return np.fromiter((table.get(name, -1) for name in new.names), dtype=np.int64, count=len(new))
    if new.name == result.centre:
        raise InputError(
            f"the new {new.name} have no names, so they cannot be matched with the {new.name} of the "
            f"result; pass a mapping from the relation to a matrix of new × old {new.name}"
        )
    if isinstance(known_names, range) != isinstance(new.names, range):
        named, unnamed = "the new network", "the result"
        if not isinstance(known_names, range):
            named, unnamed = unnamed, named
        raise InputError(
            f"{new.name} have names in {named}, but not in {unnamed}; use names in both, or positions in both"
        )
    if len(known_names) != len(new):
        raise InputError(
            f"the result has {len(known_names):,} {new.name} without names, but the new network has "
            f"{len(new):,}; give the new network the same {new.name} in the same order"
        )
    return np.arange(len(new), dtype=np.int64)


def _warn_of_unknown(matrix: sparse.csr_array, places: NDArray[np.int64], part: Part, centre: str) -> None:
    named = np.unique(matrix.indices)
    if named.size and (places[named] < 0).all() and not (part.flipped and part.other == centre):
        warnings.warn(
            f"none of the {named.size:,} {part.other} of the new {centre} is in the result, so these "
            f"{part.other} are ignored; check the spelling of their names",
            KnowledgeWarning,
            stacklevel=2,
        )


def _map_columns(matrix: sparse.csr_array, places: NDArray[np.int64], width: int) -> sparse.csr_array:
    entries = sparse.coo_array(matrix)
    rows, columns = entries.coords
    mapped = places[columns]
    inside = mapped >= 0
    shape = (matrix.shape[0], width)
    return check_matrix(sparse.csr_array((entries.data[inside], (rows[inside], mapped[inside])), shape=shape))
