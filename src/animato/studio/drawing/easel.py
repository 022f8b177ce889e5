"""What is drawn with and on: the point, the board, and whether all that is compiled is loaded."""

from __future__ import annotations

import threading
from collections.abc import Callable
from typing import Any

from animato.character import Character
from animato.errors import AnimatoError, OptionError
from animato.mechanics.tree import build_point_kinematics
from animato.motion import Posture
from animato.studio.desk import Desk
from animato.studio.drawing.boards import found_board, provisional_board
from animato.studio.drawing.following import pose_arrays
from animato.studio.drawing.lines import Board
from animato.studio.drawing.performing import warm
from animato.studio.drawing.points import all_points, likely_point, point_for_page
from animato.studio.workers import Workshop
from animato.trace import Loop
from animato.trace.sketch import with_body_points

_NOWHERE = Board("board", (0.5, 0.0, 0.5), (0.0, -1.0, 0.0), (0.0, 0.0, 1.0), 0.6, 0.4)


class Easel:
    """Point and board of a character; those that were chosen are kept in the document's settings.

    Attributes:
        ready: Whether the robot can follow without a wait: all code is loaded.
    """

    def __init__(self, desk: Desk, workshop: Workshop, told: Callable[[], None]) -> None:
        """At a desk.

        Args:
            desk: Where.
            workshop: Where boards are found.
            told: Called when something is found or loaded.
        """
        self._desk, self._workshop, self._told = desk, workshop, told
        self._thread: threading.Thread | None = None
        self.forget()

    def forget(self) -> None:
        """Another character: all is found anew."""
        self.ready = False
        self._points: tuple[list[dict[str, Any]], str] | None = None
        self._boards: dict[str, Board] = {}
        self._found: dict[str, Board] = {}
        self._held: set[str] = set()
        self._sought: set[str] = set()
        self._warmed: Character | None = None

    def close(self) -> None:
        """Waits for what is being loaded."""
        if self._thread is not None:
            self._thread.join(timeout=5.0)

    @property
    def points(self) -> list[dict[str, Any]]:
        """Points that have a name and can draw."""
        return self._known()[0]

    @property
    def refusal(self) -> str:
        """Why nothing can be drawn with this character; "" where it can."""
        return self._known()[1]

    @property
    def point_name(self) -> str:
        """What draws; what people would draw with where none was chosen, "" where none can."""
        chosen = str(self._settings().get("point") or "")
        if chosen and self._point(chosen) is not None:
            return chosen
        return likely_point(self._desk.document.character, [str(one["name"]) for one in self.points])

    @property
    def board(self) -> Board:
        """What is drawn on: the one that was chosen, or one within reach."""
        chosen = self._settings().get("board")
        if chosen is not None:
            try:
                return Board.from_values(chosen)
            except AnimatoError:
                pass  # a file that was changed by hand
        name = self.point_name
        if not name:
            return _NOWHERE
        if name not in self._boards:
            self._boards[name] = provisional_board(self._desk.document.character, name)
            self._seek(name)
        return self._boards[name]

    def hold(self) -> Board:
        """The board, which stays where it is from now on: what is drawn on it lies there."""
        board = self.board
        self._held.add(self.point_name)
        return board

    def let_go(self) -> None:
        """Back to the board that was found for the point."""
        name = self.point_name
        self._held.discard(name)
        self._boards |= {name: self._found[name]} if name in self._found else {}
        self._desk.amend(self._desk.document.with_settings("draw", board=None))

    def choose(self, name: str) -> dict[str, Any]:
        """Draws with another point from now on.

        Raises:
            AnimatoError: There is none of that name, or it cannot draw.
        """
        if self.refusal:
            raise OptionError(self.refusal)
        point = point_for_page(self._desk.document.character, name)
        self._desk.amend(self._desk.document.with_settings("draw", point=name))
        return point

    def for_page(self) -> dict[str, Any]:
        """Plain values."""
        name = self.point_name
        chosen = self._settings().get("board") is not None
        return {
            "points": self.points,
            "refusal": self.refusal,
            "point": self._point(name) if name else None,
            "board": self.board.values(),
            "board_chosen": chosen,
            "ready": self.ready,
        }

    def warm(self) -> None:
        """Loads what is compiled, in a thread of its own and in the workshop; pages are told when it is there."""
        character, name = self._desk.document.character, self.point_name
        if character is self._warmed or not name:
            return
        self._warmed = character
        self._workshop.quickly("trace", warm, character, name, then=lambda _: None)
        self._thread = threading.Thread(target=self._load, args=(character, name), name="animato-draw", daemon=True)
        self._thread.start()

    def _load(self, character: Character, name: str) -> None:
        try:
            robot = with_body_points(character, [name])
            Loop(robot, name)
            kinematics = build_point_kinematics(robot, [name])
            pose_arrays(character, Posture(kinematics.names, kinematics.start))
        except AnimatoError:
            pass  # told when one draws
        finally:
            self._desk.post(lambda: self._loaded(character))

    def _loaded(self, character: Character) -> None:
        if character is self._desk.document.character:
            self.ready = True
            self._told()

    def _seek(self, name: str) -> None:
        """Finds a better board than the first one."""
        character = self._desk.document.character
        if name in self._sought:
            return
        self._sought.add(name)

        def then(board: Board) -> None:
            if character is self._desk.document.character:
                self._found[name] = board
                if name not in self._held:
                    self._boards[name] = board
                    self._told()

        self._workshop.quickly("board", found_board, character, name, then=then)

    def _known(self) -> tuple[list[dict[str, Any]], str]:
        if self._points is None:
            self._points = all_points(self._desk.document.character)
        return self._points

    def _point(self, name: str) -> dict[str, Any] | None:
        for point in self.points:
            if point["name"] == name:
                return point
        try:
            return point_for_page(self._desk.document.character, name)
        except AnimatoError:
            return None

    def _settings(self) -> dict[str, Any]:
        return dict(self._desk.document.settings.get("draw", {}))
