"""A batch in a process of its own, to be killed: `python batch_program.py CLIPS OUT ON`."""

from __future__ import annotations

import sys

from animato.batch import run_batch

if __name__ == "__main__":
    clips, out, where = sys.argv[1:4]
    run_batch(clips, ["lamp"], "check", out, on=where, workers=2, chunk=1, pages=0)
