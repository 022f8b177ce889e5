"""Fixed tendons that couple joints: gears, and motors that turn two joints together."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np

from animato.character import Coupling, Joint, JointRole, Limits
from animato.formats.mjcf.model import MjcfModel

_PLAY = 0.1  # [rad or m] by which a limited tendon may let its joints move and still couple them
_SMALL = 1e-9
_WORST_CONDITION = 1e6


@dataclass(frozen=True)
class TendonRow:
    """A linear equation between coordinates: the sum of share times coordinate is a constant.

    Attributes:
        name: Of the tendon.
        shares: Of each joint, by name.
        constant: [rad or m].
        play: By how much the file lets it be off, to either side [rad or m].
    """

    name: str
    shares: Mapping[str, float]
    constant: float
    play: float


def with_tendons(
    joints: Sequence[Joint], model: MjcfModel, joint_names: dict[int, str]
) -> tuple[list[Joint], list[str]]:
    """The joints, those that tendons tie to others coupled, and what is to be said about it.

    A fixed tendon is a sum of joint positions. It couples them where an equality holds its length, or where
    its limits leave hardly any play. Where each passive joint then follows one other, it is geared to it.
    Where several motors turn several joints together, as in a differential, the joints that they turn are
    taken as actuated themselves, and the motors' own shafts stand still.

    Args:
        joints: Of the character, gears of joint equalities among them.
        model: The compiled model.
        joint_names: By their number.
    """
    rows = _rows(model, joint_names)
    known = {joint.name: joint for joint in joints}
    rows = [row for row in (_without_followers(one, known) for one in rows) if len(row.shares) > 1]
    notes: list[str] = []
    for group in _groups(rows):
        changed, words = _coupled(group, known)
        known |= {joint.name: joint for joint in changed}
        notes.append(words)
    return [known[joint.name] for joint in joints], [words for words in notes if words]


def _rows(model: MjcfModel, joint_names: dict[int, str]) -> list[TendonRow]:
    """Equations of tendons that an equality holds, and of those whose limits are narrow."""
    arrays, mujoco = model.arrays, model.mujoco
    shares = {index: _shares(model, index, joint_names) for index in range(arrays.ntendon)}
    found = []
    for index in range(arrays.neq):
        if arrays.eq_type[index] != mujoco.mjtEq.mjEQ_TENDON or not arrays.eq_active0[index]:
            continue
        first, second = int(arrays.eq_obj1id[index]), int(arrays.eq_obj2id[index])
        constant, ratio = arrays.eq_data[index, :2].tolist()
        both = dict(shares[first])
        total = constant + float(arrays.tendon_length0[first])
        if second >= 0:
            total -= ratio * float(arrays.tendon_length0[second])
            for name, share in shares[second].items():
                both[name] = both.get(name, 0.0) - ratio * share
        found.append(TendonRow(model.name("TENDON", first) or f"tendon_{first}", both, total, 0.0))
    for index in range(arrays.ntendon):
        low, high = arrays.tendon_range[index].tolist()
        largest = max(map(abs, shares[index].values()), default=0.0)
        if arrays.tendon_limited[index] and largest > _SMALL and 0.0 <= high - low <= 2.0 * _PLAY * largest:
            name = model.name("TENDON", index) or f"tendon_{index}"
            found.append(TendonRow(name, shares[index], 0.5 * (low + high), 0.5 * (high - low) / largest))
    return found


def _shares(model: MjcfModel, index: int, joint_names: dict[int, str]) -> dict[str, float]:
    arrays = model.arrays
    first = int(arrays.tendon_adr[index])
    found: dict[str, float] = {}
    for place in range(first, first + int(arrays.tendon_num[index])):
        name = joint_names[int(arrays.wrap_objid[place])]
        found[name] = found.get(name, 0.0) + float(arrays.wrap_prm[place])
    return found


def _without_followers(row: TendonRow, joints: Mapping[str, Joint]) -> TendonRow:
    """The same equation, joints that follow another by a gear replaced by that one."""
    shares: dict[str, float] = {}
    constant = row.constant
    for name, share in row.shares.items():
        gear = joints[name].coupling if name in joints else None
        leader = name if gear is None else gear.leader
        shares[leader] = shares.get(leader, 0.0) + share * (1.0 if gear is None else gear.ratio)
        constant -= 0.0 if gear is None else share * gear.offset
    kept = {name: share for name, share in shares.items() if abs(share) > _SMALL}
    return replace(row, shares=kept, constant=constant)


def _groups(rows: Sequence[TendonRow]) -> list[list[TendonRow]]:
    """Rows that share joints, together."""
    groups: list[list[TendonRow]] = []
    for row in rows:
        touching = [group for group in groups if any(set(one.shares) & set(row.shares) for one in group)]
        groups = [group for group in groups if group not in touching]
        groups.append([*(one for group in touching for one in group), row])
    return groups


def _coupled(rows: list[TendonRow], joints: Mapping[str, Joint]) -> tuple[list[Joint], str]:
    """Joints that a group of equations changes, and a sentence about it."""
    names = list(dict.fromkeys(name for row in rows for name in row.shares))
    tendons = ", ".join(f"'{row.name}'" for row in rows)
    said = f"Tendons {tendons} are left out: they couple {', '.join(names)} in a way that gears cannot state"
    if any(name not in joints or len(joints[name].coordinate_names) != 1 for name in names):
        return [], said
    driven = [name for name in names if joints[name].role is JointRole.ACTUATED]
    led = [name for name in names if joints[name].role is JointRole.PASSIVE]
    if not led and len(rows) == 1:  # motors on both sides: the last one follows
        driven, led = driven[:-1], driven[-1:]
    of_led, of_driven = (
        np.array([[row.shares.get(name, 0.0) for name in part] for row in rows]) for part in (led, driven)
    )
    constants = np.array([row.constant for row in rows])
    if not _invertible(of_led):
        return [], said
    slopes, offsets = -np.linalg.solve(of_led, of_driven), np.linalg.solve(of_led, constants)
    play = max(row.play for row in rows)
    loose = f"; the play of {play:.3g} that the file allows is left out" if play > _SMALL else ""
    if all(np.count_nonzero(np.abs(line) > _SMALL) == 1 for line in slopes):
        found = []
        for name, line, offset in zip(led, slopes, offsets.tolist(), strict=True):
            column = int(np.argmax(np.abs(line)))
            gear = Coupling(driven[column], float(line[column]), offset)
            found.append(replace(joints[name], coupling=gear, role=JointRole.PASSIVE))
        return found, f"Tendons {tendons} are read as gears of {', '.join(led)}{loose}"
    if not _invertible(of_driven):
        return [], said
    motors = [joints[name] for name in driven]
    turns, stands = -np.linalg.solve(of_driven, of_led), np.linalg.solve(of_driven, constants) + 0.0
    found = [_turned(joints[name], motors, turns[:, n], stands) for n, name in enumerate(led)]
    found += [
        replace(motor, role=JointRole.CONFIGURABLE, configuration=(stand,), stated_limits=())
        for motor, stand in zip(motors, stands.tolist(), strict=True)
    ]
    words = (
        f"{_listed(driven)} turn {_listed(led)} together by way of tendons: here {_listed(led)} are actuated "
        f"themselves, each with the range and torque that it has alone, and {_listed(driven)} stand still{loose}"
    )
    return found, words


def _invertible(matrix: np.ndarray) -> bool:
    square = matrix.ndim == 2 and matrix.shape[0] == matrix.shape[1] > 0
    return square and bool(np.linalg.cond(matrix) < _WORST_CONDITION)


def _turned(joint: Joint, motors: Sequence[Joint], turns: np.ndarray, stands: np.ndarray) -> Joint:
    """A joint that several motors turn, as one with a motor of its own.

    Args:
        joint: Which one.
        motors: That turn it.
        turns: How far each motor turns with it, shape [motor].
        stands: Where each motor stands when all joints that they turn are at zero, shape [motor].
    """
    own = joint.limits[0] if joint.limits else Limits()
    lower, upper, torque = own.lower, own.upper, 0.0
    damping, armature, friction = joint.damping, joint.armature, joint.friction
    for motor, turn, stand in zip(motors, turns.tolist(), stands.tolist(), strict=True):
        limits = motor.limits[0] if motor.limits else Limits()
        torque += abs(turn) * limits.torque if limits.torque is not None else np.inf
        damping, armature = damping + turn**2 * motor.damping, armature + turn**2 * motor.armature
        friction += abs(turn) * motor.friction
        if abs(turn) < _SMALL:
            continue
        low, high = sorted(
            ((bound - stand) / turn if bound is not None else side * np.sign(turn) * np.inf)
            for bound, side in ((limits.lower, -1.0), (limits.upper, 1.0))
        )
        lower = lower if np.isinf(low) else max(low, -np.inf if lower is None else lower)
        upper = upper if np.isinf(high) else min(high, np.inf if upper is None else upper)
    limits = replace(own, lower=lower, upper=upper, torque=own.torque if np.isinf(torque) else torque or own.torque)
    return replace(
        joint,
        role=JointRole.ACTUATED,
        stated_limits=(limits,),
        damping=damping,
        armature=armature,
        friction=friction,
    )


def _listed(names: Sequence[str]) -> str:
    return ", ".join(names[:-1]) + f" and {names[-1]}" if len(names) > 1 else names[0]
