"""Soles of characters that state none, from the shapes of their feet at rest.

A foot is what is lowest at rest at the end of a leg, and has a flat bottom. A guess is made only where everything
speaks for it: feet come in pairs that mirror one another, each hangs on three joints at least, and the character would
stand on them.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from scipy.spatial import ConvexHull, QhullError

from animato.character import Body, Capsule, Character, JointType, Shape, Sole, Sphere
from animato.character.structure import rest_poses, topology_of
from animato.errors import CharacterError, MissingDependencyError, unknown_name
from animato.mechanics.collision import shape_points
from animato.mechanics.contact.polygon import outside_distance
from animato.mechanics.tree import centre_of_mass, states_of_posture

_LEVEL = 0.01  # [m] that feet may differ in height at rest
_ABOVE = 0.002  # [m] that a body may be above the one that hangs on it and still stand on the floor as it does
_SLAB = 0.005  # [m] above its lowest point that is a foot's bottom
_LEAST_AREA = 2e-3  # [m^2]: less is the cap of a ball
_LEAST_WIDTH = 0.015  # [m] across its narrowest direction
_MIRRORED = 0.1  # of the feet's distance and size: so much may a pair differ
_OVER = 0.02  # [m] that the centre of mass may be beyond the soles at rest
_LEAST_JOINTS = 3  # of a leg
_MOST_CORNERS = 8
_LOSS = 0.02  # of a sole's area that may go with corners that are left out


@dataclass(frozen=True)
class SoleGuess:
    """Soles that were found, or why none were.

    Attributes:
        soles: Empty where nothing is certain enough.
        reason: From what they are, or why there are none: the end of a sentence.
    """

    soles: tuple[Sole, ...]
    reason: str


@dataclass(frozen=True, eq=False)
class _Foot:
    """The lowest part of bodies that move as one: their body nearest to the leg, corners at rest [corner, 3]."""

    body: str
    corners: np.ndarray
    joints: int

    @property
    def middle(self) -> np.ndarray:
        return np.asarray(self.corners.mean(axis=0))

    @property
    def area(self) -> float:
        return float(ConvexHull(self.corners[:, :2]).volume)


def guessed_soles(character: Character) -> SoleGuess:
    """Soles from the shapes of the feet.

    Args:
        character: A tree that floats, z up at rest.
    """
    if not character.floats or not topology_of(character).is_tree:
        return SoleGuess((), "soles are guessed of trees that float only")
    groups = _groups(character)
    lowest = {root: float(points[:, 2].min()) for root, (points, _) in groups.items() if len(points)}
    if not lowest:
        return SoleGuess((), "its bodies have no shapes that could be read")
    floor = min(lowest.values())
    feet = []
    low = {one for one, height in lowest.items() if height < floor + _LEVEL}
    low -= _ankles(character, lowest, low)
    for root in (one for one in lowest if one in low):
        points, joints = groups[root]
        corners = _bottom(points)
        if corners is None:
            return SoleGuess((), f"what is lowest at rest, '{root}', has no flat bottom")
        feet.append(_Foot(root, corners, joints))
    doubt = _doubt(character, feet)
    if doubt:
        return SoleGuess((), doubt)
    soles = tuple(_sole(character, foot.body, foot.corners) for foot in feet)
    return SoleGuess(soles, "the flat bottoms of " + " and ".join(f"'{sole.body}'" for sole in soles))


def _ankles(character: Character, lowest: dict[str, float], low: set[str]) -> set[str]:
    """Those of low bodies from which lower ones hang: ankles, not feet."""
    parents = {link.body: link.parent for link in topology_of(character).links}
    found = set()
    for body in low:
        above = parents[body]
        while above is not None:
            if above in low and lowest[above] > lowest[body] + _ABOVE:
                found.add(above)
            above = parents[above]
    return found


def soles_of_bodies(character: Character, bodies: Sequence[str]) -> tuple[Sole, ...]:
    """Soles at the bottom, at rest, of bodies that somebody names.

    Raises:
        UnknownNameError: There is no such body.
        CharacterError: A body has no shape, or its bottom is no area.
    """
    groups = _groups(character)
    known = [body.name for body in character.bodies]
    soles = []
    for name in bodies:
        if name not in known:
            raise unknown_name("body", name, known, character.name)
        points = _points_at_rest(character, name)
        if not len(points) and name in groups:
            points = groups[name][0]  # what is fixed to it
        corners = _bottom(points)
        if corners is None:
            raise CharacterError(
                f"'{name}' cannot be a sole of '{character.name}': "
                + ("its lowest part at rest is a point or a line." if len(points) else "it has no shape to be read.")
                + " State the corners under `soles` in a character file, or name another body."
            )
        soles.append(_sole(character, name, corners))
    return tuple(soles)


def _groups(character: Character) -> dict[str, tuple[np.ndarray, int]]:
    """Bodies that move as one, by the first of them: surface points at rest [m], [point, 3], and joints above."""
    first: dict[str, str] = {}
    depth: dict[str, int] = {}
    clouds: dict[str, list[np.ndarray]] = {}
    for link in topology_of(character).links:
        fixed = link.parent is not None and link.joint is not None and link.joint.type is JointType.FIXED
        root = first[link.parent] if fixed and link.parent is not None else link.body
        first[link.body] = root
        if not fixed:
            depth[root] = 0 if link.parent is None else depth[first[link.parent]] + 1
        clouds.setdefault(root, []).append(_points_at_rest(character, link.body))
    return {root: (np.concatenate(parts), depth[root]) for root, parts in clouds.items()}


def _points_at_rest(character: Character, name: str) -> np.ndarray:
    """Points that matter for where a body is lowest, in the axes of the root at rest [m], [point, 3]."""
    body, pose = character.body(name), rest_poses(character)[name]
    down = pose.rotation.T @ np.array((0.0, 0.0, -1.0))
    return np.asarray(pose.apply(_surface(body, down)))


def _surface(body: Body, down: np.ndarray) -> np.ndarray:
    """In the body's frame; shapes for collision where some can be read, else those that are drawn."""
    for wanted in ("collision", "visual"):
        clouds = [_shape(shape, down) for shape in body.shapes if getattr(shape, wanted)]
        points = np.concatenate([np.zeros((0, 3)), *clouds])
        if len(points):
            return points
    return np.zeros((0, 3))


