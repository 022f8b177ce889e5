"""Small characters whose motion is known, and motions for their motors."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from animato.character import Body, Character, Frame, Joint, JointRole, JointType
from animato.character.joint import WORLD
from tests.mechanism_builders import ACTUATED, Builder, circles_meet, four_bar

X = (1.0, 0.0, 0.0)
DOWN_Y = (0.0, -9.81, 0.0)
_POINT = (1e-9, 1e-9, 1e-9, 0.0, 0.0, 0.0)


def _held(name: str, bodies: list[Body], joints: list[Joint], gravity: tuple[float, float, float]) -> Character:
    ground = Joint("ground", JointType.GROUND, WORLD, "base")
    return Character(name, (Body("base"), *bodies), (ground, *joints), gravity=gravity)


def cart(mass: float = 2.0) -> Character:
    """A mass that a motor pushes along x, without gravity; give the motor a stiffness to make it swing."""
    motor = Joint("motor", JointType.PRISMATIC, "base", "cart", axis=X)
    return _held("cart", [Body("cart", mass, (0.0, 0.0, 0.0), _POINT)], [motor], (0.0, 0.0, 0.0))


def pendulum(length: float = 0.5, *, driven: bool = False) -> Character:
    """A point mass on a passive hinge about x, on a carriage that a motor moves along x where it is driven."""
    hinge = Joint("hinge", JointType.REVOLUTE, "carriage", "bob", JointRole.PASSIVE, axis=X)
    bodies = [Body("carriage", 1.0, (0.0, 0.0, 0.0), _POINT), Body("bob", 0.7, (0.0, 0.0, -length), _POINT)]
    kind = JointType.PRISMATIC if driven else JointType.FIXED
    role = JointRole.ACTUATED if driven else JointRole.PASSIVE
    rail = Joint("rail", kind, "base", "carriage", role, axis=(0.0, 1.0, 0.0))
    return _held("pendulum", bodies, [rail, hinge], (0.0, 0.0, -9.81))


def chain(motors: int = 1, passive: int = 2) -> Character:
    """Bars of 0.3 m in a row, driven at first and then hanging, hinged about axes that differ."""
    axes = [X, (0.0, 1.0, 0.0), (0.6, 0.0, 0.8), (0.0, 0.8, 0.6)]
    bodies, joints, last = [], [], "base"
    for n in range(motors + passive):
        name = f"bar {n}"
        bodies.append(Body(name, 0.4 + 0.1 * n, (0.01, 0.02, -0.15), (4e-3, 4e-3, 1e-3, 0.0, 0.0, 0.0)))
        role = JointRole.ACTUATED if n < motors else JointRole.PASSIVE
        place = Frame((0.0, 0.0, -0.3 if n else 0.0))
        damping = 0.02 if role is JointRole.PASSIVE else 0.0
        joints.append(
            Joint(
                f"joint {n}",
                JointType.REVOLUTE,
                last,
                name,
                role,
                frame_parent=place,
                axis=axes[n % len(axes)],
                damping=damping,
            )
        )
        last = name
    return _held("chain", bodies, joints, (0.0, 0.0, -9.81))


def with_masses(character: Character, rng: np.random.Generator) -> Character:
    """The same with bodies that weigh something, under gravity along -y."""
    bodies = []
    for body in character.bodies:
        root = 0.05 * rng.normal(size=(3, 3))
        inertia = root @ root.T + 0.01 * np.eye(3)
        six = tuple(inertia[[0, 1, 2, 0, 0, 1], [0, 1, 2, 1, 2, 2]])
        centre = tuple(0.1 * rng.normal(size=3))
        bodies.append(replace(body, mass=float(rng.uniform(0.5, 2.0)), centre=centre, inertia=six))
    return replace(character, bodies=tuple(bodies), gravity=DOWN_Y)


def heavy_four_bar(rng: np.random.Generator) -> Character:
    """The crank and rocker of the textbooks, in the plane z = 0, with masses."""
    return with_masses(four_bar(), rng)


def heavy_five_bar(rng: np.random.Generator) -> Character:
    """Two motors at the base, A and E, and two arms that meet in C, in the plane z = 0, with masses."""
    a, e = np.zeros(2), np.array([0.5, 0.0])
    b, d = a + 0.5 * np.array([np.cos(2.0), np.sin(2.0)]), e + 0.5 * np.array([np.cos(1.0), np.sin(1.0)])
    c = circles_meet(b, 0.7, d, 0.7)
    build = Builder("five-bar")
    build.body("base")
    build.ground("base")
    build.body("left")
    build.body("left fore", (*b, 0.0))
    build.body("right", (*e, 0.0))
    build.body("right fore", (*d, 0.0))
    build.revolute("A", "base", "left", (*a, 0.0), role=ACTUATED)
    build.revolute("B", "left", "left fore", (*b, 0.0))
    build.revolute("E", "base", "right", (*e, 0.0), role=ACTUATED)
    build.revolute("D", "right", "right fore", (*d, 0.0))
    build.revolute("C", "left fore", "right fore", (*c, 0.0))
    return with_masses(build.character(), rng)


def eased(times: np.ndarray, duration: float) -> np.ndarray:
    """From 0 at rest to 1 at rest, a quintic, with its first two derivatives, [t, 3]."""
    x = np.clip(times / duration, 0.0, 1.0)
    value = x**3 * (10.0 - 15.0 * x + 6.0 * x * x)
    first = 30.0 * x**2 * (1.0 - x) ** 2 / duration
    second = 60.0 * x * (1.0 - x) * (1.0 - 2.0 * x) / duration**2
    return np.stack([value, first, second], axis=1)
