"""An action that the studio does not have: a document is the best example of a group."""

from __future__ import annotations

from typing import ClassVar

from colligate.studio.actions.base import GROUP, TEXT, Action, Verdict, check_objects, name_group


class Example(Action):
    """A document is the best example of a group."""

    name = "example"
    fields: ClassVar = {"document": TEXT, "group": GROUP}

    def check(self, body, network):
        check_objects(network, network.centre, [body["document"]], "named twice")

    def complete(self, body, state):
        group = state.find_group(body["group"])
        moves = state.plan_rows(state.rows([body["document"]]), group)
        return {**body, "group": group, "moves": moves, "names": state.name_groups([group])}

    def items(self, body):
        return [body["document"]]

    def documents(self, body, centre):
        return self.items(body)

    def apply(self, body, source, log):
        log.label([body["document"]], body["group"], source)

    def subjects(self, body):
        return [("example", body["group"])]

    def describe(self, body):
        return f"{body['document']} is the best example of {name_group(body, body['group'])}"

    def judge(self, body, run):
        return Verdict(run.place(body["document"]) == run.names.resolve(body["group"]))
