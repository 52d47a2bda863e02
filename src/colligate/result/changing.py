"""Changes to the groups of a result: each returns a new result, clustered again from the changed groups."""

from __future__ import annotations

import warnings
from collections.abc import Iterable, Mapping
from dataclasses import replace
from typing import TYPE_CHECKING, Any, cast

from colligate import registry
from colligate._chat import KEY_VARIABLE, LOCAL_SERVER, POLICY, ChatModel
from colligate._storage.atomic import expand_path
from colligate.errors import NamingWarning, ParameterError
from colligate.knowledge import Knowledge
from colligate.result import descriptions, update_summary
from colligate.result.result_frames import ResultFrames

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    import numpy as np

    from colligate.result.result import Result
    from colligate.result.update_summary import UpdateSummary


class ChangeableResult(ResultFrames):
    """A result with its frames, and the changes that can be made to its groups."""

    def rename(self, group: int | str | Mapping[int | str, str], name: str | None = None) -> Result:
        """Name a group, or several. A name is display only: no document moves.

        Parameters
        ----------
        group : int, str or mapping
            The number or present name of the group; or a mapping from groups to their new names.
        name : str, optional
            The new name of the group; not with a mapping.

        Returns
        -------
        Result
            This result with the names.

        Raises
        ------
        ParameterError
            If there is no name, or both a mapping and a name.
        """
        if isinstance(group, Mapping) == (name is not None):
            raise ParameterError(
                "rename takes a group and its new name, or a mapping from groups to new names",
                parameter="name",
            )
        knowledge = Knowledge()
        for present, new in group.items() if isinstance(group, Mapping) else [(group, name)]:
            knowledge.change("rename", present, name=new)
        return self.apply(knowledge)

    def describe(
        self,
        model: str,
        url: str = LOCAL_SERVER,
        *,
        prompt: str | Path | None = None,
        cache: str | Path | None = None,
        send_to_remote: bool = False,
        key_variable: str = KEY_VARIABLE,
        timeout: float = 60.0,
        retries: int = 2,
    ) -> Result:
        """Let a language model name the groups and describe each in one sentence.

        For every group, its words and the beginnings of its most typical documents go to `url`. A group whose
        description the result has already is not asked about again. Where the server fails, or a reply is no
        plain, short and unique name, the group keeps its words as its name, with a warning. Names that you or
        the knowledge gave stay.

        Parameters
        ----------
        model : str
            The name of the model on the server.
        url : str
            The address of an OpenAI-compatible server; by default one on this machine.
        prompt : path, optional
            A text file with {words}, {documents}, {size} and {taken}. `colligate cluster --print-prompt`
            prints the default one.
        cache : path, optional
            A JSON file that keeps the replies.
        send_to_remote : bool
            Agree that texts go to a server which is not on this machine.
        key_variable : str
            The environment variable that has the API key. Without such a variable no key is sent.
        timeout : float
            Seconds to wait for one reply.
        retries : int
            How often to repeat a request after a temporary failure.

        Returns
        -------
        Result
            This result with `descriptions` and their names in `group_names`.

        Raises
        ------
        ParameterError
            If the server is not on this machine and `send_to_remote` is not set.
        """
        policy = replace(POLICY, timeout=timeout, retries=retries)
        chat = ChatModel(url, model, key_variable=key_variable, policy=policy)
        descriptions.check_consent(chat, send_to_remote)
        naming = descriptions.ask_for_descriptions(
            cast("Result", self),
            chat,
            descriptions.Prompt.read(None if prompt is None else expand_path(prompt)),
            descriptions.DescriptionCache.open(None if cache is None else expand_path(cache)),
        )
        for problem in naming.problems:
            warnings.warn(problem, NamingWarning, stacklevel=2)
        return cast("Result", replace(self, descriptions=naming.descriptions))

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

    def merge(self, *groups: int | str | np.integer[Any] | Sequence[int | str], **parameters: Any) -> Result:
        """Make several groups one, which keeps the number and name of the first, and cluster again.

        Parameters
        ----------
        *groups : int, str, or one list of them
            The numbers or names of the groups.
        **parameters
            Other parameters of the method.

        Returns
        -------
        Result
        """
        listed: list[int | str | np.integer[Any]] = []
        for group in groups:
            if isinstance(group, Iterable) and not isinstance(group, str):
                listed.extend(group)
            else:
                listed.append(group)
        return self.apply(Knowledge().change("merge", *listed), **parameters)

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

    def refine(self, group: int | str, k: int = 2, **parameters: Any) -> Result:
        """Divide one group into k and keep the rest: the other direction of `hierarchy`.

        This is `split` under the name that belongs to the hierarchy. The largest part keeps the number and
        the name of the group. The other groups keep theirs, and their documents stay unless the words say
        clearly otherwise.

        Parameters
        ----------
        group : int or str
            The number or name of the group.
        k : int
            The number of parts.
        **parameters
            Other parameters of the method.

        Returns
        -------
        Result
        """
        return self.split(group, k, **parameters)

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

        The statements of this result still count, unless a change or a statement of `knowledge` about the
        same overrules them. Labels and categories must have the name of a group, or its number as in
        `group 3`; name a group with the change `rename`, or make one with `new`. Groups keep their numbers
        and names.

        Parameters
        ----------
        knowledge : Knowledge
            Changes (`Knowledge.change`) and further statements.
        **parameters
            Other parameters of the method; an array or encoder as `embeddings` must be passed again.

        Returns
        -------
        Result

        Raises
        ------
        KnowledgeError
            If a change or a statement names a group that does not exist, or a change a document or a word.
        """
        result: Result = registry.find_method(self.method).revise(self, knowledge, **parameters)
        return result

    def update(self, new: Any, *, min_new_group: int = 10, **parameters: Any) -> Result:
        """Add documents that came later: to the groups that are there, or to new ones.

        The groups keep their numbers, names and knowledge; their documents stay unless the words say clearly
        otherwise. New documents with hardly any earlier ones near them that are alike make new groups.
        `changes_since` tells what happened. The method must be able to start from groups (parameter `init`).

        Parameters
        ----------
        new : documents
            Documents in any form that `fit` takes; with the columns of the fit, if it is a frame or a matrix.
            Ids must be new. Texts may have new words.
        min_new_group : int
            The least number of documents that make a new group.
        **parameters
            Other parameters of the method; an encoder must be passed again, and an array such as
            `embeddings` for all documents, the earlier ones first.

        Returns
        -------
        Result
            The earlier documents, then the new ones.

        Raises
        ------
        InputError
            If there are no new documents, or none has a word that the result knows.
        """
        result: Result = registry.find_method(self.method).extend(
            self, new, min_new_group=min_new_group, **parameters
        )
        return result

    def changes_since(self, earlier: Result) -> UpdateSummary:
        """Compare with the result that was updated: placed documents, new groups, moved documents.

        Parameters
        ----------
        earlier : Result
            The result whose `update` returned this one.

        Returns
        -------
        UpdateSummary
        """
        return update_summary.summarise_update(earlier, cast("Result", self))
