"""Sketches a mechanism by where its joints are in the world at rest; no body is turned there.

Axes that a design may choose are made as in Maloisel et al. (2023), Fig. 2: every hinge stands between two ball
joints that are set once, all of them at the same point.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

import animato as an

kit, quaternions = an.character, an.spatial.quaternions

Point = Sequence[float]
Colour = tuple[float, float, float]

RED: Colour = (0.86, 0.27, 0.22)
"""Motors."""
GREEN: Colour = (0.30, 0.62, 0.42)
"""Hinges that follow."""
BLUE: Colour = (0.22, 0.47, 0.82)
"""What a design sets."""
DARK: Colour = (0.20, 0.22, 0.27)
GREY: Colour = (0.42, 0.45, 0.51)
WHITE: Colour = (0.95, 0.94, 0.90)


@dataclass(frozen=True)
class Hinge:
    """One axis of a place where the mechanism bends.

    Attributes:
        axis: In the world at rest.
        motor: Whether it is driven.
        lower, upper: Limits of a driven one [deg].
    """

    axis: Point
    motor: bool = True
    lower: float = -150.0
    upper: float = 150.0


class Sketch:
    """Collects bodies and joints; `character` makes them one."""

    def __init__(self, name: str, description: str, *, servo: str, hinge_size: float) -> None:
        """Starts with nothing.

        Args:
            name: The character's.
            description: One line.
            servo: Of all motors.
            hinge_size: Length of a drawn motor [m].
        """
        self.name, self.description, self.servo, self.size = name, description, servo, hinge_size
        self.origins: dict[str, np.ndarray] = {}
        self.shapes: dict[str, list[kit.Shape]] = {}
        self.masses: dict[str, float] = {}
        self.joints: list[kit.Joint] = []
        self.markers: list[kit.Marker] = []

    def body(self, name: str, origin: Point, mass: float, shapes: Sequence[kit.Shape] = ()) -> str:
        """Adds a body; shapes are placed in the world [m], mass [kg]."""
        self.origins[name] = np.asarray(origin, dtype=np.float64)
        self.masses[name] = mass
        self.shapes[name] = [self._on(name, shape) for shape in shapes]
        return name

    def marker(self, name: str, body: str, at: Point) -> None:
        """Names a point of a body that is at a place of the world at rest [m]."""
        self.markers.append(kit.Marker(name, body, self._local(body, at)))

    def ground(self, child: str) -> None:
        """Holds a body where it is."""
        frame = kit.Frame(_short(self.origins[child]))
        self.joints.append(kit.Joint("ground", kit.JointType.GROUND, "world", child, frame_parent=frame))

    def joint(
        self,
        name: str,
        kind: str,
        parent: str,
        child: str,
        at: Point,
        *,
        role: str = "passive",
        axis: Point = (1.0, 0.0, 0.0),
        second_axis: Point | None = None,
        limits: tuple[float, float] | None = None,
    ) -> None:
        """Adds a joint at a place of the world at rest [m]; limits of one axis [deg]."""
        one = None if limits is None else (kit.Limits(float(np.radians(limits[0])), float(np.radians(limits[1]))),)
        self.joints.append(
            kit.Joint(
                name,
                kit.JointType(kind),
                parent,
                child,
                kit.JointRole(role),
                kit.Frame(self._local(parent, at)),
                kit.Frame(self._local(child, at)),
                axis=_short(_unit(axis), 9),
                second_axis=None if second_axis is None else _short(_unit(second_axis), 9),
                stated_limits=() if one is None else one,
                actuator=kit.Actuator(self.servo) if role == "actuated" else None,
            )
        )

    def hinge(self, name: str, parent: str, child: str, at: Point, hinge: Hinge) -> None:
        """Adds a hinge that no design moves; draws it on the parent."""
        self._hinge(name, parent, child, at, hinge)
        self._draw(parent, at, hinge)

    def bend(
        self,
        name: str,
        parent: str,
        child: str,
        at: Point,
        hinges: Sequence[Hinge],
        *,
        first: bool = True,
        last: bool = True,
    ) -> None:
        """Adds hinges one after the other at one place, with ball joints that a design sets between them.

        Args:
            name: The hinges are called name_1, name_2, ... (name alone where it is one); what a design
                sets name_mount, name_mount_2, ...
            parent: What stays.
            child: What bends.
            at: In the world at rest [m].
            hinges: From parent to child.
            first: Whether the first axis may be chosen on the parent.
            last: Whether the last one may be chosen on the child.
        """
        numbered = [f"{name}_{n + 1}" for n in range(len(hinges))] if len(hinges) > 1 else [name]
        before = parent
        for n, (label, hinge) in enumerate(zip(numbered, hinges, strict=True)):
            housing = parent if n == 0 and not first else f"{label}_housing"
            if housing != parent:
                self.body(housing, at, 0.08 if hinge.motor else 0.02)
                self.joint(f"{label}_mount", "spherical", before, housing, at, role="configurable")
            end = n == len(hinges) - 1
            horn = child if end and not last else f"{label}_horn"
            ball = kit.Shape(kit.Sphere(_round(0.30 * self.size)), kit.Frame(tuple(map(float, at))), (*BLUE, 1.0))
            if horn != child:
                self.body(horn, at, 0.01, [ball])
            elif housing != parent:
                self.shapes[housing].append(self._on(housing, ball))
            self._hinge(label, housing, horn, at, hinge)
            self._draw(housing, at, hinge, shorter=1.0 - 0.12 * n)
            before = horn
        if last:
            self.joint(f"{name}_fit", "spherical", before, child, at, role="configurable")

    def character(self) -> an.Character:
        """Everything as one character."""
        motors = [joint for joint in self.joints if joint.role is kit.JointRole.ACTUATED]
        bodies = tuple(kit.Body(name, self.masses[name], shapes=tuple(self.shapes[name])) for name in self.origins)
        return an.Character(
            self.name,
            bodies,
            tuple(self.joints),
            markers=tuple(self.markers),
            postures=(kit.NamedPosture("rest", tuple((joint.name, 0.0) for joint in motors)),),
            description=self.description,
        )

    def _hinge(self, name: str, parent: str, child: str, at: Point, hinge: Hinge) -> None:
        if hinge.motor:
            limits = (hinge.lower, hinge.upper)
            self.joint(name, "revolute", parent, child, at, role="actuated", axis=hinge.axis, limits=limits)
        else:
            self.joint(name, "revolute", parent, child, at, axis=hinge.axis)

    def _draw(self, body: str, at: Point, hinge: Hinge, *, shorter: float = 1.0) -> None:
        colour = RED if hinge.motor else GREEN
        radius = (0.24 if hinge.motor else 0.16) * self.size
        turn = _short(quaternions.shortest_turn((0.0, 0.0, 1.0), _unit(hinge.axis)), 9)
        geometry = kit.Cylinder(_round(radius), _round(self.size * shorter))
        self.shapes[body].append(kit.Shape(geometry, kit.Frame(self._local(body, at), turn), (*colour, 1.0)))

    def _on(self, body: str, shape: kit.Shape) -> kit.Shape:
        frame = kit.Frame(self._local(body, shape.frame.position), shape.frame.quaternion_wxyz)
        return kit.Shape(shape.geometry, frame, shape.colour, shape.visual, shape.collision)

    def _local(self, body: str, at: Point) -> tuple[float, float, float]:
        return _short(np.asarray(at, dtype=np.float64) - self.origins[body])


def limb(start: Point, end: Point, radius: float, colour: Colour, *, short: float = 0.0) -> kit.Shape:
    """A rounded bar from one place to another, shorter at both ends so that motors are seen [m]."""
    low, high = np.asarray(start, dtype=np.float64), np.asarray(end, dtype=np.float64)
    length = float(np.linalg.norm(high - low)) - 2.0 * short
    turn = _short(quaternions.shortest_turn((0.0, 0.0, 1.0), (high - low) / np.linalg.norm(high - low)), 9)
    return kit.Shape(
        kit.Capsule(radius, _round(length)),
        kit.Frame(_short(0.5 * (low + high)), turn),
        (*colour, 1.0),
    )


def disc(centre: Point, axis: Point, radius: float, length: float, colour: Colour) -> kit.Shape:
    """A cylinder about an axis [m]."""
    turn = _short(quaternions.shortest_turn((0.0, 0.0, 1.0), _unit(axis)), 9)
    return kit.Shape(kit.Cylinder(radius, length), kit.Frame(_short(centre), turn), (*colour, 1.0))


def block(centre: Point, size: tuple[float, float, float], colour: Colour, *, pitch: float = 0.0) -> kit.Shape:
    """A box, tipped forward by an angle [deg]."""
    turn = _short(quaternions.quaternion_about((0.0, 1.0, 0.0), np.radians(pitch)), 9)
    return kit.Shape(kit.Box(size), kit.Frame(_short(centre), turn), (*colour, 1.0))


def egg(centre: Point, radii: tuple[float, float, float], colour: Colour, *, pitch: float = 0.0) -> kit.Shape:
    """An ellipsoid, tipped forward by an angle [deg]."""
    turn = _short(quaternions.quaternion_about((0.0, 1.0, 0.0), np.radians(pitch)), 9)
    return kit.Shape(kit.Ellipsoid(radii), kit.Frame(_short(centre), turn), (*colour, 1.0))


def mirrored(point: Point, side: float) -> np.ndarray:
    """A point of the left side (side 1) on the side meant; -1 is right."""
    return np.asarray(point, dtype=np.float64) * (1.0, side, 1.0)


def _unit(axis: Point) -> np.ndarray:
    vector = np.asarray(axis, dtype=np.float64)
    return np.asarray(vector / np.linalg.norm(vector))


def _round(value: float, digits: int = 6) -> float:
    return round(float(value), digits) + 0.0


def _short(vector: Sequence[float] | np.ndarray, digits: int = 6) -> tuple:  # type: ignore[type-arg]
    return tuple(_round(value, digits) for value in vector)
