"""What is said on which topic of a bag, message by message."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np

from animato.spatial import quaternions
from animato.stage.exporting.ros.trajectory import Trajectory, single_axes
from animato.stage.exporting.take import Take


@dataclass(frozen=True)
class Topic:
    """A topic of a bag.

    Attributes:
        name: Such as /joint_states.
        type: Of its messages.
        kept: Whether those who come later get the last message, as of a latched topic.
    """

    name: str
    type: str
    kept: bool = False


JOINT_STATES = Topic("/joint_states", "sensor_msgs/msg/JointState")
TRAJECTORY = Topic("/joint_trajectory", "trajectory_msgs/msg/JointTrajectory", kept=True)
TRANSFORMS = Topic("/tf", "tf2_msgs/msg/TFMessage")
ODOMETRY = Topic("/odom", "nav_msgs/msg/Odometry")
DESCRIPTION = Topic("/robot_description", "std_msgs/msg/String", kept=True)
PROVENANCE = Topic("/animato/provenance", "std_msgs/msg/String", kept=True)


class Messages:
    """Builds the messages of a take with the types of one ROS 2."""

    def __init__(self, types: dict[str, Any], start_ns: int) -> None:
        """Takes message types by name, and when frame 0 is [ns since 1970]."""
        self._types, self._start = types, start_ns

    def make(self, kind: str, *fields: Any) -> Any:
        """A message from its fields, in the order of the definition."""
        return self._types[kind](*fields)

    def header(self, at_ns: int, frame: str) -> Any:
        """A header stamped so long after frame 0."""
        seconds, rest = divmod(self._start + at_ns, 1_000_000_000)
        return self.make("std_msgs/msg/Header", self.make("builtin_interfaces/msg/Time", seconds, rest), frame)

    def words(self, content: str | dict[str, Any]) -> Any:
        """A string, or a mapping as JSON."""
        return self.make("std_msgs/msg/String", content if isinstance(content, str) else json.dumps(content, indent=2))

    def joint_states(self, take: Take) -> Iterator[tuple[int, Any]]:
        """When [ns after frame 0] and what, frame by frame."""
        names, _ = single_axes(take.character)
        clip = take.clip.selected(names)
        velocities = clip.velocity()
        nothing = np.zeros(0)
        for frame in range(clip.frame_count):
            at = frame_time_ns(take, frame)
            yield (
                at,
                self.make(
                    JOINT_STATES.type,
                    self.header(at, ""),
                    list(names),
                    np.array(clip.positions[frame]),
                    np.array(velocities[frame]),
                    nothing,
                ),
            )

    def trajectory(self, one: Trajectory) -> Any:
        """All points in one message; its time 0 means at once."""
        duration, point = "builtin_interfaces/msg/Duration", "trajectory_msgs/msg/JointTrajectoryPoint"
        nothing = np.zeros(0)
        points = [
            self.make(point, *values, nothing, self.make(duration, *divmod(at, 1_000_000_000)))
            for at, *values in zip(one.times_ns, one.positions, one.velocities, one.accelerations, strict=True)
        ]
        now = self.make("builtin_interfaces/msg/Time", 0, 0)
        return self.make(TRAJECTORY.type, self.make("std_msgs/msg/Header", now, ""), list(one.names), points)

    def base(self, take: Take, root: str) -> Iterator[tuple[int, Any, Any]]:
        """When, the transform from world to the root body, and the same as odometry with its velocities."""
        places, turns = take.clip.base_positions, take.clip.base_quaternions_wxyz
        assert places is not None
        assert turns is not None
        linear, angular = base_velocities(take)
        unknown = np.zeros(36)
        for frame in range(take.clip.frame_count):
            at = frame_time_ns(take, frame)
            header = self.header(at, "world")
            place = tuple(map(float, places[frame]))
            w, x, y, z = map(float, turns[frame])
            turn = self.make("geometry_msgs/msg/Quaternion", x, y, z, w)
            vector, point = "geometry_msgs/msg/Vector3", "geometry_msgs/msg/Point"
            transform = self.make("geometry_msgs/msg/Transform", self.make(vector, *place), turn)
            stamped = self.make("geometry_msgs/msg/TransformStamped", header, root, transform)
            pose = self.make("geometry_msgs/msg/Pose", self.make(point, *place), turn)
            twist = self.make(
                "geometry_msgs/msg/Twist",
                self.make(vector, *map(float, linear[frame])),
                self.make(vector, *map(float, angular[frame])),
            )
            odometry = self.make(
                ODOMETRY.type,
                header,
                root,
                self.make("geometry_msgs/msg/PoseWithCovariance", pose, unknown),
                self.make("geometry_msgs/msg/TwistWithCovariance", twist, unknown),
            )
            yield at, self.make(TRANSFORMS.type, [stamped]), odometry


def frame_time_ns(take: Take, frame: int) -> int:
    """When a frame is, after frame 0 [ns]."""
    return round(frame * 1e9 / take.rate_hz)


def base_velocities(take: Take) -> tuple[np.ndarray, np.ndarray]:
    """Of the root body in its own frame, as odometry has it: [m/s] and [rad/s], shape [frame, 3] each.

    With q the quaternion from the body to the world, the angular velocity is the vector part of 2 conj(q) dq/dt.
    """
    spline = take.clip.base_spline
    assert spline is not None
    values, rates = spline(take.clip.times), spline(take.clip.times, derivative=1)
    lengths = np.linalg.norm(values[:, 3:], axis=1, keepdims=True)
    back = quaternions.conjugate(values[:, 3:] / lengths)
    angular = 2.0 * quaternions.multiply(back, rates[:, 3:] / lengths)[:, 1:]
    return quaternions.rotate(back, rates[:, :3]), angular
