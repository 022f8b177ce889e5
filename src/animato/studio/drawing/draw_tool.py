"""The tool with which one draws: the robot follows, performs what was drawn, and all of it can be changed."""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Any
from weakref import WeakSet

import numpy as np

from animato.errors import AnimatoError, OptionError
from animato.studio.desk import Answer, Desk, Fields, Page, Tool
from animato.studio.document import Document, Take
from animato.studio.drawing.calming import SMOOTHING, Calming
from animato.studio.drawing.easel import Easel
from animato.studio.drawing.editing import MOVED, SCALED, TURNED, chosen_lines, with_redrawn, with_reshaped
from animato.studio.drawing.following import Following, pose_arrays
from animato.studio.drawing.hand import Hand, shown_posture
from animato.studio.drawing.lines import KINDS, Board, Drawn, DrawnStroke
from animato.studio.drawing.page_clock import PageClock
from animato.studio.drawing.performing import Performed, performed
from animato.studio.drawing.points import point_name
from animato.studio.drawing.starting import wished_start
from animato.studio.drawing.stroke_files import Brought, read_drawing
from animato.studio.project import inside
from animato.studio.watching import lift_of
from animato.studio.workers import Workshop
from animato.trace.sketch import with_body_points

_TICK_S = 0.016
_LAG_EVERY = 15  # ticks between two messages about the lag
_NAME = "drawing"


