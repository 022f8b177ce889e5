"""A player in the browser: the character in 3D, a timeline, a ghost."""

from __future__ import annotations

import sys
import threading
import time as clock
import webbrowser
from collections.abc import Callable, Mapping
from typing import Any

import numpy as np

from animato.character import Character
from animato.errors import OptionError
from animato.formats.files import printable
from animato.motion import Clip, Posture
from animato.view.browser.scene import BrowserFigure
from animato.view.browser.server import address_of, close_server, open_server
from animato.view.browser.surroundings import set_surroundings, take_viewers_back
from animato.view.raster import Look
from animato.view.scene import Stage, pose_bodies, set_stage

_TICK = 1.0 / 40.0  # [s] between two poses; browsers interpolate none


def start_player(
    character: Character,
    clip: Clip | None = None,
    *,
    posture: Posture | None = None,
    ghost: Clip | None = None,
    shares: Mapping[str, np.ndarray] | None = None,
    port: int = 8080,
    host: str = "127.0.0.1",
    open_browser: bool = False,
    playing: bool = True,
) -> Player:
    """Starts a player and returns at once.

    Args:
        character: Who is shown.
        clip: How it moves; without one the posture is shown, without a posture the rest pose.
        posture: Instead of a clip.
        ghost: A second motion of the same character, shown translucent.
        shares: How much of a limit each joint uses at each frame of the clip, 1 being all of it, by
            joint; the player names the worst one. Each of shape [frame].
        port: Where the page is served; 0 takes any that is free.
        host: Who may look: this machine only, unless another address of it is given.
        open_browser: Whether to open the page.
        playing: Whether the motion runs from the start.

    Raises:
        MissingDependencyError: The extra "view" is not installed.
        AnimatoError: The port is taken.
    """
    if shares and clip is not None:
        for name, values in shares.items():
            if np.shape(values) != (clip.frame_count,):
                raise OptionError(
                    f"The shares of '{name}' must be one number for each of {clip.frame_count} frames, "
                    f"given shape {np.shape(values)}."
                )
    stage = set_stage(character, clip, posture=posture, ghost=ghost, width=1280, height=800, look=Look())
    server = open_server(character.name, host=host, port=port, what="The player")
    player = Player(server, stage, shares or {}, host=host, playing=playing)
    if open_browser:
        webbrowser.open(player.url)
    return player


def play(
    character: Character,
    clip: Clip | None = None,
    *,
    posture: Posture | None = None,
    ghost: Clip | None = None,
    shares: Mapping[str, np.ndarray] | None = None,
    port: int = 8080,
    host: str = "127.0.0.1",
    open_browser: bool = True,
    on_ready: Callable[[str], None] | None = None,
) -> None:
    """Shows a motion in the browser until it is interrupted (Ctrl-C).

    Args:
        character: Who is shown.
        clip: How it moves; without one the posture is shown, without a posture the rest pose.
        posture: Instead of a clip.
        ghost: A second motion of the same character, shown translucent.
        shares: As for `start_player`.
        port: As for `start_player`.
        host: As for `start_player`.
        open_browser: Whether to open the page.
        on_ready: Called with the address of the page once it is served; where not given, the address
            is printed to stderr.
    """
    player = start_player(
        character, clip, posture=posture, ghost=ghost, shares=shares, port=port, host=host, open_browser=open_browser
    )
    try:
        if on_ready is not None:
            on_ready(player.url)
        else:
            print(f"{printable(character.name)} plays at {player.url}; Ctrl-C ends it.", file=sys.stderr, flush=True)
        while not player.stopped:
            clock.sleep(0.1)
    except KeyboardInterrupt:
        pass
    finally:
        player.stop()


