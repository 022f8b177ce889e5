"""Marks that are laid over pictures of a design: targets, what is done instead, joints and their axes."""

from __future__ import annotations

import numpy as np

from animato.character import Joint, JointRole, JointType
from animato.design.optimization import Performance
from animato.design.terms import TrackingTarget
from animato.report.design.views import DesignViews, body_poses
from animato.report.kit import Markup, element, path
from animato.spatial import quaternions
from animato.spatial.rigid_transform import RigidTransform

AXIS_SHARE = 0.13
"""Length of a drawn axis over the size of the character."""

_MOST_PATH = 240
HAS_AXIS = (JointType.REVOLUTE, JointType.PRISMATIC, JointType.CYLINDRICAL, JointType.UNIVERSAL)
"""Joints whose axis is drawn; of others there is a dot."""


def target_marks(views: DesignViews, performance: Performance, step: int) -> list[Markup]:
    """Ways of points, where they should be and are, and how bodies should be turned and are.

    Args:
        views: Who looks.
        performance: Which design.
        step: When.
    """
    motion, first = performance.problem.motion_at(step)
    marks: list[Markup] = []
    for target in motion.targets:
        marks += _path_marks(views, performance, target, first)
    for target in motion.targets:
        marks += _turn_marks(views, performance, target, step, step - first)
        marks += _point_marks(views, performance, target, step, step - first)
    return marks


def wanted_bodies(performance: Performance, step: int) -> dict[str, RigidTransform]:
    """T_world_body of all bodies whose turn is asked for; where no place is, the body is where it is."""
    motion, _ = performance.problem.motion_at(step)
    turned = [target for target in motion.targets if target.orientations_wxyz is not None]
    found = {target.body: wanted_pose(performance, target, np.array([step])) for target in turned}
    return {name: RigidTransform(pose.position[0], pose.quaternion_wxyz[0]) for name, pose in found.items()}


def wanted_pose(performance: Performance, target: TrackingTarget, steps: np.ndarray) -> RigidTransform:
    """T_world_body as a target with turns asks for it; where it asks for no place, the body is where it is.

    Args:
        performance: Which design.
        target: Of one motion.
        steps: Of that motion, counted over all motions, [step].
    """
    own = steps - performance.problem.motion_at(int(steps[0]))[1]
    at = target_pose(performance, target, steps).position if target.positions is None else target.positions[own]
    turn = np.asarray(target.orientations_wxyz)[own]
    return RigidTransform(at, turn) @ RigidTransform(-target.point)


def target_pose(performance: Performance, target: TrackingTarget, steps: np.ndarray) -> RigidTransform:
    """T_world_point of the body of a target, at its point."""
    return body_poses(performance, steps).of(target.body) @ RigidTransform(target.point)


def _path_marks(views: DesignViews, performance: Performance, target: TrackingTarget, first: int) -> list[Markup]:
    if target.positions is None:
        return []
    chosen = np.unique(np.linspace(0, target.step_count - 1, min(target.step_count, _MOST_PATH)).round().astype(int))
    wanted = path(*views.seen(target.positions[chosen]).T)
    done = path(*views.seen(target_pose(performance, target, first + chosen).position).T)
    return [
        element("path", class_="halo", stroke_width=4, d=wanted),
        element("path", class_="wanted-path", d=wanted),
        element("path", class_="done-path", d=done),
    ]


def _point_marks(
    views: DesignViews, performance: Performance, target: TrackingTarget, step: int, own: int
) -> list[Markup]:
    if target.positions is None:
        return []
    (x, y), (u, v) = (
        views.seen(target.positions[own]),
        views.seen(target_pose(performance, target, np.array([step])).position[0]),
    )
    return [
        element("path", class_="miss", d=f"M{u:.1f},{v:.1f}L{x:.1f},{y:.1f}"),
        element("circle", class_="done-point", cx=f"{u:.1f}", cy=f"{v:.1f}", r=4.5),
        element("circle", class_="wanted-point", cx=f"{x:.1f}", cy=f"{y:.1f}", r=7),
    ]


def _turn_marks(
    views: DesignViews, performance: Performance, target: TrackingTarget, step: int, own: int
) -> list[Markup]:
    if target.orientations_wxyz is None:
        return []
    pose = target_pose(performance, target, np.array([step]))
    at = pose.position[0] if target.positions is None else target.positions[own]
    marks = []
    for class_, where, turn in (
        ("frame-wanted", at, target.orientations_wxyz[own]),
        ("frame-done", pose.position[0], pose.quaternion_wxyz[0]),
    ):
        ends = where + AXIS_SHARE * views.scene.size * quaternions.matrix_from_quaternion(turn).T
        start = views.seen(where)
        for letter, end in zip("xyz", views.seen(ends), strict=True):
            marks.append(_segment(start, end, f"{class_} a{letter}"))
    return marks


def _segment(start: np.ndarray, end: np.ndarray, class_: str) -> Markup:
    return element("path", class_=class_, d=f"M{start[0]:.1f},{start[1]:.1f}L{end[0]:.1f},{end[1]:.1f}")


def joint_marks(views: DesignViews, performance: Performance, before: Performance | None) -> list[Markup]:
    """All joints at the first step, coloured by role, with axes.

    Args:
        views: Who looks.
        performance: Which design.
        before: Another one, whose axes are drawn dashed.
    """
    lines: list[Markup] = []
    dots: list[Markup] = []
    for joint in performance.problem.character.joints:
        if joint.type in (JointType.GROUND, JointType.FIXED):
            continue
        role = str(JointRole(joint.role or JointRole.PASSIVE))
        place, axis = _joint_place(performance, joint)
        reach = 0.5 * AXIS_SHARE * views.scene.size * axis
        if joint.type in HAS_AXIS:
            if before is not None:
                old, was = _joint_place(before, joint)
                back = 0.5 * AXIS_SHARE * views.scene.size * was
                lines.append(_segment(views.seen(old - back), views.seen(old + back), "hinge was"))
            lines.append(_segment(views.seen(place - reach), views.seen(place + reach), f"hinge {role}"))
        x, y = views.seen(place)
        radius = 3 if role == "configurable" else 4.5
        dots.append(
            element(
                "circle",
                element("title", joint.name),
                class_=f"{role} hinge-dot",
                cx=f"{x:.1f}",
                cy=f"{y:.1f}",
                r=radius,
            )
        )
    return [*lines, *dots]


def _joint_place(performance: Performance, joint: Joint) -> tuple[np.ndarray, np.ndarray]:
    """Where a joint is and its axis, both in the world at the first step."""
    frame = joint.frame_parent.transform
    if joint.parent in performance.problem.mechanism.body_names:
        pose = body_poses(performance, np.zeros(1, dtype=int)).of(joint.parent)
        frame = RigidTransform(pose.position[0], pose.quaternion_wxyz[0]) @ frame
    return frame.position, quaternions.rotate(frame.quaternion_wxyz, joint.axes[:, 0])