class DrawTool(Tool):
    """Draws.

    Attributes:
        name: Of the tool.
        hand: The line that is being drawn; None where none is.
    """

    name = "draw"

    def __init__(self, desk: Desk, workshop: Workshop, clock: Callable[[], float] = time.monotonic) -> None:
        """At a desk.

        Args:
            desk: Where.
            workshop: Where drawings are solved.
            clock: That goes on [s].
        """
        self._desk, self._workshop, self._clock = desk, workshop, clock
        self._easel = Easel(desk, workshop, self._tell_state)
        self._calm = Calming(desk, workshop)
        self._clocks: dict[str, PageClock] = {}
        self._asked: Drawn | None = None  # whose motion was asked for last
        self._owed: WeakSet[Drawn] = WeakSet()  # drawings that show the motion of another one, or one that is jerky
        self._timer: Any = None
        self._ticks, self._lifted = 0, 0.0
        self.hand: Hand | None = None
        self._after: Following | None = None  # what still moves after the pen was lifted

    # --- What a tool does ---------------------------------------------------------------------------------------------
    def answers(self) -> Mapping[str, Answer]:
        """Its messages."""
        return {
            "draw.enter": self._enter,
            "draw.point": self._point,
            "draw.plane": self._plane,
            "draw.begin": self._begin,
            "draw.add": self._add,
            "draw.lift": self._lift,
            "draw.cancel": self._cancel,
            "draw.option": self._option,
            "draw.smooth": self._smooth,
            "draw.move": lambda page, fields: self._reshape(fields, MOVED),
            "draw.scale": lambda page, fields: self._reshape(fields, SCALED),
            "draw.turn": lambda page, fields: self._reshape(fields, TURNED),
            "draw.delete": self._delete,
            "draw.import": self._import,
        }

    def state(self) -> Mapping[str, Any]:
        """Points, point, board, and whether all is warm."""
        return self._easel.for_page()

    def changed(self, before: Document, after: Document) -> None:
        """Another character has other points; a drawing that was left, or undone, before it was solved is solved."""
        if before.character is not after.character:
            self._drop()
            self._easel.forget()
            self._tell_state()
        elif before.settings.get(self.name) != after.settings.get(self.name):
            self._tell_state()
        self._solve_open()

    def welcome(self, page: Page) -> None:
        """A drawing whose motion is not in the project any more is solved when somebody looks."""
        self._solve_open()

    def _solve_open(self) -> None:
        take = self._desk.document.open_take
        if take is None or not isinstance(take.source, Drawn):
            return
        left = take.remark.endswith(SMOOTHING)  # also where the studio was closed before it was smooth
        if take.motion is not None and take.source not in self._owed and not left:
            return
        if take.source is not self._asked:  # what cannot be performed is not tried again and again
            self._solve(take, play=False)

    def left(self, page: Page) -> None:
        """What a page was drawing is left."""
        self._clocks.pop(page.name, None)
        if self.hand is not None and self.hand.page == page.name:
            self._drop()

    def close(self) -> None:
        """Ends."""
        self._drop()
        self._calm.leave()
        self._easel.close()

    @property
    def busy(self) -> bool:
        """Whether a drawing is being made smoother, or will soon be."""
        return self._calm.busy

    # --- Before one draws ---------------------------------------------------------------------------------------------
    def _enter(self, page: Page, fields: Fields) -> Mapping[str, Any]:
        self._hear(page, fields)
        self._easel.warm()
        return self.state()

    def _point(self, page: Page, fields: Fields) -> Mapping[str, Any]:
        character = self._desk.document.character
        if fields.has("body"):
            body = fields.whole("body", most=len(character.bodies) - 1)
            name = point_name(character, body, fields.numbers("place", (3,)))
        else:
            name = fields.text("name")
        point = self._easel.choose(name)
        self._tell_state()
        return {"point": point}

    def _plane(self, page: Page, fields: Fields) -> Mapping[str, Any]:
        kind = fields.choice("kind", KINDS)
        document, old = self._desk.document, self._easel.board
        if not fields.has("origin"):
            self._easel.let_go()
            self._tell_state()
            return {"board": self._easel.board.values()}
        names = ("origin", "right", "up", "width", "height")
        board = Board.from_values({"kind": kind, **{name: fields.raw(name) for name in names}})
        document = document.with_settings(self.name, board=board.values())
        take = document.open_take
        source = None if take is None else take.source
        if not fields.flag("carry", False) or take is None or not isinstance(source, Drawn):
            if fields.flag("carry", False):
                self._desk.edit("board moved", document, fields.text("gesture", ""))
            else:
                self._desk.amend(document)
            return {"board": board.values()}
        strokes = tuple(replace(one, board=board) if one.board == old else one for one in source.strokes)
        self._edit("board moved", take, source.with_strokes(strokes), fields.text("gesture", ""), on=document)
        return {"board": board.values()}

    # --- While one draws ----------------------------------------------------------------------------------------------
    def _begin(self, page: Page, fields: Fields) -> None:
        if self.hand is not None and self.hand.page != page.name:
            raise OptionError("Somebody draws on another page just now; wait until the pen is lifted.")
        self._drop()
        if self._easel.refusal:
            raise OptionError(self._easel.refusal)
        offset = self._hear(page, fields)
        point, board = self._easel.point_name, self._easel.hold()
        character = self._desk.document.character
        robot = with_body_points(character, [point])
        try:
            shown = shown_posture(fields, character)
            following = Following(robot, point, shown, lift_of(character)) if self._easel.ready else None
        except AnimatoError:
            following = None  # the whole line may still be performed, and what is wrong is told then
        self.hand = Hand(
            page.name,
            point,
            board,
            offset=offset,
            following=following,
            fresh=fields.flag("fresh", False),
            over=fields.number("over", 0.0, least=0.0, most=100.0),
        )
        self._ticks = 0
        if following is not None:
            self._timer = self._desk.every(_TICK_S, self.tick)

    def _add(self, page: Page, fields: Fields) -> None:
        if self.hand is None or self.hand.page != page.name:
            return  # a line that was cancelled meanwhile
        samples = fields.numbers("samples", (None, 4)) if fields.raw("samples") else np.zeros((0, 4))
        self.hand.add(samples)

    def _lift(self, page: Page, fields: Fields) -> Mapping[str, Any] | None:
        if self.hand is None or self.hand.page != page.name:
            return None
        if fields.has("samples"):
            self._add(page, fields)
        hand, self.hand = self.hand, None
        self._lifted = self._clock()
        if hand.following is not None:
            hand.following.finish()
            self._after = hand.following
            self._tell_lag(hand.following)
        stroke = hand.stroke(fields.numbers("grain", (2,)) if fields.has("grain") else np.zeros(2))
        if stroke is None:
            self._drop()
            return {"tap": True}
        try:
            self._keep(hand, stroke)
        except AnimatoError:
            self._drop()
            raise
        return {"tap": False}

    def _cancel(self, page: Page, fields: Fields) -> None:
        if self.hand is not None and self.hand.page == page.name:
            self._drop()

    def tick(self) -> None:
        """Shows where the robot is now; never raises."""
        following = self._after if self.hand is None else self.hand.following
        if following is None:
            return
        posture = following.tick(self._clock())
        if posture is not None:
            arrays = pose_arrays(self._desk.document.character, posture)
            self._desk.show("pose", {"figure": "main"}, arrays, newest_of="pose")
        self._ticks += 1
        if self.hand is not None and self._ticks % _LAG_EVERY == 0:
            self._tell_lag(following)
        if self.hand is None and following.done:
            self._stop_timer()

    def _tell_lag(self, following: Following) -> None:
        self._desk.tell("draw.lag", {"ms": round(1000.0 * following.lag_s, 1)}, newest_of="draw.lag")

    def _drop(self) -> None:
        """The line is left, and the robot is shown as its motion says."""
        showed = self._timer is not None
        self._stop_timer()
        self.hand = self._after = None
        if showed:
            self._desk.show("pose", {"figure": "main", "off": True}, {}, newest_of="pose")

    def _stop_timer(self) -> None:
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None

    def _hear(self, page: Page, fields: Fields) -> float:
        clock = self._clocks.setdefault(page.name, PageClock())
        if fields.has("t"):
            clock.hear(fields.number("t"), self._clock())
        return clock.offset

    # --- What was drawn -----------------------------------------------------------------------------------------------
    def _keep(self, hand: Hand, stroke: DrawnStroke) -> None:
        """Puts a line into the drawing that is open, or begins one."""
        document = self._desk.document
        take = document.open_take
        source = None if take is None else take.source
        if hand.over > 0.0:
            if take is None or not isinstance(source, Drawn):
                raise OptionError("There is no drawing open, so there is no line to draw over; draw one first.")
            self._edit("part redrawn", take, source.with_strokes(with_redrawn(source, stroke, hand.over)), play=True)
        elif take is not None and isinstance(source, Drawn) and not hand.fresh:
            self._edit("line drawn", take, source.with_strokes((*source.strokes, stroke)), play=True)
        else:
            drawn = Drawn((stroke,))
            fresh = Take(document.free_name(_NAME), drawn)
            self._asked = drawn
            self._desk.edit_take("line drawn", fresh)
            self._solve(fresh, play=True)

    def _option(self, page: Page, fields: Fields) -> None:
        take, source = self._drawing()
        changed = source.with_wish(fields.text("name"), fields.raw("value"))
        if changed.wishes == source.wishes:
            return  # a slider that is let go says once more where it is
        label = f"{fields.text('name').replace('_s', '').replace('_', ' ')} changed"
        self._edit(label, take, changed, fields.text("gesture", ""))

    def _smooth(self, page: Page, fields: Fields) -> None:
        """Has limits of jerk kept after all: where that was not wanted, or was stopped."""
        take, source = self._drawing()
        if source.wishes.jerk:
            self._solve(take, play=False)
        else:
            self._edit("jerk changed", take, source.with_wish("jerk", True))

    def _reshape(self, fields: Fields, label: str) -> None:
        take, source = self._drawing()
        strokes = with_reshaped(fields, source, label)
        self._edit(label, take, source.with_strokes(strokes), fields.text("gesture", ""))

    def _delete(self, page: Page, fields: Fields) -> None:
        take, source = self._drawing()
        chosen = chosen_lines(fields, source)
        left = tuple(stroke for number, stroke in enumerate(source.strokes) if number not in chosen)
        if left:
            self._edit("line deleted", take, source.with_strokes(left))
        else:
            self._desk.edit("drawing deleted", self._desk.document.without_take(take.name))

    def _import(self, page: Page, fields: Fields) -> None:
        """A drawing out of a `file` of the project, as one more take."""
        place, document = inside(self._desk.folder, fields.text("file")), self._desk.document
        if not place.is_file():
            raise OptionError(f"There is no file '{fields.text('file'):.80}' in the project.")
        if self._easel.refusal:
            raise OptionError(self._easel.refusal)

        def then(brought: Brought) -> None:
            stem = place.stem.removesuffix(".strokes")  # as exports are called
            name = self._desk.document.free_name(stem if any(map(str.isalnum, stem)) else _NAME)
            self._desk.edit_take("drawing imported", Take(name, brought.drawn))
            if brought.words:
                self._desk.tell("toast", {"words": brought.words, "kind": "plain"}, page)

        def failed(words: str) -> None:
            self._desk.tell("toast", {"words": words, "kind": "bad"}, page)

        arguments = document.character, place, self._easel.point_name, self._easel.board
        self._workshop.quickly("draw import", read_drawing, *arguments, then=then, failed=failed)

    def _drawing(self) -> tuple[Take, Drawn]:
        take = self._desk.document.open_take
        if take is None or not isinstance(take.source, Drawn):
            raise OptionError("No drawing is open; draw a line, or open a take that was drawn.")
        return take, take.source

    def _edit(
        self, label: str, take: Take, drawn: Drawn, gesture: str = "", *, play: bool = False, on: Document | None = None
    ) -> None:
        """Another drawing in the place of one; its last motion is shown until there is one of it."""
        asked = take.made_anew(drawn, take.motion, take.remark)
        self._asked = drawn
        self._desk.edit(label, (on or self._desk.document).with_take(asked), gesture)
        self._solve(asked, play=play)

    # --- What the robot makes of it -----------------------------------------------------------------------------------
    def _solve(self, asked: Take, *, play: bool) -> None:
        source = asked.source
        assert isinstance(source, Drawn)
        document, began = self._desk.document, self._clock()
        self._asked = source
        self._owed.add(source)
        start = wished_start(document, source.wishes.start)
        self._calm.leave()

        def then(result: Performed) -> None:
            take = self._still_wanted(asked)
            if take is None:
                return
            motion = take.motion if result.clip is None else result.clip
            if take.source is not source:  # a slider has moved on; until that is solved, what it said before is shown
                self._desk.amend(self._desk.document.with_take(replace(take, motion=motion), opened=False))
                return
            jerky = result.jerky and source.wishes.jerk
            words = result.words + (SMOOTHING if jerky else "")
            done = replace(take.made_anew(source, motion, words), performed=take.performed, verb=take.verb)
            self._desk.amend(self._desk.document.with_take(done, opened=False))
            self._tell_solved(asked.name, result, began, play=play)
            if jerky:
                self._calm.begin(done, start, lambda: self._owed.discard(source))
            else:
                self._owed.discard(source)

        def failed(words: str) -> None:
            then(Performed(None, words, False))

        self._workshop.quickly("trace", performed, document.character, source, start, then=then, failed=failed)

    def _still_wanted(self, asked: Take) -> Take | None:
        """The take that a motion was asked for, as it is now; None where it is gone or another drawing by now."""
        for one in self._desk.document.takes:
            if one.name == asked.name and (one.source is asked.source or one.source is self._asked):
                return one
        return None

    def _tell_solved(self, take: str, result: Performed, began: float, *, play: bool) -> None:
        now = self._clock()
        if play:
            self._drop()
        ms = round(1000.0 * (now - (self._lifted if play else began)), 1)
        told = {"take": take, "play": play and result.clip is not None, "ms": ms}
        self._desk.tell("draw.solved", {**told, **result.for_page()})

    def _tell_state(self) -> None:
        self._desk.tell("draw.state", self.state())
