"""The report: one self-contained HTML page, made from a plain view of what a result says."""

from colligate.report.render import render, write
from colligate.report.view import ReportView

__all__ = ["ReportView", "render", "write"]