class Player:
    """A page that is being served. Made by `start_player`; may be used from any thread."""

    def __init__(
        self, server: Any, stage: Stage, shares: Mapping[str, np.ndarray], *, host: str, playing: bool
    ) -> None:
        self._server, self._stage, self._shares, self._host = server, stage, shares, host
        self._lock = threading.Lock()
        self._stop = threading.Event()
        times = stage.clip.times
        self._start, self._end = float(times[0]), float(times[-1])
        self._time = self._start
        self._moves = stage.clip.frame_count > 1
        self._playing = playing and self._moves
        with server.atomic():
            set_surroundings(server, stage)
            self._figure = BrowserFigure(server, stage.scene, "/character")
            self._ghost: BrowserFigure | None = None
            if stage.ghost is not None:
                look = stage.look
                self._ghost = BrowserFigure(
                    server, stage.scene, "/ghost", tint=look.ghost_colour, opacity=look.ghost_opacity
                )
            self._add_controls()
        self.show(self._start)
        self._thread = threading.Thread(target=self._run, name="animato player", daemon=True)
        self._thread.start()

    @property
    def url(self) -> str:
        """Address of the page."""
        return address_of(self._server, self._host)

    @property
    def time(self) -> float:
        """The moment that is shown [s]."""
        return self._time

    @property
    def playing(self) -> bool:
        """Whether the motion runs; setting it is the same as pressing the button."""
        return self._playing

    @playing.setter
    def playing(self, value: bool) -> None:
        self._playing = value and self._moves
        if self._moves:
            self._button.label = "Pause" if self._playing else "Play"

    @property
    def stopped(self) -> bool:
        """Whether the page is no longer served."""
        return self._stop.is_set()

    def show(self, time: float) -> None:
        """Shows a moment [s]; one outside the clip becomes its nearer end."""
        with self._lock:
            if self.stopped:
                return
            self._time = float(np.clip(time, self._start, self._end)) if np.isfinite(time) else self._start
            poses = self._stage.poses([self._time])
            with self._server.atomic():
                self._figure.pose(poses.positions[0], poses.quaternions_wxyz[0])
                if self._ghost is not None and self._ghost.visible and self._stage.ghost is not None:
                    other = pose_bodies(self._stage.character, self._stage.ghost, [self._time])
                    self._ghost.pose(other.positions[0], other.quaternions_wxyz[0])
                if self._moves:
                    self._slider.value = round(self._time, 3)
                self._info.content = self._info_text()

    def stop(self) -> None:
        """Stops playing and serving. May be called twice."""
        if self._stop.is_set():
            return
        self._stop.set()
        if threading.current_thread() is not self._thread:
            self._thread.join(timeout=5.0)
        close_server(self._server)

    def reset_camera(self) -> None:
        """Takes every viewer back to where the whole motion is seen."""
        take_viewers_back(self._server, self._stage)

    def _add_controls(self) -> None:
        gui, stage = self._server.gui, self._stage
        if self._moves:
            self._button = gui.add_button("Pause" if self._playing else "Play")
            span = self._end - self._start
            step = min(0.01, span / 100.0)
            self._slider = gui.add_slider("Time [s]", self._start, self._end, step, self._start)
            self._speed = gui.add_slider("Speed", 0.05, 2.0, 0.05, 1.0)
            self._loop = gui.add_checkbox("Loop", initial_value=True)
            self._button.on_click(lambda _: setattr(self, "playing", not self.playing))
            self._slider.on_update(self._on_slide)
        if stage.ghost is not None:
            ghost = gui.add_checkbox("Ghost", initial_value=True)
            ghost.on_update(lambda _: self._show_ghost(bool(ghost.value)))
        gui.add_button("Reset camera").on_click(lambda _: self.reset_camera())
        self._info = gui.add_markdown("")

    def _on_slide(self, event: Any) -> None:
        # the player itself moves the slider too; only a person's hand stops the motion
        if event.client is not None:
            self.playing = False
            self.show(float(self._slider.value))

    def _show_ghost(self, value: bool) -> None:
        if self._ghost is not None:
            self._ghost.visible = value
            self.show(self._time)

    def _info_text(self) -> str:
        clip = self._stage.clip
        if not self._moves:
            return f"{clip.source or 'posture'}"
        frame = int(np.argmin(np.abs(clip.times - self._time)))
        text = f"frame {frame} of {clip.frame_count} at {self._time:.2f} s"
        if self._shares:
            name = max(self._shares, key=lambda key: float(self._shares[key][frame]))
            share = float(self._shares[name][frame])
            bold = "**" if share > 1.0 else ""
            text += f"\n\n{bold}{name} at {100.0 * share:.0f} % of its limit{bold}"
        return text

    def _run(self) -> None:
        """Moves on while the motion plays; ends when the player is stopped."""
        before = clock.monotonic()
        while not self._stop.wait(_TICK):
            now = clock.monotonic()
            passed, before = now - before, now
            if not self._playing:
                continue
            moment = self._time + passed * float(self._speed.value)
            if moment > self._end:
                if self._loop.value:
                    moment = self._start + (moment - self._end) % max(self._end - self._start, 1e-9)
                else:
                    self.playing = False
            self.show(moment)
