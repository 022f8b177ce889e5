"""The tool of posing: bodies that are dragged, joints that are set, postures that are kept."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from animato.errors import OptionError, unknown_name
from animato.motion import Clip, Posture
from animato.studio.desk import Answer, Desk, Fields, Page, Tool
from animato.studio.document import Document
from animato.studio.keys import mirrored
from animato.studio.posing.figure import Figure
from animato.studio.posing.figure_keeper import FigureKeeper
from animato.studio.posing.hand import Hand
from animato.studio.posing.live_pose import (
    arrays_of,
    at_limits,
    carried,
    fields_of_key,
    on_its_feet,
    posture_of,
    stance_at,
    stance_of_posture,
    whole,
)
from animato.studio.posing.stance import Stance
from animato.studio.posing.standing import Pin
from animato.studio.workers import Workshop

_GOES_ON_S = 1.0 / 60.0  # between two steps of a figure that has not caught up with the hand
_MOTION_COMES_S = 0.15  # until pages have the motion of a new key: what was there before must not flash up
_LONGEST_NAME = 60
_SAME_TIME_S = 1e-4


class PoseTool(Tool):
    """A pose that lives beside the document until it is kept: as a key, or as a posture.

    Attributes:
        name: Of the tool.
    """

    name = "pose"

    def __init__(self, desk: Desk, workshop: Workshop) -> None:
        """Begins to make the character ready."""
        self._desk = desk
        self._keeper = FigureKeeper(desk.post, self._told_ready)
        self._keeper.open(desk.document.character)
        self._stance: Stance | None = None
        self._time, self._clip = 0.0, self._shown_clip()
        self._hand: Hand | None = None
        self._gesture, self._held_by = "", ""
        self._pins: list[Pin] = []
        self._goes_on = False

    def answers(self) -> Mapping[str, Answer]:
        """Its messages."""
        return {
            "pose.drag": self._drag,
            "pose.turn": self._turn,
            "pose.root": self._root,
            "pose.joint": self._joint,
            "pose.done": self._done,
            "pose.set": self._set,
            "pose.reset": self._reset,
            "pose.mirror": self._mirror,
            "pose.keep": self._keep,
            "pose.forget": self._forget,
            "pose.pin": self._pin,
            "pose.off": self._off,
        }

    def state(self) -> Mapping[str, Any]:
        """What can be moved, and what is pinned."""
        figure = self._keeper.figure
        return {
            "ready": figure is not None,
            "words": self._keeper.why_not,
            "driven": [] if figure is None else list(figure.driven),
            "root": figure is not None and bool(figure.root_freedoms),
            "pins": [{"body": pin.body, "local": pin.local.tolist(), "turns": pin.turns} for pin in self._pins],
        }

    def changed(self, before: Document, after: Document) -> None:
        """Another motion, or character, is the pose to begin with."""
        if after.character is not before.character:
            self._pins = []
            self._keeper.open(after.character)
            self._tell_state()
        if self._shown_clip() is not self._clip or after.character is not before.character:
            self._clip = self._shown_clip()
            self._drop()

    def welcome(self, page: Page) -> None:
        """A pose that is being made is seen by whoever comes, such as after a reload."""
        figure = self._keeper.figure
        if figure is not None and self._stance is not None:
            self._desk.show("pose", *self._message(figure, self._stance), page, newest_of="pose")

    def left(self, page: Page) -> None:
        """A hand that is gone holds nothing; the pose stays where it was pulled to."""
        if page.name == self._held_by:
            self._hand, self._gesture, self._held_by = None, "", ""

    def wait(self) -> None:
        """Waits until the character is ready; then the desk has to be given its turn. For tests."""
        self._keeper.wait()

    # --- Dragging -----------------------------------------------------------------------------------------------------
    def _drag(self, page: Page, fields: Fields) -> None:
        """A point `local` [m] of a `body` is pulled to a `target` in the world [m]; see `_grab`."""
        hand = self._grab(page, fields)
        if hand is not None:
            self._show(hand.pull(fields.numbers("target", (3,))))
            self._go_on()

    def _turn(self, page: Page, fields: Fields) -> None:
        """A `body` is turned by a `vector` [rad] in the world from how it was when the gesture began."""
        hand = self._grab(page, fields)
        if hand is not None:
            self._show(hand.turn(fields.numbers("vector", (3,))))
            self._go_on()

    def _root(self, page: Page, fields: Fields) -> None:
        """All of it is moved `by` [m] and turned by an `angle` [rad] about the vertical since the gesture began."""
        figure = self._ready()
        if figure is None:
            return
        if not figure.root_freedoms:
            raise OptionError(f"'{figure.character.name}' is held on the ground, so it cannot be moved as a whole.")
        by = fields.numbers("by", (3,)) if fields.has("by") else np.zeros(3)
        angle = fields.number("angle", 0.0)
        if fields.text("gesture", "") != self._gesture or self._hand is None:
            self._hand = Hand(figure, self._now(figure, fields), 0, np.zeros(3))
            self._gesture, self._held_by = fields.text("gesture", ""), page.name
        begin = self._hand.stance
        self._show(figure.stance(begin.coordinates, carried(begin, by, angle), begin))

    def _grab(self, page: Page, fields: Fields) -> Hand | None:
        """The hand of a gesture; a new one takes hold of the pose at `time` [s]. None where nothing is ready yet."""
        figure = self._ready()
        if figure is None:
            return None
        gesture = fields.text("gesture", "")
        if self._hand is None or gesture != self._gesture:
            body = self._body(fields)
            local = fields.numbers("local", (3,)) if fields.has("local") else np.zeros(3)
            self._hand = Hand(figure, self._now(figure, fields), body, local, self._pins)
            self._gesture, self._held_by = gesture, page.name
        return self._hand

    def _go_on(self) -> None:
        """Steps while the figure has not caught up with the hand, also where that rests."""
        if not self._goes_on and self._hand is not None and not self._hand.still:
            self._goes_on = True
            self._desk.later(_GOES_ON_S, self._gone_on)

    def _gone_on(self) -> None:
        self._goes_on = False
        if self._hand is not None and not self._hand.still and self._stance is not None:
            self._show(self._hand.go_on())
            self._go_on()

    def _done(self, page: Page, fields: Fields) -> Mapping[str, Any]:
        """The hand lets go; the pose becomes a key at `time` where `key` is wished."""
        figure = self._ready()
        if figure is None or self._stance is None:
            return {"keyed": False}
        if self._hand is not None and self._hand.moves:
            self._show(self._hand.let_go())
        gesture, self._hand, self._gesture = fields.text("gesture", "") or self._gesture, None, ""
        return self._keyed(page, figure, fields, gesture)

    # --- Joints and postures ------------------------------------------------------------------------------------------
    def _joint(self, page: Page, fields: Fields) -> Mapping[str, Any]:
        """A coordinate `name` goes to a `value` [rad or m], as far as its limits let it."""
        figure = self._ready()
        if figure is None:
            return {}
        name, names = fields.text("name"), figure.character.coordinate_names
        if name not in names:
            raise unknown_name("coordinate", name[:80], names, figure.character.name)
        if name not in figure.driven:
            raise OptionError(f"'{name}' follows others and cannot be set; these can: {', '.join(figure.driven)}.")
        here = self._now(figure, fields)
        coordinates = here.coordinates.copy()
        at = names.index(name)
        coordinates[at] = fields.number("value")
        there = figure.stance(coordinates, here.root, here)
        self._show(there)
        return {"value": float(there.coordinates[at])}

    def _set(self, page: Page, fields: Fields) -> Mapping[str, Any]:
        """A `posture` by its name."""
        figure = self._ready()
        if figure is None:
            return {"keyed": False}
        posture = self._posture(fields.text("posture"))
        self._show(stance_of_posture(figure, posture, self._now(figure, fields)))
        return self._keyed(page, figure, fields)

    def _reset(self, page: Page, fields: Fields) -> Mapping[str, Any]:
        """All joints at rest; what floats goes on standing where it stands."""
        figure = self._ready()
        if figure is None:
            return {"keyed": False}
        here = self._now(figure, fields)
        rest = stance_at(figure, None, 0.0)
        self._show(on_its_feet(figure, figure.stance(rest.coordinates, here.root, rest), here))
        return self._keyed(page, figure, fields)

    def _mirror(self, page: Page, fields: Fields) -> Mapping[str, Any]:
        """Left is right."""
        figure = self._ready()
        if figure is None:
            return {"keyed": False}
        here = self._now(figure, fields)
        row = here.coordinates if not figure.root_freedoms else np.concatenate([here.coordinates, here.root])
        other = mirrored(figure.character, row)
        count = len(here.coordinates)
        self._show(figure.stance(other[:count], other[count:] if len(other) > count else here.root, here))
        return self._keyed(page, figure, fields)

    def _keep(self, page: Page, fields: Fields) -> Mapping[str, Any]:
        """The pose of now, as a posture of a `name`."""
        figure = self._ready()
        if figure is None:
            raise OptionError("The character is still being made ready; try again in a moment.")
        document = self._desk.document
        name = " ".join(fields.text("name").split())[:_LONGEST_NAME]
        if not name:
            raise OptionError("A posture's `name` has letters or digits; given nothing.")
        if name in {one.name for one in document.character.postures}:
            raise OptionError(f"'{name}' is a posture of the character itself; choose another `name`.")
        stance = whole(figure, self._now(figure, fields))
        self._desk.edit(
            f"posture '{name}' kept", document.with_posture(name, posture_of(figure.character, stance, name))
        )
        return {"name": name}

    def _forget(self, page: Page, fields: Fields) -> None:
        document, name = self._desk.document, fields.text("name")
        if name not in document.postures:
            raise unknown_name("posture", name[:80], list(document.postures), "those that were kept")
        self._desk.edit(f"posture '{name}' forgotten", document.with_posture(name, None))

    def _pin(self, page: Page, fields: Fields) -> Mapping[str, Any]:
        """A `body` stays where it is, at a point `local` [m]; a pinned one does not any more. `all` frees all."""
        if fields.has("all"):
            self._pins = []
        else:
            body = self._body(fields)
            others = [pin for pin in self._pins if pin.body != body]
            if len(others) == len(self._pins):
                local = fields.numbers("local", (3,)) if fields.has("local") else np.zeros(3)
                others.append(Pin(body, local, turns=fields.flag("turns", default=True)))
            self._pins = others
        self._hand = None
        self._tell_state()
        return {"pins": self.state()["pins"]}

    def _off(self, page: Page, fields: Fields) -> None:
        """The motion is shown again."""
        self._drop()

    # --- What is shown ------------------------------------------------------------------------------------------------
    def _ready(self) -> Figure | None:
        if self._keeper.why_not:
            raise OptionError(self._keeper.why_not)
        return self._keeper.figure

    def _now(self, figure: Figure, fields: Fields) -> Stance:
        """The pose that is on the stage: the one being made, or that of the motion at `time` [s]."""
        time = fields.number("time", self._time)
        if self._stance is None or abs(time - self._time) > _SAME_TIME_S:
            self._stance = stance_at(figure, self._clip, time, self._stance)
        self._time = time
        return self._stance

    def _show(self, stance: Stance) -> None:
        figure = self._keeper.figure
        if figure is None:
            return
        self._stance = whole(figure, stance)
        self._desk.show("pose", *self._message(figure, self._stance), newest_of="pose")

    def _message(self, figure: Figure, stance: Stance) -> tuple[dict[str, Any], dict[str, np.ndarray]]:
        return {"figure": "main", "by": "pose", "at_limits": at_limits(figure, stance)}, arrays_of(figure, stance)

    def _drop(self) -> None:
        if self._stance is not None:
            self._stance, self._hand, self._gesture = None, None, ""
            self._desk.later(_MOTION_COMES_S, self._show_motion)

    def _show_motion(self) -> None:
        if self._stance is None:
            self._desk.show("pose", {"figure": "main", "off": True, "by": "pose"}, {}, newest_of="pose")

    def _keyed(self, page: Page, figure: Figure, fields: Fields, gesture: str = "") -> Mapping[str, Any]:
        """Makes the pose a key where that is wished; it is then shown as part of the motion."""
        if not fields.flag("key", default=False) or self._stance is None or "key" not in self._desk.tools:
            return {"keyed": False}
        wanted = {"time": self._time, **fields_of_key(figure, self._stance, self._clip)}
        told = self._desk.tools["key"].answers()["key.set"](page, Fields({**wanted, "gesture": gesture or None}))
        return {"keyed": True, **(told or {})}

    def _shown_clip(self) -> Clip | None:
        take = self._desk.document.open_take
        return None if take is None else take.clip

    def _posture(self, name: str) -> Posture:
        document = self._desk.document
        own = document.postures.get(name)
        return own if own is not None else Posture.named(document.character, name)

    def _body(self, fields: Fields) -> int:
        names = [body.name for body in self._desk.document.character.bodies]
        if isinstance(fields.raw("body"), str):
            name = fields.text("body")
            if name not in names:
                raise unknown_name("body", name[:80], names, self._desk.document.character.name)
            return names.index(name)
        return fields.whole("body", most=len(names) - 1)

    def _told_ready(self) -> None:
        self._tell_state()

    def _tell_state(self) -> None:
        self._desk.tell("posing", self.state())
