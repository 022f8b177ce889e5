"""What a Slurm array runs on its nodes: `python -m animato.batch.rank FOLDER RANKS RANK`."""

from __future__ import annotations

import argparse
from pathlib import Path

from animato.batch.clips import run_rank


def main() -> None:
    """Does the tasks of one rank."""
    parser = argparse.ArgumentParser(prog="python -m animato.batch.rank", description=__doc__)
    parser.add_argument("folder", type=Path, help="with job.json, tasks.jsonl and before.json")
    parser.add_argument("ranks", type=int, help="how many there are")
    parser.add_argument("rank", type=int, help="of this process, from 0")
    given = parser.parse_args()
    print(f"{run_rank(given.folder, given.rank, given.ranks)} done")


if __name__ == "__main__":
    main()
