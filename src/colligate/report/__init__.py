"""The report: one self-contained HTML page, rendered from plain data."""

from colligate.report.render import render, write
from colligate.report.view import ReportView

__all__ = ["ReportView", "render", "write"]
