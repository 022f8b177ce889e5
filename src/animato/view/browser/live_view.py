"""A loop of express in the browser while it runs: who moves, what it faces, and a hand that leads its eye."""

from __future__ import annotations

import sys
import threading
import time as clock
import webbrowser
from collections.abc import Callable
from dataclasses import replace
from typing import Self

import numpy as np

from animato.errors import AnimatoError
from animato.express import Command, Loop
from animato.express.sources import Losses
from animato.formats.files import printable
from animato.motion import Clip, Posture
from animato.view.browser.gaze_marks import GazeMarks, line_of_sight
from animato.view.browser.page_targets import OtherSource, PageTargets
from animato.view.browser.scene import BrowserFigure
from animato.view.browser.server import address_of, close_server, open_server
from animato.view.browser.surroundings import set_surroundings, take_viewers_back
from animato.view.raster import Camera, Look
from animato.view.scene import pose_bodies, set_stage

_PERIOD_S = 1.0 / 30.0  # between two pictures; more than eyes need would only take time from the loop
_AWAY = 2.0  # times as far as a still picture is seen from: what is faced is to be seen, too
_REST = 2.0  # times as long as a picture took, nothing is drawn: the loop shares the interpreter with it


class LiveView:
    """Shows a running loop on a page, and takes targets and postures from it.

    It is a sink of commands, which never waits: a thread of its own draws the newest one, 30 times a second at most and
    nothing while nobody looks. What is said in the page comes from its `source`:

        with LiveView(loop, source=source) as view:
            loop.run(view, source=view.source)

    Such a loop does not end with its input, as somebody may be looking on; it ends by `stop` or an interrupt.

    Args:
        loop: Whose commands are shown.
        source: Where targets come from besides the page; those of a hand in the page go before them.
        port: Where the page is served; 0 takes any that is free.
        host: Who may look: this machine only, unless another address of it is given.
        open_browser: Whether to open the page.
        on_ready: Called with the address of the page once it is served; where not given, the address is printed to
            stderr.

    Attributes:
        source: Targets and postures of the page, and those of the other source.
        losses: None; to draw the newest command alone loses nothing.

    Raises:
        MissingDependencyError: The extra "view" is not installed.
        AnimatoError: The port is taken.
    """

    def __init__(
        self,
        loop: Loop,
        *,
        source: OtherSource | None = None,
        port: int = 0,
        host: str = "127.0.0.1",
        open_browser: bool = False,
        on_ready: Callable[[str], None] | None = None,
    ) -> None:
        self._loop, self._host = loop, host
        problem = loop.problem
        self._character = problem.character
        stage = set_stage(problem.character, posture=problem.posture, width=1280, height=800, look=Look())
        self._stage = replace(stage, camera=_farther(stage.camera))
        self._bodies = {body.name: n for n, body in enumerate(problem.character.bodies)}
        self._newest: Command | None = None
        self.losses = Losses()  # none: a picture that is left out is no command
        self._stop = threading.Event()
        self._server = open_server(problem.character.name, host=host, port=port, what="The live view")
        with self._server.atomic():
            self._add_scene()
            self._add_controls()
        self.source, self.losses = PageTargets(self._hand, source), Losses()
        self._show_posture(problem.posture)
        self._thread = threading.Thread(target=self._run, name="animato live view", daemon=True)
        self._thread.start()
        if on_ready is not None:
            on_ready(self.url)
        else:
            print(
                f"{printable(problem.character.name)} is seen at {self.url}; Ctrl-C ends it.",
                file=sys.stderr,
                flush=True,
            )
        if open_browser:
            webbrowser.open(self.url)

    @property
    def url(self) -> str:
        """Address of the page."""
        return address_of(self._server, self._host)

    @property
    def by_hand(self) -> bool:
        """Whether the handle in the page is the target; setting it is the same as ticking the box."""
        return bool(self._hand.visible)

    @by_hand.setter
    def by_hand(self, value: bool) -> None:
        if value and not self._hand.visible:
            self._hand.position = tuple(self._seen_point().tolist())
        self._hand.visible = self._hand_box.value = value

    def __call__(self, command: Command) -> None:
        """Takes a command to be shown; returns at once."""
        self._newest = command

    def show(self, command: Command) -> None:
        """Draws a command here and now."""
        posture, targets = self._loop.problem.posture, self._loop.targets
        positions = posture.positions.copy()
        positions[[posture.names.index(name) for name in command.names]] = command.positions
        poses = pose_bodies(self._character, Clip(np.zeros(1), posture.names, positions[None]))
        places, turns = poses.positions[0], poses.quaternions_wxyz[0]
        with self._server.atomic():
            self._figure.pose(places, turns)
            if self._ghost.visible:
                self._show_posture(self._loop.posture)
            for end_point in self._loop.problem.end_points:
                at = self._bodies[end_point.body]
                self._marks[end_point.name].show(places[at], turns[at], targets.get(end_point.name))
            self._info.content = _words(command, bool(targets))

    def close(self) -> None:
        """Stops drawing and serving. May be called twice."""
        if self._stop.is_set():
            return
        self._stop.set()
        self.source.ended = True
        self._thread.join(timeout=5.0)
        close_server(self._server)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def _add_scene(self) -> None:
        server, stage = self._server, self._stage
        set_surroundings(server, stage)
        self._figure = BrowserFigure(server, stage.scene, "/character")
        look = stage.look
        self._ghost = BrowserFigure(server, stage.scene, "/held", tint=look.ghost_colour, opacity=look.ghost_opacity)
        self._ghost.visible = False
        self._marks = {one.name: GazeMarks(server, one, stage.scene.size) for one in self._loop.problem.end_points}
        self._hand = server.scene.add_transform_controls(
            "/hand", 0.15 * stage.scene.size, disable_rotations=True, depth_test=False, visible=False
        )

    def _add_controls(self) -> None:
        gui = self._server.gui
        self._hand_box = gui.add_checkbox("Target by hand", initial_value=False, hint="Drag the handle to be faced")
        self._hand_box.on_update(lambda _: setattr(self, "by_hand", bool(self._hand_box.value)))
        held = gui.add_checkbox("Held posture", initial_value=False, hint="Shown translucent")
        held.on_update(lambda _: setattr(self._ghost, "visible", bool(held.value)))
        names = [posture.name for posture in self._character.postures]
        if names:
            chosen = gui.add_dropdown("Posture", ("-", *names), hint="Held from now on")
            chosen.on_update(lambda _: self._choose(str(chosen.value)))
        gui.add_button("Reset camera").on_click(lambda _: take_viewers_back(self._server, self._stage))
        self._info = gui.add_markdown("")

    def _choose(self, name: str) -> None:
        """Has the loop hold a posture."""
        if name != "-":
            self.source.hold(name)

    def _show_posture(self, posture: Posture) -> None:
        poses = pose_bodies(self._character, Clip(np.zeros(1), posture.names, posture.positions[None]))
        self._ghost.pose(poses.positions[0], poses.quaternions_wxyz[0])

    def _seen_point(self) -> np.ndarray:
        """Where the handle appears: at the target, or else before the eye [m], [3]."""
        end_point = self._loop.problem.end_points[0]
        target = self._loop.targets.get(end_point.name)
        if target is not None and target.point is not None:
            return np.array(target.point)
        command, problem = self._newest, self._loop.problem
        posture = problem.posture if command is None else Posture(command.names, command.positions)
        poses = pose_bodies(self._character, Clip(np.zeros(1), posture.names, posture.positions[None]))
        at = self._bodies[end_point.body]
        eye, forward = line_of_sight(end_point, poses.positions[0, at], poses.quaternions_wxyz[0, at])
        return eye + self._stage.scene.size * forward

    def _run(self) -> None:
        """Draws the newest command while somebody looks; ends when the view is closed."""
        shown, wait, failed = None, _PERIOD_S, False
        while not self._stop.wait(wait):
            command, wait = self._newest, _PERIOD_S
            if command is None or command is shown or not self._server.get_clients():
                continue
            begin = clock.perf_counter()
            try:
                self.show(command)
            except (AnimatoError, ArithmeticError, RuntimeError, ValueError) as error:
                if not failed:
                    print(f"The live view failed: {printable(str(error))}", file=sys.stderr, flush=True)
                failed = True
            shown, took = command, clock.perf_counter() - begin
            wait = max(_PERIOD_S - took, _REST * took)


def _words(command: Command, faces: bool) -> str:
    """What stands below the controls."""
    off = "nothing to face" if not faces else f"**{np.degrees(command.error_rad):.1f}° off**"
    changing = ", changing branch" if command.changing else ""
    return f"{command.time_s:.1f} s, {off}{changing}"


def _farther(camera: Camera) -> Camera:
    """The same look from farther away."""
    target = np.array(camera.target)
    eye = target + _AWAY * (np.array(camera.eye) - target)
    return replace(camera, eye=tuple(eye.tolist()))
