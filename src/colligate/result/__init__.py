"""What came of a run: the result, its explanations, its metrics and its store."""

from colligate.result.metrics import evaluate
from colligate.result.result import Result

__all__ = ["Result", "evaluate"]
