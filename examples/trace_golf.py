"""A golf swing with four points at once on a torso of 29 joints: slower, but truer, the more the timing counts.

Run it with a folder to write to, and perhaps with 63_01.bvh of the CMU Graphics Lab Motion Capture Database:
python examples/trace_golf.py out 63_01.bvh
"""

from __future__ import annotations

import sys
from pathlib import Path

from animato.formats.character_files import load_character
from animato.formats.motion_files import load_motion, save_motion
from animato.formats.strokes.reader import load_strokes
from animato.motion.captured_motion import CapturedMotion
from animato.trace.sketch.captured_strokes import golf_from_capture
from animato.trace.sketch.sketch import build_sketch
from animato.trace.solution import Traced
from animato.trace.solve import retimed, trace_strokes

BETAS = (1.0, 10.0, 100.0, 1000.0)


def main(folder: Path, capture: str | None = None) -> list[Traced]:
    """Traces the swing with several weights of the timing and as drawn, and writes the last clip."""
    torso = load_character("torso29")
    strokes = load_strokes("golf")
    if capture is not None:
        motion = load_motion(capture, first_frame=1)
        if not isinstance(motion, CapturedMotion):
            raise SystemExit(f"{capture} holds no skeleton")
        strokes = golf_from_capture(motion, torso)
    sketch = build_sketch(strokes)
    first = trace_strokes(torso, sketch, start="address", beta=BETAS[0], tempo_lock=False, name="golf")
    swings = [first, *(retimed(first, beta=beta) for beta in BETAS[1:])]
    swings.append(retimed(first, beta=1.0, tempo_lock=True))
    for swing in swings:
        tempo = "never faster than drawn" if swing.options.tempo_lock else f"beta {swing.options.beta:g}"
        off = 100.0 * swing.timing_error / swing.scaling.duration
        print(
            f"{tempo}: {swing.scaling.duration:.2f} s, rhythm off by {off:.1f} % of it, "
            f"points off by {1000 * swing.deviations.mean():.1f} mm"
        )
    save_motion(folder / "golf.npz", swings[-1].clip, torso)
    return swings


if __name__ == "__main__":
    main(Path(sys.argv[1]), *sys.argv[2:3])
