"""The options of commands that may ask a SPARQL endpoint."""

from __future__ import annotations

from typing import Annotated

import typer

PANEL = "Endpoints"
Timeout = Annotated[
    float,
    typer.Option(
        "--timeout",
        min=0.001,
        max=86_400,
        help="Seconds that one answer of a SPARQL endpoint may take.",
        rich_help_panel=PANEL,
    ),
]
Retries = Annotated[
    int,
    typer.Option(
        "--retries",
        min=0,
        help="How often to ask an endpoint again that does not answer, after growing waits.",
        rich_help_panel=PANEL,
    ),
]
TIMEOUT, RETRIES = 60.0, 4
