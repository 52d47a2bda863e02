"""What people know before clustering: statements, the knowledge file, guidance, contradictions."""

from colligate.knowledge.compile import Compiled
from colligate.knowledge.contradictions import Contradiction
from colligate.knowledge.evaluation import StatementRows
from colligate.knowledge.guidance import GroupGuidance, GroupLinks, Guidance, PairLinks, Seeds
from colligate.knowledge.kinds.base import Grouping, Kind, all_kinds, find_kind
from colligate.knowledge.kinds.name import GroupNames
from colligate.knowledge.kinds.size import GroupSizes
from colligate.knowledge.knowledge import Knowledge
from colligate.knowledge.statements import Block, Statement, Statements

__all__ = [
    "Block",
    "Compiled",
    "Contradiction",
    "GroupGuidance",
    "GroupLinks",
    "GroupNames",
    "GroupSizes",
    "Grouping",
    "Guidance",
    "Kind",
    "Knowledge",
    "PairLinks",
    "Seeds",
    "Statement",
    "StatementRows",
    "Statements",
    "all_kinds",
    "find_kind",
]
