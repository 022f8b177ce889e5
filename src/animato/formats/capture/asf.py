"""ASF, the skeleton beside an AMC file: bones with lengths and directions, axes and the turns they can make.

An ASF bone is a segment that begins where its parent's ends. It becomes a bone whose joint is at that beginning; the
end of a last bone is kept as "<name>.end", which never turns.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field, replace
from pathlib import Path

import numpy as np

from animato.errors import FileFormatError
from animato.formats.capture.bvh_hierarchy import LARGEST_NUMBER
from animato.formats.files import read_text_whole, shortened

ROOT = "root"
_MOST_BONES = 2000
_AXES = re.compile(r"[xyz]{3}")


@dataclass(frozen=True)
class AsfBone:
    """One segment, as written.

    Attributes:
        name: Of the segment; `ROOT` for the root, which has no length.
        direction: From its beginning to its end in the skeleton's axes.
        length: In the file's unit.
        axis_angles: Of the axes about which it turns, in the file's unit of angle.
        axis_order: Letters in the order in which these are applied, such as "xyz".
        dofs: Columns of its motion: "rx", "ry", "rz", and "tx", "ty", "tz" for the root.
        line: Where it begins.
    """

    name: str
    line: int
    direction: tuple[float, ...] = (0.0, 0.0, 0.0)
    length: float = 0.0
    axis_angles: tuple[float, ...] = (0.0, 0.0, 0.0)
    axis_order: str = "xyz"
    dofs: tuple[str, ...] = ()


@dataclass(frozen=True)
class AsfSkeleton:
    """A whole ASF file.

    Attributes:
        bones: The root first, parents before children.
        parents: Index of each bone's parent, -1 for the root.
        length_unit: As written below `:units`; 1 where nothing is.
        degrees: Whether angles are in degrees.
        position: Of the root at rest, in the file's unit.
    """

    bones: tuple[AsfBone, ...]
    parents: tuple[int, ...]
    length_unit: float
    degrees: bool
    position: tuple[float, ...]


@dataclass
class _Draft:
    """A skeleton while its file is read."""

    path: str | Path
    length_unit: float = 1.0
    degrees: bool = True
    position: tuple[float, ...] = (0.0, 0.0, 0.0)
    bones: dict[str, AsfBone] = field(default_factory=dict)
    children: dict[str, list[tuple[str, int]]] = field(default_factory=dict)

    def trouble(self, message: str, line: int) -> FileFormatError:
        return FileFormatError(self.path, message, line)

    def numbers(self, words: list[str], count: int, what: str, line: int) -> tuple[float, ...]:
        """Exactly so many finite numbers."""
        try:
            values = tuple(float(word) for word in words[:count])
        except ValueError:
            values = ()
        if len(values) != count or not all(abs(value) < LARGEST_NUMBER for value in values):
            raise self.trouble(f"{what} needs {count} finite numbers, not '{shortened(' '.join(words))}'.", line)
        return values


def load_asf(path: str | Path) -> AsfSkeleton:
    """Reads an ASF file.

    Raises:
        FileFormatError: With the line of the trouble.
    """
    return asf_from_text(read_text_whole(path), path)


def asf_from_text(text: str, path: str | Path) -> AsfSkeleton:
    """The same of the content of a file; `path` only names it."""
    draft = _Draft(path, bones={ROOT: AsfBone(ROOT, 1)})
    section = ""
    open_bone: AsfBone | None = None
    for number, raw in enumerate(text.splitlines(), 1):
        words = raw.split("#", 1)[0].split()
        if not words:
            continue
        if words[0].startswith(":"):
            section = words[0].lower()
        elif section == ":units":
            _units(draft, words, number)
        elif section == ":root":
            _root(draft, words, number)
        elif section == ":bonedata":
            open_bone = _bone(draft, open_bone, words, number)
        elif section == ":hierarchy" and words[0].lower() not in ("begin", "end"):
            draft.children.setdefault(words[0], []).extend((child, number) for child in words[1:])
        if len(draft.bones) > _MOST_BONES:
            raise draft.trouble(f"more than {_MOST_BONES} bones; the file is damaged.", number)
    if open_bone is not None:
        raise draft.trouble(
            f"the bone '{shortened(open_bone.name)}' has no 'end'; was the file cut off?", open_bone.line
        )
    if len(draft.bones) == 1 or not draft.children:
        raise FileFormatError(path, "an ASF file has ':root', ':bonedata' and ':hierarchy'; this one lacks bones.")
    return _ordered(draft)


def _units(draft: _Draft, words: list[str], line: int) -> None:
    if words[0].lower() == "length":
        draft.length_unit = draft.numbers(words[1:], 1, "length", line)[0]
        if not draft.length_unit > 0.0:
            raise draft.trouble(f"length must be greater than 0, not {draft.length_unit:g}.", line)
    elif words[0].lower() == "angle":
        draft.degrees = not " ".join(words[1:]).lower().startswith("rad")


def _root(draft: _Draft, words: list[str], line: int) -> None:
    root, key = draft.bones[ROOT], words[0].lower()
    if key == "order":
        draft.bones[ROOT] = replace(root, dofs=_dofs(draft, words[1:], "rt", line))
    elif key == "axis":
        draft.bones[ROOT] = replace(root, axis_order=_axis_order(draft, words[1:], line))
    elif key == "position":
        draft.position = draft.numbers(words[1:], 3, key, line)
    elif key == "orientation":
        draft.bones[ROOT] = replace(root, axis_angles=draft.numbers(words[1:], 3, key, line))


def _bone(draft: _Draft, bone: AsfBone | None, words: list[str], line: int) -> AsfBone | None:
    """One line of the bones; returns the bone that is still open after it."""
    key = words[0].lower()
    if key == "begin":
        return AsfBone("", line)
    if bone is None:
        raise draft.trouble(f"'{shortened(words[0])}' stands outside of 'begin' and 'end'.", line)
    if key == "end":
        if not bone.name or bone.name in draft.bones:
            raise draft.trouble(f"a bone needs a name of its own, not '{shortened(bone.name)}'.", bone.line)
        draft.bones[bone.name] = bone
        return None
    if key == "name" and len(words) > 1:
        return replace(bone, name=words[1])
    if key == "direction":
        return replace(bone, direction=draft.numbers(words[1:], 3, key, line))
    if key == "length":
        return replace(bone, length=draft.numbers(words[1:], 1, key, line)[0])
    if key == "axis":
        angles = draft.numbers(words[1:], 3, key, line)
        return replace(bone, axis_angles=angles, axis_order=_axis_order(draft, words[4:], line))
    if key == "dof":
        return replace(bone, dofs=_dofs(draft, words[1:], "r", line))
    return bone  # id, limits, masses: nothing that moves it


def _dofs(draft: _Draft, words: list[str], kinds: str, line: int) -> tuple[str, ...]:
    dofs = tuple(word.lower() for word in words)
    known = [kind + axis for kind in kinds for axis in "xyz"]
    odd = [dof for dof in dofs if dof not in known]
    if odd or len(set(dofs)) != len(dofs):
        raise draft.trouble(f"'{shortened(' '.join(words))}' must be some of {', '.join(known)}, each once.", line)
    return dofs


def _axis_order(draft: _Draft, words: list[str], line: int) -> str:
    order = words[0].lower() if words else ""
    if not _AXES.fullmatch(order) or len(set(order)) != 3:
        raise draft.trouble(f"the order of axes must be such as XYZ, not '{shortened(' '.join(words))}'.", line)
    return order


def _ordered(draft: _Draft) -> AsfSkeleton:
    """Bones from the root on, as the hierarchy has them."""
    parents = {ROOT: -1}
    order = [ROOT]
    for name in order:  # grows while it is walked through
        for child, line in draft.children.get(name, ()):
            if child not in draft.bones:
                raise draft.trouble(f"the hierarchy names a bone '{shortened(child)}' that is not described.", line)
            if child in parents:
                raise draft.trouble(f"the bone '{shortened(child)}' hangs on two others.", line)
            parents[child] = order.index(name)
            order.append(child)
    lost = [name for name in draft.bones if name not in parents]
    if lost:
        raise draft.trouble(f"the bone '{shortened(lost[0])}' hangs on nothing.", draft.bones[lost[0]].line)
    return AsfSkeleton(
        tuple(draft.bones[name] for name in order),
        tuple(parents[name] for name in order),
        draft.length_unit,
        draft.degrees,
        draft.position,
    )


def segment(bone: AsfBone) -> np.ndarray:
    """From the beginning of a bone to its end at rest, in the file's unit, shape [3]."""
    direction = np.array(bone.direction)
    norm = float(np.linalg.norm(direction))
    return direction / norm * bone.length if norm > 0.0 else np.zeros(3)
