"""What a design should do, from files: paths of points, markers, a captured skeleton, or another character's clip."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from pathlib import Path

import numpy as np

from animato.character import Character
from animato.character.structure import topology_of
from animato.design.problem.placing import Placing, fitting, measured_from_rest
from animato.design.problem.target_motion import TargetMotion
from animato.design.terms import TrackingTarget
from animato.errors import FileFormatError, MotionError, OptionError, unknown_name
from animato.formats import MotionReading, load_motion
from animato.formats.files import is_folder, read_text_whole
from animato.formats.tables import PointPaths, load_paths_json, paths_from_table, read_table
from animato.mechanics.loops import loop_motion
from animato.mechanics.loops.assembly import build_mechanism
from animato.mechanics.tree import forward_kinematics
from animato.motion import CapturedMotion, Clip, MarkerMotion
from animato.spatial import quaternions
from animato.spatial.rigid_transform import RigidTransform

POSITION_WEIGHT = 100.0  # [1/m^2]: ten centimetres count like a turn of about 40 degrees
TURN_WEIGHT = 1.0
_UNEVEN = 1e-3  # of a frame

TARGET_SUFFIXES = (".csv", ".tsv", ".json", ".npz", ".trc", ".c3d", ".bvh", ".glb", ".amc")


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
    scale: float | None = None,
    place: Sequence[float] | None = None,
    fit: bool = False,
    turns: bool = False,
    reading: MotionReading | None = None,
) -> TargetMotion:
    """Reads what a character should do.

    Args:
        path: A table (.csv) or JSON of paths of the character's end-points, markers or bodies, see
            `point_paths`; or markers (.csv, .npz, .trc, .c3d) with such names; or a captured or keyframed skeleton
            (.bvh, .glb, .amc), whose bones `mapping` tells; or a clip of the performer's.
        character: Whose points they are.
        performer: Who can do the motion, such as an animator's rig with ball joints: its points of the same
            names are followed.
        follow: Only these points.
        mapping: Name in the file by name of the character's point, where they differ; only these are taken.
        weights: How much more than others a point counts, by name; 1 is as much.
        controls: What motors do now: where the search begins, and what pulls them; inverse kinematics finds out where
            not given.
        rate_hz: Steps a second. A file that states times is resampled.
        scale: Factor on all places about the origin of the file; 1 where not given, or what fits best.
        place: Where the origin of the file is: x, y, z [m], and its turn about z [deg] where four are given.
        fit: Whether the file is scaled (unless `scale` says), turned about z and moved so that its first moment fits
            the character at rest.
        turns: Of a skeleton: whether turns of bones count too, measured from the first moment, at which the character
            is taken to be at rest.
        reading: What a file does not say about itself: `first_frame`, `metres_per_unit`, `up_axis`, `animation`.

    Raises:
        FileFormatError: The file cannot be read, or holds something else.
        UnknownNameError: A point that the character does not have.
    """
    if rate_hz is not None and not (np.isfinite(rate_hz) and rate_hz > 0.0):
        raise OptionError(f"`rate_hz` must be a number above 0, not {rate_hz}.")
    if fit and place is not None:
        raise OptionError("`fit` finds where the file is; `place` says it. Give one of them.")
    paths, captured = _read(path, character, performer, rate_hz, reading or {}, mapped=bool(mapping or follow))
    paths = _chosen(paths, character, follow, mapping or {}, str(path))
    if captured and not turns:
        paths = replace(paths, turns_wxyz={})
    placing = _placing(paths, character, scale, place, fit=fit)
    paths = placing.applied(paths)
    if captured:
        paths = measured_from_rest(paths, _rest_points(character, paths.names))
    even = _even_times(paths.times, rate_hz)
    targets = tuple(_target(character, name, paths, even, path) for name in paths.names)
    rate = 1.0 / (even[1] - even[0]) if len(even) > 1 else rate_hz or 60.0
    notes = () if placing == Placing() else (f"'{Path(path).name}' is {placing}.",)
    motion = TargetMotion(targets, float(rate), name=Path(path).stem, notes=notes)
    motion = motion.weighted({**paths.weights, **(weights or {})})
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


def _placing(
    paths: PointPaths, character: Character, scale: float | None, place: Sequence[float] | None, *, fit: bool
) -> Placing:
    if fit:
        rest = {name: pose.position for name, pose in _rest_points(character, paths.names).items()}
        return fitting(paths, rest, scale)
    if place is not None and len(place) not in (3, 4):
        raise OptionError(f"`place` is x, y, z [m] and, where wanted, a turn about z [deg], not {list(place)}.")
    shift = (0.0, 0.0, 0.0) if place is None else (float(place[0]), float(place[1]), float(place[2]))
    turn = np.radians(float(place[3])) if place is not None and len(place) == 4 else 0.0
    return Placing(1.0 if scale is None else scale, float(turn), shift)


def _rest_points(character: Character, names: Sequence[str]) -> dict[str, RigidTransform]:
    """T_world_point of points at rest, loops closed."""
    mechanism = build_mechanism(character, require_actuated=False)
    found = {}
    for name in names:
        body, frame = point_on_body(character, name)
        pose = mechanism.state[7 * mechanism.body_index(body) :][:7]
        found[name] = RigidTransform(pose[:3], pose[3:]) @ frame
    return found


def _read(
    path: str | Path,
    character: Character,
    performer: Character | None,
    rate_hz: float | None,
    reading: MotionReading,
    *,
    mapped: bool,
) -> tuple[PointPaths, bool]:
    """Paths of a file, and whether they are those of a skeleton's bones."""
    if reading or Path(path).suffix.lower() in (".bvh", ".glb", ".amc"):
        motion = load_motion(path, **reading)
        if isinstance(motion, CapturedMotion):
            return _bones(motion, character, path, mapped=mapped), True
        if isinstance(motion, MarkerMotion):
            return PointPaths(motion.times, {name: motion.marker(name) for name in motion.names}), False
        given = ", ".join(f"`{name}`" for name in reading)
        raise OptionError(f"{given} is for skeletons and markers; {Path(path).name} holds something else.")
    return _read_paths(path, character, performer, rate_hz), False


