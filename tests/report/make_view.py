"""Views such as a result would give, made up: small ones to break, large ones to look at."""

from __future__ import annotations

import random
from dataclasses import replace

from colligate.report.view import (
    AssociationView,
    AuditView,
    ChangeView,
    ColumnCountsView,
    DocumentView,
    GroupView,
    MapView,
    Nouns,
    ObjectGroupView,
    RelationView,
    ReportView,
    StatementView,
    TraceView,
    TreeRowView,
    TypeView,
    WordGroupView,
)

TOPICS = (
    "orbit nasa shuttle launch lunar moon satellite mission spacecraft propulsion",
    "hockey playoff goalie team season nhl puck leafs score period",
    "god atheism belief argument moral religion evidence faith claim exist",
    "graphics image polygon render pixel format jpeg viewer animation surface",
    "encryption key clipper chip escrow privacy wiretap government secure agency",
    "car engine dealer mileage brake wheel transmission drive oil clutch",
    "doctor patient disease medicine symptom treatment drug infection clinical pain",
    "israel arab peace palestinian territory jewish border war soldier village",
    "window motif server widget application display client xterm font resource",
    "drive scsi disk controller bus ide cable boot jumper bios",
)


def _words(topic: int) -> list[str]:
    return TOPICS[topic % len(TOPICS)].split()


def _sentence(rng: random.Random, topic: int) -> str:
    glue = ["the", "of", "a", "that", "with", "has", "been", "when", "we", "after", "still", "which"]
    words = [rng.choice(_words(topic)) if k % 3 == 2 else rng.choice(glue) for k in range(34)]
    return " ".join(words).capitalize() + "."


def make_document(rng: random.Random, group: int, index: int) -> DocumentView:
    why = [(word, round(rng.uniform(-0.6, 3.0), 2)) for word in _words(group)[:5]]
    return DocumentView(f"doc-{group}-{index}", _sentence(rng, group), rng.uniform(0.6, 1.0), why)


def make_group(rng: random.Random, number: int, size: int, total: int, documents: int = 4) -> GroupView:
    words = [(word, 1.0 / (1 + k)) for k, word in enumerate(_words(number))]
    name = ", ".join(_words(number)[:3]) + (f" {number}" if number >= len(TOPICS) else "")
    examples = [make_document(rng, number, k) for k in range(documents)] if size else []
    x, y = rng.uniform(0.08, 0.92), rng.uniform(0.08, 0.92)
    confidence, coherence = rng.uniform(0.7, 0.99), rng.uniform(0.05, 0.4)
    return GroupView(
        number, name, size, size / total, confidence, coherence, words if size else (), examples, x, y
    )


def make_map(rng: random.Random, groups: list[GroupView], points: int) -> MapView:
    filled = [group for group in groups if group.size]
    owners = [filled[k % len(filled)] if k % 97 else None for k in range(points)]
    spread = 0.35 / len(filled) ** 0.5

    def near(centre: float) -> float:
        return min(1.0, max(0.0, rng.gauss(centre, spread)))

    x = [near(group.x) if group else rng.random() for group in owners]
    y = [near(group.y) if group else rng.random() for group in owners]
    return MapView(x, y, [group.number if group else -1 for group in owners], points, points)


def make_association(rng: random.Random, rows: int, columns: int) -> AssociationView:
    word_groups = [WordGroupView(j, rng.randint(20, 900), _words(j)[:8]) for j in range(columns)]
    lift = [[rng.gauss(3.0 if j % rows == i else -0.6, 0.9) for j in range(columns)] for i in range(rows)]
    mass = [[2.0**value / (rows * columns) for value in row] for row in lift]
    return AssociationView(word_groups, lift, mass)


def make_audit() -> AuditView:
    statements = [
        StatementView(1, "“orbit” is a word of space", "category", "knowledge.yaml:2", "kept", 0.0, ""),
        StatementView(
            2,
            "a12 and b7 belong together",
            "together",
            "knowledge.yaml:4",
            "broken",
            0.0213,
            "a12 is in 3, b7 in 5",
        ),
        StatementView(
            3, "a12 and c3 stay apart", "apart", "knowledge.yaml:5", "contradicted", 0.4, "line 9 ties them"
        ),
        StatementView(4, "c3 is labelled hockey", "label", "knowledge.yaml:6", "kept", 0.0, ""),
        StatementView(
            5,
            "zz9 belongs outside",
            "outside",
            "knowledge.yaml:8",
            "unknown",
            float("nan"),
            "no document has the id zz9",
        ),
    ]
    by_kind = {
        "category": {"kept": 20},
        "together": {"kept": 10, "broken": 1},
        "apart": {"kept": 6, "contradicted": 1},
        "label": {"kept": 1},
        "outside": {"unknown": 1},
    }
    return AuditView(
        40, by_kind, statements, ["a12 = d4 (line 9) and d4 = c3 (line 10), but a12 ≠ c3 (line 5)"]
    )


