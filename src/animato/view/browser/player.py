"""A player in the browser: the character in 3D, a timeline, a ghost."""

from __future__ import annotations

import contextlib
import io
import socket
import sys
import threading
import time as clock
import webbrowser
from collections.abc import Callable, Iterator, Mapping
from typing import Any

import numpy as np

from animato.character import Character
from animato.errors import AnimatoError, OptionError, missing_dependency
from animato.motion import Clip, Posture
from animato.view.browser.scene import BrowserFigure
from animato.view.raster import Look, round_step
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
    try:
        import viser
    except ImportError:
        raise missing_dependency("viser", "view", "The player") from None
    stage = set_stage(character, clip, posture=posture, ghost=ghost, width=1280, height=800, look=Look())
    check_port(host, port)
    with _silence():
        server = viser.ViserServer(host=host, port=port, label=character.name, verbose=False)
    if port and server.get_port() != port:
        with _silence():
            server.stop()
        raise _port_taken(host, port)
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
            print(f"{character.name} plays at {player.url}; Ctrl-C ends it.", file=sys.stderr, flush=True)
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
            self._set_scene()
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
        host = "localhost" if self._host in ("0.0.0.0", "::") else self._host
        return f"http://{host}:{self._server.get_port()}"

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
        with _silence():
            self._server.stop()

    def reset_camera(self) -> None:
        """Takes every viewer back to where the whole motion is seen."""
        camera = self._stage.camera
        for client in self._server.get_clients().values():
            with client.atomic():
                client.camera.position = np.array(camera.eye)
                client.camera.look_at = np.array(camera.target)
                client.camera.up_direction = np.array(camera.up)
                client.camera.fov = camera.field_of_view

    def _set_scene(self) -> None:
        scene, stage = self._server.scene, self._stage
        self._server.gui.configure_theme(
            show_logo=False, show_share_button=False, control_width="medium", brand_color=(33, 133, 153)
        )
        scene.configure_environment_map(hdri="warehouse", environment_intensity=0.55)
        size, ground = stage.scene.size, stage.ground
        step = round_step(0.22 * size)
        edge = 5.0 * step * np.ceil(max(30.0 * size, 4.0 * ground.fade) / (5.0 * step))
        scene.add_grid(
            "/floor",
            width=float(edge),
            height=float(edge),
            cell_size=step,
            section_size=5.0 * step,
            cell_color=(205, 210, 216),
            section_color=(180, 187, 196),
            fade_distance=12.0 * size,
            shadow_opacity=0.28,
            plane_color=(224, 227, 230),
            plane_opacity=1.0,
            position=(
                5.0 * step * round(ground.middle[0] / (5.0 * step)),
                5.0 * step * round(ground.middle[1] / (5.0 * step)),
                ground.height,
            ),
        )
        top, bottom = np.array(stage.look.top), np.array(stage.look.bottom)
        share = np.linspace(0.0, 1.0, 256)[:, None, None]
        backdrop = np.rint(255.0 * (top + share * (bottom - top))).astype(np.uint8)
        scene.set_background_image(np.repeat(backdrop, 8, axis=1))
        camera, first = stage.camera, self._server.initial_camera
        first.position, first.look_at, first.up = camera.eye, camera.target, camera.up
        first.fov = camera.field_of_view

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


def check_port(host: str, port: int) -> None:
    """Raises unless something can be served there."""
    if not 0 <= port <= 65535:
        raise OptionError(f"A port is a number from 0 to 65535, given {port}.")
    try:
        family, _, _, _, address = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)[0]
        with socket.socket(family, socket.SOCK_STREAM) as probe:
            probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
            probe.bind(address)
    except socket.gaierror:
        raise OptionError(f"'{host}' is not an address of this machine. 127.0.0.1 always is.") from None
    except PermissionError:
        raise OptionError(f"Port {port} needs special rights. Choose one above 1023 with `port`.") from None
    except OSError:
        raise _port_taken(host, port) from None


def _port_taken(host: str, port: int) -> AnimatoError:
    return AnimatoError(
        f"Port {port} of {host} is taken, perhaps by another player. Choose another one with `port`, or 0 for any."
    )


@contextlib.contextmanager
def _silence() -> Iterator[None]:
    """Keeps a server's greetings off the terminal."""
    with contextlib.redirect_stdout(io.StringIO()):
        yield
