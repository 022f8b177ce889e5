"""Mechanisms of the textbooks as characters: every body stands unturned at rest, joints are placed in the world."""

from __future__ import annotations

import math
from collections.abc import Iterable

import numpy as np

from animato.character.body import Body
from animato.character.character import Character
from animato.character.frame import Frame
from animato.character.joint import WORLD, Joint, JointRole, JointType

PASSIVE, ACTUATED, CONFIGURABLE = JointRole.PASSIVE, JointRole.ACTUATED, JointRole.CONFIGURABLE
Z = (0.0, 0.0, 1.0)


def _triple(values: Iterable[float]) -> tuple[float, float, float]:
    x, y, z = (float(value) for value in values)
    return x, y, z


class Builder:
    """Collects bodies by their place in the world and joints by a point and axes of the world."""

    def __init__(self, name: str) -> None:
        self.name = name
        self.places: dict[str, np.ndarray] = {}
        self.joints: list[Joint] = []

    def body(self, name: str, place: Iterable[float] = (0.0, 0.0, 0.0)) -> None:
        self.places[name] = np.array(place, dtype=np.float64)

    def ground(self, body: str) -> None:
        place = Frame(tuple(self.places[body]))
        self.joints.append(Joint(f"ground {body}", JointType.GROUND, WORLD, body, frame_parent=place))

    def joint(
        self,
        name: str,
        kind: JointType,
        parent: str,
        child: str,
        point: Iterable[float],
        axis: Iterable[float] = Z,
        role: JointRole = PASSIVE,
        second: Iterable[float] | None = None,
    ) -> None:
        near, far = (Frame(tuple(np.array(point) - self.places[body])) for body in (parent, child))
        along, across = _triple(axis), None if second is None else _triple(second)
        self.joints.append(Joint(name, kind, parent, child, role, near, far, along, across))

    def revolute(
        self,
        name: str,
        parent: str,
        child: str,
        point: Iterable[float],
        axis: Iterable[float] = Z,
        role: JointRole = PASSIVE,
    ) -> None:
        self.joint(name, JointType.REVOLUTE, parent, child, point, axis, role)

    def character(self) -> Character:
        return Character(self.name, tuple(Body(name) for name in self.places), tuple(self.joints))


FOUR_BAR = (0.4, 1.0, 0.8, 0.9)
"""Crank, coupler, rocker, base: a crank that turns all around."""


def circles_meet(a: np.ndarray, r: float, b: np.ndarray, s: float) -> np.ndarray:
    """The point at distance r from a and s from b to the left of the way from a to b, shape [..., 2]."""
    d = b - a
    length = np.linalg.norm(d, axis=-1, keepdims=True)
    along = (r * r - s * s + length**2) / (2.0 * length)
    across = np.sqrt(r * r - along**2)
    unit = d / length
    return a + along * unit + across * np.stack([-unit[..., 1], unit[..., 0]], axis=-1)


def four_bar(*, rocker_role: JointRole = PASSIVE, tilt: bool = False, lengths: Iterable[float] = FOUR_BAR) -> Character:
    """In the plane z = 0: crank from A at the origin, rocker from D at (base, 0); at rest the crank is at 1 rad.

    With `tilt` the coupler is cut in two by a configurable joint about its own length.
    """
    crank, coupler, rocker, base = lengths
    a, d = np.zeros(2), np.array([base, 0.0])
    b = crank * np.array([math.cos(1.0), math.sin(1.0)])
    c = circles_meet(b, coupler, d, rocker)
    build = Builder("four-bar")
    build.body("base")
    build.ground("base")
    build.body("crank")
    build.body("coupler", (*b, 0.0))
    build.body("rocker", (*d, 0.0))
    build.revolute("A", "base", "crank", (*a, 0.0), role=ACTUATED)
    build.revolute("B", "crank", "coupler", (*b, 0.0))
    end = "coupler"
    if tilt:
        build.body("coupler end", (*b, 0.0))
        build.revolute("tilt", "coupler", "coupler end", (*b, 0.0), (*(c - b), 0.0), CONFIGURABLE)
        end = "coupler end"
    build.revolute("C", end, "rocker", (*c, 0.0))
    build.revolute("D", "base", "rocker", (*d, 0.0), role=rocker_role)
    return build.character()


def bennett(a: float = 0.3, alpha: float = 0.5, beta: float = 1.1, first: float = 0.9) -> tuple[Character, np.ndarray]:
    """Four skew axes; sin(alpha) / a = sin(beta) / b. Returns the linkage and its four angles at rest."""
    b = a * math.sin(beta) / math.sin(alpha)
    second = bennett_second(first, alpha, beta)
    angles = np.array([first, second, -first, -second])
    links = ((a, alpha), (b, beta), (a, alpha), (b, beta))
    names = ("link 1", "link 2", "link 3", "base")
    joints = [Joint("ground", JointType.GROUND, WORLD, "base")]
    for n in range(4):
        length, twist = links[n - 1]
        # The far end of the link before, turned so that this joint's zero is the rest pose.
        roll = np.array([math.cos(twist / 2.0), math.sin(twist / 2.0), 0.0, 0.0])
        c, s = math.cos(angles[n] / 2.0), math.sin(angles[n] / 2.0)
        turn = (roll[0] * c, roll[1] * c, -roll[1] * s, roll[0] * s)
        role = ACTUATED if n == 0 else PASSIVE
        joints.append(
            Joint(
                f"R{n + 1}",
                JointType.REVOLUTE,
                names[n - 1],
                names[n],
                role,
                Frame((length, 0.0, 0.0), turn),
                axis=Z,
            )
        )
    return Character("Bennett", tuple(Body(name) for name in names), tuple(joints)), angles


