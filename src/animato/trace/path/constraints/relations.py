"""A term of the path: two points that keep where they are to one another, as two hands on one club."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Literal, get_args

import numpy as np

from animato.character import Character, Marker
from animato.errors import OptionError
from animato.mechanics.tree import BodyPoses, build_point_kinematics, forward_kinematics, states_of_posture
from animato.motion import Posture
from animato.spatial.rigid_transform import RigidTransform
from animato.trace.path.constraints.measured import Measured

Keeps = Literal["distance", "place", "pose"]
LEVER = 0.1
"""Of the points beside the second one that show how it is turned [m]: 1 mm there is half a degree."""


@dataclass(frozen=True)
class KeptRelation:
    """The second point stays to the first as it is where the motion begins.

    Attributes:
        first, second: End-points, markers or bodies; a sketch may move either, both or none of them.
        keeps: Their distance; the place of the second on the body of the first; or that and how it is turned.
    """

    first: str
    second: str
    keeps: Keeps = "pose"

    def __post_init__(self) -> None:
        if self.keeps not in get_args(Keeps):
            raise OptionError(
                f"What is kept of '{self.first}' and '{self.second}' is one of {', '.join(get_args(Keeps))}; given "
                f"{self.keeps!r}."
            )
        if self.first == self.second:
            raise OptionError(f"A relation is between two points; '{self.first}' was given twice.")


def parse_relation(text: str) -> KeptRelation:
    """A relation as a person writes it: `left_hand right_hand`, and after it what is kept.

    Raises:
        OptionError: It cannot be read.
    """
    words = text.split()
    if len(words) not in (2, 3):
        raise OptionError(
            f"A relation is two points and what is kept of it, such as 'left_hand right_hand pose'; given '{text}'. "
            f"What is kept is one of {', '.join(get_args(Keeps))}."
        )
    return KeptRelation(words[0], words[1], *words[2:])  # type: ignore[arg-type]


@dataclass(frozen=True, eq=False)
class PreparedRelations:
    """Relations as pairs of points that must meet, or keep their distance.

    Attributes:
        relations: Which.
        markers: The points, two a pair, on the first body and on the second.
        distances: Of each pair [m]; 0 where both must meet, [pair].
        kept: The relation of each pair, [pair].
    """

    relations: tuple[KeptRelation, ...]
    markers: tuple[Marker, ...]
    distances: np.ndarray
    kept: np.ndarray

    @property
    def names(self) -> tuple[str, ...]:
        """Of the points, in the order of the markers."""
        return tuple(marker.name for marker in self.markers)

    def marked(self, character: Character) -> Character:
        """The character with these markers."""
        return replace(character, markers=(*character.markers, *self.markers))


def prepared_relations(
    character: Character, relations: Sequence[KeptRelation], posture: Posture | None
) -> PreparedRelations:
    """Measures relations in a posture.

    Raises:
        UnknownNameError: A point that the character does not have.
        CharacterError: A point that no motor moves.
    """
    poses = forward_kinematics(character, states_of_posture(character, posture))
    markers: list[Marker] = []
    distances, kept = [], []
    for number, relation in enumerate(relations):
        first, second = build_point_kinematics(character, (relation.first, relation.second)).points
        on_first, on_second = (_pose(poses, point.body) for point in (first, second))
        here = np.array(second.position)
        if relation.keeps == "distance":
            apart = on_first.apply(first.position) - on_second.apply(here)
            pairs, lengths = [(np.array(first.position), here)], [float(np.linalg.norm(apart))]
        else:
            beside = np.concatenate([np.zeros((1, 3)), LEVER * np.eye(3)[:2]]) if relation.keeps == "pose" else [0.0]
            points = [here + offset for offset in beside]
            pairs = [(on_first.inverse().apply(on_second.apply(point)), point) for point in points]
            lengths = [0.0] * len(pairs)
        for pair in pairs:
            for body, place in zip((first.body, second.body), pair, strict=True):
                markers.append(Marker(f"relation {len(markers)}", body, tuple(place.tolist())))
        distances += lengths
        kept += [number] * len(pairs)
    return PreparedRelations(tuple(relations), tuple(markers), np.array(distances), np.array(kept, dtype=np.int64))


def measured_relations(prepared: PreparedRelations, s: np.ndarray, places: np.ndarray, J: np.ndarray) -> Measured:
    """What the relations say at places s [m].

    Args:
        prepared: The relations.
        s: Places along the path.
        places: Of the markers there [m], [m, marker, 3].
        J: Their change with the joints, [m, marker, 3, n].
    """
    n, parts = J.shape[3], []
    for pair, distance in enumerate(prepared.distances):
        apart, change = places[:, 2 * pair] - places[:, 2 * pair + 1], J[:, 2 * pair] - J[:, 2 * pair + 1]
        if distance > 0.0:
            length = np.linalg.norm(apart, axis=1)
            way = apart / np.maximum(length, 1e-12)[:, None]
            values, slopes = length[:, None], np.einsum("ma,man->mn", way, change)[:, None]
        else:
            values, slopes = apart, change
        width = values.shape[1]
        keys = np.tile(3 * pair + np.arange(width), len(s))
        wanted, equal = np.full(values.size, distance), np.ones(values.size, dtype=bool)
        parts.append((np.repeat(s, width), values.ravel(), wanted, slopes.reshape(-1, n), equal, keys))
    return Measured(*(np.concatenate(columns) for columns in zip(*parts, strict=True)))


def _pose(poses: BodyPoses, body: str) -> RigidTransform:
    index = poses.names.index(body)
    return RigidTransform(poses.positions[0, index], poses.quaternions_wxyz[0, index])
