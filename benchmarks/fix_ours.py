"""Our own answers to the cases of the benchmark of fix."""

from __future__ import annotations

from functools import lru_cache

from animato.errors import AnimatoError
from animato.fix import Options, Solution, build, solve
from benchmarks.fix_cases import Case
from benchmarks.fix_measures import Result

SLIDER = (0.0, 0.25, 0.5, 0.75, 1.0)
"""How much time gives way in what is compared."""


@lru_cache(maxsize=128)
def solution(case: Case, time: float) -> Solution:
    """What fix makes of a case; collisions count only where they are asked about, as for peers."""
    asked = case.clearance_m is not None
    options = Options(time=time, collisions=asked, clearance_m=case.clearance_m or 0.0)
    return solve(build(case.character, case.clip, options))


def ours(case: Case, time: float) -> Result:
    """The same as a result to be judged; what raises or may not be used is said."""
    by = f"fix, time {time:g}"
    try:
        found = solution(case, time)
    except AnimatoError as problem:
        return Result(by, None, note=f"raises: {problem}")
    note = "" if found.outcome.usable else found.outcome.reason
    return Result(by, found.clip, found.pace, found.seconds, note)
