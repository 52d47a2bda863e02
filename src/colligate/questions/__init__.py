"""Questions whose answers would help a result most, and the answers as knowledge."""

from colligate.questions.answers import answer_knowledge
from colligate.questions.proposing import propose
from colligate.questions.question import KINDS, LABEL, PAIR, WORD, Question

__all__ = ["KINDS", "LABEL", "PAIR", "WORD", "Question", "answer_knowledge", "propose"]
