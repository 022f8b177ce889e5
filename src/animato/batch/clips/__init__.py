"""Many clips on many robots by one verb: what is to be done, doing it, and the table of what came out."""

from typing import TYPE_CHECKING

from animato.lazy import lazily

if TYPE_CHECKING:
    from animato.batch.clips.batching import SLURM, Summary, run_batch
    from animato.batch.clips.job import VERBS, Job
    from animato.batch.clips.ranking import run_rank
    from animato.batch.clips.table import read_table
    from animato.batch.clips.wishes import parsed_options

__all__ = [
    "SLURM",
    "VERBS",
    "Job",
    "Summary",
    "parsed_options",
    "read_table",
    "run_batch",
    "run_rank",
]

__getattr__, __dir__ = lazily(  # a process that works on clips needs no page and no table
    __name__,
    {
        "animato.batch.clips.batching": ("SLURM", "Summary", "run_batch"),
        "animato.batch.clips.job": ("VERBS", "Job"),
        "animato.batch.clips.ranking": ("run_rank",),
        "animato.batch.clips.table": ("read_table",),
        "animato.batch.clips.wishes": ("parsed_options",),
    },
)
