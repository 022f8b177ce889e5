"""Checks made of numbers that are known, without any mechanics."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

import numpy as np
import pytest

from animato.character.body import Body
from animato.character.character import Character
from animato.character.joint import Joint, JointType
from animato.character.limits import Limits
from animato.character.servo import Actuator
from animato.findings.checking import CheckResult, name_of_source
from animato.findings.finding import findings_of
from animato.mechanics.limits.usage import LIMIT_KINDS, Axis, LimitUsage
from animato.motion.clip import Clip

Values = Mapping[str, Sequence[float]]


def build_character(limits: Mapping[str, Limits], *, servo: str | None = None, name: str = "pico") -> Character:
    """A chain of revolute joints, one a name."""
    bodies = [Body("base", mass=1.0)]
    joints = [Joint("stand", JointType.GROUND, "world", "base")]
    for joint, limit in limits.items():
        actuator = None if servo is None else Actuator(servo)
        parent = bodies[-1].name
        bodies.append(Body(f"{joint} body", mass=0.1, centre=(0.0, 0.0, 0.1), inertia=(1e-4, 1e-4, 1e-4, 0, 0, 0)))
        joints.append(
            Joint(joint, JointType.REVOLUTE, parent, bodies[-1].name, stated_limits=(limit,), actuator=actuator)
        )
    return Character(name, tuple(bodies), tuple(joints))


def build_usage(
    limits: Mapping[str, Limits],
    values: Mapping[str, Values],
    *,
    times: Sequence[float] | None = None,
    frame_times: Sequence[float] | None = None,
    angular: bool = True,
    notes: tuple[str, ...] = (),
) -> LimitUsage:
    """Shares of plain limits from values by axis and kind; kinds that are not given are zero."""
    count = max((len(series) for axis in values.values() for series in axis.values()), default=1)
    where = np.arange(count) * 0.01 if times is None else np.asarray(times, dtype=float)
    table = {
        kind: np.column_stack([np.broadcast_to(values[name].get(kind, 0.0), (count,)) for name in limits]).astype(float)
        for kind in LIMIT_KINDS
    }
    shares = {kind: np.full_like(table[kind], np.nan) for kind in LIMIT_KINDS}
    for column, limit in enumerate(limits.values()):
        if limit.lower is not None and limit.upper is not None:
            middle, half = 0.5 * (limit.upper + limit.lower), 0.5 * (limit.upper - limit.lower)
            shares["position"][:, column] = np.abs(table["position"][:, column] - middle) / half
        for kind in LIMIT_KINDS[1:]:
            bound = getattr(limit, kind)
            if bound is not None:
                shares[kind][:, column] = np.abs(table[kind][:, column]) / bound
        if limit.curve is not None:
            speed, torque = table["velocity"][:, column], table["torque"][:, column]
            rest = limit.torque if limit.torque is not None else limit.curve.torques[0]
            curve = np.clip(limit.curve.torque_at(speed), 0.01 * limit.curve.torques[0], rest)
            driven = np.where(torque * speed > 0.0, curve, rest)
            shares["torque"][:, column] = np.abs(torque) / driven
    axes = tuple(Axis(name, name, angular, limit) for name, limit in limits.items())
    frames = where if frame_times is None else np.asarray(frame_times, dtype=float)
    return LimitUsage(where, frames, axes, table, shares, notes)


def build_result(
    limits: Mapping[str, Limits],
    values: Mapping[str, Values],
    *,
    speed: float | None = 1.0,
    servo: str | None = None,
    source: str = "clips/hello.csv",
    name: str = "pico",
    **options: object,
) -> CheckResult:
    """A check whose numbers are stated."""
    usage = build_usage(limits, values, **options)  # type: ignore[arg-type]
    positions = usage.values["position"][np.searchsorted(usage.times, usage.frame_times)]
    clip = Clip(usage.frame_times, tuple(limits), positions, source=source)
    character = build_character(limits, servo=servo, name=name)
    return CheckResult(character, clip, usage, findings_of(usage), lambda: speed, clip_name=name_of_source(source))


@pytest.fixture
def make_character() -> Callable[..., Character]:
    return build_character


@pytest.fixture
def make_usage() -> Callable[..., LimitUsage]:
    return build_usage


@pytest.fixture
def make_result() -> Callable[..., CheckResult]:
    return build_result


@pytest.fixture
def mixed_result() -> CheckResult:
    """Left elbow too fast and out of its range, right knee near its torque, neck fine and without a torque limit."""
    limits = {
        "left_elbow_joint": Limits(-1.0, 1.0, velocity=8.0, acceleration=100.0, torque=3.0),
        "right_knee_joint": Limits(-1.0, 1.0, velocity=8.0, torque=2.0),
        "neck": Limits(velocity=5.0),
    }
    bump = np.exp(-0.5 * ((np.arange(401) - 231) / 10.0) ** 2)
    values = {
        "left_elbow_joint": {"position": 1.1 * bump, "velocity": 11.5 * bump, "acceleration": -50.0 * bump},
        "right_knee_joint": {"position": 0.3 * bump, "torque": 1.9 * bump},
        "neck": {"velocity": 0.5 * bump},
    }
    note = ("The clip does not name 1 coordinates; they are held at rest: tail.",)
    return build_result(limits, values, speed=0.689, frame_times=np.arange(201) * 0.02, notes=note)
