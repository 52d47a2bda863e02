"""What people know before clustering: statements, the knowledge file, guidance, contradictions."""

from colligate.knowledge.compile import Compiled
from colligate.knowledge.contradictions import Contradiction
from colligate.knowledge.evaluation import StatementRows
from colligate.knowledge.guidance import GroupLinks, Guidance, PairLinks, Seeds
from colligate.knowledge.kinds.base import Kind, all_kinds, find_kind
from colligate.knowledge.knowledge import Knowledge
from colligate.knowledge.statements import Block, Statement, Statements

__all__ = [
    "Block",
    "Compiled",
    "Contradiction",
    "GroupLinks",
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
