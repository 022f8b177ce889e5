"""Loop closures of a URDF robot: a YAML file beside it that ties pairs of its frames.

closed_loop: [[left_tip, right_tip]]   # joints or links; the frame of a joint is that of its child
type: ['6d']                           # 6d: the frames coincide; 3d: their origins do
name_mot: [motor_1, motor_2]           # the motors; every other joint follows
joint_name: [ball]                     # joints that URDF has no type for
joint_type: [SPHERICAL]                # SPHERICAL, FIXED, CARDAN (about x, then y) or UJOINT_ZY (z, then y)
"""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from difflib import SequenceMatcher
from pathlib import Path

import numpy as np

from animato.character import FREEDOM, X_AXIS, Y_AXIS, Character, Joint, JointRole, JointType, Vector3
from animato.errors import CharacterError, FileFormatError, did_you_mean, unknown_name
from animato.formats.files import Data, Places, UniqueNames, described, is_file, parse_yaml, read_text_whole
from animato.formats.loops.closing import closed_at_rest

LARGEST_FILE = 4_000_000  # bytes
KEYS = ("closed_loop", "type", "name_mot", "joint_name", "joint_type")
TIES = {"6d": JointType.FIXED, "3d": JointType.SPHERICAL}
TYPES = {"SPHERICAL": JointType.SPHERICAL, "CARDAN": JointType.UNIVERSAL, "FIXED": JointType.FIXED}
_AXES = {"X": X_AXIS, "Y": Y_AXIS, "Z": (0.0, 0.0, 1.0)}
UNIVERSALS: dict[str, tuple[Vector3, Vector3]] = {"CARDAN": (X_AXIS, Y_AXIS)} | {
    f"UJOINT_{first}{second}": (_AXES[first], _AXES[second]) for first in _AXES for second in _AXES if first != second
}
TYPES |= dict.fromkeys(UNIVERSALS, JointType.UNIVERSAL)
_SAME_SPELLING = 0.8  # of difflib, for words of this length: a letter or two
_LONG_WORD = 6
_STARTS_WITH_KEY = re.compile(r"^['\"]?closed_loop['\"]?\s*:", re.MULTILINE)


@dataclass(frozen=True)
class LoopClosures:
    """What the file says.

    Attributes:
        places: For the lines of errors.
        pairs: Names of joints or links that are tied.
        ties: "6d" or "3d", one a pair.
        motors: Names of joints, or None where the file does not say.
        types: (joint, one of `TYPES`) pairs.
    """

    places: Places
    pairs: tuple[tuple[str, str], ...]
    ties: tuple[str, ...]
    motors: tuple[str, ...] | None
    types: tuple[tuple[str, str], ...]


def loops_beside(urdf: str | Path) -> Path | None:
    """The YAML file of the same name that states loop closures, where there is one."""
    for suffix in (".yaml", ".yml"):
        path = Path(urdf).with_suffix(suffix)
        try:
            if is_file(path) and _STARTS_WITH_KEY.search(read_text_whole(path, largest=LARGEST_FILE)):
                return path
        except FileFormatError:  # not readable, empty or no text: then it is no such file
            continue
    return None


