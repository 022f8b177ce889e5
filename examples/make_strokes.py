"""Makes the strokes that come with animato: hello, hammer, flourish and golf.

Run it with the folder to write to: python examples/make_strokes.py strokes
"""

from __future__ import annotations

import sys
from pathlib import Path

import numpy as np

import animato as an

Corners = list[tuple[float, float]]
RATE_HZ = 125.0

# Letters by the points their line passes through: baseline 0, small letters 1, tall ones 2.5 high; upright.
STEM_OF_H = [(-0.55, 0.10), (-0.15, 0.42), (0.22, 1.20), (0.50, 2.05), (0.46, 2.45), (0.22, 2.42), (0.08, 1.95)]
STEM_OF_H += [(0.04, 1.00), (0.02, 0.00)]
ARCH_OF_H = [
    (0.02, 0.00),
    (0.10, 0.55),
    (0.36, 0.95),
    (0.62, 0.88),
    (0.68, 0.50),
    (0.70, 0.20),
    (0.86, 0.00),
    (1.08, 0.12),
]
LETTER_E = [
    (1.30, 0.35),
    (1.62, 0.62),
    (1.70, 0.90),
    (1.50, 1.02),
    (1.29, 0.80),
    (1.25, 0.42),
    (1.40, 0.06),
    (1.68, 0.02),
]
LETTER_E += [(1.94, 0.25)]
LETTER_L = [
    (0.24, 0.75),
    (0.50, 1.45),
    (0.62, 2.15),
    (0.52, 2.50),
    (0.30, 2.40),
    (0.18, 1.90),
    (0.15, 1.00),
    (0.20, 0.28),
]
LETTER_L += [(0.40, 0.00), (0.66, 0.16)]
LETTER_O = [
    (0.20, 0.62),
    (0.50, 0.98),
    (0.22, 0.92),
    (0.06, 0.48),
    (0.26, 0.04),
    (0.60, 0.06),
    (0.80, 0.50),
    (0.68, 0.92),
]
LETTER_O += [(0.47, 1.02), (0.44, 0.84), (0.62, 0.72), (0.92, 0.74), (1.30, 0.95)]
SLANT = 0.28


def main() -> None:
    """Writes one JSON file a stroke."""
    folder = Path(sys.argv[1])
    folder.mkdir(parents=True, exist_ok=True)
    for name, (strokes, description) in all_strokes().items():
        an.formats.files.write_whole(
            folder / f"{name}.json", an.formats.strokes.strokes_json_text(strokes, description, digits=7)
        )
        print(f"{name}: " + ", ".join(f"{point} {one.length:.3f} m" for point, one in strokes.items()))


def all_strokes() -> dict[str, tuple[dict[str, an.Stroke], str]]:
    """Strokes by the point they are for, and a description, by name of the file."""
    return {
        "hello": ({"pen": hello()}, "A cursive 'hello', 3.68 m in 12.13 s, flat: x to the right, y up"),
        "hammer": ({"pen": hammer()}, "Three strikes of a hammer for planar_arm: down fast, up slowly"),
        "flourish": ({"pen": flourish()}, "A flourish with corners and fast and slow parts, for planar_arm"),
        "golf": (golf(), "A golf swing for torso29: both hands, head and pelvis"),
    }


def hello(length: float = 3.68, duration: float = 12.13) -> an.Stroke:
    """The word in one line, as handwriting that slows down in bends. Length [m], duration [s]."""
    arch = ARCH_OF_H + LETTER_E + _moved(LETTER_L, 1.94) + _moved(LETTER_L, 2.60) + _moved(LETTER_O, 3.42)
    path = np.vstack([_curve(STEM_OF_H), _curve(arch)[1:]])  # the stem and the arch of the h meet in a point
    path[:, 0] += SLANT * path[:, 1]
    path -= 0.5 * (path.min(axis=0) + path.max(axis=0))
    stroke = an.trace.sketch.timed(an.Stroke(path), duration_s=duration, rate_hz=RATE_HZ)
    assert stroke.times is not None
    return an.Stroke(stroke.points * (length / stroke.length), stroke.times)


def hammer(strikes: int = 3, down_s: float = 0.8, up_s: float = 1.6) -> an.Stroke:
    """Down an arc ever faster, and at the anvil at once slowly up again."""
    arc = _curve([(2.10, 3.60), (3.00, 3.35), (3.75, 2.60), (4.10, 1.60), (4.20, 0.60)])
    along = np.concatenate([[0.0], np.cumsum(np.linalg.norm(np.diff(arc, axis=0), axis=1))])
    falling, rising = round(down_s * RATE_HZ), round(up_s * RATE_HZ)
    frames = np.arange(strikes * (falling + rising) + 1)
    phase = frames % (falling + rising)
    back = (phase - falling) / rising
    # falling: evenly accelerated; rising: starts at once at its speed and comes to rest
    share = np.where(phase < falling, (phase / falling) ** 2, (1.0 - back) ** 2)
    flat = np.stack([np.interp(share * along[-1], along, column) for column in arc.T], axis=1)
    return an.Stroke(_upright(flat), frames / RATE_HZ)


