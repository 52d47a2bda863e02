"""Questions whose answers would help a result most, and the answers as knowledge."""

from colligate.questions.answers import KINDS, LABEL, PAIR, WORD, Question, knowledge_from_answer
from colligate.questions.propose import propose

__all__ = ["KINDS", "LABEL", "PAIR", "WORD", "Question", "knowledge_from_answer", "propose"]
