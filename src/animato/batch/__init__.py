"""Thousands of clips: chunks of work on this machine, a cluster or an array of jobs, and one table of what came out.

`run_batch` has a verb work on a folder of clips; `run_sweep` runs the evaluation sweep of `express`. Both stand on
`batch.engine`, which knows neither.
"""

from typing import TYPE_CHECKING

from animato.lazy import lazily

if TYPE_CHECKING:
    from animato.batch.clips import Summary, read_table, run_batch
    from animato.batch.sweeping import run_sweep, stored_sweep

__all__ = [
    "Summary",
    "read_table",
    "run_batch",
    "run_sweep",
    "stored_sweep",
]

__getattr__, __dir__ = lazily(
    __name__,
    {
        "animato.batch.clips": ("Summary", "read_table", "run_batch"),
        "animato.batch.sweeping": ("run_sweep", "stored_sweep"),
    },
    rooms=("clips", "engine"),
)
