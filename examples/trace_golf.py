"""A golf swing with four points at once on a torso of 29 joints: slower, but truer, the more the timing counts.

Run it with a folder to write to, and perhaps with 63_01.bvh of the CMU Graphics Lab Motion Capture Database:
python examples/trace_golf.py out 63_01.bvh
"""

from __future__ import annotations

import sys
from dataclasses import replace
from pathlib import Path

import animato as an

BETAS = (1.0, 10.0, 100.0, 1000.0)


def main(folder: Path, capture: str | None = None) -> list[an.trace.Solution]:
    """Traces the swing with several weights of the timing and as drawn, and writes the last clip."""
    torso = an.load_character("torso29")
    sketch = an.load_strokes("golf", torso)
    if capture is not None:
        motion = an.load_motion(capture, first_frame=1)
        if not isinstance(motion, an.CapturedMotion):
            raise SystemExit(f"{capture} holds no skeleton")
        sketch = an.trace.build_sketch(an.trace.sketch.golf_from_capture(motion, torso))
    options = an.trace.Options(start="address", beta=BETAS[0], tempo_lock=False)
    first = an.trace.solve(an.trace.build(torso, sketch, options, name="golf"))
    swings = [first, *(an.trace.retimed(first, replace(options, beta=beta)) for beta in BETAS[1:])]
    swings.append(an.trace.retimed(first, replace(options, tempo_lock=True)))
    for swing in swings:
        wanted = swing.problem.options
        tempo = "never faster than drawn" if wanted.tempo_lock else f"beta {wanted.beta:g}"
        off = 100.0 * swing.timing_error / swing.scaling.duration
        print(
            f"{tempo}: {swing.scaling.duration:.2f} s, rhythm off by {off:.1f} % of it, "
            f"points off by {1000 * swing.deviations.mean():.1f} mm"
        )
    an.save(folder / "golf.npz", swings[-1].clip, torso)
    return swings


if __name__ == "__main__":
    main(Path(sys.argv[1]), *sys.argv[2:3])
