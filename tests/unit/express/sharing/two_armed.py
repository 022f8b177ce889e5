"""A torso that turns and bends, with a neck and an arm on it, for tests."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from animato.character import Body, Character, EndPoint, Frame, Joint, Limits
from animato.express import Options, Problem, Target, build
from animato.express.aiming import Aimed
from animato.express.sharing import ChainBody, PriorityFollower, goals_of
from animato.motion import Posture

AXES = {"x": (1.0, 0.0, 0.0), "y": (0.0, 1.0, 0.0), "z": (0.0, 0.0, 1.0)}


def branched(
    torso: str = "zy", neck: str = "zy", arm: str = "zy", limit: float = 2.0, arm_limit: float | None = None
) -> Character:
    """A character with the end-points `eye` and `hand`, each behind axes of its own and the torso's."""
    bodies, joints = [Body("base")], [Joint("stand", "ground", "world", "base")]

    def grow(part: str, word: str, root: str, place: tuple[float, float, float], most: float) -> str:
        for n, letter in enumerate(word):
            name = f"{part}_{n}"
            bodies.append(Body(name))
            frame = Frame(place if n == 0 else (0.0, 0.0, 0.2))
            joints.append(
                Joint(
                    f"{name}_{letter}",
                    "revolute",
                    root,
                    name,
                    "actuated",
                    frame_parent=frame,
                    axis=AXES[letter],
                    stated_limits=(Limits(-most, most),),
                )
            )
            root = name
        return root

    chest = grow("torso", torso, "base", (0.0, 0.0, 0.1), limit)
    head = grow("neck", neck, chest, (0.0, 0.0, 0.3), limit)
    hand = grow("arm", arm, chest, (0.0, 0.2, 0.25), limit if arm_limit is None else arm_limit)
    tips = tuple(
        EndPoint(name, body, Frame((0.1, 0.0, 0.0)), forward=AXES["x"], up=AXES["z"], symmetric=False)
        for name, body in (("eye", head), ("hand", hand))
    )
    return Character("branched", tuple(bodies), tuple(joints), end_points=tips)


def at_zero(character: Character) -> Posture:
    """All coordinates at 0."""
    return Posture(character.coordinate_names, np.zeros(len(character.coordinate_names)), "zero")


def sharing(character: Character, **options: float) -> Problem:
    """The eye first, then the hand."""
    return build(
        character,
        at_zero(character),
        options=Options(end_point="eye", also_facing=("hand",), **options),  # type: ignore[arg-type]
    )


class Alone:
    """Follows one end-point by plain local moves: quick to compile, and it does what it is told."""

    def __init__(self, problem: Problem) -> None:
        self.names, self._problem, self._held = problem.names, problem, problem.held
        self._body = ChainBody(problem)
        self._lower = np.array([one.range[0] for one in problem.limits])
        self._upper = np.array([one.range[1] for one in problem.limits])
        options = problem.options
        self._follower = PriorityFollower(
            self._body,
            self._lower,
            self._upper,
            1.0 / options.rate_hz,
            options.top_speed_rad_s,
            options.top_acceleration_rad_s2,
        )

    def reset(self, positions: np.ndarray) -> None:
        self._follower.reset(positions)

    def hold(self, posture: np.ndarray) -> None:
        self._held = posture

    def weigh(self, orientation: float | None = None, posture: float | None = None) -> None:
        pass

    def update(self, targets: Mapping[str, Target]) -> Aimed:
        goals = goals_of(self._problem.end_points, targets, None)
        errors = self._follower.update(goals, self._held, self._lower, self._upper, 0)
        return Aimed(self._follower.positions.copy(), targets, float(errors[0]), self._follower.crossing)

    def error_of(self, positions: np.ndarray, targets: Mapping[str, Target]) -> float:
        return float(self._body.errors(goals_of(self._problem.end_points, targets, None), positions)[0])
