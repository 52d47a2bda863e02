"""An action that the studio does not have: a document is the best example of a group."""

from __future__ import annotations

from typing import ClassVar

from colligate.studio.actions.base import GROUP, TEXT, Action, check_objects
from colligate.studio.group_names import GroupLabels


class Example(Action):
    """A document is the best example of a group."""

    name = "example"
    fields: ClassVar = {"document": TEXT, "group": GROUP}

    def check(self, body, network, view):
        super().check(body, network, view)
        check_objects(network, network.centre, [body["document"]], "named twice")

    def complete(self, body, project, view):
        return {**body, "label": GroupLabels(view, project.journal.entries()).find(body["group"])}

    def items(self, body):
        return [body["document"]]

    def group_labels(self, body):
        return [(body["group"], body["label"])]

    def apply(self, body, source, log):
        log.label([body["document"]], body["label"], source)

    def subjects(self, body):
        return [("example", body["group"])]

    def replay(self, body, labels):
        labels.assign([body["document"]], body["group"])

    def describe(self, body, name_of):
        return f"{body['document']} is the best example of {name_of(body['label'])}"
