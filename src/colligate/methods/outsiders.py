"""Outsiders that are no documents of the run: counted over its terms, for methods that take them."""

from __future__ import annotations

from typing import TYPE_CHECKING

from scipy import sparse

from colligate.corpus import Corpus
from colligate.errors import InputError

if TYPE_CHECKING:
    from collections.abc import Sequence

    from colligate.network import Network


def outside_counts(network: Network, corpora: Sequence[Corpus]) -> sparse.csr_array:
    """The documents of some corpora as counts over the terms of a network, in one matrix."""
    return sparse.csr_array(sparse.vstack([_counted(network, corpus) for corpus in corpora], format="csr"))


def _counted(network: Network, corpus: Corpus) -> sparse.csr_array:
    known = network.corpus
    if known is not None and corpus.texts is not None and not known.analyser.forgotten:
        return Corpus.from_texts(corpus.texts, ids=corpus.ids, like=known).counts
    terms = network.terms
    words = range(0) if terms in (None, network.centre) else network.types[terms].names
    if isinstance(words, range):
        raise InputError(
            "outside documents are counted by their words, and this run knows its words only by position; "
            "fit on a corpus, or mark documents of the run by position"
        )
    return corpus.counts_over(words)
