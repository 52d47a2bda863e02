"""Actions on documents: label (this document belongs to that group) and outside (to no group, Universum)."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, ClassVar

from colligate.studio.actions.base import DOCUMENTS, GROUP, TEXT, Action, Field, check_objects, list_items
from colligate.studio.actions.exemplars import LabelAssignments
from colligate.studio.group_names import GroupLabels

if TYPE_CHECKING:
    from collections.abc import Callable, Hashable, Iterable, Mapping

    from colligate.network import Network
    from colligate.studio.actions.base import Body
    from colligate.studio.knowledge import ActionLog
    from colligate.studio.planning import ReplayedLabels
    from colligate.studio.project import Project
    from colligate.studio.run_views import RunView


class DocumentAction(Action):
    """An action on one document, or on several: `documents` in place of `document`."""

    def list_fields(self, body: Body) -> Mapping[str, Field]:
        """List the fields, with `documents` if the request has it."""
        if "documents" not in body:
            return self.fields
        rest = {name: field for name, field in self.fields.items() if name != "document"}
        return {"documents": DOCUMENTS, **rest}

    def check(self, body: Body, network: Network, view: RunView | None) -> None:
        """Refuse a group or a document that does not exist."""
        super().check(body, network, view)
        check_objects(network, network.centre, self.items(body), "named twice")

    def items(self, body: Body) -> list[str]:
        """Return the ids of the documents."""
        return list(body["documents"]) if "documents" in body else [body["document"]]

    def subjects(self, body: Body) -> Iterable[Hashable]:
        """Decide the group of each document."""
        return [("document", name) for name in self.items(body)]

    def _belong(self, body: Body, where: str) -> str:
        items = self.items(body)
        return f"{list_items(items)} {'belong' if len(items) > 1 else 'belongs'} {where}"


class Label(DocumentAction):
    """Documents belong to a group."""

    name = "label"
    fields: ClassVar = {"document": TEXT, "group": GROUP}

    def complete(self, body: Body, project: Project, view: RunView) -> dict[str, Any]:
        """Add the label of the group, and exemplars of the group beside the documents themselves."""
        group = body["group"]
        label = GroupLabels(view, project.journal.entries()).find(group)
        assignments = LabelAssignments.of_project(project)
        labelled = view.positions(self.items(body))
        # first, so that the exemplars are chosen to fit these documents
        assignments.relabel(labelled, label)
        candidates = view.positions(view.exemplars[view.group(group)])
        exemplars = assignments.choose([row for row in candidates if row not in labelled], label)
        return {**body, "label": label, "exemplars": view.ids(exemplars)}

    def group_labels(self, body: Body) -> Iterable[tuple[int, str]]:
        """Return the label of the group."""
        return [(body["group"], body["label"])]

    def apply(self, body: Body, source: str, log: ActionLog) -> None:
        """Label the exemplars that have no label yet, then the documents."""
        log.add_free_exemplars(body["exemplars"], body["label"], source)
        log.label(self.items(body), body["label"], source)

    def replay(self, body: Body, labels: ReplayedLabels) -> None:
        """Move the documents into the group."""
        labels.assign(self.items(body), body["group"])

    def describe(self, body: Body, name_of: Callable[[str], str]) -> str:
        """Describe where the documents belong."""
        return self._belong(body, f"in {name_of(body['label'])}")


class Outside(DocumentAction):
    """Documents belong to no group."""

    name = "outside"
    fields: ClassVar = {"document": TEXT}

    def apply(self, body: Body, source: str, log: ActionLog) -> None:
        """Take the labels of the documents away, and put them outside."""
        for name in self.items(body):
            log.labels.pop(name, None)
            log.outside[name] = source

    def describe(self, body: Body, name_of: Callable[[str], str]) -> str:
        """Say that the documents belong nowhere."""
        return self._belong(body, "to no group")
