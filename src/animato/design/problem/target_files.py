"""What a design should do, from files: paths of a character's points, markers, or another character's clip."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from pathlib import Path

import numpy as np

from animato.character import Character
from animato.character.structure import topology_of
from animato.design.problem.target_motion import TargetMotion
from animato.design.terms import TrackingTarget
from animato.errors import FileFormatError, MotionError, OptionError, unknown_name
from animato.formats import load_motion
from animato.formats.files import read_text_whole
from animato.formats.tables import PointPaths, load_paths_json, paths_from_table, read_table
from animato.mechanics.loops import loop_motion
from animato.mechanics.tree import forward_kinematics
from animato.motion import Clip, MarkerMotion
from animato.spatial import quaternions
from animato.spatial.rigid_transform import RigidTransform

POSITION_WEIGHT = 100.0  # [1/m^2]: ten centimetres count like a turn of about 40 degrees
TURN_WEIGHT = 1.0
_UNEVEN = 1e-3  # of a frame

TARGET_SUFFIXES = (".csv", ".tsv", ".json", ".npz", ".trc")


def load_targets(
    path: str | Path,
    character: Character,
    *,
    performer: Character | None = None,
    follow: Sequence[str] = (),
    mapping: Mapping[str, str] | None = None,
    weights: Mapping[str, float] | None = None,
    controls: Clip | None = None,
    rate_hz: float | None = None,
) -> TargetMotion:
    """Reads what a character should do.

    Args:
        path: A table (.csv) or JSON of paths of the character's end-points, markers or bodies, see
            `point_paths`; or markers (.csv, .npz, .trc) with such names; or a clip of the performer's.
        character: Whose points they are.
        performer: Who can do the motion, such as an animator's rig with ball joints: its points of the same
            names are followed.
        follow: Only these points.
        mapping: Name in the file by name of the character's point, where they differ; only these are taken.
        weights: How much more than others a point counts, by name; 1 is as much.
        controls: What motors do now, which they keep to; inverse kinematics finds out where not given.
        rate_hz: Steps a second. A file that states times is resampled.

    Raises:
        FileFormatError: The file cannot be read, or holds something else.
        UnknownNameError: A point that the character does not have.
    """
    if rate_hz is not None and not (np.isfinite(rate_hz) and rate_hz > 0.0):
        raise OptionError(f"`rate_hz` must be a number above 0, not {rate_hz}.")
    paths = _read(path, character, performer, rate_hz)
    paths = _chosen(paths, character, follow, mapping or {}, str(path))
    even = _even_times(paths.times, rate_hz)
    targets = tuple(_target(character, name, paths, even, path) for name in paths.names)
    rate = 1.0 / (even[1] - even[0]) if len(even) > 1 else rate_hz or 60.0
    motion = TargetMotion(targets, float(rate), name=Path(path).stem).weighted({**paths.weights, **(weights or {})})
    return motion if controls is None else motion.with_controls(character, controls)


def point_names(character: Character) -> tuple[str, ...]:
    """Everything of a character that can have a target: end-points, markers, bodies."""
    names = [one.name for one in character.end_points] + [one.name for one in character.markers]
    return tuple(dict.fromkeys(names + [body.name for body in character.bodies]))


def point_on_body(character: Character, name: str) -> tuple[str, RigidTransform]:
    """Body of an end-point, marker or body of that name, and its frame there, T_body_point."""
    for end_point in character.end_points:
        if end_point.name == name:
            return end_point.body, end_point.frame.transform
    for marker in character.markers:
        if marker.name == name:
            return marker.body, RigidTransform(marker.position)
    if any(body.name == name for body in character.bodies):
        return name, RigidTransform()
    raise unknown_name("point", name, point_names(character), character.name)


def _read(path: str | Path, character: Character, performer: Character | None, rate_hz: float | None) -> PointPaths:
    suffix = Path(path).suffix.lower()
    if suffix == ".json":
        return load_paths_json(path, rate_hz)
    if suffix in (".csv", ".tsv"):
        table = read_table(read_text_whole(path), path)
        if any(column.name.endswith((".x", ".qw")) for column in table.columns):
            timed = table.find("time", "t") is not None
            return paths_from_table(table, None if timed else rate_hz)
    elif Path(path).is_dir():
        raise FileFormatError(path, "this is a folder; give the path of a file in it.")
    elif suffix not in TARGET_SUFFIXES:
        given = f"files that end in '{suffix}' are" if suffix else "a file without a suffix is"
        raise FileFormatError(path, f"{given} not known as targets; allowed: {', '.join(TARGET_SUFFIXES)}.")
    motion = load_motion(path)
    if isinstance(motion, MarkerMotion):
        return PointPaths(motion.times, {name: motion.marker(name) for name in motion.names})
    if not isinstance(motion, Clip):
        raise FileFormatError(path, "this holds neither paths of points nor markers nor a clip.")
    if performer is None:
        raise FileFormatError(
            path,
            "this is a clip of joints. Say whose (`performer`), and its points are followed; or give paths of "
            f"points of '{character.name}', such as the columns {_example(character)}.x, .y, .z.",
        )
    return _performed(motion, performer, character)


def _example(character: Character) -> str:
    return point_names(character)[0] if point_names(character) else "<name>"


def _performed(clip: Clip, performer: Character, character: Character) -> PointPaths:
    """What the performer's points do that the character has, too: end-points and markers, else bodies."""
    shared = [name for name in point_names(performer) if name in point_names(character)]
    bodies = {body.name for body in performer.bodies}
    special = [name for name in shared if name not in bodies]
    if not shared:
        raise MotionError(
            f"'{performer.name}' and '{character.name}' have no end-points, markers or bodies of the same name."
        )
    poses = _body_poses(performer, clip)
    positions: dict[str, np.ndarray] = {}
    turns: dict[str, np.ndarray] = {}
    markers = {marker.name for marker in performer.markers}
    for name in special or shared:
        body, frame = point_on_body(performer, name)
        pose = poses(body) @ frame
        positions[name] = pose.position
        if name not in markers:
            turns[name] = pose.quaternion_wxyz
    return PointPaths(clip.times, positions, turns)


