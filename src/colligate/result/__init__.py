"""The result of a run: its groups, explanations, metrics, tables and storage."""

from colligate.result.metrics import evaluate
from colligate.result.result import Result

__all__ = ["Result", "evaluate"]
