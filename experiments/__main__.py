"""Compute and show the tables and figures of the papers and of the evaluation.

    python -m experiments list
    python -m experiments run [NAME …] [--data FOLDER] [--quick] [--seeds N] [--only WORD …] [--again]
                              [--changed] [--jobs N]
    python -m experiments show [NAME …] [--quick] [--claims]
    python -m experiments page [--to docs/papers.md]

Finished runs are stored in `experiments/results` (those of `--quick` in `experiments/results/quick`). They
are not computed again without `--again`, so a command that was stopped continues where it was. `--changed`
computes the first stored run of each cell again, and the others of a cell if the figures differ. `--claims`
prints the verdicts on the papers' claims. `page` writes all tables, figures and verdicts to one page; with
`--quick` it needs `--to`. `run` exits with 1 if a corpus is missing, a run fails or a goal is missed, and
with 130 if it is stopped.
"""

from __future__ import annotations

import argparse
import sys
from pathlib import Path
from typing import TYPE_CHECKING

from experiments.corpora.folder import DATA_FOLDER
from experiments.page.page import write_page
from experiments.runner.commands import list_all, run_all, show_all, show_claims
from experiments.runner.run import RunRequest
from experiments.runner.store import QUICK, RESULTS

if TYPE_CHECKING:
    from collections.abc import Sequence

STOPPED = 130
PAGE = Path(__file__).parents[1] / "docs" / "papers.md"


def main(arguments: Sequence[str] | None = None) -> int:
    """Run one command and return its exit status."""
    parser = _parser()
    options = parser.parse_args(arguments)
    if options.names and options.command in ("list", "page"):
        parser.error(f"{options.command} takes no NAME; got {' '.join(options.names)}")
    if options.command == "page" and options.quick and options.to is None:
        parser.error(f"page --quick needs --to FILE: {PAGE.name} is made of full runs")
    try:
        return _run_command(options)
    except KeyboardInterrupt:
        print(
            "stopped. Finished runs are stored; the same command (without --again) continues with the others."
        )
        return STOPPED


def _run_command(options: argparse.Namespace) -> int:
    results = QUICK if options.quick else RESULTS
    if options.command == "list":
        return list_all(options.data)
    if options.command == "page":
        write_page(options.to or PAGE, results)
        return 0
    if options.command == "show" and options.claims:
        return show_claims(results)
    if options.command == "show":
        return show_all(options.names, results)
    return run_all(
        options.names,
        RunRequest(
            options.data,
            results,
            options.seeds,
            tuple(options.only),
            options.again,
            options.quick,
            options.jobs,
            options.changed,
        ),
    )


def _parser() -> argparse.ArgumentParser:
    raw = argparse.RawDescriptionHelpFormatter
    parser = argparse.ArgumentParser("python -m experiments", description=__doc__, formatter_class=raw)
    parser.add_argument("command", choices=("list", "run", "show", "page"))
    parser.add_argument("names", nargs="*", metavar="NAME", help="experiments; all by default")
    parser.add_argument("--data", type=Path, default=DATA_FOLDER, help="the folder of corpora")
    parser.add_argument("--quick", action="store_true", help="a small part of most experiments")
    parser.add_argument("--seeds", type=_positive, help="how many runs of each cell")
    parser.add_argument("--only", nargs="+", default=[""], help="cells with such a word in the key")
    parser.add_argument("--again", action="store_true", help="compute finished runs again")
    parser.add_argument("--changed", action="store_true", help="compute again what the present code changed")
    parser.add_argument("--claims", action="store_true", help="the verdicts on the papers' claims")
    parser.add_argument("--to", type=Path, help=f"the file of the page; docs/{PAGE.name} by default")
    parser.add_argument("--jobs", type=_positive, default=1, help="how many runs at a time")
    return parser


def _positive(text: str) -> int:
    if not text.isdecimal() or int(text) < 1:
        raise argparse.ArgumentTypeError(f"must be a whole number of at least 1; got {text}")
    return int(text)


if __name__ == "__main__":
    sys.exit(main())
