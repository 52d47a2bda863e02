"""The groups of new documents, by the scores of the method that made the result.

New documents as rows over everything that those of the result are related to.

They may bring some of the relations only; the columns of the others stay empty.

A network of new documents, matched with the network that a result was made with.

Objects are matched by name, and where the result knows them by position, by position. What the result does
not know is left out, since it cannot speak for any group.
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
from colligate.errors import InputError, KnowledgeWarning, MatrixError
from colligate.network import Network
from colligate.network.neighbourhood import find_description
from colligate.network.objects import check_matrix
from colligate.result.groups import CHUNK

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from numpy.typing import NDArray

    from colligate.network import ObjectType, Part
    from colligate.result.result import Result


def predict(result: Result, new: Any) -> NDArray[np.int32]:
    """The group of each new document; -1 for outsiders and for documents without any known object."""
    matrix = _drop_unseen(result, make_rows(result, new))
    labels = np.full(matrix.shape[0], -1, dtype=np.int32)
    for rows, scores in _score_rows(result, matrix):
        best = scores.argmax(axis=1)
        # scores beyond the groups are those of being in none of them
        labels[rows] = np.where(best < result.n_groups(), best, -1)
    return labels


def predict_memberships(result: Result, new: Any) -> NDArray[np.float32]:
    """The membership of each new document in each group; a row of zeros without a known word."""
    matrix = _drop_unseen(result, make_rows(result, new))
    memberships = np.zeros((matrix.shape[0], result.n_groups()), dtype=np.float32)
    for rows, scores in _score_rows(result, matrix):
        memberships[rows] = softmax_rows(scores)[:, : result.n_groups()]
    return memberships


def _drop_unseen(result: Result, matrix: sparse.csr_array) -> sparse.csr_array:
    """The entries without those that cannot speak for any group.

    These are words that no document of the result had, and relations that had no weight while others had.
    """
    silent = np.bincount(result.neighbourhood.matrix.indices, minlength=matrix.shape[1]) == 0
    weights = [result.network.relations[part.relation].weight for part in result.neighbourhood.parts]
    for part, weight in zip(result.neighbourhood.parts, weights, strict=True):
        if weight == 0 and any(other != 0 for other in weights):
            silent[part.start : part.stop] = True
    if not silent[matrix.indices].any():
        return matrix
    known = matrix.copy()
    known.data = np.where(silent[matrix.indices], 0, matrix.data)
    known.eliminate_zeros()
    return known


def _score_rows(
    result: Result, matrix: sparse.csr_array
) -> Iterator[tuple[NDArray[np.int64], NDArray[np.float64]]]:
    """Scores of the rows that hold a known word, a bounded number of rows at a time."""
    scores = registry.find_method(result.method).predict_scores
    known = np.flatnonzero(np.diff(matrix.indptr))
    for start in range(0, known.size, CHUNK):
        rows = known[start : start + CHUNK]
        part = matrix if rows.size == matrix.shape[0] else matrix[rows]
        yield rows, scores(result.model, part)


def make_rows(result: Result, new: Any) -> sparse.csr_array:
    """New documents over the columns of `result.neighbourhood`, in whichever form they come."""
    if isinstance(new, Network):
        return _stack_parts(result, match_network(result, new))
    # SciPy's dictionary of keys is a mapping, too
    if isinstance(new, Mapping) and not sparse.issparse(new):
        return _stack_parts(result, _read_mapping(result, new))
    return _stack_parts(result, {_find_description(result): count_terms(result, new)})


def count_terms(result: Result, new: Any) -> sparse.csr_array:
    """New documents as counts over the words of the result, or whatever else its terms are.

    Texts are counted again by the analyser of the result's corpus, and refused if it was not stored; a corpus
    without texts is matched word by word; a matrix must have a column for each word already.
    """
    if isinstance(new, Corpus):
        return _count_corpus(result, new)
    if isinstance(new, str):
        raise InputError(
            "predict takes a list of texts, a corpus, a matrix, a network or a mapping of matrices; "
            "got a single text, put it in a list"
        )
    if isinstance(new, (list, tuple)) and all(isinstance(text, str) for text in new):
        return _count_texts(_training_corpus(result), new)
    return _check_width(result, check_matrix(new), _find_description(result))


def _find_description(result: Result) -> Part:
    part = find_description(result.network)
    if part is None:
        raise InputError(f"the {result.centre} of this result take part in no relation")
    return part


def _stack_parts(result: Result, given: Mapping[Part, sparse.csr_array]) -> sparse.csr_array:
    """The matrices of some parts at their places in a row of all parts."""
    parts = result.neighbourhood.parts
    if len(parts) == 1 and len(given) == 1:
        return next(iter(given.values()))
    height = next(iter(given.values())).shape[0]
    blocks = [given.get(part, sparse.csr_array((height, part.stop - part.start))) for part in parts]
    return sparse.csr_array(sparse.hstack(blocks, format="csr"))


def _read_mapping(result: Result, new: Mapping[Any, Any]) -> dict[Part, sparse.csr_array]:
    found: dict[Part, sparse.csr_array] = {}
    for key, values in new.items():
        part = _find_part(result, key)
        matrix = _check_width(result, check_matrix(values, str(key)), part)
        if part in found:
            raise InputError(f"{key!r:.60} names a relation that is given already; give each one once")
        found[part] = matrix
    if not found:
        raise InputError("the mapping is empty; give at least one relation or type with its matrix")
    heights = {str(key): matrix.shape[0] for key, matrix in zip(new, found.values(), strict=True)}
    if len(set(heights.values())) > 1:
        told = ", ".join(f"{height:,} in {key}" for key, height in heights.items())
        raise MatrixError(
            f"the matrices must have a row for each of the same new {result.centre}; got {told}"
        )
    return found


def _find_part(result: Result, key: Any) -> Part:
    """The columns that the name of a relation, or of a type, stands for."""
    relations = result.network.relations
    parts = [part for part in result.neighbourhood.parts if not _is_reverse(result, part)]
    for part in parts:
        if relations[part.relation].name == key:
            return part
    own = [part for part in parts if part.other == key]
    if len(own) == 1:
        return own[0]
    names = ", ".join(repr(relations[part.relation].name) for part in own or parts)
    if own:
        raise InputError(f"several relations lead to {key}; say which is meant: {names}")
    raise InputError(
        f"{key!r:.60} is no relation of the {result.centre} of this result and no type they are related to; "
        f"the relations are {names}"
    )


def _is_reverse(result: Result, part: Part) -> bool:
    """Whether this is the other direction of a relation of the centre with itself."""
    return part.flipped and part.other == result.centre


def _check_width(result: Result, matrix: sparse.csr_array, part: Part) -> sparse.csr_array:
    if matrix.shape[1] != part.stop - part.start:
        raise MatrixError(
            f"the matrix has {matrix.shape[1]} columns, the result was made with {part.stop - part.start} "
            f"{part.other}; count the new {result.centre} over the same {part.other} in the same order"
        )
    return matrix


def _count_corpus(result: Result, new: Corpus) -> sparse.csr_array:
    known = result.corpus
    if known is not None:
        same = new.analyser == known.analyser and new.words == known.words
        if new.texts is not None and not same:
            _check_analyser(known)
        return check_matrix(new.counts_like(known))
    words = result.network.types[result.terms].names
    if isinstance(words, range):
        raise InputError(
            f"this result knows its {result.terms} only by position; "
            "give predict a matrix with the same columns"
        )
    return check_matrix(new.counts_over(words))


def _count_texts(known: Corpus, texts: Sequence[str]) -> sparse.csr_array:
    _check_analyser(known)
    return check_matrix(Corpus.from_texts(texts, like=known).counts)


def _check_analyser(known: Corpus) -> None:
    if known.analyser.unusable:
        raise InputError(
            f"cannot count new text: {known.analyser.unusable}; pass analyser=... to Result.load, "
            "or give predict a matrix, such as corpus.counts_over(result.corpus.words)"
        )


def _training_corpus(result: Result) -> Corpus:
    if result.corpus is None:
        raise InputError(
            "this result was made from a matrix or a network, so it cannot count texts; give predict "
            "Corpus.from_texts(texts, like=the corpus of the fit), or a matrix with the same columns"
        )
    return result.corpus


def match_network(result: Result, new: Network) -> dict[Part, sparse.csr_array]:
    """For each relation of the new documents, the new documents × the objects that the result knows.

    Every object of the new network's centre is a new document. A relation between other types says nothing
    about them and is passed over. Of a relation of documents with each other, entries between a new one and
    one of the result count, in either direction.
    """
    if result.centre not in new.types:
        raise InputError(
            f"the result groups {result.centre}, and the new network has none; "
            f"its types are {', '.join(new.types)}"
        )
    around = new.neighbourhood(result.centre)
    found: dict[Part, sparse.csr_array] = {}
    for part in around.parts:
        known = _find_counterpart(result, new, part)
        if known in found:
            raise InputError(
                f"two relations of the new network would stand for {_relation_name(result, known)!r}; "
                "call them as in the result"
            )
        matrix, places = around.cut(part), _map_positions(result, new.types[part.other])
        _warn_of_unknown(matrix, places, part, result.centre)
        found[known] = _map_columns(matrix, places, known.stop - known.start)
    if not found:
        raise InputError(f"the {result.centre} of the new network take part in no relation")
    return found


def _find_counterpart(result: Result, new: Network, part: Part) -> Part:
    """Find the part of the result for a part of the new network: by name, or else by type."""
    name = new.relations[part.relation].name
    same = [own for own in result.neighbourhood.parts if own.other == part.other]
    if part.other == result.centre:
        same = [own for own in same if own.flipped == part.flipped]
    named = [own for own in same if _relation_name(result, own) == name]
    if len(same) == 1 or named:
        return (named or same)[0]
    there = ", ".join(
        dict.fromkeys(repr(_relation_name(result, own)) for own in same or result.neighbourhood.parts)
    )
    why = f"several relations lead to {part.other}" if same else f"no relation leads to {part.other}"
    raise InputError(f"relation {name!r} of the new network has no counterpart: {why}; there are {there}")


def _relation_name(result: Result, part: Part) -> str:
    return result.network.relations[part.relation].name


def _map_positions(result: Result, new: ObjectType) -> NDArray[np.int64]:
    """Where each object of a new type is in the result; -1 for those it does not know."""
    known = result.network.types[new.name].names
    if not isinstance(known, range) and not isinstance(new.names, range):
        table = {name: at for at, name in enumerate(known)}
        return np.fromiter((table.get(name, -1) for name in new.names), dtype=np.int64, count=len(new))
    if new.name == result.centre:
        raise InputError(
            f"{new.name} known by position cannot be told from the new ones; give predict a mapping "
            f"{{relation: matrix of new × old {new.name}}}"
        )
    if isinstance(known, range) != isinstance(new.names, range):
        how = ("position", "name") if isinstance(known, range) else ("name", "position")
        raise InputError(
            f"the result knows its {new.name} by {how[0]}, the new network has them by {how[1]}; "
            f"give the new network the same {new.name}"
        )
    if len(known) != len(new):
        raise InputError(
            f"the result knows {len(known):,} {new.name} by position, the new network has {len(new):,}; "
            f"give it the same {new.name} in the same order"
        )
    return np.arange(len(new), dtype=np.int64)


def _warn_of_unknown(matrix: sparse.csr_array, places: NDArray[np.int64], part: Part, centre: str) -> None:
    named = np.unique(matrix.indices)
    if named.size and (places[named] < 0).all() and not (part.flipped and part.other == centre):
        warnings.warn(
            f"the result knows none of the {named.size:,} {part.other} that the new {centre} are related to; "
            "they are left out. Are they spelt as they were?",
            KnowledgeWarning,
            stacklevel=2,
        )


def _map_columns(matrix: sparse.csr_array, places: NDArray[np.int64], width: int) -> sparse.csr_array:
    entries = sparse.coo_array(matrix)
    rows, columns = entries.coords
    at = places[columns]
    inside = at >= 0
    shape = (matrix.shape[0], width)
    return check_matrix(sparse.csr_array((entries.data[inside], (rows[inside], at[inside])), shape=shape))
