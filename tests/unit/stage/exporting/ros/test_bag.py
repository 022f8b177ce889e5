"""Bags of ROS 2, read back by `rosbags` and by `mcap`."""

from __future__ import annotations

import json
import sqlite3
from dataclasses import replace
from itertools import pairwise
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from animato.character import Body, Character, JointType
from animato.errors import AnimatoError, OptionError
from animato.formats import load_character
from animato.formats.urdf import load_urdf
from animato.loading import fingerprint
from animato.motion import Clip
from animato.stage.exporting import export, take_of
from animato.stage.exporting.ros import trajectory_of
from tests.export_builders import floating, swing

pytest.importorskip("rosbags")


def messages_of(folder: Path) -> dict[str, list[tuple[int, Any]]]:
    """All messages by topic, with their times [ns], as `rosbags` reads them."""
    from rosbags.rosbag2 import Reader
    from rosbags.typesys import Stores, get_typestore

    store = get_typestore(Stores.ROS2_HUMBLE)
    found: dict[str, list[tuple[int, Any]]] = {}
    with Reader(folder) as reader:
        for connection, stamp, data in reader.messages():
            message = store.deserialize_cdr(data, connection.msgtype)
            found.setdefault(connection.topic, []).append((stamp, message))
    return found


@pytest.mark.parametrize("storage", ["mcap", "sqlite3"])
@pytest.mark.parametrize("distro", ["humble", "jazzy"])
def test_joint_states_are_the_clip_to_the_bit(tmp_path: Path, storage: str, distro: str) -> None:
    lamp = load_character("lamp")
    clip = swing(lamp)
    export(tmp_path / "bag", lamp, clip, to=f"ros2-{storage}", start_s=12.5, distro=distro)
    states = messages_of(tmp_path / "bag")["/joint_states"]
    assert len(states) == clip.frame_count
    velocities = clip.velocity()
    for frame, (stamp, message) in enumerate(states):
        at = 12_500_000_000 + frame * 10_000_000
        assert stamp == at
        assert (message.header.stamp.sec, message.header.stamp.nanosec) == divmod(at, 1_000_000_000)
        assert tuple(message.name) == clip.names
        assert message.position.tobytes() == clip.positions[frame].tobytes()
        assert message.velocity.tobytes() == velocities[frame].tobytes()
        assert len(message.effort) == 0


def test_mcap_reads_the_same_bytes(tmp_path: Path) -> None:
    mcap = pytest.importorskip("mcap.reader")
    from rosbags.typesys import Stores, get_typestore

    lamp = load_character("lamp")
    clip = swing(lamp)
    export(tmp_path / "bag", lamp, clip, to="ros2-mcap")
    store = get_typestore(Stores.ROS2_HUMBLE)
    with (tmp_path / "bag" / "bag.mcap").open("rb") as stream:
        read = list(mcap.make_reader(stream).iter_messages(topics=["/joint_states"]))
    assert len(read) == clip.frame_count
    for frame, (schema, channel, message) in enumerate(read):
        assert (schema.name, channel.message_encoding) == ("sensor_msgs/msg/JointState", "cdr")
        state = store.deserialize_cdr(message.data, schema.name)
        assert state.position.tobytes() == clip.positions[frame].tobytes()


def test_the_trajectory_rests_at_both_ends_and_goes_through_every_frame(tmp_path: Path) -> None:
    lamp = load_character("lamp")
    clip = swing(lamp, rests=False)
    done = export(tmp_path / "bag", lamp, clip, to="ros2-mcap")
    [(_, message)] = messages_of(tmp_path / "bag")["/joint_trajectory"]
    assert tuple(message.joint_names) == lamp.actuated_coordinate_names
    times = [one.time_from_start.sec * 10**9 + one.time_from_start.nanosec for one in message.points]
    positions = np.array([one.positions for one in message.points])
    velocities = np.array([one.velocities for one in message.points])
    assert times[0] >= 2 * 10**9
    assert all(a < b for a, b in pairwise(times))
    assert np.all(velocities[-1] == 0.0)
    assert np.abs(velocities[0]).max() < 1e-3
    assert len(message.points) > clip.frame_count
    first = next(n for n in range(len(times)) if np.array_equal(positions[n], clip.positions[0]) and n > 0)
    assert np.array_equal(positions[first : first + clip.frame_count], clip.positions)
    assert sum("in motion at its" in one for one in done.left_out) == 2
    for joint, column in zip(lamp.free_joints, positions.T, strict=True):
        limits = joint.limits[0]
        assert limits.lower is not None
        assert limits.upper is not None
        assert column.min() >= limits.lower - 1e-6
        assert column.max() <= limits.upper + 1e-6


