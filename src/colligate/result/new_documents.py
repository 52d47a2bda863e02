"""New documents as rows over everything that those of the result are related to.

They may bring some of the relations only; the columns of the others stay empty.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from scipy import sparse

from colligate.corpus import Corpus
from colligate.errors import InputError, MatrixError
from colligate.network import Network
from colligate.network.matrix import checked_matrix
from colligate.network.neighbourhood import description
from colligate.result.new_network import matched

if TYPE_CHECKING:
    from collections.abc import Sequence

    from colligate.network import Part
    from colligate.result.result import Result


def as_rows(result: Result, new: Any) -> sparse.csr_array:
    """New documents over the columns of `result.around`, in whichever form they come."""
    if isinstance(new, Network):
        return _side_by_side(result, matched(result, new))
    # SciPy's dictionary of keys is a mapping, too
    if isinstance(new, Mapping) and not sparse.issparse(new):
        return _side_by_side(result, _mapped(result, new))
    return _side_by_side(result, {_describing(result): counted(result, new)})


def counted(result: Result, new: Any) -> sparse.csr_array:
    """New documents as counts over the words of the result, or whatever else its terms are.

    Texts are counted again by the analyser of the result's corpus, and refused if it was not stored; a corpus
    without texts is matched word by word; a matrix must have a column for each word already.
    """
    if isinstance(new, Corpus):
        return _counted_corpus(result, new)
    if isinstance(new, str):
        raise InputError(
            "predict takes a list of texts, a corpus, a matrix, a network or a mapping of matrices; "
            "got a single text, put it in a list"
        )
    if isinstance(new, (list, tuple)) and all(isinstance(text, str) for text in new):
        return _counted_texts(_training_corpus(result), new)
    return _fitting(result, checked_matrix(new), _describing(result))


def _describing(result: Result) -> Part:
    part = description(result.network)
    if part is None:
        raise InputError(f"the {result.centre} of this result take part in no relation")
    return part


def _side_by_side(result: Result, given: Mapping[Part, sparse.csr_array]) -> sparse.csr_array:
    """The matrices of some parts at their places in a row of all parts."""
    parts = result.around.parts
    if len(parts) == 1 and len(given) == 1:
        return next(iter(given.values()))
    height = next(iter(given.values())).shape[0]
    blocks = [given.get(part, sparse.csr_array((height, part.stop - part.start))) for part in parts]
    return sparse.csr_array(sparse.hstack(blocks, format="csr"))


def _mapped(result: Result, new: Mapping[Any, Any]) -> dict[Part, sparse.csr_array]:
    found: dict[Part, sparse.csr_array] = {}
    for key, values in new.items():
        part = _addressed(result, key)
        matrix = _fitting(result, checked_matrix(values, str(key)), part)
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


def _addressed(result: Result, key: Any) -> Part:
    """The columns that the name of a relation, or of a type, stands for."""
    relations = result.network.relations
    parts = [part for part in result.around.parts if not _turned_on_itself(result, part)]
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


def _turned_on_itself(result: Result, part: Part) -> bool:
    """Whether this is the other direction of a relation of the centre with itself."""
    return part.flipped and part.other == result.centre


def _fitting(result: Result, matrix: sparse.csr_array, part: Part) -> sparse.csr_array:
    if matrix.shape[1] != part.stop - part.start:
        raise MatrixError(
            f"the matrix has {matrix.shape[1]} columns, the result was made with {part.stop - part.start} "
            f"{part.other}; count the new {result.centre} over the same {part.other} in the same order"
        )
    return matrix


def _counted_corpus(result: Result, new: Corpus) -> sparse.csr_array:
    known = result.corpus
    if known is not None:
        same = new.analyser == known.analyser and new.words == known.words
        if new.texts is not None and not same:
            _refuse_forgotten(known)
        return checked_matrix(new.counted_like(known))
    words = result.network.types[result.terms].names
    if isinstance(words, range):
        raise InputError(
            f"this result knows its {result.terms} only by position; "
            "give predict a matrix with the same columns"
        )
    return checked_matrix(new.counts_over(words))


def _counted_texts(known: Corpus, texts: Sequence[str]) -> sparse.csr_array:
    _refuse_forgotten(known)
    return checked_matrix(Corpus.from_texts(texts, like=known).counts)


def _refuse_forgotten(known: Corpus) -> None:
    if known.analyser.forgotten:
        raise InputError(
            f"cannot count new text: {known.analyser.forgotten}; pass analyser=... to Result.load, "
            "or give predict a matrix, such as corpus.counts_over(result.corpus.words)"
        )


def _training_corpus(result: Result) -> Corpus:
    if result.corpus is None:
        raise InputError(
            "this result was made from a matrix or a network, so it cannot count texts; give predict "
            "Corpus.from_texts(texts, like=the corpus of the fit), or a matrix with the same columns"
        )
    return result.corpus