def load_loop_closures(path: str | Path) -> LoopClosures:
    """Reads the file.

    Raises:
        FileFormatError: A key is missing or has the wrong form; the line is named.
    """
    document = parse_yaml(read_text_whole(path, largest=LARGEST_FILE), path)
    places = Places(path, document)
    data = document.data
    if not isinstance(data, dict) or "closed_loop" not in data:
        raise places.error((), "a file of loop closures has the key 'closed_loop', a list of pairs of frames.")
    for key in data:
        if key not in KEYS and did_you_mean(key, KEYS):
            raise places.error((key,), f"is not a key.{did_you_mean(key, KEYS)} Keys: {', '.join(KEYS)}.")
    pairs = []
    for index, pair in enumerate(_list(data["closed_loop"], places, "closed_loop")):
        names = pair if isinstance(pair, list) else []
        if len(names) != 2 or not all(isinstance(name, str) for name in names):
            raise places.error(("closed_loop", index), f"must be two names in brackets, not {described(pair)}.")
        pairs.append((str(names[0]), str(names[1])))
    ties = [one.lower() for one in _words(data.get("type") or ["6d"] * len(pairs), places, "type")]
    for index, tie in enumerate(ties):
        if tie not in TIES:
            raise places.error(("type", index), f"must be 6d or 3d, not '{tie}'.")
    motors = tuple(_words(data["name_mot"], places, "name_mot")) if data.get("name_mot") is not None else None
    joint_names, kinds = (_words(data.get(key) or [], places, key) for key in ("joint_name", "joint_type"))
    for key, count, other, wanted in (
        ("type", len(ties), "closed_loop", len(pairs)),
        ("joint_type", len(kinds), "joint_name", len(joint_names)),
    ):
        if count != wanted:
            raise places.error((key,), f"has {count} entries, '{other}' has {wanted}; give one for each.")
    for index, kind in enumerate(kinds):
        if kind.upper() not in TYPES:
            raise places.error(("joint_type", index), f"must be one of {', '.join(TYPES)}, not '{kind}'.")
    types = tuple((name, kind.upper()) for name, kind in zip(joint_names, kinds, strict=True))
    return LoopClosures(places, tuple(pairs), tuple(ties), motors, types)


def _list(data: Data, places: Places, key: str) -> list[Data]:
    if not isinstance(data, list):
        raise places.error((key,), f"must be a list in brackets, not {described(data)}.")
    return data


def _words(data: Data | list[str], places: Places, key: str) -> list[str]:
    words = _list(data, places, key)  # type: ignore[arg-type]
    for index, word in enumerate(words):
        if not isinstance(word, str):
            raise places.error((key, index), f"must be a name, not {described(word)}.")
    return [str(word) for word in words]


def with_loops(character: Character, closures: LoopClosures) -> Character:
    """The character with its loops closed, at rest too.

    Args:
        character: The tree of the URDF file.
        closures: What closes its loops.

    Raises:
        FileFormatError: A frame, motor or joint is not in the robot, or the loops cannot be closed.
    """
    places = closures.places
    joints = _retyped(character, closures)
    joints = _with_roles(joints, character, closures)
    names, ties = UniqueNames(joint.name for joint in joints), []
    for index, (pair, tie) in enumerate(zip(closures.pairs, closures.ties, strict=True)):
        with places.at("closed_loop", index):
            bodies = [_body_of(name, character) for name in pair]
            name = names.new(_shared_start(*pair) or f"{pair[0]} to {pair[1]}")
            if tie == "6d":
                joints = _without_spin(joints, bodies, character)
            if bodies[0] == bodies[1]:
                raise CharacterError(f"both frames are on '{bodies[0]}'; tie frames of two links.")
            ties.append(Joint(name, TIES[tie], bodies[0], bodies[1], JointRole.PASSIVE))
    with places.at("closed_loop"):
        return closed_at_rest(replace(character, joints=tuple(joints)), ties)


def _shared_start(first: str, second: str) -> str:
    """What two names begin with alike, without the sign that divides it from the rest."""
    count = next((n for n, (a, b) in enumerate(zip(first, second, strict=False)) if a != b), 0)
    return first[:count].rstrip("_-. ")


def _body_of(name: str, character: Character) -> str:
    """The body whose own frame is meant: URDF gives a joint the frame of its child."""
    for joint in character.joints:
        if joint.name in (name, f"{name}.orientation", f"{name}.turn"):
            return joint.child
    bodies = [body.name for body in character.bodies]
    if name in bodies:
        return name
    raise unknown_name("frame", name, [*(joint.name for joint in character.joints), *bodies], character.name)


