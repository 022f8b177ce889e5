"""A person waves, frame by frame as from a live capture, and pico follows on its feet.

    python examples/mimic_online.py

Streams a capture at its own pace, prints how long the answers took, and checks that the soles stayed where they are.
"""

from __future__ import annotations

import sys
import time

import numpy as np

import animato as an


def main(seconds: float | None = None, *, pace: bool = True) -> float:
    """Streams and checks; returns the mean time of an answer [s].

    Args:
        seconds: Of the capture; all of it where not given.
        pace: Whether to wait for each frame as one would have to live.
    """
    person = an.mimic.person_of(an.formats.load_motion("person_wave"))
    loop = an.mimic.Loop("pico", person.names)
    print(f"{1.0 / np.diff(person.times).mean():.0f} poses a second, answered {loop.delay_s:g} s later")

    taken, commands, begin = [], [], time.perf_counter()
    for moment, landmarks in zip(person.times - person.times[0], person.positions, strict=True):
        if seconds is not None and moment > seconds:
            break
        if pace:
            time.sleep(max(0.0, begin + moment - time.perf_counter()))
        start = time.perf_counter()
        command = loop.step(float(moment), landmarks)
        taken.append(time.perf_counter() - start)
        if not command.flags:  # while it starts, and where a frame is wrong, they say so
            commands.append(command)  # send command.positions to the motors

    milliseconds = 1e3 * np.array(taken[10:])  # the first compile or load kernels
    print(f"an answer takes {milliseconds.mean():.1f} ms, 99 % within {np.percentile(milliseconds, 99):.1f} ms")

    clip = an.Clip(
        np.array([command.time_s for command in commands]),
        loop.coordinate_names,
        np.array([command.positions for command in commands]),
        np.array([command.base_position for command in commands]),
        np.array([command.base_quaternion_wxyz for command in commands]),
        "person_wave, live",
    )
    poses = an.mechanics.tree.forward_kinematics(loop.anatomy.character, clip)
    slid = max(float(np.ptp(poses.of(foot.sole.body).position, axis=0).max()) for foot in loop.anatomy.feet)
    print(f"{len(commands)} commands, soles moved by {1e3 * slid:.2f} mm")
    assert slid < 1e-3  # who waves does not walk
    return float(milliseconds.mean()) / 1e3


if __name__ == "__main__":
    main(float(sys.argv[1]) if len(sys.argv) > 1 else None)