def _bones(capture: CapturedMotion, character: Character, path: str | Path, *, mapped: bool) -> PointPaths:
    """Bones as points: all where somebody says which count, else those with the names of the character's points."""
    positions, turns = capture.world_poses()
    names = [name for name in capture.names if mapped or name in point_names(character)]
    if not names:
        bones = ", ".join(capture.names[:8])
        points = ", ".join(point_names(character)[:8])
        raise FileFormatError(
            path,
            f"no bone has the name of a point of '{character.name}'. Say with `map` which bone a point follows. "
            f"Bones: {bones}{', ...' if len(capture.names) > 8 else ''}. Points: {points}.",
        )
    places = {name: positions[:, capture.names.index(name)] for name in names}
    return PointPaths(capture.times, places, {name: turns[:, capture.names.index(name)] for name in names})


def _read_paths(
    path: str | Path, character: Character, performer: Character | None, rate_hz: float | None
) -> PointPaths:
    suffix = Path(path).suffix.lower()
    if suffix == ".json":
        return load_paths_json(path, rate_hz)
    if suffix in (".csv", ".tsv"):
        table = read_table(read_text_whole(path), path)
        if any(column.name.endswith((".x", ".qw")) for column in table.columns):
            timed = table.find("time", "t") is not None
            return paths_from_table(table, None if timed else rate_hz)
    elif is_folder(path):
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
    return PointPaths(paths.times, taken(paths.positions), taken(paths.turns_wxyz), weights, taken(paths.time_weights))


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
    counts = np.interp(even, paths.times, paths.time_weights[name]) if name in paths.time_weights else 1.0
    return TrackingTarget(
        body,
        frame.position,
        places,
        turns,
        POSITION_WEIGHT * np.repeat((counts * place_known)[:, None], 3, axis=1),
        TURN_WEIGHT * counts * turn_known,
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
