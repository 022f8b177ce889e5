"""What the benchmark of mimic works on: captures, robots, and motions of two peers, scored.

Captures, the G1 without meshes and the peers' motions lie beside the checkout and do not come with animato; where they
are absent, rows that need them are left out, and that is said.
"""

from __future__ import annotations

import logging
from dataclasses import dataclass, replace
from functools import lru_cache
from pathlib import Path

import numpy as np

from animato.character import Character
from animato.formats import load_character
from animato.formats.capture import load_bvh
from animato.mimic.anatomy import Anatomy, anatomy_of
from animato.mimic.judging import Rules, Score, score
from animato.mimic.person import Person, person_of, resampled
from animato.motion import Clip

DATA = Path(__file__).resolve().parent.parent.parent / "shared" / "data"

METRES_PER_UNIT = 0.0254 / 0.45
"""Of the captures."""

RULES = Rules()

PEERS = {"holosoma": "holo", "GMR": "gmr"}
"""Interaction-mesh and general motion retargeting, and how their files begin."""

ROBOTS = {"talos": "talos_data/robots/talos_full_v2.urdf", "icub": "icub_description/robots/icub.urdf"}
SHAPES = "g1_description/urdf/g1_29dof_rev_1_0.urdf"


@dataclass(frozen=True)
class Case:
    """One capture.

    Attributes:
        capture: File of the capture, without its ending.
        peers: What the peers' files are called after, empty where there are none.
        frames: How many are taken at 30 a second, None for all.
    """

    capture: str
    peers: str = ""
    frames: int | None = None


CASES = {
    "golf": Case("63_01", "63_01"),
    "walk": Case("07_01", "07_01"),
    "dance": Case("05_03", "05_03"),
    "wave": Case("13_26_first1200", "13_26", 150),
    "jump": Case("02_04"),
}


def missing() -> str:
    """Why clips cannot be measured here, or ""."""
    return (
        ""
        if DATA.is_dir()
        else "captures and the G1 are not on this machine (a folder shared/data beside the checkout)"
    )


def left_out(what: str, reason: str) -> bool:
    """Says that rows are left out where there is a reason; whether there is."""
    if reason:
        logging.getLogger(__name__).warning("%s is left out: %s", what, reason)
    return bool(reason)


@lru_cache
def person(name: str) -> Person:
    """The captured person, without the T-pose in front, as often as it was captured."""
    case = CASES[name]
    motion = load_bvh(DATA / "clips" / f"{case.capture}.bvh", metres_per_unit=METRES_PER_UNIT, first_frame=1)
    end = None if case.frames is None else (case.frames - 1) / RULES.rate_hz
    return person_of(motion, start_s=0.0, end_s=end)


def example_robot(path: str) -> Character | None:
    """A robot of the package example-robot-data, None where that is not installed."""
    site = Path(np.__file__).resolve().parent.parent  # the package is data, without a module of its own
    file = site / "cmeel.prefix" / "share" / "example-robot-data" / "robots" / path
    return load_character(file) if file.is_file() else None


@lru_cache
def robot(name: str) -> Anatomy | None:
    """A robot with its landmarks and soles, None where it is not on this machine."""
    if name == "g1":
        return _shaped_g1() if DATA.is_dir() else None
    character = load_character(name) if name not in ROBOTS else example_robot(ROBOTS[name])
    return None if character is None else anatomy_of(character)


def _shaped_g1() -> Anatomy:
    """The G1 beside the checkout, whose meshes are absent, with the shapes of the same bodies of the other package."""
    anatomy = anatomy_of(load_character(DATA / "robots" / "g1" / "g1_29dof_rev_1_0.urdf"))
    other = example_robot(SHAPES)
    if other is None:
        return anatomy
    shapes = {body.name: body.shapes for body in other.bodies}
    bodies = tuple(replace(body, shapes=shapes.get(body.name, body.shapes)) for body in anatomy.character.bodies)
    return replace(anatomy, character=replace(anatomy.character, bodies=bodies))


@lru_cache
def peer_clip(name: str, peer: str) -> tuple[Clip, float]:
    """A peer's motion on the G1, and its seconds a frame."""
    with np.load(DATA / "retarget_peers" / f"{PEERS[peer]}_{CASES[name].peers}.npz") as file:
        qpos, joints = file["qpos"].astype(np.float64), tuple(str(joint) for joint in file["joints"])
        seconds = float(np.sum(file["solve_s"] if "solve_s" in file else file["wall_s"]))
    times = np.arange(len(qpos)) / RULES.rate_hz
    clip = Clip(times, joints, qpos[:, 7:], qpos[:, :3], qpos[:, 3:7], peer)
    return clip, seconds / len(qpos)


def peer_score(name: str, peer: str) -> Score:
    """A peer's motion, judged."""
    anatomy = robot("g1")
    assert anatomy is not None  # for the type checker: the peers' motions lie beside the robot
    clip, _ = peer_clip(name, peer)
    return score(anatomy, clip, resampled(person(name), clip.times), rules=RULES)