def bennett_second(first: np.ndarray | float, alpha: float = 0.5, beta: float = 1.1) -> np.ndarray:
    """The second angle: tan(first / 2) tan(second / 2) = sin((beta + alpha) / 2) / sin((beta - alpha) / 2)."""
    ratio = math.sin((beta + alpha) / 2.0) / math.sin((beta - alpha) / 2.0)
    return 2.0 * np.arctan2(ratio, np.tan(np.asarray(first) / 2.0))


SARRUS_LENGTH, SARRUS_ANGLE = 0.5, 0.6


def sarrus() -> Character:
    """Two chains of three parallel hinges, square to each other, that carry a platform straight up."""
    build = Builder("Sarrus")
    top = 2.0 * SARRUS_LENGTH * math.cos(SARRUS_ANGLE)
    out = SARRUS_LENGTH * math.sin(SARRUS_ANGLE)
    build.body("base")
    build.ground("base")
    build.body("platform", (0.0, 0.0, top))
    for name, way, axis in (("x", (1.0, 0.0), (0.0, 1.0, 0.0)), ("y", (0.0, 1.0), (-1.0, 0.0, 0.0))):
        foot, elbow = 0.3 * np.array(way), (0.3 + out) * np.array(way)
        build.body(f"lower {name}", (*foot, 0.0))
        build.body(f"upper {name}", (*elbow, top / 2.0))
        build.revolute(
            f"foot {name}", "base", f"lower {name}", (*foot, 0.0), axis, ACTUATED if name == "x" else PASSIVE
        )
        build.revolute(f"elbow {name}", f"lower {name}", f"upper {name}", (*elbow, top / 2.0), axis)
        build.revolute(f"hand {name}", f"upper {name}", "platform", (*foot, top), axis)
    return build.character()


PEAUCELLIER_ARM, PEAUCELLIER_LONG, PEAUCELLIER_SIDE, PEAUCELLIER_START = 0.4, 1.0, 0.4, 0.35


def peaucellier() -> Character:
    """Eight bars; the arm about Q drives B on a circle through O, and D runs on a straight line."""
    arm, long, side = PEAUCELLIER_ARM, PEAUCELLIER_LONG, PEAUCELLIER_SIDE
    o, q = np.zeros(2), np.array([arm, 0.0])
    b = q + arm * np.array([math.cos(PEAUCELLIER_START), math.sin(PEAUCELLIER_START)])
    a = circles_meet(o, long, b, side)
    c = circles_meet(b, side, o, long)
    d = b * (long**2 - side**2) / (b @ b)
    build = Builder("Peaucellier")
    for name, place in (
        ("base", o),
        ("arm", q),
        ("long a", o),
        ("long c", o),
        ("ba", b),
        ("bc", b),
        ("ad", a),
        ("cd", d),
    ):
        build.body(name, (*place, 0.0))
    build.ground("base")
    build.revolute("Q", "base", "arm", (*q, 0.0), role=ACTUATED)
    for name, one, two, point in (
        ("Oa", "base", "long a", o),
        ("Oc", "base", "long c", o),
        ("Ba", "arm", "ba", b),
        ("Bc", "arm", "bc", b),
        ("Aa", "long a", "ba", a),
        ("Ad", "long a", "ad", a),
        ("Cc", "long c", "bc", c),
        ("Cd", "long c", "cd", c),
        ("D", "ad", "cd", d),
    ):
        build.revolute(name, one, two, (*point, 0.0))
    return build.character()


STEWART_HEIGHT = 0.8


def stewart_anchors() -> tuple[np.ndarray, np.ndarray]:
    """Anchors on the base and, in its own coordinates, on the platform, each [6, 3]."""
    low = np.radians([10.0, 110.0, 130.0, 230.0, 250.0, 350.0])
    high = np.radians([50.0, 70.0, 170.0, 190.0, 290.0, 310.0])
    base = np.column_stack([0.6 * np.cos(low), 0.6 * np.sin(low), np.zeros(6)])
    return base, np.column_stack([0.4 * np.cos(high), 0.4 * np.sin(high), np.zeros(6)])


def stewart() -> Character:
    """Six legs of a universal joint, an actuated slide and a ball."""
    base, platform = stewart_anchors()
    build = Builder("Stewart")
    build.body("base")
    build.ground("base")
    build.body("platform", (0.0, 0.0, STEWART_HEIGHT))
    for n in range(6):
        low, high = base[n], platform[n] + np.array([0.0, 0.0, STEWART_HEIGHT])
        way = (high - low) / np.linalg.norm(high - low)
        across = np.cross(way, Z)
        across /= np.linalg.norm(across)
        build.body(f"cylinder {n}", low)
        build.body(f"rod {n}", high)
        build.joint(
            f"foot {n}", JointType.UNIVERSAL, "base", f"cylinder {n}", low, across, second=np.cross(way, across)
        )
        build.joint(f"leg {n}", JointType.PRISMATIC, f"cylinder {n}", f"rod {n}", low, way, ACTUATED)
        build.joint(f"ball {n}", JointType.SPHERICAL, f"rod {n}", "platform", high)
    return build.character()
