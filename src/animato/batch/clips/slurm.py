"""A batch as a Slurm array: the tasks in a file, a script for sbatch, ranks that take their share of it.

Every rank is a batch of its own on its node, in processes of its own, and keeps what is finished as any batch does.
The folder of results must be one that all nodes see.
"""

from __future__ import annotations

import json
import os
import re
import shlex
import shutil
import subprocess
import sys
import time
from collections.abc import Callable, Iterable, Sequence
from dataclasses import asdict
from pathlib import Path

from animato.batch.clips.job import Job
from animato.batch.engine import Storage, Store, Task
from animato.errors import AnimatoError, OptionError
from animato.formats.files import write_whole

FOLDER = "slurm"
_RANKS = 16
_LOOK_S = 2.0  # between two looks at what is finished


def run_slurm(
    job: Job, tasks: Iterable[Task], ranks: int | None, sbatch: Sequence[str], look: Callable[[], int]
) -> None:
    """Submits what is missing as an array and waits for it.

    Args:
        job: What all tasks have in common.
        tasks: What is to be done.
        ranks: Of the array at most.
        sbatch: Further options of sbatch.
        look: Called now and then while the array runs.

    Raises:
        OptionError: Results are to go where nodes cannot write files.
        AnimatoError: There is no sbatch, or it refuses; the script is there then, to be submitted elsewhere.
    """
    out = Storage(job.out)
    if not out.is_local:
        raise OptionError(f"A Slurm array needs `out` to be a folder that all nodes see; given '{job.out}'.")
    script = write_array(job, tasks, ranks or _RANKS, sbatch)
    if script is None:
        return
    if shutil.which("sbatch") is None:
        raise AnimatoError(
            f"There is no sbatch here. The array is written: submit '{script}' with sbatch where Slurm is, and when "
            "it is done, run the same batch with `collect`."
        )
    told = subprocess.run(["sbatch", str(script)], capture_output=True, text=True, check=False)
    submitted = re.search(r"\d+", told.stdout)  # "Submitted batch job 12"
    if told.returncode != 0 or submitted is None:
        raise AnimatoError(f"sbatch refused '{script}': {told.stderr.strip() or told.stdout.strip()}")
    number = submitted[0]
    try:
        while _is_queued(number):
            time.sleep(_LOOK_S)
            look()
    except KeyboardInterrupt:
        subprocess.run(["scancel", number], capture_output=True, check=False)
        raise
    look()


def write_array(job: Job, tasks: Iterable[Task], ranks: int, sbatch: Sequence[str]) -> Path | None:
    """Writes the job, the tasks and the script; None where there is nothing to do."""
    folder = Storage(job.out).folder / FOLDER
    lines = [json.dumps({**asdict(one.payload), "weight": one.weight}) for one in tasks]
    if not lines:
        return None
    array = min(ranks, len(lines))
    write_whole(folder / "job.json", json.dumps(job.plain(), indent=2) + "\n")
    write_whole(folder / "before.json", json.dumps(Store(Storage(job.out)).files()))
    write_whole(folder / "tasks.jsonl", "\n".join(lines) + "\n")
    command = [sys.executable, "-m", "animato.batch.rank", str(folder), str(array)]
    text = [
        "#!/bin/sh",
        "#SBATCH -J animato",
        f"#SBATCH -a 0-{array - 1}",
        f"#SBATCH -o {shlex.quote(str(folder / 'rank-%a.log'))}",
        *(f"#SBATCH {one}" for one in sbatch),
        *(f"export {name}={shlex.quote(os.environ[name])}" for name in ("PYTHONPATH",) if name in os.environ),
        f'{shlex.join(command)} "$SLURM_ARRAY_TASK_ID"',
        "",
    ]
    return write_whole(folder / "array.sh", "\n".join(text))


def _is_queued(number: str) -> bool:
    told = subprocess.run(["squeue", "-h", "-j", number], capture_output=True, text=True, check=False)
    return told.returncode == 0 and bool(told.stdout.strip())