def _body_poses(performer: Character, clip: Clip) -> Callable[[str], RigidTransform]:
    """Gives T_world_body at all frames, by the body's name."""
    if topology_of(performer).is_tree:
        return forward_kinematics(performer, clip).of
    motion = loop_motion(performer, clip)
    return lambda body: RigidTransform(motion.positions(body), motion.quaternions_wxyz(body))


def _chosen(
    paths: PointPaths, character: Character, follow: Sequence[str], mapping: Mapping[str, str], path: str
) -> PointPaths:
    for name in (*follow, *mapping):
        point_on_body(character, name)
    for name in (*mapping.values(), *(name for name in follow if name not in mapping)):
        if name not in paths.names:
            raise unknown_name("point", name, paths.names, Path(path).name)
    wanted = {name: name for name in follow or (() if mapping else paths.names)} | dict(mapping)
    for name in wanted:
        point_on_body(character, name)

    def taken(of: Mapping[str, np.ndarray]) -> dict[str, np.ndarray]:
        return {name: of[source] for name, source in wanted.items() if source in of}

    weights = {name: paths.weights[source] for name, source in wanted.items() if source in paths.weights}
    return PointPaths(paths.times, taken(paths.positions), taken(paths.turns_wxyz), weights)


def _even_times(times: np.ndarray, rate_hz: float | None) -> np.ndarray:
    """Evenly spaced times over the same span, as many as there are or as a rate says."""
    if len(times) < 2 or rate_hz is None:
        return np.linspace(times[0], times[-1], len(times))
    count = int((times[-1] - times[0]) * rate_hz + _UNEVEN) + 1
    return np.asarray(times[0] + np.arange(count) / rate_hz)


def _target(character: Character, name: str, paths: PointPaths, even: np.ndarray, path: str | Path) -> TrackingTarget:
    body, frame = point_on_body(character, name)
    places, place_known = _resampled(paths.times, paths.positions.get(name), even)
    turns, turn_known = _resampled(paths.times, _continuous(paths.turns_wxyz.get(name)), even)
    if turns is not None:
        lengths = np.linalg.norm(turns, axis=1)
        if np.any(lengths < 1e-3):
            raise FileFormatError(path, f"the turn of '{name}' has a quaternion of length zero.")
        turns = quaternions.multiply(turns / lengths[:, None], quaternions.conjugate(frame.quaternion_wxyz))
    if places is None and turns is None:
        raise FileFormatError(path, f"'{name}' is nowhere given: all its cells are empty.")
    return TrackingTarget(
        body,
        frame.position,
        places,
        turns,
        POSITION_WEIGHT * np.repeat(place_known[:, None], 3, axis=1),
        TURN_WEIGHT * turn_known,
        name,
    )


def _continuous(turns: np.ndarray | None) -> np.ndarray | None:
    """Quaternions whose signs do not jump, gaps left as they are."""
    if turns is None:
        return None
    found = turns.copy()
    known = np.isfinite(found).all(axis=1)
    if known.any():
        found[known] = quaternions.continuous(found[known])
    return found


def _resampled(times: np.ndarray, rows: np.ndarray | None, even: np.ndarray) -> tuple[np.ndarray | None, np.ndarray]:
    """Rows at even times, gaps bridged; and where they count: 1, in gaps 0."""
    nothing = np.zeros(len(even))
    if rows is None:
        return None, nothing
    known = np.isfinite(rows).all(axis=1)
    if not known.any():
        return None, nothing
    found = np.column_stack([np.interp(even, times[known], column) for column in rows[known].T])
    seen = np.interp(even, times, known.astype(float)) > 1.0 - 1e-9
    return found, seen.astype(float)