def test_the_controllers_quintics_are_the_clips_own_spline() -> None:
    """Position, speed and acceleration at both ends of a piece leave one quintic, and it is the clip's cubic."""
    lamp = load_character("lamp")
    clip = swing(lamp)
    made = trajectory_of(take_of(lamp, clip), lead_s=2.0)
    first = next(n for n in range(len(made.times_ns)) if np.array_equal(made.positions[n], clip.positions[40]))
    length = (made.times_ns[first + 1] - made.times_ns[first]) * 1e-9
    powers = np.arange(6)
    rows = [
        np.where(powers == 0, 1.0, 0.0),
        np.where(powers == 1, 1.0, 0.0),
        np.where(powers == 2, 2.0, 0.0),
        length**powers,
        np.array([0.0, *(n * length ** (n - 1) for n in range(1, 6))]),
        np.array([0.0, 0.0, *(n * (n - 1) * length ** (n - 2) for n in range(2, 6))]),
    ]
    ends = [made.positions, made.velocities, made.accelerations]
    right = np.array([one[first + k] for k in (0, 1) for one in ends])
    quintic = np.linalg.solve(np.array(rows), right)
    middle = (0.5 * length) ** powers @ quintic
    np.testing.assert_allclose(middle, clip.spline([clip.times[40] + 0.5 * length])[0], atol=1e-9)


def test_a_lead_is_long_enough_from_anywhere() -> None:
    lamp = load_character("lamp")
    slow = replace(
        lamp,
        joints=tuple(
            replace(one, stated_limits=(replace(one.limits[0], velocity=0.5),)) if one.name == "turn" else one
            for one in lamp.joints
        ),
    )
    made = trajectory_of(take_of(slow, swing(slow, seconds=8.0)))
    farthest = np.pi / 2 + abs(made.positions[0, 0])
    assert made.times_ns[0] == pytest.approx(1.875 * farthest / 0.5 * 1e9)


def test_provenance_description_and_quality_of_service(tmp_path: Path) -> None:
    lamp = load_character("lamp")
    clip = swing(lamp)
    export(tmp_path / "bag", lamp, clip, to="ros2-mcap", name="a swing")
    found = messages_of(tmp_path / "bag")
    about = json.loads(found["/animato/provenance"][0][1].data)
    assert about == json.loads((tmp_path / "bag" / "about.json").read_text())
    assert about["motion"] == "a swing"
    assert about["motion_sha256"] == fingerprint(clip)
    assert about["character_sha256"] == fingerprint(lamp)
    assert about["joint_names"] == list(clip.names)
    assert about["rate_hz"] == 100.0
    (tmp_path / "told.urdf").write_text(found["/robot_description"][0][1].data)
    told = load_urdf(tmp_path / "told.urdf")
    assert set(told.coordinate_names) == set(lamp.coordinate_names)
    from rosbags.interfaces import QosDurability
    from rosbags.rosbag2 import Reader

    with Reader(tmp_path / "bag") as reader:
        kept = {one.topic: one.ext.offered_qos_profiles[0].durability for one in reader.connections}
    assert kept["/robot_description"] is QosDurability.TRANSIENT_LOCAL
    assert kept["/joint_states"] is QosDurability.VOLATILE


def test_a_base_goes_out_as_transforms_and_odometry(tmp_path: Path) -> None:
    lamp = load_character("lamp")
    free: Character = replace(lamp, joints=tuple(one for one in lamp.joints if one.type is not JointType.GROUND))
    clip = floating(swing(free))
    export(tmp_path / "bag", free, clip, to="ros2-sqlite3")
    found = messages_of(tmp_path / "bag")
    assert len(found["/tf"]) == len(found["/odom"]) == clip.frame_count
    assert clip.base_positions is not None
    assert clip.base_quaternions_wxyz is not None
    for frame in (0, 60, 200):
        [transform] = found["/tf"][frame][1].transforms
        assert (transform.header.frame_id, transform.child_frame_id) == ("world", "base")
        place, turn = transform.transform.translation, transform.transform.rotation
        assert (place.x, place.y, place.z) == tuple(clip.base_positions[frame])
        assert (turn.w, turn.x, turn.y, turn.z) == tuple(clip.base_quaternions_wxyz[frame])
        twist = found["/odom"][frame][1].twist.twist
        t = clip.times[frame]
        assert twist.angular.z == pytest.approx(0.4 * np.cos(t), abs=2e-3)  # the spline's end is coarser than a frame
        angle = 0.4 * np.sin(t)
        ahead = 0.3 * np.cos(angle) + 0.2 * np.cos(2 * t) * np.sin(angle)
        assert twist.linear.x == pytest.approx(ahead, abs=2e-3)


