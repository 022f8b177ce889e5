"""A mimicked motion for training tools, with its contacts."""

from __future__ import annotations

from pathlib import Path

from animato.formats.training import TRAINING_HZ, save_training_csv, save_training_npz
from animato.mimic import Solution


def save_exports(
    solution: Solution, *, csv: str | Path | None = None, npz: str | Path | None = None, rate_hz: float = TRAINING_HZ
) -> list[str]:
    """Writes the clip as training tools read it.

    Args:
        solution: What was found.
        csv: Base x, y, z, quaternion x, y, z, w, joints, without a header; not written where not given.
        npz: `qpos`, names, poses of bodies and contacts; not written where not given.
        rate_hz: Frames a second of both.

    Returns:
        Sentences for people.
    """
    character, plan = solution.problem.character, solution.problem.plan
    told = []
    if csv is not None:
        save_training_csv(csv, solution.clip, character, rate_hz=rate_hz)
        told.append(f"For training, {rate_hz:g} frames a second: {csv}")
    if npz is not None:
        save_training_npz(
            npz,
            solution.clip,
            character,
            rate_hz=rate_hz,
            contact_names=[part.name for part in plan.parts],
            contact_times=solution.states.times,
            contacts=solution.planted,
        )
        told.append(f"For training, with poses of bodies and contacts: {npz}")
    return told
