"""The result of a run: immutable, checked against its network, explained by the modules of this package."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from colligate._storage.atomic import expand_path
from colligate.network import WORDS
from colligate.result import (
    annotation_files,
    association,
    audit,
    cards,
    changes,
    explain,
    groups,
    hierarchy,
    map_files,
    metrics,
    misfits,
    predict,
    report_view,
    similar,
    store,
)
from colligate.result.changing import ChangeableResult

if TYPE_CHECKING:
    from pathlib import Path

    from numpy.typing import ArrayLike

    from colligate.result.association import Contribution
    from colligate.result.audit import Audit
    from colligate.result.changes import Changes
    from colligate.result.explain import Why
    from colligate.result.groups import ObjectGroup
    from colligate.result.hierarchy import Hierarchy
    from colligate.result.similar import Similar


Labels = NDArray[np.int32]
Floats = NDArray[np.float64]


@dataclass(frozen=True, eq=False, repr=False)
class Result(ChangeableResult):
    """The groups of every type, how the run went, and what became of the knowledge.

    A result is immutable and its arrays are read-only. The *centre* is the type that is grouped first: the
    documents, where there are any. Its *terms* are the type that describes it, as a rule words.

    Attributes
    ----------
    method : str
        The name of the method.
    parameters : mapping
        The parameters of the method.
    seed : int or None
        The random seed of the run.
    network : Network
        The objects and relations that were grouped.
    corpus : Corpus or None
        The documents; None for a matrix or a network.
    labels : mapping of str to array of int
        The group of each object, by type; -1 means no group.
    memberships : mapping of str to array of float
        Objects × groups, by type.
    association : mapping of str to array of float
        The joint distribution over the groups of both sides, by relation.
    history : tuple of float
        The objective at the start and after each iteration of the chosen run.
    n_iter : int
        The number of iterations of the chosen run.
    converged : bool
        Whether the chosen run converged.
    restarts : tuple of float
        The final objective of each restart.
    chosen : int
        The position of the chosen restart.
    model : mapping of str to array
        What the method needs to predict.
    compiled : Compiled or None
        The knowledge; None where there was none.
    statement_costs : array of float
        What each statement of the knowledge costs in the objective.
    before : mapping or None
        The labels of the run without knowledge, where one was made.
    named_groups : mapping of str to int
        The groups that the method bound to names in the knowledge.
    group_numbers : tuple of int
        The lasting number of each group. A group keeps it in later runs from this result. Tables, the report
        and the studio show it. In a first run it is the label.
    given_names : tuple of str
        The name that the user gave to each group; empty where there is none.
    word_names : tuple of str
        The words that each group keeps as its name from an earlier run; empty where its present words name
        it.
    provisional_names : tuple of str
        The names in the knowledge that are only words of a group in an earlier run; they do not name it.
    descriptions : tuple of Description
        The name and the sentence that a language model wrote for each group, with the model, the hash of the
        prompt and the date; empty where there are none.
    versions : mapping of str to str
        The versions of the libraries that made the result.
    """

    def __repr__(self) -> str:
        counts = {kind: (len(labels), self.n_groups(kind)) for kind, labels in self.labels.items()}
        sizes = (f"{size:,} {kind} in {count:,} groups" for kind, (size, count) in counts.items())
        return f"Result(method={self.method!r}, {', '.join(sizes)}, seed={self.seed})"

    def _repr_html_(self) -> str:
        return cards.make_result_card(self)

    @cached_property
    def group_names(self) -> tuple[str, ...]:
        """A unique name for every group of the centre."""
        return groups.name_centre_groups(self)

    @cached_property
    def names_before(self) -> tuple[str, ...]:
        """A unique name for every group of the run without knowledge; empty if none was made."""
        return groups.name_groups_before(self)

    @cached_property
    def word_group_names(self) -> tuple[str, ...]:
        """A unique name for every group of words; empty if the method does not group words."""
        return self.names_of(WORDS) if WORDS in self.network.types else ()

    def names_of(self, kind: str) -> tuple[str, ...]:
        """Return a unique name for every group of a type.

        Parameters
        ----------
        kind : str
            A type of the network.

        Returns
        -------
        tuple of str
            Empty where the method does not group the type.
        """
        return groups.name_groups(self, kind)

    def groups_of(self, kind: str, limit: int = 12) -> tuple[ObjectGroup, ...]:
        """Describe the groups of a type.

        Parameters
        ----------
        kind : str
            A type that was grouped.
        limit : int
            The largest number of members to list in each group.

        Returns
        -------
        tuple of ObjectGroup
            Name, size, strongest members and associated groups of the centre.
        """
        return groups.describe_groups(self, kind, limit)

    def top_words(self, limit: int = 12) -> list[list[tuple[str, float]]]:
        """List the most characteristic terms of each group of the centre.

        Parameters
        ----------
        limit : int
            The largest number of terms of a group.

        Returns
        -------
        list of list of (str, float)
            For each group the terms and their scores, best first.
        """
        return self.top_objects(self.terms, limit)

    def top_objects(self, kind: str, limit: int = 12) -> list[list[tuple[str, float]]]:
        """List the most characteristic objects of a type for each group of the centre.

        Parameters
        ----------
        kind : str
            A type of the network.
        limit : int
            The largest number of objects of a group.

        Returns
        -------
        list of list of (str, float)
            For each group the objects and their scores, best first.
        """
        return groups.list_top_objects(self, kind, limit)

    def hierarchy(self) -> Hierarchy:
        """Join the groups of the centre two by two, by how the method places their documents.

        Two groups are near if they share words, weighted by memberships, and if their documents fit the
        groups in the same order.

        Returns
        -------
        Hierarchy
            A tree whose leaves are the groups. Print it, or cut it: `result.hierarchy().cut(5)`.
        """
        return hierarchy.make_hierarchy(self)

    def contributions(self) -> tuple[Contribution, ...]:
        """Measure how much information each relation contributed to each group.

        Returns
        -------
        tuple of Contribution
            One entry for each relation whose two types were both grouped.
        """
        return association.measure_contributions(self)

    def coherence(self, limit: int = 12) -> Floats:
        """Measure the NPMI coherence of the top terms of each group of the centre.

        Parameters
        ----------
        limit : int
            The number of top terms.

        Returns
        -------
        array of float
            From -1 to 1; NaN for a group with fewer than two top terms.
        """
        top = association.take_top(self.word_scores, limit)
        return metrics.coherence(self.counts, [columns for columns, _ in top])

    def representatives(self, limit: int = 5) -> list[NDArray[np.int64]]:
        """Choose the most typical documents of each group.

        Parameters
        ----------
        limit : int
            The largest number of documents of a group.

        Returns
        -------
        list of array of int
            The positions of the documents, most typical first.
        """
        texts = self.corpus.texts if self.corpus is not None else None
        return groups.choose_representatives(
            self.labels[self.centre], self.n_groups(), self.confidence, self.counts, texts, limit
        )

    def why(self, document: str | int, limit: int = 12, kind: str | None = None) -> Why:
        """Explain why a document is in its group and not in the second-best group.

        Parameters
        ----------
        document : str or int
            An id (str) or a position (int).
        limit : int
            The largest number of words, of objects and of links.
        kind : str, optional
            The type of the object, if it is not a document; then only links are listed.

        Returns
        -------
        Why
        """
        return explain.explain_object(self, document, limit, kind)

    def similar(self, document: str | int, n: int = 10) -> tuple[Similar, ...]:
        """List the documents that are most similar to one document.

        The similarity is the cosine of their words (tf-idf with logarithmic counts). With `colligate`, it is
        the mean of this cosine and of that of their directions, which know words of similar meaning.

        Parameters
        ----------
        document : str or int
            An id (str) or a position (int).
        n : int
            The largest number of documents.

        Returns
        -------
        tuple of Similar
            Name, position, group and similarity of each document, most similar first. Documents with a
            similarity of 0 are left out.
        """
        return similar.find_similar(self, document, n)

    @cached_property
    def misfit(self) -> Floats:
        """The share of documents of random words that fit a group as well as each document does, or better.

        NaN for a document without words. A document with more than .05 does not fit (`fits`).
        """
        return misfits.measure_misfit(self)

    @property
    def fits(self) -> NDArray[np.bool_]:
        """Which documents fit a group better than 95% of documents of random words; none without words."""
        fits = self.misfit <= misfits.LEVEL
        fits[misfits.list_left_out(self)] = False
        return fits

    def leave_out(self, level: float = misfits.LEVEL) -> Result:
        """Take documents that fit no group out of their groups; no other document moves.

        Documents whose group you stated stay in it.

        Parameters
        ----------
        level : float
            The share of documents without a subject that may stay. Larger values leave out fewer documents.

        Returns
        -------
        Result
            This result, with the label -1 for these documents.
        """
        return misfits.leave_out(self, level)

    def place_all(self) -> Result:
        """Put the documents of `leave_out` back into their groups.

        Returns
        -------
        Result
        """
        return misfits.place_all(self)

    def audit(self) -> Audit:
        """Judge every statement of the knowledge: kept, broken, contradicted or unknown.

        Returns
        -------
        Audit
        """
        return audit.audit_result(self)

    def changes(self, limit: int = 10) -> Changes | None:
        """Compare the groups with those of the run without knowledge.

        Parameters
        ----------
        limit : int
            The largest number of example documents.

        Returns
        -------
        Changes or None
            None if no run without knowledge was made.
        """
        if self.before is None or self.centre not in self.before:
            return None
        before, after, count = self.before[self.centre], self.labels[self.centre], self.n_groups()
        return changes.compare_groupings(before, after, count, count, self.confidence, limit)

    def evaluate(
        self, labels_true: ArrayLike, mask: ArrayLike | None = None, kind: str | None = None
    ) -> dict[str, float]:
        """Compare the groups with true labels.

        Parameters
        ----------
        labels_true : array-like
            The true label of each object.
        mask : array-like, optional
            Booleans or positions: which objects to compare.
        kind : str, optional
            The type of the objects; by default the centre.

        Returns
        -------
        dict
            `accuracy`, `nmi`, `ari`, `rand` and `purity`.
        """
        return metrics.evaluate(labels_true, groups.find_labels(self, kind or self.centre), mask)

    def link_satisfaction(self, kind: str | None = None) -> dict[str, float]:
        """Measure the share of must-links (together) and cannot-links (apart) that hold.

        Parameters
        ----------
        kind : str, optional
            The type of the linked objects; by default the centre.

        Returns
        -------
        dict
            `together` and `apart`, each only where there are such links.
        """
        return audit.measure_kept_links(self, kind or self.centre)

    def predict(self, new: Any, *, embeddings: Any = None) -> Labels:
        """Assign new documents to groups.

        Parameters
        ----------
        new : Corpus, list of str, matrix, Network or mapping
            New documents as a corpus, as texts, as a matrix over the same words, as a network, or as
            {relation or type: matrix of new documents × objects}. Some relations may be missing.
        embeddings : encoder, array or list of these, optional
            The encoder of the fit, or vectors of the new documents. Encoders that were named, and columns,
            are used without.

        Returns
        -------
        array of int
            The group of each new document; -1 for a document without a known word or other known object.
        """
        return predict.predict(self, new, embeddings)

    def predict_memberships(self, new: Any, *, embeddings: Any = None) -> NDArray[np.float32]:
        """Return the memberships of new documents in every group.

        Parameters
        ----------
        new, embeddings
            As in `predict`.

        Returns
        -------
        array of float, new documents × groups
        """
        return predict.predict_memberships(self, new, embeddings)

    def report(self, path: str | Path, title: str | None = None) -> Path:
        """Write the report as one self-contained HTML file.

        Parameters
        ----------
        path : str or Path
            The file to write.
        title : str, optional
            The title of the report.

        Returns
        -------
        Path
            The file.
        """
        return report_view.write_report(self, expand_path(path), title)

    def map_page(self, path: str | Path, title: str | None = None) -> Path:
        """Write the map as one interactive HTML file: hover, search, filter, zoom and pin.

        The page is self-contained: it needs no server, and no request leaves it. It shows at most 20,000
        documents, and leaves out those in no group.

        Parameters
        ----------
        path : str or Path
            The file to write.
        title : str, optional
            The title of the page.

        Returns
        -------
        Path
            The file.
        """
        return map_files.write_map_page(self, expand_path(path), title)

    def map_widget(self, height: int = 620) -> Any:
        """Show the map inside a notebook: hover, search, filter, zoom, pin and select.

        This needs the extra `notebook` (anywidget). A click selects one document; dragging with the Shift
        key, or *Select these* after a search, selects several. `widget.selected` has their ids. Set it in
        Python to select documents on the map.

        Parameters
        ----------
        height : int
            The height in pixels.

        Returns
        -------
        anywidget.AnyWidget
            The last line of a cell shows it.
        """
        return map_files.show_map(self, height)

    def map_picture(self, path: str | Path, title: str | None = None, *, format: str | None = None) -> Path:
        """Write the map as a picture; `figures.map()` is the same picture as an object.

        Parameters
        ----------
        path : str or Path
            The file to write.
        title : str, optional
            The heading of the picture; by default it has none.
        format : {"svg", "png"}, optional
            By default the end of the name of the file decides. A PNG needs the extra `png` (Pillow).

        Returns
        -------
        Path
            The file.
        """
        return self.figures.map().restyle(title=title or "").save(path, format=format)

    def write_label_studio(self, folder: str | Path, *, overwrite: bool = False) -> Path:
        """Write the documents for Label Studio, with their groups as predictions.

        Import `tasks.json` into a project with the labelling interface `config.xml`. Read the answers with
        `Knowledge.from_label_studio`.

        Parameters
        ----------
        folder : str or Path
            The folder to make.
        overwrite : bool
            Replace such a folder.

        Returns
        -------
        Path
            The folder.
        """
        return annotation_files.write_label_studio(self, expand_path(folder), overwrite=overwrite)

    def write_argilla(self, folder: str | Path, *, name: str = "colligate", overwrite: bool = False) -> Path:
        """Write the documents for Argilla, with their groups as suggestions.

        `rg.Dataset.from_disk(folder)` makes a dataset of it. Read the answers with `Knowledge.from_argilla`.

        Parameters
        ----------
        folder : str or Path
            The folder to make.
        name : str
            The name of the dataset.
        overwrite : bool
            Replace such a folder.

        Returns
        -------
        Path
            The folder.
        """
        return annotation_files.write_argilla(self, expand_path(folder), name, overwrite=overwrite)

    def save(self, folder: str | Path, *, overwrite: bool = False) -> Path:
        """Store the result in a folder of open formats.

        Parameters
        ----------
        folder : str or Path
            The folder to write.
        overwrite : bool
            Replace an older stored result; a folder with other files is never replaced.

        Returns
        -------
        Path
            The folder.
        """
        return store.save(self, expand_path(folder), overwrite=overwrite)

    @classmethod
    def load(cls, folder: str | Path, *, analyser: Any = None) -> Result:
        """Read a stored result.

        Parameters
        ----------
        folder : str or Path
            The folder that `save` wrote, or the output folder of a command.
        analyser : Analyser, optional
            Replaces an analyser with user functions, which cannot be stored.

        Returns
        -------
        Result
        """
        return store.load(cls, expand_path(folder), analyser)