def test_motors_of_a_loop_come_to_rest_where_the_clip_ends(tmp_path: Path) -> None:
    linkage = load_character("four_bar")
    times = np.arange(51) / 50.0
    clip = Clip(times, linkage.actuated_coordinate_names, 0.3 * np.sin(2.0 * times)[:, None])
    export(tmp_path / "bag", linkage, clip, to="ros2-mcap")
    found = messages_of(tmp_path / "bag")
    [(_, message)] = found["/joint_trajectory"]
    assert tuple(message.joint_names) == clip.names
    assert np.all(message.points[-1].velocities == 0.0)
    np.testing.assert_allclose(message.points[-1].positions, clip.positions[-1], atol=1e-9)
    assert set(found["/joint_states"][0][1].name) == set(linkage.coordinate_names)


def test_a_bag_of_a_clip_that_cannot_rest_has_no_trajectory_and_a_goal_is_refused(tmp_path: Path) -> None:
    lamp = load_character("lamp")
    clip = swing(lamp, rests=False)
    beyond = Clip(clip.times, clip.names, clip.positions + np.array([2.0, 0.0, 0.0, 0.0, 0.0]))
    done = export(tmp_path / "bag", lamp, beyond, to="ros2-mcap")
    assert any("no trajectory in the bag" in one and "turn" in one for one in done.left_out)
    found = messages_of(tmp_path / "bag")
    assert "/joint_trajectory" not in found
    assert len(found["/joint_states"]) == clip.frame_count
    with pytest.raises(OptionError, match="from rest to rest"):
        export(tmp_path / "goal.yaml", lamp, beyond, to="ros2-goal")


def test_what_is_there_is_not_written_over(tmp_path: Path) -> None:
    lamp = load_character("lamp")
    clip = swing(lamp)
    (tmp_path / "mine").mkdir()
    (tmp_path / "mine" / "letter.txt").write_text("dear")
    with pytest.raises(AnimatoError, match="no export made"):
        export(tmp_path / "mine", lamp, clip, to="ros2-mcap")
    for _ in range(2):  # a bag of ours is replaced
        export(tmp_path / "bag", lamp, clip, to="ros2-mcap")
    with pytest.raises(OptionError, match="lead_s"):
        export(tmp_path / "other", lamp, clip, to="ros2-mcap", lead_s=-1.0)
    assert sorted(one.name for one in tmp_path.iterdir()) == ["bag", "mine"]


def test_a_place_that_sqlite_would_misread_is_refused(tmp_path: Path) -> None:
    lamp = load_character("lamp")
    with pytest.raises(OptionError, match="#"):
        export(tmp_path / "take #2", lamp, swing(lamp), to="ros2-sqlite3")
    assert not list(tmp_path.iterdir())
    assert export(tmp_path / "take #2", lamp, swing(lamp), to="ros2-mcap").files[1].exists()


def test_a_thing_without_joints_has_its_base_in_the_bag(tmp_path: Path) -> None:
    stone = Character("stone", (Body("stone"),), ())
    clip = Clip(np.zeros(1), (), np.zeros((1, 0)), np.zeros((1, 3)), np.array([[1.0, 0.0, 0.0, 0.0]]))
    done = export(tmp_path / "bag", stone, clip, to="ros2-mcap")
    assert any("no trajectory" in one for one in done.left_out)


def test_a_full_disk_leaves_nothing_and_is_said(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def full(*_: object) -> None:
        raise sqlite3.OperationalError("database or disk is full")

    monkeypatch.setattr("animato.stage.exporting.ros.bag._write_messages", full)
    lamp = load_character("lamp")
    with pytest.raises(AnimatoError, match="disk is full"):
        export(tmp_path / "bag", lamp, swing(lamp), to="ros2-sqlite3")
    assert not list(tmp_path.iterdir())
