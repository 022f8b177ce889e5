# SPDX-License-Identifier: GPL-3.0-or-later
"""What an artist and Blender's timer do, for tests."""

import json
import os
import subprocess
import time
from pathlib import Path

import bpy
from animato_bridge import jobs


def finish(seconds=240.0):
    """Does what Blender's timer does until the job is done; gives it and its longest tick [s of processor]."""
    job, longest, end = jobs.state.job, 0.0, time.monotonic() + seconds
    pause = 0.0
    while pause is not None:
        assert time.monotonic() < end, f"still at: {job.status}"
        start = time.thread_time()
        pause = jobs.timer()
        longest = max(longest, time.thread_time() - start)
        time.sleep(min(pause or 0.0, 0.02))
    return job, longest


def imported(character, base="auto"):
    """The armature of a character and what was told of it."""
    assert bpy.ops.animato.import_character(character=str(character), base=base) == {"FINISHED"}
    job, _ = finish()
    assert not job.error, job.error
    return job.result, json.loads(job.result.data["animato"])


def asked_of_animato(script, *arguments):
    """What a script prints that runs with animato, as JSON."""
    python = Path(os.environ["ANIMATO"]).parent / "python"
    done = subprocess.run([python, "-c", script, *map(str, arguments)], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr[-2000:]
    return json.loads(done.stdout)
