"""Folding: of documents that are copies of each other one counts, and the others get its group.

The run sees a network of the originals alone. What is known about a copy counts for its original. The
result has all documents again, with the knowledge as the user stated it, so that the audit judges every
statement on the groups of the documents that it names.
"""

from __future__ import annotations

from copy import copy
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

import numpy as np
from scipy import sparse

from colligate.corpus.duplicates import Duplicates
from colligate.errors import InputError, ParameterError
from colligate.knowledge import GroupLinks, Guidance, PairLinks, Seeds
from colligate.network import DOCUMENTS, Network, ObjectType

if TYPE_CHECKING:
    from collections.abc import Mapping

    from numpy.typing import NDArray

    from colligate.methods.base import Method
    from colligate.progress import Listener
    from colligate.result import Result

    Ints = NDArray[np.int64]

COPY_OF = "copy_of"
"""The array of a model that has the original of each document."""
BY_DOCUMENT = ("agreement",)
"""The arrays of a model with an entry for each document."""


@dataclass(frozen=True, eq=False)
class Folding:
    """The documents that count, and which of them stands for each document.

    `kept` are positions in `network`; `place` has for each document the position of its original in `kept`.
    """

    network: Network
    original: Ints
    kept: Ints
    place: Ints

    @classmethod
    def of(cls, network: Network, copies: bool | Duplicates, listener: Listener) -> Folding | None:
        """Fold the copies that were found already, or find them; None if there are none."""
        if isinstance(copies, bool):
            if not copies:
                return None
            if network.is_sharded:
                raise InputError(
                    "copies cannot be folded in documents on a Dask cluster; remove them before "
                    "(drop_duplicates of Dask), or leave out fold_duplicates",
                    parameter="fold_duplicates",
                )
            if network.corpus is None:
                raise InputError(
                    "copies are found by texts or words with names, and this input has neither; pass a "
                    "Corpus, or leave out fold_duplicates",
                    parameter="fold_duplicates",
                )
            copies = network.corpus.duplicates(listener=listener)
        elif not isinstance(copies, Duplicates):
            raise ParameterError(
                f"fold_duplicates must be True, False or the Duplicates of a corpus; got {copies!r:.60}",
                parameter="fold_duplicates",
            )
        if len(copies.original) != len(network.types[network.centre]):
            raise InputError(
                f"fold_duplicates has {len(copies.original):,} documents, but there are "
                f"{len(network.types[network.centre]):,}; find the copies in the corpus that is grouped",
                parameter="fold_duplicates",
            )
        return cls._of_originals(network, copies.original) if len(copies) else None

    @classmethod
    def of_result(cls, result: Result) -> Duplicates | bool:
        """Return the copies that were folded in a result, for `RunOptions`; False without any."""
        original = result.model.get(COPY_OF)
        if original is None:
            return False
        names = [str(name) for name in result.network.types[result.centre].names]
        ones = np.ones(len(original))
        return Duplicates(names, original, ones, np.zeros(len(original), dtype=bool))

    @classmethod
    def _of_originals(cls, network: Network, original: Ints) -> Folding:
        kept, place = np.unique(original, return_inverse=True)
        return cls(network, original, kept, place.astype(np.int64))

    def fold_network(self) -> Network:
        """Return the network of the originals."""
        network, centre = self.network, self.network.centre
        documents = network.types[centre]
        names = [str(documents.names[row]) for row in self.kept.tolist()]
        relations = []
        for relation in network.relations:
            matrix = relation.matrix
            matrix = matrix[self.kept] if relation.rows == centre else matrix
            matrix = matrix[:, self.kept] if relation.columns == centre else matrix
            relations.append(relation if matrix is relation.matrix else replace(relation, matrix=matrix))
        corpus = (
            network.corpus if network.corpus is None or centre != DOCUMENTS else network.corpus[self.kept]
        )
        types = {**network.types, centre: ObjectType(centre, names, documents.singular)}
        return Network(types, tuple(relations), corpus)

    def fold_method(self, method: Method) -> Method:
        """Return the method with the rows of the originals, where a parameter has a row for each document."""
        n_documents, folded = len(self.original), copy(method)
        for name, value in method.get_params(deep=False).items():
            if isinstance(value, list | tuple) and len(value) != n_documents:
                parts = [_take_rows(part, self.kept, n_documents) for part in value]
                setattr(folded, name, type(value)(parts))
            else:
                setattr(folded, name, _take_rows(value, self.kept, n_documents))
        return folded

    def fold_guidance(self, guidance: Mapping[str, Guidance]) -> dict[str, Guidance]:
        """Let the knowledge about copies count for their originals."""
        folded = dict(guidance)
        centre = self.network.centre
        if centre in guidance:
            folded[centre] = self._fold_guidance(guidance[centre])
        return folded

    def _fold_guidance(self, known: Guidance) -> Guidance:
        labels, statements, frozen = known.labels, known.label_statements, known.frozen
        outsiders = np.unique(self.place[known.outsiders])
        if labels is not None:
            labelled = np.flatnonzero(labels >= 0)
            # the first label counts: that of the original, which comes before its copies, or else of a copy
            places, first = np.unique(self.place[labelled], return_index=True)
            chosen = labelled[first]
            frozen = places[np.isin(chosen, frozen)]
            labels = self._place_values(labels, chosen, places)
            statements = None if statements is None else self._place_values(statements, chosen, places)
            outsiders = outsiders[labels[outsiders] < 0]
        return replace(
            known,
            size=len(self.kept),
            pairs=self._fold_pairs(known.pairs),
            groups=tuple(self._fold_groups(links) for links in known.groups),
            seeds=None if known.seeds is None else self._fold_seeds(known.seeds),
            labels=labels,
            label_statements=statements,
            frozen=frozen,
            outsiders=outsiders,
        )

    def _place_values(self, values: Ints, chosen: Ints, places: Ints) -> Ints:
        """Return the values of the chosen documents at their places among the originals; -1 elsewhere."""
        folded = np.full(len(self.kept), -1, dtype=values.dtype)
        folded[places] = values[chosen]
        return folded

    def _fold_pairs(self, pairs: PairLinks) -> PairLinks:
        """Link the originals; a link between copies of one document says nothing, and one of equals stays."""
        ends = np.sort([self.place[pairs.left], self.place[pairs.right]], axis=0)
        keys = np.stack([pairs.sign.astype(np.int64), *ends])
        _, first = np.unique(keys, axis=1, return_index=True)
        chosen = np.sort(first[ends[0, first] != ends[1, first]])
        return PairLinks(
            ends[0, chosen],
            ends[1, chosen],
            pairs.sign[chosen],
            pairs.strength[chosen],
            pairs.statement[chosen],
        )

    def _fold_groups(self, links: GroupLinks) -> GroupLinks:
        member = self.place[links.member]
        _, first = np.unique(np.stack([member, links.group]), axis=1, return_index=True)
        chosen = np.sort(first)
        return replace(
            links, member=member[chosen], group=links.group[chosen], statement=links.statement[chosen]
        )

    def _fold_seeds(self, seeds: Seeds) -> Seeds:
        entries = sparse.coo_array(seeds.matrix)
        rows, columns = self.place[entries.coords[0]], entries.coords[1].astype(np.int64)
        # in the order of rows, then columns: that of the entries of the matrix
        _, first = np.unique(np.stack([rows, columns]), axis=1, return_index=True)
        shape = (len(self.kept), seeds.matrix.shape[1])
        matrix = sparse.csr_array(
            sparse.coo_array((entries.data[first], (rows[first], columns[first])), shape=shape)
        )
        return Seeds(matrix, seeds.categories, seeds.statement[first])

    def unfold(self, result: Result) -> Result:
        """Return the result with all documents; a copy has the group of its original."""
        centre = self.network.centre

        def spread(arrays: Mapping[str, Any]) -> dict[str, Any]:
            return {**arrays, centre: arrays[centre][self.place]}

        model = {**result.model, COPY_OF: self.original.astype(np.int64)}
        model |= {name: model[name][self.place] for name in BY_DOCUMENT if name in model}
        return replace(
            result,
            network=self.network,
            corpus=self.network.corpus,
            labels=spread(result.labels),
            memberships=spread(result.memberships),
            before=None if result.before is None else spread(result.before),
            model=model,
        )


def _take_rows(value: Any, rows: Ints, n_documents: int) -> Any:
    """Take rows of what has one for each document; all else stays."""
    if isinstance(value, list | tuple) and len(value) == n_documents > 0 and not isinstance(value[0], str):
        value = np.asarray(value)
    return value[rows] if getattr(value, "shape", ())[:1] == (n_documents,) else value
