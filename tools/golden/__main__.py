"""Record golden files, and check that what is computed now is as recorded."""

from __future__ import annotations

import argparse
import os
import sys
import time
from collections import Counter
from pathlib import Path
from typing import TYPE_CHECKING

from tools.golden.comparing import Difference, Rules, compare_items
from tools.golden.files import FOLDER, describe_environment, read_environments, read_items, write_items

if TYPE_CHECKING:
    from collections.abc import Sequence

SHOWN = 80
WIDTH = 44


def main(arguments: Sequence[str] | None = None) -> int:
    """Run a command; 1 if anything differs or fails."""
    options = read_arguments(arguments)
    if options.source is not None:
        use_source(options.source)
    # the package is imported by these, so only once its source is chosen
    import colligate
    from tools.golden.computing import compute_items, list_items, matches
    from tools.golden.sessions import store_project

    print(f"package: {Path(colligate.__file__).parent}")
    if options.command == "record":
        store_project()
    began = time.monotonic()
    items = compute_items(list_items(options.only), options.jobs)
    seconds = time.monotonic() - began
    failed = {name: item["failed"] for name, item in items.items() if "failed" in item}
    if options.command == "record":
        if failed:
            print(*(f"{name}: {why}" for name, why in failed.items()), sep="\n")
            return 1
        for path in write_items(options.out, items, describe_environment()):
            print(f"wrote {path}")
        print(f"{len(items)} items in {seconds:.0f} s")
        return 0
    recorded = {name: item for name, item in read_items(options.out).items() if matches(name, options.only)}
    rules = Rules(options.objective_tolerance, not options.no_csv, not options.no_rounded)
    differences = list(compare_items(recorded, items, rules))
    show_environments(options.out)
    show_differences(differences)
    verdict = "as recorded" if not differences else f"{len({d.item for d in differences})} items differ"
    print(f"{len(items)} items in {seconds:.0f} s: {verdict}")
    return int(bool(differences))


def read_arguments(arguments: Sequence[str] | None) -> argparse.Namespace:
    """Read the command line."""
    parser = argparse.ArgumentParser(prog="python -m tools.golden", description=__doc__)
    commands = parser.add_subparsers(dest="command", required=True)
    record = commands.add_parser("record", help="compute everything and write the golden files")
    check = commands.add_parser("check", help="compute everything and compare it with the golden files")
    for command in (record, check):
        command.add_argument("--source", type=Path, help="take the package from this folder, such as src")
        command.add_argument("--out", type=Path, default=FOLDER, help="the folder of the golden files")
        command.add_argument("--only", help="only items that match, such as 'demo/*/with/0' or colligate")
        command.add_argument("--jobs", type=int, default=1, help="how many processes")
    check.add_argument("--objective-tolerance", type=float, default=0.0, help="relative, such as 1e-12")
    check.add_argument(
        "--no-csv", action="store_true", help="do not compare tables, names and knowledge files"
    )
    check.add_argument("--no-rounded", action="store_true", help="do not compare hashes of rounded numbers")
    return parser.parse_args(arguments)


def use_source(folder: Path) -> None:
    """Take the package from a folder, here and in every process that is started."""
    path = str(folder.resolve())
    sys.path.insert(0, path)
    os.environ["PYTHONPATH"] = os.pathsep.join(filter(None, (path, os.environ.get("PYTHONPATH", ""))))


def show_environments(folder: Path) -> None:
    """Say where the files were recorded with other versions or on another kind of machine."""
    now = describe_environment()
    for file, then in read_environments(folder).items():
        changed = [f"{name} {then.get(name)} → {now[name]}" for name in now if then.get(name) != now[name]]
        if changed:
            print(f"note: {file} was recorded elsewhere: {', '.join(changed)}")


def show_differences(differences: list[Difference]) -> None:
    """Print a table of what differs, and how often each kind of value does."""
    if not differences:
        return
    rows = [("item", "what", "recorded", "now"), *((d.item, d.what, d.recorded, d.now) for d in differences)]
    shown = [[part[:WIDTH] for part in row] for row in rows[: SHOWN + 1]]
    widths = [max(len(row[at]) for row in shown) for at in range(4)]
    for row in shown:
        print("  ".join(part.ljust(width) for part, width in zip(row, widths, strict=True)).rstrip())
    for difference in differences:
        if difference.what == "failed":
            print(f"{difference.item} failed: {difference.now}")
    if len(differences) > SHOWN:
        print(f"and {len(differences) - SHOWN} more")
    counts = Counter(difference.what.partition(".")[0] for difference in differences)
    print("differences:", ", ".join(f"{what} {count}" for what, count in counts.most_common()))


if __name__ == "__main__":
    sys.exit(main())
