"""Linkages that can be closed, drawn far from closing: planar four-bars, slider-cranks and spatial four-bars."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from animato.character import Body, Character, Frame, Joint, JointRole, JointType

Z = (0.0, 0.0, 1.0)


@dataclass(frozen=True)
class Linkage:
    """A linkage to assemble.

    Attributes:
        kind: For tables.
        character: As drawn.
        closable: Whether some pose closes it, known from its lengths.
    """

    kind: str
    character: Character
    closable: bool


def planar_four_bar(generator: np.random.Generator, *, configurable: bool) -> Linkage:
    """Four bars with hinges along z, all drawn along one line or at random angles.

    Args:
        generator: Of lengths and of angles.
        configurable: Whether lengths are set by configurable slides instead of frames.
    """
    lengths = generator.uniform(0.2, 1.5, 4)
    closable = bool(2.0 * lengths.max() < 0.999 * lengths.sum())
    turns = generator.uniform(-np.pi, np.pi, 3) if generator.random() < 0.5 else np.zeros(3)
    ends = ("base", "crank", "coupler", "rocker")
    bodies, joints = [Body("base")], [Joint("ground", JointType.GROUND, "world", "base")]
    tips = dict.fromkeys(ends, "")
    for name, length in zip(ends, lengths, strict=True):
        if name != "base":
            bodies.append(Body(name))
        tips[name] = name
        if configurable:
            tips[name] = f"{name} tip"
            bodies.append(Body(tips[name]))
            joints.append(
                Joint(
                    f"{name} length",
                    JointType.PRISMATIC,
                    name,
                    tips[name],
                    JointRole.CONFIGURABLE,
                    configuration=(length,),
                )
            )
    reach = (0.0,) * 4 if configurable else tuple(lengths)
    order = (("A", "base", "crank"), ("B", "crank", "coupler"), ("C", "coupler", "rocker"), ("D", "rocker", "base"))
    for n, (name, before, after) in enumerate(order):
        role = JointRole.ACTUATED if name == "A" else JointRole.PASSIVE
        # The base is hinged at its origin (A) and at its tip (D).
        near = before if name == "A" else tips[before]
        far = tips["base"] if name == "D" else after
        start = 0.0 if name == "A" else reach[n]
        end = reach[0] if name == "D" else 0.0
        turn = _about_z(turns[n]) if n < 3 else (1.0, 0.0, 0.0, 0.0)
        joints.append(
            Joint(name, JointType.REVOLUTE, near, far, role, Frame((start, 0, 0), turn), Frame((end, 0, 0)), axis=Z)
        )
    return Linkage(
        "four-bar, lengths configurable" if configurable else "four-bar",
        Character("four-bar", tuple(bodies), tuple(joints)),
        closable,
    )


def slider_crank(generator: np.random.Generator) -> Linkage:
    """A crank, a rod and a slider along x at a height; the rod is drawn at a random angle."""
    crank, rod = generator.uniform(0.2, 1.0, 2)
    height = float(generator.uniform(-1.5, 1.5))
    closable = bool(abs(height) < 0.999 * (crank + rod))  # the slider may stand anywhere
    joints = (
        Joint("ground", JointType.GROUND, "world", "base"),
        Joint("A", JointType.REVOLUTE, "base", "crank", JointRole.ACTUATED, axis=Z),
        Joint(
            "B",
            JointType.REVOLUTE,
            "crank",
            "rod",
            JointRole.PASSIVE,
            Frame((crank, 0, 0), _about_z(_angle(generator))),
            axis=Z,
        ),
        Joint(
            "C",
            JointType.REVOLUTE,
            "rod",
            "slider",
            JointRole.PASSIVE,
            Frame((rod, 0, 0), _about_z(_angle(generator))),
            axis=Z,
        ),
        Joint("D", JointType.PRISMATIC, "base", "slider", JointRole.PASSIVE, Frame((0.0, height, 0.0))),
    )
    return Linkage(
        "slider-crank",
        Character("slider-crank", tuple(map(Body, ("base", "crank", "rod", "slider"))), joints),
        closable,
    )


def spatial_four_bar(generator: np.random.Generator) -> Linkage:
    """RSSR: two cranks about skew axes and a rod with a ball at either end.

    It can be closed where its rod is one that some pair of crank angles needs: its length is that of such a pair.
    """
    crank, rocker = generator.uniform(0.2, 1.0, 2)
    place = generator.uniform((0.5, -1.0, -1.0), (2.5, 1.0, 1.0))
    turn = generator.standard_normal(4)
    turn /= np.linalg.norm(turn)
    far = Frame(tuple(place.tolist()), tuple(turn.tolist()))
    on_crank = crank * np.array((*_direction(_angle(generator)), 0.0))
    on_rocker = far.transform.apply(rocker * np.array((*_direction(_angle(generator)), 0.0)))
    rod = float(np.linalg.norm(on_rocker - on_crank))
    joints = (
        Joint("ground", JointType.GROUND, "world", "base"),
        Joint("A", JointType.REVOLUTE, "base", "crank", JointRole.ACTUATED, axis=Z),
        Joint("B", JointType.SPHERICAL, "crank", "rod", JointRole.PASSIVE, Frame((crank, 0.0, 0.0))),
        Joint("D", JointType.REVOLUTE, "base", "rocker", JointRole.PASSIVE, far, axis=Z),
        Joint(
            "C",
            JointType.SPHERICAL,
            "rod",
            "rocker",
            JointRole.PASSIVE,
            Frame((rod, 0.0, 0.0)),
            Frame((rocker, 0.0, 0.0)),
        ),
    )
    return Linkage("RSSR", Character("RSSR", tuple(map(Body, ("base", "crank", "rod", "rocker"))), joints), True)


def linkages(seed: int, count: int) -> list[Linkage]:
    """As many of each of the four kinds, closable or not."""
    generator = np.random.default_rng(seed)
    found = []
    for _ in range(count):
        found += [planar_four_bar(generator, configurable=flag) for flag in (False, True)]
        found += [slider_crank(generator), spatial_four_bar(generator)]
    return found


def _angle(generator: np.random.Generator) -> float:
    return float(generator.uniform(-np.pi, np.pi))


def _direction(angle: float) -> tuple[float, float]:
    return float(np.cos(angle)), float(np.sin(angle))


def _about_z(angle: float) -> tuple[float, float, float, float]:
    return float(np.cos(angle / 2)), 0.0, 0.0, float(np.sin(angle / 2))