def make_changes(rng: random.Random, groups: list[GroupView]) -> ChangeView:
    names = [group.name for group in groups]
    flow = [[0] * len(groups) for _ in groups]
    for i, group in enumerate(groups):
        moved = group.size // 12
        flow[i][i] = group.size - moved
        flow[i][rng.randrange(len(groups))] += moved
    total = sum(map(sum, flow))
    moved = total - sum(flow[i][i] for i in range(len(groups)))
    examples = [(f"doc-{k}", names[k], names[-k - 1], _sentence(rng, k)) for k in range(min(4, len(names)))]
    return ChangeView(moved, total, 0.91, [f"{name} (before)" for name in names], names, flow, examples)


def make_trace() -> TraceView:
    history = [0.42 + 0.9 * 0.72**k for k in range(24)]
    return TraceView(history, [0.4213, 0.4302, 0.4205, 0.4411, 0.4207], 2, True)


def make_tree(groups: int) -> list[TreeRowView]:
    """A chain: every group joins all groups before it."""
    rows = [TreeRowView((), "everything", 10 * groups, None)]
    for number in reversed(range(1, groups)):
        above = (False,) * (groups - 1 - number)
        rows.append(TreeRowView((*above, True), f"topic {number}", 10, number))
        joined = (f"joined {number}", 10 * number, None) if number > 1 else ("topic 0", 10, 0)
        rows.append(TreeRowView((*above, False), *joined))
    return rows


def make_columns(groups: int) -> list[ColumnCountsView]:
    return [
        ColumnCountsView(
            "section", "", ["sport", "film"], [[4, number] for number in range(groups)], [1] * groups
        ),
        ColumnCountsView(
            "date", "year", ["2023", "2024"], [[2, number] for number in range(groups)], [0] * groups
        ),
    ]


def make_view(groups: int = 4, points: int = 200, word_groups: int = 8, documents: int = 4) -> ReportView:
    """A whole view; the second last group is empty, as happens."""
    rng = random.Random(7)
    sizes = [rng.randint(20, 160) for _ in range(groups)]
    if groups > 3:
        sizes[-2] = 0
    made = [make_group(rng, number, size, sum(sizes), documents) for number, size in enumerate(sizes)]
    return ReportView(
        title="A few hundred newsgroup posts",
        summary=f"citcc put {sum(sizes):,} documents into {groups} groups, with the help of 40 statements.",
        facts=[
            ("Method", "citcc"),
            ("Seed", "0"),
            ("Clusters", str(groups)),
            ("Colligate", "0.1.0"),
            ("NumPy", "2.0"),
        ],
        groups=made,
        map=make_map(rng, made, points),
        trace=make_trace(),
        association=make_association(rng, groups, word_groups),
        audit=make_audit(),
        changes=make_changes(rng, made),
        columns=make_columns(groups),
        tree=make_tree(groups),
        warnings=("3 documents have no counted word. They are in no group and not on the map.",),
    )


def make_type(rng: random.Random, name: Nouns, groups: int, documents: int) -> TypeView:
    made = [
        ObjectGroupView(
            number=number,
            name=", ".join(f"{name.one} {number}{letter}" for letter in "abc"),
            size=0 if number == groups - 1 else rng.randint(4, 90),
            members=[f"{name.one} {number}{letter}" for letter in "abcdef"],
            goes_with=[(number % documents, 0.7), ((number + 1) % documents, 0.2)],
            relations=[("papers × people", 0.75), ("people × places", 0.25)] if name.one == "person" else [],
        )
        for number in range(groups)
    ]
    return TypeView(name, sum(group.size for group in made), made)


def make_relation(rng: random.Random, name: str, share: float, groups: int | None) -> RelationView:
    by_group = None if groups is None else [rng.random() for _ in range(groups)]
    return RelationView(name, rng.randint(100, 9000), share, 2.5, 1.25, share, by_group)


def make_network_view(groups: int = 4) -> ReportView:
    """A view of papers with people and places in the network."""
    rng, view = random.Random(8), make_view(groups=groups, points=50)
    cards = [
        replace(group, objects=[("people", [("Ann", 0.5), ("Bo", 0.1)]), ("places", [])])
        for group in view.groups
    ]
    return replace(
        view,
        groups=cards,
        centre=Nouns("paper", "papers"),
        types=[
            make_type(rng, Nouns("person", "people"), 16, groups),
            make_type(rng, Nouns("place", "places"), 3, groups),
        ],
        relations=[
            make_relation(rng, "papers × words", 0.6, groups),
            make_relation(rng, "papers × people", 0.3, groups),
            make_relation(rng, "people × places", 0.1, None),
        ],
    )


def make_bare_view() -> ReportView:
    """A view of a one-sided method without knowledge."""
    return replace(make_view(groups=2), association=None, audit=None, changes=None, warnings=())


def make_long_names(view: ReportView) -> ReportView:
    """The same view with names that do not fit anywhere."""
    long = "an extraordinarily long name of a group that goes on and on " * 3
    return replace(view, groups=[replace(group, name=f"{group.name} {long}") for group in view.groups])
