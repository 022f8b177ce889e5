"""What is asked for in the benchmark of fix: shipped clips played fast, captures, and synthetic worst cases."""

from __future__ import annotations

from functools import lru_cache

import numpy as np

from animato.character import Character
from animato.loading import load_clip
from animato.motion import Clip
from benchmarks.fix_characters import character, whole_character
from benchmarks.mimic_cases import DATA, METRES_PER_UNIT

RATE_HZ = 50.0
"""Frames a second of every clip of the benchmark."""

SMOOTH_HZ = 6.0
"""At which the noise of captures is taken out before they become angles of a robot, as the documentation advises."""


def shipped(who: Character, name: str, speed: float) -> Clip:
    """A clip that comes with animato, played faster, with frames at the benchmark's rate."""
    return _at_rate(_played(load_clip(name, who), speed))


@lru_cache
def captured(who: str, capture: str, start_s: float, end_s: float, speed: float) -> Clip:
    """A part of a capture on an upper body, through the house's transfer of angles, played faster."""
    whole = whole_character(who)
    clip = load_clip(
        DATA / "clips" / f"{capture}.bvh",
        whole,
        metres_per_unit=METRES_PER_UNIT,
        first_frame=1,
        smooth_hz=SMOOTH_HZ,
    )
    chosen = clip.selected(character(who).coordinate_names)
    held = Clip(chosen.times, chosen.names, chosen.positions, source=f"{capture} on {who}")
    first = float(held.times[0])
    times = np.arange(first + start_s, min(first + end_s, held.times[-1]) + 1e-9, 1.0 / 120.0)
    return _at_rate(_played(held.resampled(times), speed))


def square(who: Character, *, share: float = 0.6, seconds: float = 6.0) -> Clip:
    """Every joint jumps from one side of its range to the other, each at its own period."""
    times, middle, half = _stage(who, seconds)
    periods = 0.9 + 0.35 * np.arange(len(middle))
    waves = np.where(np.floor(2.0 * times[:, None] / periods) % 2 == 0, 1.0, -1.0)
    return Clip(times, who.coordinate_names, middle + share * half * waves, source="square waves")


def chirp(who: Character, *, share: float, first_hz: float, last_hz: float, seconds: float = 6.0) -> Clip:
    """Every joint swings faster and faster, beyond its range where the share is above 1."""
    times, middle, half = _stage(who, seconds)
    phase = 2.0 * np.pi * (first_hz * times + 0.5 * (last_hz - first_hz) * times**2 / seconds)
    late = 0.4 * np.arange(len(middle))
    return Clip(times, who.coordinate_names, middle + share * half * np.sin(phase[:, None] + late), source="a chirp")


def snaps(who: Character, seed: int, *, snap_s: float = 0.12, seconds: float = 6.0) -> Clip:
    """Joints rest at places near the ends of their ranges and snap between them, smoothly but much too fast."""
    times, middle, half = _stage(who, seconds)
    rng = np.random.default_rng(seed)
    columns = []
    for centre, reach in zip(middle, half, strict=True):
        begins = np.cumsum(rng.uniform(0.5, 1.1, 20))
        places = centre + reach * rng.choice([-0.95, -0.3, 0.4, 0.95], 21)
        share = np.clip((times[:, None] - begins) / snap_s, 0.0, 1.0)
        rise = share**3 * (10.0 - 15.0 * share + 6.0 * share**2)
        columns.append(places[0] + rise @ np.diff(places))
    return Clip(times, who.coordinate_names, np.column_stack(columns), source="snaps")


def bursts(who: Character, seed: int, *, noise_rad: float = 0.08, seconds: float = 6.0) -> Clip:
    """A calm motion with two bursts of noise from frame to frame, as a capture has where it loses its markers."""
    times, middle, half = _stage(who, seconds)
    rng = np.random.default_rng(seed)
    rates, late = rng.uniform(0.15, 0.4, len(middle)), rng.uniform(0.0, 6.0, len(middle))
    calm = middle + 0.35 * half * np.sin(2.0 * np.pi * times[:, None] * rates + late)
    inside = ((times > 1.5) & (times < 1.9)) | ((times > 4.0) & (times < 4.3))
    noise = noise_rad * rng.standard_normal(calm.shape) * inside[:, None]
    return Clip(times, who.coordinate_names, calm + noise, source="bursts of noise")