def _shape(shape: Shape, down: np.ndarray) -> np.ndarray:
    place, geometry = shape.frame.transform, shape.geometry
    inner = place.rotation.T @ down
    if isinstance(geometry, Sphere):  # stands on a point
        return np.asarray(place.apply(geometry.radius * inner[None]))
    if isinstance(geometry, Capsule):  # on a line
        ends = np.array([(0.0, 0.0, -0.5), (0.0, 0.0, 0.5)]) * geometry.length
        return np.asarray(place.apply(ends + geometry.radius * inner))
    try:
        points = shape_points(geometry)
    except MissingDependencyError:
        points = None
    return np.zeros((0, 3)) if points is None else np.asarray(place.apply(points))


def _bottom(points: np.ndarray) -> np.ndarray | None:
    """Corners of the flat bottom of points [point, 3], at the height of the lowest; None where it is none."""
    if len(points) < 3:
        return None
    floor = float(points[:, 2].min())
    flat = points[points[:, 2] < floor + _SLAB, :2]
    try:
        hull = ConvexHull(flat)
    except (QhullError, ValueError):
        return None
    outline = flat[hull.vertices]
    if hull.volume < _LEAST_AREA or _width(outline) < _LEAST_WIDTH:
        return None
    while len(outline) > 4:
        losses = [_corner_area(outline, index) for index in range(len(outline))]
        least = int(np.argmin(losses))
        if len(outline) <= _MOST_CORNERS and losses[least] > _LOSS * hull.volume:
            break
        outline = np.delete(outline, least, axis=0)
    return np.column_stack([outline, np.full(len(outline), floor)])


def _width(outline: np.ndarray) -> float:
    """The least extent of a convex outline over all directions [m]."""
    edges = np.roll(outline, -1, axis=0) - outline
    normals = np.column_stack([-edges[:, 1], edges[:, 0]]) / np.linalg.norm(edges, axis=1)[:, None]
    return float(np.ptp(outline @ normals.T, axis=0).min())


def _corner_area(outline: np.ndarray, index: int) -> float:
    before, here, after = outline[index - 1], outline[index], outline[(index + 1) % len(outline)]
    one, other = here - before, after - before
    return abs(float(one[0] * other[1] - one[1] * other[0])) / 2.0


def _doubt(character: Character, feet: list[_Foot]) -> str:
    """Why what is lowest may be no feet; empty where nothing speaks against it."""
    short = [foot.body for foot in feet if foot.joints < _LEAST_JOINTS]
    if short:
        return f"what is lowest at rest, '{short[0]}', is not at the end of a leg"
    if len(feet) % 2 or not all(any(_is_pair(one, other) for other in feet if other is not one) for one in feet):
        return "what is lowest at rest are no pairs of feet that mirror one another"
    corners = np.concatenate([foot.corners[:, :2] for foot in feet])
    states = states_of_posture(character)
    centre = centre_of_mass(character, states)[0] - states.root[0, :3]
    over = outside_distance(centre[None, :2], corners[None], np.ones((1, len(corners)), dtype=bool))[0]
    return "" if over <= _OVER else f"at rest it would not stand on what is lowest, by {100.0 * over:.0f} cm"


def _is_pair(one: _Foot, other: _Foot) -> bool:
    """Whether two feet are mirrored at a plane through the root's z axis and x axis."""
    apart = float(np.linalg.norm(one.middle[:2] - other.middle[:2]))
    mirrored = other.middle * np.array((1.0, -1.0, 1.0))
    alike = abs(one.area - other.area) <= _MIRRORED * max(one.area, other.area)
    return alike and one.joints == other.joints and bool(np.linalg.norm(one.middle - mirrored) <= _MIRRORED * apart)


def _sole(character: Character, body: str, corners: np.ndarray) -> Sole:
    local = rest_poses(character)[body].inverse().apply(corners)
    return Sole(body, body, tuple(tuple(np.round(corner, 9).tolist()) for corner in local))
