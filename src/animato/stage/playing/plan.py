"""What will be performed, known whole before anything moves."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from animato.character import Character
from animato.errors import MotionError, OptionError
from animato.findings import balance_sentence, check, finding_sentence
from animato.fix.joining import bridge, soft_start, soft_stop
from animato.motion import Clip, Posture
from animato.stage.playing.streaming import ClipSource, Move, Options
from animato.stage.rig import Rig

_AT_THE_START = 0.02  # [rad or m]: without a ramp the robot stands this near to the first frame
_ALWAYS = ("position", "velocity")  # limits that the guard would keep by changing the motion


@dataclass(frozen=True, eq=False)
class Plan:
    """A performance before it begins.

    Attributes:
        character: Who performs.
        rig: With which servos.
        clip: All of it: from where the robot stands, through the clip, to rest.
        where: Where the robot stands [rad or m], shape [coordinate of the rig]; assumed where a servo cannot tell.
        rest: Where it goes at the end or after a soft stop.
        ramp_s: How long it takes to the clip's first frame [s].
        performed_s: How long the clip is, loops included [s].
        rest_s: From the clip's last frame to rest [s].
        unknown: Coordinates whose servos cannot tell where they are.
        outside: Coordinates that stand outside of their range; they go back in first.
    """

    character: Character
    rig: Rig
    clip: Clip
    where: np.ndarray
    rest: np.ndarray
    ramp_s: float
    performed_s: float
    rest_s: float
    unknown: tuple[str, ...] = ()
    outside: tuple[str, ...] = ()

    @property
    def inside(self) -> np.ndarray:
        """Where it begins: where it stands, or the end of the range nearest to it [rad or m]."""
        return np.clip(self.where, self.rig.lower, self.rig.upper)

    def source(self) -> ClipSource:
        """All of it as a source."""
        return ClipSource(self.clip, self.rig, self.inside)

    @property
    def settling_s(self) -> float:
        """How long servos that cannot tell where they are get to come to where they are taken to be [s]."""
        return settling_s(self.rig, self.unknown)

    def return_s(self) -> float:
        """How long it takes to go back into the range [s]; 0 where all stand inside."""
        return Move(self.rig, self.where, self.inside).duration_s if self.outside else 0.0

    def lines(self) -> list[str]:
        """What will happen, in sentences."""
        said = []
        for bus, members in zip(self.rig.buses, self.rig.members, strict=True):
            servos = ", ".join(f"{self.rig.names[n]} (id {self.rig.slots[n].wire.id})" for n in members)
            where = f"{bus.kind} bus '{bus.name}'" + (f" at {bus.port}" if bus.port else "")
            said.append(f"{len(members)} servos on the {where}: {servos}.")
        stands = (f"{name} {value + 0.0:.3f}" for name, value in zip(self.rig.names, self.where.round(3), strict=True))
        said.append(f"They stand at {', '.join(stands)} (rad or m).")
        if self.unknown:
            said.append(
                f"{', '.join(self.unknown)} cannot tell where they are, so a jump at the start cannot be excluded: "
                f"they are taken to stand as listed, go there as fast as their controller lets them, and have "
                f"{self.settling_s:.1f} s for it. Keep clear."
            )
        if self.outside:
            said.append(f"Outside of their range, and first led straight back in: {', '.join(self.outside)}.")
        said.append(
            f"{self.ramp_s:.2f} s to the first frame, {self.performed_s:.2f} s of the clip, "
            f"{self.rest_s:.2f} s to rest."
        )
        return said


def settling_s(rig: Rig, unknown: Sequence[str]) -> float:
    """How long these coordinates need through their whole range at top speed, 0.5 to 3 s; 0 where there are none."""
    numbers = [rig.names.index(name) for name in unknown]
    if not numbers:
        return 0.0
    return float(np.clip(np.max((rig.upper - rig.lower)[numbers] / rig.speed[numbers]), 0.5, 3.0))


def build_plan(character: Character, rig: Rig, clip: Clip, where: np.ndarray, options: Options) -> Plan:
    """Leads from where the robot stands through the clip to rest, inside every limit of the character.

    Args:
        character: Who performs.
        rig: Its servos.
        clip: What to perform; it was checked by `refuse_too_much`.
        where: Where the servos are [rad or m], shape [coordinate of the rig]; NaN where they cannot tell.
        options: What is wanted.

    Raises:
        TransitionError: There is no way from there, or to rest, inside the limits.
        OptionError: It stands elsewhere and may not be led to the first frame, or there is no such rest.
    """
    whole = _looped(character, clip, options.loops)
    first = np.array([clip.positions[0, clip.column(name)] if name in clip.names else np.nan for name in rig.names])
    named = rest_posture(character, options.rest)
    resting = None if named is None else np.array([named.value(name) for name in rig.names])
    unknown = np.isnan(where)
    guess = first if resting is None else resting
    stands = np.where(unknown, np.where(np.isnan(guess), 0.0, guess), where)
    inside = np.clip(stands, rig.lower, rig.upper)
    outside = np.abs(stands - inside) > 0.5 / np.abs(rig.per_unit)
    rest = inside if resting is None else np.clip(resting, rig.lower, rig.upper)
    started = whole
    if options.ramp:
        started = soft_start(character, whole, dict(zip(rig.names, inside.tolist(), strict=True))).clip
    else:
        _refuse_elsewhere(rig, inside, first)
    goal = dict(zip(rig.names, rest.tolist(), strict=True)) if options.after == "rest" else None
    ended = soft_stop(character, started, goal).clip
    names = [tuple(name for name, so in zip(rig.names, marks, strict=True) if so) for marks in (unknown, outside)]
    return Plan(
        character,
        rig,
        ended,
        stands,
        rest,
        started.duration - whole.duration,
        whole.duration,
        ended.duration - started.duration,
        *names,
    )


def refuse_too_much(character: Character, rig: Rig, clip: Clip, options: Options) -> None:
    """Refuses a clip that breaks a limit, before anything is opened.

    Raises:
        MotionError: Says the worst of it, and what to do.
    """
    moved = [name for name in rig.names if name in clip.names]
    if not moved:
        raise MotionError(
            f"The clip moves none of the servos: it has {', '.join(clip.names) or 'no coordinates'}, and servos move "
            f"{', '.join(rig.names)}."
        )
    result = check(character, clip, keep_reference_pose=True)
    over = [one for one in result.findings if not options.anyway or one.kind in _ALWAYS]
    if over:
        more = f" {len(over) - 1} more limits are exceeded." if len(over) > 1 else ""
        raise MotionError(
            f"The clip is too much for {character.name}: {finding_sentence(result, over[0])}{more} "
            f"Run fix on it first; nothing was opened and nothing moves."
        )
    if result.tips and result.balance is not None and not options.anyway:
        raise MotionError(
            f"{character.name} would fall: {balance_sentence(result.balance)} Run fix on the clip first, or play it "
            f"with `anyway` where something holds it."
        )
    for number, name in enumerate(rig.names):
        if name not in clip.names:
            continue
        values = clip.spline(np.linspace(clip.times[0], clip.times[-1], 4 * clip.frame_count))[:, clip.column(name)]
        room = 1.0 / abs(rig.per_unit[number])
        if values.min() < rig.lower[number] - room or values.max() > rig.upper[number] + room:
            raise MotionError(
                f"The clip takes {name} from {values.min():.4g} to {values.max():.4g}, and its servo reaches "
                f"{rig.lower[number]:.4g} to {rig.upper[number]:.4g}. Widen the servo's range, or state the joint's "
                f"limits and run fix."
            )


def rest_posture(character: Character, name: str | None) -> Posture | None:
    """Where it rests: the posture of that name, or the one named "rest"; None where there is none.

    Raises:
        UnknownNameError: There is no such posture.
    """
    known = [one.name for one in character.postures]
    if name is None:
        return Posture.named(character, "rest") if "rest" in known else None
    return Posture.named(character, name)


def _looped(character: Character, clip: Clip, loops: int) -> Clip:
    """The clip several times, with the same transition between any two."""
    if loops == 1:
        return clip
    twice = bridge(character, clip, clip)
    round_s = float(twice.joined.times[twice.last_frame] - twice.joined.times[0])
    frames = twice.last_frame
    head, tail = twice.joined.part(slice(0, frames)), twice.joined.part(slice(frames, None))
    times = [head.times + n * round_s for n in range(loops - 1)]
    names = tail.names
    positions = [head.selected(names).positions] * (loops - 1)
    return Clip(  # a base that travels is not told to servos, so it is left out
        np.concatenate([*times, tail.times + (loops - 2) * round_s]),
        names,
        np.concatenate([*positions, tail.positions]),
        source=clip.source,
    )


def _refuse_elsewhere(rig: Rig, stands: np.ndarray, first: np.ndarray) -> None:
    away = np.nan_to_num(np.abs(stands - first))
    worst = int(np.argmax(away))
    if away[worst] > _AT_THE_START:
        raise OptionError(
            f"{rig.names[worst]} stands at {stands[worst]:.3f} and the clip begins at {first[worst]:.3f}. Move it "
            f"there, or allow `ramp`."
        )
