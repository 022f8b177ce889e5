"""A clip as a bag of ROS 2: joint states, a trajectory for the controller, the base, the robot, and what made it."""

from __future__ import annotations

import json
import math
import re
import sqlite3
from pathlib import Path
from typing import Any

from animato.character import Character
from animato.character.structure import topology_of
from animato.errors import AnimatoError, OptionError, missing_dependency, unknown_name
from animato.formats.urdf import save_urdf
from animato.stage.exporting.folders import whole_folder
from animato.stage.exporting.provenance import provenance_of
from animato.stage.exporting.ros.messages import (
    DESCRIPTION,
    JOINT_STATES,
    ODOMETRY,
    PROVENANCE,
    TRAJECTORY,
    TRANSFORMS,
    Messages,
    Topic,
)
from animato.stage.exporting.ros.trajectory import RestError, Trajectory, single_axes, trajectory_of
from animato.stage.exporting.take import Exported, Take

_VERSIONS = {"humble": 8, "jazzy": 9}
"""Of the bag's metadata; humble does not read the later one."""


def write(
    path: Path,
    take: Take,
    *,
    storage: str,
    start_s: float = 0.0,
    lead_s: float | None = None,
    distro: str = "humble",
) -> Exported:
    """Writes a folder with metadata.yaml, the messages, the robot as URDF, and about.json.

    Args:
        path: The folder.
        take: What is exported.
        storage: mcap or sqlite3.
        start_s: When frame 0 is [s since 1970].
        lead_s: How long the trajectory gives the robot to get to its first point [s].
        distro: Which ROS 2 reads it: humble and later, or jazzy and later.
    """
    try:
        import rosbags.rosbag2  # noqa: F401
    except ImportError:
        raise missing_dependency("rosbags", "ros", "Writing ROS 2 bags") from None
    if distro not in _VERSIONS:
        raise unknown_name("ROS 2", distro, _VERSIONS, "the bags that are written")
    if not (math.isfinite(start_s) and 0.0 <= start_s < 2**31):
        raise OptionError(f"`start_s` is 0 to 2147483647 seconds since 1970, as ROS 2 counts; given {start_s}.")
    if storage == "sqlite3" and set(str(path.absolute())) & set("#?%"):
        raise OptionError(f"SQLite bags cannot lie where the path has #, ? or % in it; given '{path.absolute()}'.")
    named, balls = single_axes(take.character)
    try:
        trajectory = trajectory_of(take, lead_s=lead_s)
        left_out = [*trajectory.notes]
    except RestError as error:
        trajectory, left_out = None, [f"There is no trajectory in the bag: {error}"]
    if balls:
        left_out.append(f"ROS 2 has no joints that turn like a ball; left out: {', '.join(balls)}.")
    about = provenance_of(
        take,
        quaternion_order="xyzw",
        topics={
            JOINT_STATES.name: {"names": list(named)},
            TRAJECTORY.name: {"names": [] if trajectory is None else list(trajectory.names)},
        },
    )
    with whole_folder(path, about) as folder:
        description, said = _description(take.character, folder, Path(path).absolute())
        try:
            _write_messages(folder / path.name, take, trajectory, description, about, storage, start_s, distro)
        except sqlite3.Error as error:  # such as a full disk
            raise OSError(str(error)) from None
        for file in (folder / path.name).iterdir():
            file.rename(folder / file.name)
        (folder / path.name).rmdir()
    left_out += said
    main = path / f"{path.name}.{'mcap' if storage == 'mcap' else 'db3'}"
    return Exported((path, main, path / "robot.urdf"), tuple(left_out))


def _write_messages(
    bag: Path,
    take: Take,
    trajectory: Trajectory | None,
    description: str | None,
    about: dict[str, Any],
    storage: str,
    start_s: float,
    distro: str,
) -> None:
    from rosbags.rosbag2 import StoragePlugin, Writer
    from rosbags.typesys import Stores, get_typestore

    store = get_typestore(Stores.ROS2_HUMBLE if distro == "humble" else Stores.ROS2_JAZZY)
    start = round(start_s * 1e9)
    messages = Messages(store.types, start)
    plugin = StoragePlugin.MCAP if storage == "mcap" else StoragePlugin.SQLITE3
    writer = Writer(bag, version=8 if distro == "humble" else 9, storage_plugin=plugin)
    writer.set_custom_data("animato", json.dumps(about))
    with writer:
        lines: dict[Topic, Any] = {}

        def say(topic: Topic, at_ns: int, message: Any) -> None:
            if topic not in lines:
                lines[topic] = writer.add_connection(
                    topic.name, topic.type, typestore=store, offered_qos_profiles=_qualities(kept=topic.kept)
                )
            writer.write(lines[topic], start + at_ns, store.serialize_cdr(message, topic.type))

        say(PROVENANCE, 0, messages.words(about))
        if description is not None:
            say(DESCRIPTION, 0, messages.words(description))
        if trajectory is not None:
            say(TRAJECTORY, 0, messages.trajectory(trajectory))
        root = topology_of(take.character).links[0].body
        bases = messages.base(take, root) if take.clip.has_base else iter(())
        for at, message in messages.joint_states(take):
            for _, transform, odometry in [next(bases)] if take.clip.has_base else []:
                say(TRANSFORMS, at, transform)
                say(ODOMETRY, at, odometry)
            say(JOINT_STATES, at, message)


def _qualities(*, kept: bool) -> list[Any]:
    """How a topic is offered: reliably, and for those who come later where it is kept."""
    from rosbags.interfaces import Qos, QosDurability, QosHistory, QosLiveliness, QosReliability, QosTime

    never = QosTime(9223372036, 854775807)
    durability = QosDurability.TRANSIENT_LOCAL if kept else QosDurability.VOLATILE
    return [
        Qos(
            QosHistory.KEEP_LAST,
            1 if kept else 10,
            QosReliability.RELIABLE,
            durability,
            never,
            never,
            QosLiveliness.AUTOMATIC,
            never,
            avoid_ros_namespace_conventions=False,
        )
    ]


def _description(character: Character, folder: Path, final: Path) -> tuple[str | None, list[str]]:
    """The robot as URDF, meshes named by where they are; None where URDF cannot hold it."""
    try:
        saved = save_urdf(folder / "robot.urdf", character)
    except AnimatoError as error:
        return None, [f"The robot's description is not in the bag: {error}"]
    text = (folder / "robot.urdf").read_text(encoding="utf-8")

    def named(found: re.Match[str]) -> str:
        name = found.group(1)
        return found.group(0) if "://" in name else f'filename="file://{(final / name).resolve()}"'

    count = len(saved.left_out)
    loss = (
        f"The robot's description in the bag is URDF, with {count} losses: convert the character to .urdf to see them."
    )
    said = [loss] if count else []
    return re.sub(r'filename="([^"]*)"', named, text), said
