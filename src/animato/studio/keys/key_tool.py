"""The tool of the timeline: sets, moves, eases and takes away keys."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from animato.described import shortened
from animato.errors import MotionError, OptionError
from animato.motion import Clip
from animato.studio.desk import Answer, Desk, Fields, Page, Tool
from animato.studio.document import Take
from animato.studio.keys.completing import completed
from animato.studio.keys.ease import Ease
from animato.studio.keys.editing import (
    CUT,
    STRETCH,
    keys_at,
    lasting,
    moved_keys,
    pasted,
    with_ease,
    with_key,
    with_poses,
    without_keys,
)
from animato.studio.keys.extracting import extracted
from animato.studio.keys.key import Key
from animato.studio.keys.keyed import Keyed
from animato.studio.keys.mirroring import mirror_of, mirrored
from animato.studio.keys.motion import has_loops, keyed_motion
from animato.studio.keys.rows import normalized_turns
from animato.studio.workers import Workshop

_NEW_TAKE_S = 4.0
_LONGEST_S = 3600.0
_MOST_TOLERANCE = 1.0
_TOLERANCE = 0.03
_SHORT = 1000  # frames out of which keys are made at once


class KeyTool(Tool):
    """Keys of the take that is open.

    A take that is not made of keys, such as a drawing, is left as it is: its motion goes on as a take of keys beside
    it.

    Attributes:
        name: Of the tool.
    """

    name = "key"

    def __init__(self, desk: Desk, workshop: Workshop) -> None:
        """With nothing copied."""
        self._desk, self._workshop = desk, workshop
        self._copied: tuple[tuple[str, ...], list[Key]] = ((), [])
        self._dragged: tuple[str, str, Keyed | None] = ("", "", None)

    def answers(self) -> Mapping[str, Answer]:
        """Its messages."""
        return {
            "key.set": self._set,
            "key.move": self._move,
            "key.ease": self._ease,
            "key.delete": self._delete,
            "key.copy": self._copy,
            "key.paste": self._paste,
            "key.mirror": self._mirror,
            "key.extract": self._extract,
            "key.duration": self._duration,
            "key.reach": self._reach,
        }

    def state(self) -> Mapping[str, Any]:
        """What can be chosen."""
        return {"eases": [ease.value for ease in Ease], "copied": len(self._copied[1])}

    # --- Messages -----------------------------------------------------------------------------------------------------
    def _set(self, page: Page, fields: Fields) -> Mapping[str, Any]:
        """A key at `time` [s]: `pose` by coordinate, `root` (7 numbers); what is not given is as in the motion."""
        take, keyed = self._open(blank=True)
        character = self._desk.document.character
        pose = _pose(fields, character.coordinate_names)
        root = fields.numbers("root", (7,)) if fields.has("root") else None
        if root is not None and not character.floats:
            raise OptionError(f"'{character.name}' is held on the ground; its root cannot be moved.")
        if set(pose) - set(keyed.base.names) or root is not None:
            keyed = completed(character, keyed, with_root=root is not None)
        time = fields.number("time")
        known = {key.time: key.ease for key in keyed.keys}
        here = keyed.key_here(time)
        values = [pose.get(name, old) for name, old in zip(keyed.base.names, here.pose, strict=True)]
        row = np.concatenate([values, here.row[len(values) :] if root is None else root])
        row = normalized_turns(row, keyed.turns)
        ease = _ease_of(fields, known.get(here.time, Ease.THROUGH))
        key = Key(here.time, row[: len(values)], row[len(values) :] if keyed.base.has_base else None, ease)
        self._edit("key set", take, with_key(keyed, key), fields)
        return {"times": [here.time]}

    def _move(self, page: Page, fields: Fields) -> Mapping[str, Any]:
        """Keys `from` these times [s] moved `by` some time [s]; in one gesture, both count from where it began."""
        take, keyed = self._open()
        gesture = fields.text("gesture", "")
        if not gesture or self._dragged[:2] != (gesture, take.name):
            self._dragged = gesture, take.name, keyed
        # a key that is only passed on the way is there again afterwards
        moved, times = moved_keys(self._dragged[2] or keyed, _times(fields, "from"), fields.number("by"))
        self._edit("key moved", take, moved, fields)
        return {"times": times}

    def _ease(self, page: Page, fields: Fields) -> None:
        take, keyed = self._open()
        self._edit("ease changed", take, with_ease(keyed, _times(fields), _ease_of(fields)), fields)

    def _delete(self, page: Page, fields: Fields) -> None:
        take, keyed = self._open()
        self._edit("key deleted", take, without_keys(keyed, _times(fields)), fields)

    def _copy(self, page: Page, fields: Fields) -> Mapping[str, Any]:
        _, keyed = self._open()
        self._copied = keyed.base.names, keys_at(keyed, _times(fields))
        return {"copied": len(self._copied[1])}

    def _paste(self, page: Page, fields: Fields) -> Mapping[str, Any]:
        """What was copied, `to` a time [s]; `times` are copied first where they are given."""
        if fields.has("times"):
            self._copy(page, fields)
        names, keys = self._copied
        if not keys:
            raise OptionError("Nothing was copied; choose keys and copy them first.")
        take, keyed = self._open(blank=True)
        if set(names) - set(keyed.base.names):
            keyed = completed(self._desk.document.character, keyed, with_root=False)
        fitting = [_fitted(key, names, keyed) for key in keys]
        more, times = pasted(keyed, fitting, fields.number("to"))
        self._edit("keys pasted", take, more, fields)
        return {"times": times}

    def _mirror(self, page: Page, fields: Fields) -> None:
        take, keyed = self._open()
        character, names = self._desk.document.character, keyed.base.names
        changed = with_poses(keyed, _times(fields), lambda row: mirrored(character, row, names))
        self._edit("key mirrored", take, changed, fields)
        stayed = mirror_of(character).left_out
        if stayed:
            words = f"These joints have no mirror image and stayed: {shortened(stayed)}."
            self._desk.tell("toast", {"words": words, "kind": "plain"}, page)

    def _extract(self, page: Page, fields: Fields) -> None:
        """Few keys in the place of all frames; `tolerance` [rad]."""
        take = self._desk.document.open_take
        clip = None if take is None else take.clip
        if take is None or clip is None:
            raise OptionError("There is no motion yet out of which keys could be made.")
        tolerance = fields.number("tolerance", _TOLERANCE, least=1e-4, most=_MOST_TOLERANCE)

        def then(found: Keyed) -> None:
            self._extracted(take, clip, found)

        if clip.frame_count <= _SHORT:
            self._workshop.quickly("key.extract", extracted, clip, tolerance, then=then)
        else:  # the check goes on meanwhile
            self._workshop.start(f"keys from '{take.name}'", extracted, clip, tolerance, then=then)

    def _extracted(self, asked: Take, clip: Clip, found: Keyed) -> None:
        take = self._desk.document.open_take
        if take is None or take.name != asked.name or take.clip is not clip:
            return  # it was edited meanwhile
        if not isinstance(take.source, Keyed):
            take = self._copy_of(take, found)
        self._edit("keys made from the motion", take, found, Fields({}))
        words = f"{len(found.keys)} keys now make what {clip.frame_count} frames were."
        self._desk.tell("toast", {"words": words, "kind": "good"})

    def _duration(self, page: Page, fields: Fields) -> None:
        """`seconds`, and `how`: stretch everything, or cut or hold the end."""
        take, keyed = self._open(blank=True)
        seconds = fields.number("seconds", least=1e-3, most=_LONGEST_S)
        how = fields.choice("how", (STRETCH, CUT), STRETCH)
        self._edit("duration changed", take, lasting(keyed, seconds, how), fields)

    def _reach(self, page: Page, fields: Fields) -> None:
        """`seconds` in which what keys change begins before the first and ends after the last one."""
        take, keyed = self._open()
        reach = fields.number("seconds", least=0.0, most=_LONGEST_S)
        self._edit("reach of keys changed", take, Keyed(keyed.base, keyed.keys, keyed.blank, reach), fields)

    # --- The take -----------------------------------------------------------------------------------------------------
    def _open(self, *, blank: bool = False) -> tuple[Take, Keyed]:
        """The open take and its keys; another kind goes on as keys beside it.

        Args:
            blank: Whether a new take is begun where none is open.
        """
        document = self._desk.document
        take = document.open_take
        if take is None:
            if not blank:
                raise OptionError("No take is open; set a key to begin one.")
            keyed = Keyed.hold(document.character, _NEW_TAKE_S)
            return Take(document.free_name("keys"), keyed), keyed
        if isinstance(take.source, Keyed):
            return take, take.source
        if take.clip is None:
            raise MotionError(f"'{take.name}' has no motion yet; keys can be set when it is solved.")
        keyed = Keyed.of(take.clip)
        return self._copy_of(take, keyed), keyed

    def _copy_of(self, take: Take, keyed: Keyed) -> Take:
        name = self._desk.document.free_name(f"{take.name} keyed")
        return Take(name, keyed, keyed.base)

    def _edit(self, label: str, take: Take, keyed: Keyed, fields: Fields) -> None:
        """Puts the edited take in its place; where joints close loops, they are closed next."""
        document = self._desk.document
        character = document.character
        is_new = take.name not in {one.name for one in document.takes}
        edited = take.made_anew(keyed, keyed.clip)
        self._desk.edit_take(label, edited, fields.text("gesture", ""))
        if is_new and document.current:
            words = f"'{document.current}' is kept; your keys are in '{take.name}'."
            self._desk.tell("toast", {"words": words, "kind": "plain"})
        if keyed.keys and has_loops(character):
            self._workshop.quickly(
                "key.loops",
                keyed_motion,
                character,
                keyed,
                then=lambda clip: self._closed(edited, edited.made_anew(keyed, clip)),
                failed=lambda words: self._closed(edited, edited.made_anew(keyed, keyed.clip, words)),
            )

    def _closed(self, asked: Take, result: Take) -> None:
        self._desk.amend_take(asked, result)


def _times(fields: Fields, name: str = "times") -> list[float]:
    times: list[float] = fields.numbers(name, (None,)).tolist()
    if not times:
        raise OptionError(f"`{name}` is empty; choose a key first.")
    return times


def _ease_of(fields: Fields, default: Ease | None = None) -> Ease:
    return Ease(fields.choice("ease", [ease.value for ease in Ease], None if default is None else default.value))


def _pose(fields: Fields, names: tuple[str, ...]) -> dict[str, float]:
    """Values by coordinate; a list holds all of them in the character's order."""
    if not fields.has("pose"):
        return {}
    if isinstance(fields.raw("pose"), list):
        return dict(zip(names, fields.numbers("pose", (len(names),)).tolist(), strict=True))
    given = fields.fields("pose")
    raw = fields.raw("pose")
    unknown = [name for name in raw if name not in names]
    if unknown:
        raise OptionError(f"`pose` has '{unknown[0]:.40}', which is no coordinate; coordinates: {', '.join(names)}.")
    return {name: given.number(name) for name in raw}


def _fitted(key: Key, names: tuple[str, ...], keyed: Keyed) -> Key:
    """A key of another take, with what this one states; what it does not say is as in the motion."""
    here = keyed.key_here(key.time)
    values = dict(zip(names, key.pose, strict=True))
    pose = np.array([values.get(name, old) for name, old in zip(keyed.base.names, here.pose, strict=True)])
    root = None if not keyed.base.has_base else here.root if key.root is None else key.root
    return Key(key.time, pose, root, key.ease)