def _retyped(character: Character, closures: LoopClosures) -> list[Joint]:
    known = [joint.name for joint in character.joints]
    wanted: dict[str, str] = {}
    for index, (name, word) in enumerate(closures.types):
        with closures.places.at("joint_name", index):
            wanted[_known_name(name, known, character.name, {one for one, _ in closures.types})] = word
    joints = []
    for joint in character.joints:
        word = wanted.get(joint.name, "")
        kind = TYPES.get(word)
        if kind is None:
            joints.append(joint)
            continue
        axes = UNIVERSALS.get(word, (joint.axis, None))
        # What limited one axis does not limit the joint that took its place.
        free = replace(joint, role=None, stated_limits=(), coupling=None)
        joints.append(replace(free, type=kind, role=None, axis=axes[0], second_axis=axes[1]))
    return joints


def _known_name(name: str, known: list[str], owner: str, listed: set[str]) -> str:
    """The name, or the one joint that is named so but for a letter or two in one long word.

    Exporters spell a joint differently in two files: `left_sherical_foot` and `left_spherical_foot`.
    """
    if name in known:
        return name
    near = [one for one in known if one not in listed and is_misspelt(name, one)]
    if len(near) != 1:
        raise unknown_name("joint", name, known, owner)
    return near[0]


def is_misspelt(name: str, other: str) -> bool:
    """Whether two names differ by a letter or two in one long word, and in nothing else."""
    words = [re.split(r"[\W_]+", one) for one in (name, other)]
    if len(words[0]) != len(words[1]):
        return False
    differ = [pair for pair in zip(*words, strict=True) if pair[0] != pair[1]]
    # Short words and numbers tell sides and copies apart: they are never taken for one another.
    return (
        len(differ) == 1
        and min(map(len, differ[0])) >= _LONG_WORD
        and all(word.isalpha() for word in differ[0])
        and SequenceMatcher(None, *differ[0]).ratio() >= _SAME_SPELLING
    )


def _with_roles(joints: list[Joint], character: Character, closures: LoopClosures) -> list[Joint]:
    """Motors actuated, everything else passive; as they are where the file names no motors."""
    if closures.motors is None:
        return joints
    movable = [joint for joint in joints if FREEDOM[joint.type] and joint.role is not JointRole.CONFIGURABLE]
    known = [joint.name for joint in movable]
    for index, name in enumerate(closures.motors):
        if name not in known:
            with closures.places.at("name_mot", index):
                raise unknown_name("joint", name, known, character.name)
    motors = set(closures.motors)
    roles = {name: JointRole.ACTUATED if name in motors else JointRole.PASSIVE for name in known}
    with_roles = [replace(joint, role=roles[joint.name]) if joint.name in roles else joint for joint in joints]
    if not any(joint.coupling and joint.name in motors for joint in joints):
        return with_roles
    from animato.mechanics.loops.assembly import led_by_motors  # only gears need it

    led = led_by_motors(with_roles)
    return [joint if joint.coupling is None else replace(joint, role=JointRole.PASSIVE) for joint in led]


def _without_spin(joints: list[Joint], bodies: list[str], character: Character) -> list[Joint]:
    """Takes away the spin of a pin that hangs between two hinges about one line.

    CAD exporters put a hinge on both sides of a cut. Tied to one another, the two pins then turn
    freely about the line of both hinges, and no motor could hold them. The second hinge becomes fixed.
    """
    hinges = []
    for body in bodies:
        around = [joint for joint in joints if body in (joint.parent, joint.child)]
        if len(around) != 1 or character.body(body).shapes:
            return joints
        hinges.append(around[0])
    first, second = hinges
    if any(one.type is not JointType.REVOLUTE or one.role is JointRole.ACTUATED for one in hinges):
        return joints
    # The tied frames coincide, and both hinges go through their origins.
    if abs(float(np.dot(first.axis, second.axis))) < 1.0 - 1e-9 or first.child not in bodies:
        return joints
    fixed = Joint(
        second.name, JointType.FIXED, second.parent, second.child, None, second.frame_parent, second.frame_child
    )
    return [fixed if joint is second else joint for joint in joints]
