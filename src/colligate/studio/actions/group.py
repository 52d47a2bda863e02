"""Actions on groups: name, merge, split and freeze.

All four label documents of the group in the knowledge file, so that the next run finds the group again.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, ClassVar

import numpy as np

from colligate.errors import InputError, KnowledgeError
from colligate.kernels import make_kernels
from colligate.methods.spherical import make_tfidf_directions, spherical_kmeans
from colligate.questions.answers import EXEMPLAR_SUFFIX
from colligate.studio.actions import find_action
from colligate.studio.actions.base import (
    GROUP,
    GROUPS,
    LISTED,
    NAME,
    Action,
    Field,
    GroupName,
    count_of,
)
from colligate.studio.actions.exemplars import LabelAssignments
from colligate.studio.group_names import GroupLabels, display_names
from colligate.studio.run_views import EXEMPLARS

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Hashable, Iterable, Mapping, Sequence

    from numpy.typing import NDArray
    from scipy.sparse import csr_array

    from colligate.studio.actions.base import Body
    from colligate.studio.knowledge import ActionLog
    from colligate.studio.planning import ReplayedLabels
    from colligate.studio.project import Entry, Project
    from colligate.studio.run_views import RunView

    Rows = NDArray[np.int64]
    Floats = NDArray[np.float64]

MAX_PARTS = 8
PARTS = Field(f"a number from 2 to {MAX_PARTS}", lambda value: type(value) is int and 2 <= value <= MAX_PARTS)


class Name(Action):
    """A group gets a name."""

    name = "name"
    fields: ClassVar = {"group": GROUP, "name": NAME}

    def complete(self, body: Body, project: Project, view: RunView) -> dict[str, Any]:
        """Refuse the name of another group; add the label of the group and exemplars."""
        group, labels = body["group"], GroupLabels(view, project.journal.entries())
        shown = (names for number, names in display_names(project, view).items() if number != group)
        if body["name"] in labels.of_others(group) | {name for names in shown for name in names}:
            raise KnowledgeError(
                f"another group is called {body['name']!r:.80}; choose another name, or merge them"
            )
        label = labels.find(group)
        candidates = view.positions(view.exemplars[view.group(group)])
        exemplars = LabelAssignments.of_project(project).choose(candidates, label)
        return {**body, "label": label, "exemplars": view.ids(exemplars)}

    def group_labels(self, body: Body) -> Iterable[tuple[int, str]]:
        """Return the label of the group."""
        return [(body["group"], body["label"])]

    def group_name(self, body: Body) -> GroupName:
        """Return the new name."""
        return GroupName(body["group"], body["label"], body["name"])

    def apply(self, body: Body, source: str, log: ActionLog) -> None:
        """Rename the label; exemplars of an earlier name now belong to this one."""
        label = body["label"]
        log.rename_label(label, body["name"])
        earlier, log.named_by[label] = f"{log.named_by.get(label)} {EXEMPLAR_SUFFIX}", source
        for document, (current, noted) in log.labels.items():
            if noted == earlier:
                log.labels[document] = (current, f"{source} {EXEMPLAR_SUFFIX}")
        log.add_free_exemplars(body["exemplars"], label, source)

    def subjects(self, body: Body) -> Iterable[Hashable]:
        """Decide the name of the label."""
        return [("name", body["label"])]

    def describe(self, body: Body, name_of: Callable[[str], str]) -> str:
        """Say the old and the new name."""
        return f"{name_of(body['label'])} is called {body['name']}"

    def judged_labels(self, body: Body) -> Iterable[str]:
        """Be judged by the documents of the group."""
        return [body["label"]]


class Freeze(Action):
    """No document leaves a group."""

    name = "freeze"
    fields: ClassVar = {"group": GROUP}
    blocked_by = ("merge", "split")

    def complete(self, body: Body, project: Project, view: RunView) -> dict[str, Any]:
        """Add the label of the group, and all its documents that can have it."""
        _check_pending(self, body, project, view)
        group = body["group"]
        label = GroupLabels(view, project.journal.entries()).find(group)
        members = view.members(view.group(group)).tolist()
        frozen = LabelAssignments.of_project(project).choose(members, label)
        return {**body, "label": label, "documents": view.ids(frozen)}

    def group_labels(self, body: Body) -> Iterable[tuple[int, str]]:
        """Return the label of the group."""
        return [(body["group"], body["label"])]

    def apply(self, body: Body, source: str, log: ActionLog) -> None:
        """Label all documents of the group."""
        log.frozen.add(body["group"])
        log.add_exemplars(body["documents"], body["label"], source)

    def subjects(self, body: Body) -> Iterable[Hashable]:
        """Decide whether the group is frozen."""
        return [("frozen", body["group"])]

    def describe(self, body: Body, name_of: Callable[[str], str]) -> str:
        """Say how many documents stay."""
        return f"no document leaves {name_of(body['label'])} ({count_of(len(body['documents']), 'document')})"

    def judged_labels(self, body: Body) -> Iterable[str]:
        """Be judged by the documents of the group."""
        return [body["label"]]


class Reshaping(Action):
    """An action that changes what a group is; the group is no longer frozen."""

    def ends(self, body: Body) -> Iterable[Hashable]:
        """End the freezing of the groups."""
        return [("frozen", group) for group in self.groups(body)]

    def revokes(self, body: Body, earlier: Entry) -> bool:
        """Revoke the freezing of the groups."""
        return earlier.kind == Freeze.name and earlier.body["group"] in self.groups(body)

    def judged_labels(self, body: Body) -> Iterable[str]:
        """Be judged by the documents of the groups."""
        return list(body["labels"])

    def _read_assignments(self, body: Body, project: Project) -> LabelAssignments:
        """Read the labels as they are once the freezing of the groups is revoked."""
        live = project.journal.live()
        return LabelAssignments.of_project(project, [row for row in live if not self.revokes(body, row)])


class Merge(Reshaping):
    """Two groups are one."""

    name = "merge"
    fields: ClassVar = {"groups": GROUPS}
    participle = "merged"
    blocked_by = ("split",)

    def complete(self, body: Body, project: Project, view: RunView) -> dict[str, Any]:
        """Add the labels of both groups, and exemplars of both."""
        _check_pending(self, body, project, view)
        labels = GroupLabels(view, project.journal.entries())
        kept, gone = (labels.find(group) for group in body["groups"])
        assignments = self._read_assignments(body, project)
        assignments.relabel(assignments.labelled(gone), kept)
        candidates = [view.positions(view.exemplars[view.group(group)]) for group in body["groups"]]
        exemplars = [view.ids(assignments.choose(rows, kept)) for rows in candidates]
        return {**body, "labels": [kept, gone], "exemplars": exemplars}

    def group_labels(self, body: Body) -> Iterable[tuple[int, str]]:
        """Return the labels of both groups."""
        return list(zip(body["groups"], body["labels"], strict=True))

    def apply(self, body: Body, source: str, log: ActionLog) -> None:
        """Rename the label of the second group, and label exemplars of both."""
        kept, gone = body["labels"]
        log.rename_label(gone, kept)
        log.add_exemplars([name for names in body["exemplars"] for name in names], kept, source)

    def ends(self, body: Body) -> Iterable[Hashable]:
        """End the freezing of both groups, and the name of the second."""
        return [*super().ends(body), ("name", body["labels"][1])]

    def replay(self, body: Body, labels: ReplayedLabels) -> None:
        """Move the documents of the second group into the first."""
        labels.merge(*body["groups"])

    def revert(self, body: Body, labels: ReplayedLabels) -> None:
        """Divide the merged group by the exemplars of the two, unless the second is there again."""
        kept, gone = body["groups"]
        if labels.has(kept) and not labels.has(gone):
            _divide(labels, kept, body["exemplars"], [gone])

    def describe(self, body: Body, name_of: Callable[[str], str]) -> str:
        """Say which groups are one."""
        return f"{' and '.join(map(name_of, body['labels']))} are one group"


class Split(Reshaping):
    """A group is several."""

    name = "split"
    fields: ClassVar = {"group": GROUP, "into": PARTS}
    defaults: ClassVar = {"into": 2}
    participle = "split"
    blocked_by = ("merge", "split")

    def complete(self, body: Body, project: Project, view: RunView) -> dict[str, Any]:
        """Add a label and seeds for each part; documents that belong together stay in one part."""
        _check_pending(self, body, project, view)
        labels = GroupLabels(view, project.journal.entries())
        members, label = view.members(view.group(body["group"])), labels.find(body["group"])
        assignments = self._read_assignments(body, project)
        inside, component = set(members.tolist()), assignments.links.component
        labelled = assignments.labelled(label)
        # linked to documents elsewhere that keep the label, which the first part keeps too
        staying = {int(component[row]) for row in labelled - inside}
        parts = split_cluster(
            view.result.counts, members, body["into"], component[members], assignments.links.rivals, staying
        )
        names = [label, *(labels.unused(f"{label}, part {part}") for part in range(2, body["into"] + 1))]
        # without labels of their own, the documents inside can get those of the parts
        assignments.relabel(labelled & inside, None)
        seeds = []
        for name, part in zip(names, (part.tolist() for part in parts), strict=True):
            kept = assignments.choose([row for row in part if row in labelled], name)
            rest = assignments.choose([row for row in part if row not in labelled], name, EXEMPLARS)
            seeds.append(kept + rest)
        if not all(seeds):
            raise KnowledgeError(_explain_unsplittable(view.ids(members), project, body["into"]))
        return {**body, "labels": names, "seeds": [view.ids(part) for part in seeds]}

    def group_labels(self, body: Body) -> Iterable[tuple[int, str]]:
        """Return the label of the group, which its first part keeps."""
        return [(body["group"], body["labels"][0])]

    def apply(self, body: Body, source: str, log: ActionLog) -> None:
        """Label the seeds of each part."""
        for label, names in zip(body["labels"], body["seeds"], strict=True):
            log.add_exemplars(names, label, source)

    def ends(self, body: Body) -> Iterable[Hashable]:
        """End the freezing of the group, and the labels of documents that leave its first part."""
        moved = [("document", name) for names in body["seeds"][1:] for name in names]
        return [*super().ends(body), *moved]

    def replay(self, body: Body, labels: ReplayedLabels) -> None:
        """Divide the group by the seeds."""
        _divide(labels, body["group"], body["seeds"], [-1] * (len(body["seeds"]) - 1))

    def revert(self, body: Body, labels: ReplayedLabels) -> None:
        """Join the groups with the seeds of the later parts to the first."""
        if labels.has(body["group"]):
            for names in body["seeds"][1:]:
                labels.join(names, body["group"])

    def describe(self, body: Body, name_of: Callable[[str], str]) -> str:
        """Say how many groups there are."""
        return f"{name_of(body['labels'][0])} is {body['into']} groups"


def _check_pending(action: Action, body: Body, project: Project, view: RunView) -> None:
    """Refuse to change a group that an earlier action changed, until a run has carried that one out."""
    for entry in project.journal.live_since(view.record.seq):
        earlier = find_action(entry.kind)
        changed = set(earlier.groups(entry.body)) & set(action.groups(body))
        if changed and earlier.name in action.blocked_by:
            raise KnowledgeError(
                f"group {min(changed) + 1} was {earlier.participle} by statement {entry.seq}, and no run has "
                "made the new groups yet; cluster again first, or undo that statement"
            )


def _explain_unsplittable(members: list[str], project: Project, parts: int) -> str:
    """Name the statements that keep the documents of a group together."""
    inside = set(members)
    links = [
        entry
        for entry in project.journal.live()
        if entry.kind == "together" and len(inside & set(entry.body["items"])) > 1
    ]
    named = [f"statement {entry.seq}: {' and '.join(entry.body['items'][:2])}" for entry in links[-LISTED:]]
    return (
        f"statements keep the documents of this group together ({', '.join(named) or 'in the file'}), so it "
        f"cannot be split into {parts} parts; undo some of them on the page Knowledge"
    )


def _divide(
    labels: ReplayedLabels, group: int, seeds: Sequence[Sequence[str]], identities: Sequence[int]
) -> None:
    """Divide a replayed group by the seeds of its parts."""
    members = labels.members(group)
    parts = assign_to_seeds(labels.counts, members, [labels.positions(names) for names in seeds])
    labels.divide(members, parts, identities)


def split_cluster(
    counts: csr_array,
    members: Rows,
    n_parts: int,
    component: Rows | None = None,
    rivals: Mapping[int, Collection[int]] | None = None,
    staying: Collection[int] = (),
) -> list[Rows]:
    """Divide the documents of a group by spherical k-means on their tf-idf; the most typical come first.

    Documents of one component stay in one part, components that are `rivals` go to different parts where that
    is possible, and components that are `staying` go to the first. A part may become empty that way.
    """
    if len(members) < 2 * n_parts:
        raise InputError(
            f"a group of {len(members)} documents cannot be split into {n_parts} parts; this needs "
            f"{2 * n_parts}"
        )
    documents, _ = make_tfidf_directions(counts[members])
    # a fixed seed: the same group is always split the same way
    labels = spherical_kmeans(make_kernels("fast"), documents, n_parts, np.random.default_rng(0))
    if len(np.unique(labels[labels >= 0])) < n_parts:
        raise InputError(f"the documents of this group do not differ enough to be split into {n_parts} parts")
    similarity = documents.cosines(make_kernels("fast"), documents.means(labels, n_parts))
    tied = np.arange(len(members)) if component is None else component
    part = _assign_components(similarity, tied, rivals or {}, staying)
    return [_sort_by_similarity(similarity[:, k], part == k, members) for k in range(n_parts)]


def assign_to_seeds(counts: csr_array, members: Rows, seeds: Sequence[Rows]) -> Rows:
    """Assign each member of a group to the part whose seeds it is most similar to."""
    documents, _ = make_tfidf_directions(counts[members])
    part = np.full(len(members), -1, dtype=np.int32)
    for k, rows in enumerate(seeds):
        part[np.isin(members, rows)] = k
    similarity = documents.cosines(make_kernels("fast"), documents.means(part, len(seeds)))
    return np.asarray(np.where(part >= 0, part, similarity.argmax(axis=1)))


def _assign_components(
    similarity: Floats, component: Rows, rivals: Mapping[int, Collection[int]], staying: Collection[int]
) -> Rows:
    """Assign each member to the part that its component as a whole is most similar to."""
    numbers, index = np.unique(component, return_inverse=True)
    score = np.zeros((len(numbers), similarity.shape[1]))
    np.add.at(score, index, similarity)
    # infinite, so that nothing below can move these components
    score[np.isin(numbers, list(staying)), 0] = np.inf
    part = score.argmax(axis=1)
    row_of = {number: row for row, number in enumerate(numbers.tolist())}
    for row, number in enumerate(numbers.tolist()):
        for rival in rivals.get(number, ()):
            # each pair once; a rival that is not in the group has no row
            if row_of.get(rival, -1) > row and part[row_of[rival]] == part[row]:
                separate(score, part, row, row_of[rival])
    return np.asarray(part[index])


def separate(score: Floats, part: NDArray[Any], first: int, second: int) -> None:
    """Move one of two rival components, the one that loses less similarity, into another part."""
    shared = int(part[first])
    rest = np.delete(np.arange(score.shape[1]), shared)
    loss = {row: score[row, shared] - score[row, rest].max() for row in (second, first)}
    mover = min(loss, key=lambda row: float(loss[row]))
    # both must stay in the first part, so they cannot be separated
    if np.isfinite(loss[mover]):
        part[mover] = rest[score[mover, rest].argmax()]


def _sort_by_similarity(similarity: NDArray[Any], inside: NDArray[np.bool_], members: Rows) -> Rows:
    rows = np.flatnonzero(inside)
    return members[rows[np.lexsort((rows, -similarity[rows]))]]
