"""20 Newsgroups from file to report in one command: seconds, and peak memory against its limit.

    python -m benchmarks.end_to_end [--data FOLDER] [--method itcc]

Runs `colligate cluster` in a separate process and exits with 1 if it used more memory than it may.
"""

from __future__ import annotations

import argparse
import resource
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from experiments.corpora.folder import DATA_FOLDER

LIMIT_MB = 1536
COMMAND = (sys.executable, "-m", "colligate", "cluster")


def main() -> int:
    raw = argparse.RawDescriptionHelpFormatter
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=raw)
    parser.add_argument("--data", type=Path, default=DATA_FOLDER, help="the folder of corpora")
    parser.add_argument("--method", default="itcc")
    options = parser.parse_args()
    source = options.data / "20newsgroups.jsonl.gz"
    if not source.exists():
        parser.error(f"{source} is not there; give the data folder with --data")
    with tempfile.TemporaryDirectory() as folder:
        out = Path(folder) / "run"
        began = time.perf_counter()
        subprocess.run(
            [*COMMAND, str(source), "--clusters", "20", "--method", options.method, "--out", str(out)],
            check=True,
            stdout=subprocess.DEVNULL,
        )
        seconds = time.perf_counter() - began
        written = sorted(path.name for path in out.iterdir())
    peak = resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss / 1024
    print(f"{options.method} on 20 Newsgroups, file to report: {seconds:.1f} s, peak memory {peak:.0f} MB")
    print(f"limit {LIMIT_MB} MB: {'kept' if peak <= LIMIT_MB else 'exceeded'}; wrote {', '.join(written)}")
    return 0 if peak <= LIMIT_MB else 1


if __name__ == "__main__":
    sys.exit(main())
