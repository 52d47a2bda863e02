"""Changes to the groups of a result: each returns a new result, clustered again from the changed groups."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from colligate import registry
from colligate.knowledge import Knowledge
from colligate.result.fields import ResultFields

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from colligate.result.result import Result


class ChangeableResult(ResultFields):
    """The fields of a result, and the changes that can be made to its groups."""

    def rename(self, names: Mapping[int | str, str]) -> Result:
        """Name groups. A name is display only: no document moves.

        Parameters
        ----------
        names : mapping
            The new name of each group, by its number or present name.

        Returns
        -------
        Result
            This result with the names.
        """
        knowledge = Knowledge()
        for group, name in names.items():
            knowledge.change("rename", group, name=name)
        return self.apply(knowledge)

    def move(self, documents: str | Sequence[str], group: int | str, **parameters: Any) -> Result:
        """Move documents into a group, and cluster again from there.

        Documents that are clearly nearer to them than to their own group follow. All others stay unless the
        words say clearly otherwise.

        Parameters
        ----------
        documents : str or list of str
            Ids.
        group : int or str
            The number or name of the group; a name that no group has makes a new group.
        **parameters
            Other parameters of the method.

        Returns
        -------
        Result
        """
        ids = [documents] if isinstance(documents, str) else documents
        return self.apply(Knowledge().change("move", group, documents=ids), **parameters)

    def merge(self, first: int | str, *others: int | str, **parameters: Any) -> Result:
        """Make several groups one, which keeps the number and name of the first, and cluster again.

        Parameters
        ----------
        first, *others : int or str
            The numbers or names of the groups.
        **parameters
            Other parameters of the method.

        Returns
        -------
        Result
        """
        return self.apply(Knowledge().change("merge", first, *others), **parameters)

    def split(self, group: int | str, into: int = 2, **parameters: Any) -> Result:
        """Divide a group into parts, and cluster again; the first part keeps its number and name.

        Parameters
        ----------
        group : int or str
            The number or name of the group.
        into : int
            The number of parts.
        **parameters
            Other parameters of the method.

        Returns
        -------
        Result
        """
        return self.apply(Knowledge().change("split", group, into=into), **parameters)

    def add_seed_word(self, word: str, group: int | str, **parameters: Any) -> Result:
        """State that a word is about a group, and cluster again.

        Parameters
        ----------
        word : str
            A word of the documents.
        group : int or str
            The number or name of the group; a name that no group has makes a new group.
        **parameters
            Other parameters of the method.

        Returns
        -------
        Result
        """
        return self.apply(Knowledge().change("seed", group, word=word), **parameters)

    def apply(self, knowledge: Knowledge, **parameters: Any) -> Result:
        """Carry out the changes of knowledge in their order, and cluster again from there.

        The statements of this result still count, unless a change overrules them, and those of `knowledge`
        too. Groups keep their numbers and names.

        Parameters
        ----------
        knowledge : Knowledge
            Changes (`Knowledge.change`) and further statements.
        **parameters
            Other parameters of the method; an array such as `embeddings` must be passed again.

        Returns
        -------
        Result

        Raises
        ------
        KnowledgeError
            If a change names a group, a document or a word that does not exist.
        """
        result: Result = registry.find_method(self.method).revise(self, knowledge, **parameters)
        return result
