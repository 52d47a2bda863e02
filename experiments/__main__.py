"""The papers' tables and figures, computed and shown.

    python -m experiments list
    python -m experiments run [NAME …] [--data FOLDER] [--quick] [--seeds N] [--only WORD …] [--again]
                              [--jobs N]
    python -m experiments show [NAME …] [--quick] [--claims]
    python -m experiments page [--to docs/papers.md]

Finished runs are kept in `experiments/results` (those of `--quick` in `experiments/results/quick`) and not
computed again unless asked; a run that was stopped goes on where it was. `--claims` judges what the papers
say by what is kept. `page` writes all tables, figures and verdicts to one page; with `--quick` it needs
`--to`. `run` exits with 1 if a corpus is missing, a run fails or a goal is missed, and with 130 if it is
stopped.
"""

from __future__ import annotations

import argparse
import sys
from pathlib import Path
from typing import TYPE_CHECKING

from experiments.corpora.folder import DEFAULT
from experiments.page.write import write
from experiments.runner.commands import list_all, run_all, show_all, show_claims
from experiments.runner.kept import QUICK, RESULTS
from experiments.runner.schedule import Wanted

if TYPE_CHECKING:
    from collections.abc import Sequence

STOPPED = 130
PAGE = Path(__file__).parents[1] / "docs" / "papers.md"


def main(arguments: Sequence[str] | None = None) -> int:
    """One command; returns its exit status."""
    parser = _parser()
    options = parser.parse_args(arguments)
    if options.names and options.command in ("list", "page"):
        parser.error(f"{options.command} takes no NAME; got {' '.join(options.names)}")
    if options.command == "page" and options.quick and options.to is None:
        parser.error(f"page --quick needs --to FILE: {PAGE.name} is made of full runs")
    try:
        return _done(options)
    except KeyboardInterrupt:
        print("stopped. Finished runs are kept; the same command (without --again) goes on with the others.")
        return STOPPED


def _done(options: argparse.Namespace) -> int:
    results = QUICK if options.quick else RESULTS
    if options.command == "list":
        return list_all(options.data)
    if options.command == "page":
        write(options.to or PAGE, results)
        return 0
    if options.command == "show" and options.claims:
        return show_claims(results)
    if options.command == "show":
        return show_all(options.names, results)
    return run_all(
        options.names,
        Wanted(
            options.data,
            results,
            options.seeds,
            tuple(options.only),
            options.again,
            options.quick,
            options.jobs,
        ),
    )


def _parser() -> argparse.ArgumentParser:
    raw = argparse.RawDescriptionHelpFormatter
    parser = argparse.ArgumentParser("python -m experiments", description=__doc__, formatter_class=raw)
    parser.add_argument("command", choices=("list", "run", "show", "page"))
    parser.add_argument("names", nargs="*", metavar="NAME", help="experiments; all if there is none")
    parser.add_argument("--data", type=Path, default=DEFAULT, help="the folder of corpora")
    parser.add_argument("--quick", action="store_true", help="a small part of most experiments")
    parser.add_argument("--seeds", type=_positive, help="how many runs of each cell")
    parser.add_argument("--only", nargs="+", default=[""], help="cells with such a word in the key")
    parser.add_argument("--again", action="store_true", help="compute finished runs again")
    parser.add_argument("--claims", action="store_true", help="the verdicts on the papers' claims")
    parser.add_argument("--to", type=Path, help=f"the file of the page; docs/{PAGE.name} if not told")
    parser.add_argument("--jobs", type=_positive, default=1, help="how many runs at a time")
    return parser


def _positive(text: str) -> int:
    if not text.isdecimal() or int(text) < 1:
        raise argparse.ArgumentTypeError(f"must be a whole number of at least 1; got {text}")
    return int(text)


if __name__ == "__main__":
    sys.exit(main())