def there_and_back(who: Character, first: str, second: str, *, move_s: float, seconds: float = 4.0) -> Clip:
    """From one named posture to another, a stay there, and back; smooth from rest to rest."""
    times, _, _ = _stage(who, seconds)
    share = np.clip(np.minimum(times, seconds - times) / move_s, 0.0, 1.0)
    rise = share**3 * (10.0 - 15.0 * share + 6.0 * share**2)
    ends = [dict(who.posture(name).values) for name in (first, second)]
    one, other = (np.array([end.get(name, 0.0) for name in who.coordinate_names]) for end in ends)
    return Clip(times, who.coordinate_names, one + rise[:, None] * (other - one), source=f"{first} to {second}")


def unfold(who: Character, *, folded: float, out: float, move_s: float, seconds: float = 4.0) -> Clip:
    """All joints but the first unfold from one angle to another [rad], stay, and fold again."""
    times, _, _ = _stage(who, seconds)
    share = np.clip(np.minimum(times, seconds - times) / move_s, 0.0, 1.0)
    rise = share**3 * (10.0 - 15.0 * share + 6.0 * share**2)
    turned = np.tile((folded + (out - folded) * rise)[:, None], (1, len(who.coordinate_names)))
    turned[:, 0] = 0.0
    return Clip(times, who.coordinate_names, turned, source="unfolding")


def gentle(who: Character, *, share: float = 0.3, rate_hz: float = 0.1, seconds: float = 6.0) -> Clip:
    """A slow swing of every joint, well inside everything."""
    times, middle, half = _stage(who, seconds)
    late = 0.7 * np.arange(len(middle))
    swing = np.sin(2.0 * np.pi * rate_hz * times[:, None] + late)
    return Clip(times, who.coordinate_names, middle + share * half * swing, source="a slow swing")


def to_and_fro(clip: Clip, seconds: float) -> Clip:
    """A clip, then the same backwards, and so on for as long as wanted: long, and without a jump."""
    count = clip.frame_count - 1
    frames = round(seconds * count / clip.duration) + 1
    order = np.abs((np.arange(frames) + count) % (2 * count) - count)
    base, turn = clip.base_positions, clip.base_quaternions_wxyz
    return Clip(
        np.arange(frames) * clip.duration / count,
        clip.names,
        clip.positions[order],
        None if base is None else base[order],
        None if turn is None else turn[order],
        f"{clip.source}, to and fro",
    )


def _stage(who: Character, seconds: float) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Times [s], and middle and half range of every coordinate [rad or m]; endless joints have half a turn."""
    limits = [one for joint in who.free_joints for one in joint.limits]
    lower = np.array([-np.pi / 2 if one.lower is None else max(one.lower, -np.pi) for one in limits])
    upper = np.array([np.pi / 2 if one.upper is None else min(one.upper, np.pi) for one in limits])
    times = np.arange(round(seconds * RATE_HZ) + 1) / RATE_HZ
    return times, 0.5 * (lower + upper), 0.5 * (upper - lower)


def _played(clip: Clip, speed: float) -> Clip:
    start = clip.times[0]
    return Clip(
        (clip.times - start) / speed,
        clip.names,
        clip.positions,
        clip.base_positions,
        clip.base_quaternions_wxyz,
        clip.source,
    )


def _at_rate(clip: Clip) -> Clip:
    """Frames at the benchmark's rate, the end cut to a whole one."""
    count = int(np.floor(clip.duration * RATE_HZ + 1e-9))
    times = np.arange(count + 1) / RATE_HZ
    same = count + 1 == clip.frame_count and bool(np.allclose(times, clip.times, atol=1e-9))
    return clip if same else clip.resampled(np.minimum(times, clip.times[-1]))
