"""Documents that come later: placed in the groups of a result, and in new groups where they fit in none.

The groups of the result keep their numbers, names and knowledge, and their documents stay unless the words
say clearly otherwise (`STAY`). New documents start in no group, or in a new group (`new_groups`). Then the
method runs on all documents from there.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
from scipy import sparse
from threadpoolctl import threadpool_limits

from colligate import registry
from colligate.corpus import Corpus
from colligate.corpus.join import join_corpora
from colligate.errors import InputError, MatrixError
from colligate.knowledge import Knowledge
from colligate.knowledge.text import format_count
from colligate.methods.change_plan import refit_parameters
from colligate.methods.fit import RunOptions
from colligate.methods.new_groups import find_new_groups
from colligate.methods.parameters import Integer
from colligate.methods.revision import STAY, place_all
from colligate.methods.start_file import StartGroups, supports_start
from colligate.network import Network
from colligate.network.objects import check_matrix
from colligate.result.descriptions import Description
from colligate.result.groups import find_groups_by_name, name_groups_by_words
from colligate.result.predict import count_terms, read_new

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from colligate.result import Result

    Rows = NDArray[np.int64]


def update_result(
    result: Result, new: Any, min_new_group: int = 10, options: RunOptions | None = None, **parameters: Any
) -> Result:
    """Cluster the documents of a result and new ones, from its groups; see `Result.update`."""
    method = registry.find_method(result.method)
    if not supports_start(method):
        raise InputError(
            f"a result of {result.method} cannot be updated, because this method cannot start from existing "
            "groups; place the documents with predict, or cluster with another method, such as colligate"
        )
    if not Integer(2).holds(min_new_group):
        message = f"min_new_group must be a whole number of at least 2; got {min_new_group!r:.60}"
        raise InputError(message, parameter="min_new_group")
    values = refit_parameters(result, parameters)
    network = join_documents(result, new, method, options or RunOptions())
    start = make_start(result, network, method, min_new_group)
    model = method(**values | start.parameters(network, method))
    model.fit(network, knowledge=_collect_knowledge(result), options=options)
    return start.number_groups(model.result_)


def join_documents(result: Result, new: Any, method: type[Any], options: RunOptions) -> Network:
    """Return the network of the documents of a result and new ones, in this order."""
    network = result.network
    if len(network.relations) != 1 or result.terms == result.centre:
        names = ", ".join(relation.name for relation in network.relations)
        raise InputError(
            f"update takes results of {result.centre} and {result.terms} alone, but this one has the "
            f"relations {names}; cluster all documents again, or place the new ones with predict"
        )
    documents = read_new(result, new)
    counts = count_terms(result, documents)
    n_new = counts.shape[0]
    if n_new == 0:
        raise InputError("there are no new documents; the result stays as it is")
    is_known = np.bincount(result.counts.indices, minlength=counts.shape[1]) > 0
    if not is_known[counts.indices].any():
        raise InputError(
            f"the {format_count(n_new, result.centre)} have no word that the result knows; check the "
            "language, and which column has the texts. Nothing was changed"
        )
    if result.corpus is not None and isinstance(documents, Corpus):
        # groups of words start from those of the result, so these methods keep its words
        widen = "word_init" not in method.domains
        joined = join_corpora(result.corpus, documents, widen=widen, listener=options.listener)
        return Network.from_corpus(joined)
    return _join_matrices(result, documents, counts)


def _join_matrices(result: Result, documents: Any, counts: sparse.csr_array) -> Network:
    """Append rows to a result without a corpus; they have names if its documents have some."""
    types = result.network.types
    names, words = types[result.centre].names, types[result.terms].names
    ids: list[str] | None = None
    if not isinstance(names, range):
        if not isinstance(documents, Corpus):
            raise MatrixError(
                f"the {result.centre} of this result have names, and a matrix has none; pass a Corpus"
            )
        ids = [*map(str, names), *documents.ids]
        if len(set(ids)) < len(ids):
            raise InputError(f"some new {result.centre} have names that the result has already; rename them")
    matrix = check_matrix(sparse.csr_array(sparse.vstack([result.counts, counts], format="csr")))
    named_words = None if isinstance(words, range) else [str(word) for word in words]
    return Network.from_matrix(matrix, ids=ids, words=named_words)


def make_start(result: Result, network: Network, method: type[Any], min_new_group: int) -> StartGroups:
    """Return the groups to start from: those of the result, and new ones."""
    present, n_groups = place_all(result), result.n_groups()
    n_new = len(network.types[network.centre]) - len(present)
    is_late = np.arange(len(present) + n_new) >= len(present)
    labels = np.append(present, np.full(n_new, -1))
    earlier = np.append(result.labels[result.centre], np.full(n_new, -1))
    # one thread, as in a fit: sums depend on the number of threads
    with threadpool_limits(1):
        new_groups = find_new_groups(network.counts, earlier, is_late, min_new_group)
    for position, rows in enumerate(new_groups):
        labels[rows] = n_groups + position
    if "init_weight" not in method.domains:
        _place_late(result, network, labels)
    unused = max(result.group_numbers, default=-1) + 1
    n_added = len(new_groups)
    groups = {network.centre: labels}
    terms = network.terms
    if terms is not None and terms in result.labels and "word_init" in method.domains:
        groups[terms] = result.labels[terms].astype(np.int64)
    temperature, doubt = (result.model.get(name) for name in ("temperature", "doubt"))
    calibration = result.model.get("calibration_clusters")
    return StartGroups(
        groups,
        numbers=(*result.group_numbers, *range(unused, unused + n_added)),
        names=(*result.given_names, *[""] * n_added),
        labels=find_groups_by_name(result),
        words=result.provisional_names,
        word_names=(*name_groups_by_words(result), *[""] * n_added),
        descriptions=(*result.descriptions, *[Description()] * n_added),
        temperature=None if temperature is None else float(temperature),
        doubt=None if doubt is None else float(doubt),
        calibration_clusters=None if calibration is None else int(calibration),
        weight=STAY,
    )


def _place_late(result: Result, network: Network, labels: Rows) -> None:
    """Place late documents that start in no group where they fit best, for methods that need it."""
    unplaced = np.flatnonzero(labels < 0)
    # words that are new stand after those that the result has
    counts = network.counts[unplaced][:, : result.counts.shape[1]]
    scores = registry.find_method(result.method).predict_scores(result.model, counts)
    labels[unplaced] = np.asarray(scores)[:, : result.n_groups()].argmax(axis=1)


def _collect_knowledge(result: Result) -> Knowledge | None:
    """Return the knowledge of a result; what it says about earlier documents and words still counts."""
    if result.compiled is None:
        return None
    return Knowledge(unknown="report", contradictions="report").add(*result.compiled.statements.blocks)