def flourish() -> an.Stroke:
    """Four curves that meet in corners: a wide sweep, a zigzag, a spiral drawn slowly, a swoosh."""
    pieces: list[tuple[Corners, float]] = [
        ([(4.60, -0.60), (4.70, 0.90), (4.10, 2.40), (2.90, 3.50), (1.50, 3.70)], 1.3),
        ([(1.50, 3.70), (1.90, 2.90), (2.60, 2.40)], 0.9),
        ([(2.60, 2.40), (1.60, 1.90)], 0.6),
        ([(1.60, 1.90), (2.60, 1.35), (3.30, 1.60), (3.25, 2.15), (2.80, 2.20), (2.75, 1.75), (3.20, 1.30)], 3.2),
        ([(3.20, 1.30), (3.30, 0.40), (2.70, -0.40), (1.70, -0.60)], 0.8),
    ]
    points, times = [np.empty((0, 2))], [np.empty(0)]
    start = 0.0
    for corners, duration in pieces:
        piece = an.trace.sketch.timed(an.Stroke(_curve(corners)), duration_s=duration, rate_hz=RATE_HZ)
        assert piece.times is not None
        skipped = 1 if start > 0.0 else 0
        points.append(piece.points[skipped:])
        times.append(start + piece.times[skipped:])
        start += duration
    return an.Stroke(_upright(np.vstack(points)), np.concatenate(times))


def golf() -> dict[str, an.Stroke]:
    """A full swing of a right-handed player who looks along x, with the target to the left, along y.

    The grip goes around the breastbone in a tilted plane: slowly back to the right, a short halt at the top, fast
    down and through, and out on the left. Hands are 9 cm apart on the club, the left one nearer to the player.
    """
    keys = np.array([0.0, 0.25, 0.70, 1.15, 1.27, 1.45, 1.57, 1.72, 2.05, 2.60])  # [s]
    swing = np.radians([0.0, -6.0, -75.0, -128.0, -129.0, -85.0, 0.0, 80.0, 128.0, 135.0])
    reach = np.array([0.555, 0.555, 0.545, 0.50, 0.50, 0.53, 0.56, 0.545, 0.46, 0.44])  # from the breastbone [m]
    cock = np.radians([0.0, 0.0, -55.0, -85.0, -90.0, -90.0, -5.0, 50.0, 80.0, 85.0])  # of the club, more than the arms
    sway = np.array([0.0, 0.0, -0.020, -0.030, -0.025, 0.0, 0.015, 0.020, 0.035, 0.040])  # towards the target [m]
    rise = np.array([0.0, 0.0, 0.0, 0.005, 0.0, -0.01, -0.005, 0.01, 0.05, 0.07])  # of the breastbone [m]
    times = np.arange(round(keys[-1] * RATE_HZ) + 1) / RATE_HZ
    table = np.column_stack([swing, reach, cock, sway, rise])
    values = _eased(keys, table, times)
    angle, radius, club_angle, side, up = values.T
    down, across = np.array([0.36, 0.0, -0.933]), np.array([0.0, 1.0, 0.0])
    down /= np.linalg.norm(down)
    centre = np.array([0.20, 0.0, 1.235]) + np.outer(side, across) + np.outer(up, [-0.6, 0.0, 1.0])

    def around(turn: np.ndarray) -> np.ndarray:
        return np.cos(turn)[:, None] * down + np.sin(turn)[:, None] * across

    grip = centre + radius[:, None] * around(angle)
    club = around(angle + club_angle)
    head = np.array([0.505, 0.0, 1.475]) + np.outer(side, [0.0, 0.7, 0.0]) + np.outer(up, [-0.9, 0.0, 0.8])
    pelvis = np.array([0.021, 0.0, 0.945]) + np.outer(side, [0.0, 0.35, 0.0])
    paths = {"left_hand": grip - 0.045 * club, "right_hand": grip + 0.045 * club, "head": head, "pelvis": pelvis}
    return {name: an.Stroke(path, times) for name, path in paths.items()}


def _eased(keys: np.ndarray, values: np.ndarray, times: np.ndarray) -> np.ndarray:
    """Smooth curves through keyframes that do not overshoot, at rest at both ends."""
    from scipy.interpolate import PchipInterpolator

    raw = PchipInterpolator(keys, values)(np.clip(np.arange(-40, len(times) + 40) / RATE_HZ, keys[0], keys[-1]))
    bell = np.exp(-0.5 * (np.arange(-20, 21) / 4.0) ** 2)  # 32 ms: takes the kinks out of the accelerations
    bell /= bell.sum()
    smooth = np.stack([np.convolve(column, bell, mode="same") for column in raw.T], axis=1)
    return smooth[40:-40]


def _curve(corners: Corners, pieces: int = 1500) -> np.ndarray:
    """A smooth line through points, shape [pieces + 1, 2]; two points are joined straight."""
    points = np.array(corners)
    # parameters by the root of the distance: the line neither overshoots nor cuts corners
    clock = np.concatenate([[0.0], np.cumsum(np.sqrt(np.linalg.norm(np.diff(points, axis=0), axis=1)))])
    where = np.linspace(0.0, clock[-1], pieces + 1)
    if len(points) < 4:
        return np.stack([np.interp(where, clock, column) for column in points.T], axis=1)
    return an.spatial.cubic_spline.interpolate(clock, points)(where)


def _moved(corners: Corners, right: float) -> Corners:
    return [(x + right, y) for x, y in corners]


def _upright(flat: np.ndarray) -> np.ndarray:
    """Points of a drawing in the vertical plane x-z of the world."""
    return np.column_stack([flat[:, 0], np.zeros(len(flat)), flat[:, 1]])


if __name__ == "__main__":
    main()
