"""Courses that a target takes while a character faces it: circles, eights, walks, stops, near points and jumps.

Each is made by a seed, a speed and a duration. Those of `CHOSEN` may be looked at while constants are chosen, those of
`REPORTED` are what benchmarks report; they have no seed and no speed in common.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from animato.character import EndPoint
from animato.express.gaze import facing_direction
from animato.express.problem import Target

BEGIN_S = 1.0  # in which a course that goes on all the time comes up to its speed
STAND_S = 5.0  # for which a walk stands at its end
HASTE_S = 1.5  # time constant of a walk's velocity
JUMP_S = 2.0  # from one jump to the next


@dataclass(frozen=True, eq=False)
class Course:
    """What is to be faced, frame by frame.

    Attributes:
        name: One of `COURSES`.
        rate_hz: Frames a second.
        directions: In the world, of unit length, [frame, 3]; None where there are points.
        points: In the world, from the character's base [m], [frame, 3]; None where there are directions.
        free_roll: Whether any roll will do; always so for points.
    """

    name: str
    rate_hz: float
    directions: np.ndarray | None = None
    points: np.ndarray | None = None
    free_roll: bool = False

    def orientations(self, end_point: EndPoint) -> np.ndarray:
        """Upright orientations that face the directions, wxyz, [frame, 4]."""
        if self.directions is None:
            raise ValueError(f"the course {self.name} has points, which are faced from wherever the eye is")
        return np.array([facing_direction(end_point, direction) for direction in self.directions])

    def targets(self, end_point: EndPoint) -> list[Target]:
        """What is submitted, one target a frame."""
        if self.points is not None:
            return [Target(point=tuple(point)) for point in self.points]
        if self.free_roll and self.directions is not None:
            return [Target(direction=tuple(direction)) for direction in self.directions]
        return [Target(quaternion_wxyz=tuple(turn)) for turn in self.orientations(end_point)]


def circle(seed: int, speed: float, seconds: float, rate_hz: float, *, free_roll: bool = False) -> Course:
    """Along the horizon all around, one way or the other.

    Args:
        seed: Decides where it begins and which way it goes.
        speed: [deg/s].
        seconds: How long [s].
        rate_hz: Frames a second.
        free_roll: Whether any roll will do.
    """
    rng = np.random.default_rng(seed)
    begin, sense = rng.uniform(-np.pi, np.pi), rng.choice((-1.0, 1.0))
    azimuth = begin + sense * np.radians(speed) * _eased(seconds, rate_hz)
    return Course("circle", rate_hz, _level(azimuth), free_roll=free_roll)


def eight(seed: int, speed: float, seconds: float, rate_hz: float, *, free_roll: bool = False) -> Course:
    """A lying eight ahead, 40 degrees to either side and 20 up and down; `speed` is its mean. Arguments as `circle`."""
    rng = np.random.default_rng(seed)
    phase = np.linspace(0.0, 2.0 * np.pi, 2001)
    around = np.sum(_turned(_eight(phase)))  # angle of one whole eight
    begin, sense = rng.uniform(0.0, 2.0 * np.pi), rng.choice((-1.0, 1.0))
    directions = _eight(begin + sense * 2.0 * np.pi * np.radians(speed) / around * _eased(seconds, rate_hz))
    return Course("eight", rate_hz, directions, free_roll=free_roll)


def walk(seed: int, speed: float, seconds: float, rate_hz: float, *, free_roll: bool = False) -> Course:
    """A smooth random walk that stops and stands at its end; `speed` is about its mean. Arguments as `circle`.

    Even seeds stay within 70 degrees of ahead, odd ones go anywhere around; up and down both go 30 degrees.
    """
    rng = np.random.default_rng(seed)
    frames, standing = round(seconds * rate_hz), round(min(STAND_S, 0.4 * seconds) * rate_hz)
    begin = rng.uniform(-1.0, 1.0, 2) * (np.radians(70.0 if seed % 2 == 0 else 180.0), np.radians(20.0))
    velocity = _wandering(rng, frames, rate_hz) * np.radians(speed) / np.sqrt(np.pi / 2.0)  # mean length of two normals
    ramp = np.clip((frames - standing - np.arange(frames)) / rate_hz, 0.0, 1.0)  # comes to a stop within a second
    ramp *= np.clip(np.arange(frames) / rate_hz / BEGIN_S, 0.0, 1.0)
    way = begin + np.cumsum(velocity * (ramp * ramp * (3.0 - 2.0 * ramp))[:, None], axis=0) / rate_hz
    azimuth = way[:, 0] if seed % 2 else _folded(way[:, 0], np.radians(70.0))
    return Course("walk", rate_hz, _directions(azimuth, _folded(way[:, 1], np.radians(30.0))), free_roll=free_roll)


def stop_go(seed: int, speed: float, seconds: float, rate_hz: float, *, free_roll: bool = False) -> Course:
    """From one direction to another, standing 1 to 3 s in between; `speed` is the mean on the way.

    Arguments as `circle`.
    """
    rng = np.random.default_rng(seed)
    frames = round(seconds * rate_hz)
    way = [_somewhere(rng)]
    while len(way) < frames:
        here, there = way[-1], _somewhere(rng)
        steps = max(2, round(np.degrees(np.linalg.norm(there - here)) / speed * rate_hz))
        share = np.linspace(0.0, 1.0, steps)[:, None]
        way += list(here + share**3 * (10.0 - 15.0 * share + 6.0 * share**2) * (there - here))
        way += [there] * round(rng.uniform(1.0, 3.0) * rate_hz)
    azimuth, elevation = np.array(way[:frames]).T
    return Course("stop_go", rate_hz, _directions(azimuth, elevation), free_roll=free_roll)


def near(seed: int, speed: float, seconds: float, rate_hz: float) -> Course:
    """A point 0.6 to 1 m from the line through the base that stands upright, 0.6 to 1.1 m high.

    Even seeds circle it, odd ones pass to and fro before it on a straight line. `speed` is that of a point at this
    distance, seen from that line [deg/s]. Arguments as `circle`.
    """
    rng = np.random.default_rng(seed)
    distance, height = rng.uniform(0.6, 1.0), rng.uniform(0.6, 1.1)
    begin, sense = rng.uniform(-np.pi, np.pi), rng.choice((-1.0, 1.0))
    angle = begin + sense * np.radians(speed) * _eased(seconds, rate_hz)
    if seed % 2 == 0:
        return Course("near", rate_hz, points=distance * _level(angle) + (0.0, 0.0, height))
    azimuth, nearest = rng.uniform(-0.5, 0.5, 1) * np.pi, rng.uniform(0.6, 0.8)
    aside = np.sqrt(1.0 - nearest**2) * np.sin(angle)[:, None]  # both ends are 1 m away
    points = nearest * _level(azimuth) + aside * _level(azimuth + 0.5 * np.pi) + (0.0, 0.0, height)
    return Course("near", rate_hz, points=points)


def jumps(seed: int, speed: float, seconds: float, rate_hz: float, *, free_roll: bool = False) -> Course:
    """A new direction every 2 s, at once; it has no speed. Arguments as `circle`."""
    rng = np.random.default_rng(seed)
    frames, each = round(seconds * rate_hz), round(JUMP_S * rate_hz)
    places = np.array([_somewhere(rng) for _ in range(frames // each + 1)])
    azimuth, elevation = np.repeat(places, each, axis=0)[:frames].T
    return Course("jumps", rate_hz, _directions(azimuth, elevation), free_roll=free_roll)


COURSES: dict[str, Callable[..., Course]] = {
    "circle": circle,
    "eight": eight,
    "walk": walk,
    "stop_go": stop_go,
    "near": near,
    "jumps": jumps,
}
"""By name: each makes a course of a seed, a speed [deg/s], a duration [s] and a rate [Hz]."""


@dataclass(frozen=True)
class CourseSet:
    """What a set of courses is made of.

    Attributes:
        seeds: Of courses; the n-th case takes the n-th of them, over and over.
        posture_seed: Of random postures.
        speeds: Of each course [deg/s]; the n-th case takes the n-th of them, over and over.
    """

    seeds: tuple[int, ...]
    posture_seed: int
    speeds: dict[str, tuple[float, ...]]

    def course(self, name: str, n: int, seconds: float, rate_hz: float, *, free_roll: bool = False) -> Course:
        """The n-th case of a course; points have a free roll anyway."""
        seed, speeds = self.seeds[n % len(self.seeds)], self.speeds[name]
        speed = speeds[n % len(speeds)]
        if name == "near":
            return near(seed, speed, seconds, rate_hz)
        return COURSES[name](seed, speed, seconds, rate_hz, free_roll=free_roll)


CHOSEN = CourseSet(
    seeds=(1, 2, 3, 4, 5, 6),
    posture_seed=11,
    speeds={
        "circle": (20.0, 12.0, 45.0),
        "eight": (15.0, 24.0, 36.0),
        "walk": (8.0, 16.0, 30.0),
        "stop_go": (25.0, 50.0, 12.0),
        "near": (9.0, 18.0, 30.0),
        "jumps": (0.0,),
    },
)
"""For choosing constants."""

REPORTED = CourseSet(
    seeds=(101, 102, 103, 104, 105, 106),
    posture_seed=2711,
    speeds={
        "circle": (25.0, 10.0, 60.0),
        "eight": (18.0, 30.0, 45.0),
        "walk": (10.0, 20.0, 6.0),
        "stop_go": (30.0, 15.0, 60.0),
        "near": (12.0, 24.0, 6.0),
        "jumps": (0.0,),
    },
)
"""For reporting; nothing is chosen with these in view."""

SETS = {"chosen": CHOSEN, "reported": REPORTED}


def _directions(azimuth: np.ndarray, elevation: np.ndarray) -> np.ndarray:
    """Unit vectors, [m, 3]; azimuth from x towards y, elevation from the horizon [rad], [m]."""
    across = np.cos(elevation)
    return np.stack([across * np.cos(azimuth), across * np.sin(azimuth), np.sin(elevation)], axis=1)


def _level(azimuth: np.ndarray) -> np.ndarray:
    """Unit vectors along the horizon, [m, 3]; azimuth from x towards y [rad], [m]."""
    return _directions(azimuth, np.zeros(len(azimuth)))


def _eight(phase: np.ndarray) -> np.ndarray:
    return _directions(np.radians(40.0) * np.sin(phase), np.radians(20.0) * np.sin(2.0 * phase))


def _turned(directions: np.ndarray) -> np.ndarray:
    """Angles from each direction to the next [rad], [m - 1]."""
    return 2.0 * np.arcsin(np.minimum(1.0, 0.5 * np.linalg.norm(np.diff(directions, axis=0), axis=1)))


def _eased(seconds: float, rate_hz: float) -> np.ndarray:
    """Time of each frame [s], [frame], of a clock that comes up to its speed."""
    time = np.arange(round(seconds * rate_hz)) / rate_hz
    return np.where(time < BEGIN_S, 0.5 * time**2 / BEGIN_S, time - 0.5 * BEGIN_S)


def _folded(way: np.ndarray, most: float) -> np.ndarray:
    """Goes to and fro within bounds [rad], smoothly."""
    return most * np.sin(way / most)


def _somewhere(rng: np.random.Generator) -> np.ndarray:
    """Azimuth within 120 degrees of ahead, elevation within 30 [rad], [2]."""
    return np.radians((rng.uniform(-120.0, 120.0), rng.uniform(-30.0, 30.0)))


def _wandering(rng: np.random.Generator, frames: int, rate_hz: float) -> np.ndarray:
    """A smooth random velocity of unit deviation in each of two coordinates, [frame, 2]: noise, eased twice."""
    keep = np.exp(-2.0 / (HASTE_S * rate_hz))
    velocity, eased, values = np.zeros(2), np.zeros(2), np.empty((frames, 2))
    noise = rng.standard_normal((frames + round(10.0 * HASTE_S * rate_hz), 2))
    for n, one in enumerate(noise):
        velocity = keep * velocity + (1.0 - keep) * one
        eased = keep * eased + (1.0 - keep) * velocity
        if n >= len(noise) - frames:
            values[n - len(noise) + frames] = eased
    deviation = np.sqrt((1.0 - keep) * (1.0 + keep**2) / (1.0 + keep) ** 3)  # of noise eased twice
    return values / deviation
