"""Small mechanisms for the tests of `design`."""

from __future__ import annotations

from animato.character.body import Body
from animato.character.character import Character
from animato.character.frame import Frame
from animato.character.joint import Joint
from animato.character.limits import Limits
from animato.character.shape import Box, Capsule, Shape

CAPSULE = (Shape(Capsule(0.03, 0.2)),)
BOX = (Shape(Box((0.1, 0.1, 0.1))),)


def _hinge(name: str, a: str, b: str, role: str, at: float, on: float = 0.0, **more: object) -> Joint:
    return Joint(name, "revolute", a, b, role, Frame((at, 0, 0)), Frame((on, 0, 0)), axis=(0, 0, 1), **more)  # type: ignore[arg-type]


def four_bar(*, configurable: bool = False, limits: Limits | None = None) -> Character:
    """A planar four-bar of 0.9, 0.4, 1.0, 0.8 m; its coupler's pin can slide where it is configurable."""
    stated = () if limits is None else (limits,)
    bodies = ["base", "crank", "coupler", "rocker"]
    joints = [
        Joint("ground", "ground", "world", "base"),
        _hinge("A", "base", "crank", "actuated", 0.0, stated_limits=stated),
        _hinge("B", "crank", "coupler", "passive", 0.4),
        _hinge("C", "coupler", "rocker", "passive", 1.0),
        _hinge("D", "rocker", "base", "passive", 0.8, 0.9),
    ]
    if configurable:
        bodies.append("far")
        joints[3] = _hinge("C", "far", "rocker", "passive", 0.5)
        joints.append(Joint("length", "prismatic", "coupler", "far", "configurable", Frame((0.5, 0, 0))))
    return Character("four-bar", tuple(map(Body, bodies)), tuple(joints))


def crank_slider() -> Character:
    """A crank of 0.3 m, a rod of 1 m and a slider along x."""
    joints = (
        Joint("ground", "ground", "world", "base"),
        _hinge("motor", "base", "crank", "actuated", 0.0),
        _hinge("pin", "crank", "rod", "passive", 0.3),
        Joint("guide", "prismatic", "base", "slider", "passive", Frame((1.3, 0, 0))),
        Joint("wrist", "spherical", "rod", "slider", "passive", Frame((1.0, 0, 0))),
    )
    bodies = (Body("base"), Body("crank", shapes=CAPSULE), Body("rod"), Body("slider", shapes=BOX))
    return Character("crank-slider", bodies, joints)


def two_legged_table() -> Character:
    """A parallelogram whose two cranks are both driven: one actuator too many."""
    joints = (
        Joint("ground", "ground", "world", "base"),
        _hinge("left", "base", "left_leg", "actuated", 0.0),
        _hinge("right", "base", "right_leg", "actuated", 1.0),
        Joint("top_left", "revolute", "left_leg", "top", "passive", Frame((0, 0.5, 0)), axis=(0, 0, 1)),
        Joint(
            "top_right", "revolute", "right_leg", "top", "passive", Frame((0, 0.5, 0)), Frame((1, 0, 0)), axis=(0, 0, 1)
        ),
    )
    return Character("table", tuple(map(Body, ("base", "left_leg", "right_leg", "top"))), joints)


def arm(*, configurable: bool = True, velocity: float | None = None) -> Character:
    """Two hinges in a row about z; the second axis can be turned by a configurable ball."""
    limits = () if velocity is None else (Limits(-3.0, 3.0, velocity),)
    joints = [
        Joint("ground", "ground", "world", "base"),
        _hinge("shoulder", "base", "upper", "actuated", 0.0, stated_limits=limits),
        _hinge(
            "elbow",
            "upper" if not configurable else "bracket",
            "lower",
            "actuated",
            0.0 if configurable else 0.5,
            stated_limits=limits,
        ),
    ]
    bodies = ["base", "upper", "lower"]
    if configurable:
        bodies.append("bracket")
        joints.append(Joint("mount", "spherical", "upper", "bracket", "configurable", Frame((0.5, 0, 0))))
    return Character("arm", tuple(map(Body, bodies)), tuple(joints))
