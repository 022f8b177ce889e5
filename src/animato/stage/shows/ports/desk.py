"""The desk: cues go out from a thread of their own, so that no network can keep a servo waiting."""

from __future__ import annotations

import queue
import threading
import time
from collections.abc import Callable, Mapping

from animato.stage.shows.file import CueSection
from animato.stage.shows.ports.senders import CHANNELS, Sender

_FADE_S = 0.025  # between two packets of a fade; DMX itself is not faster
_AGAIN_S = 0.8  # levels are said again so often, so that a lamp which missed one is right soon


class Lights:
    """Levels of one universe, and how they fade.

    A channel goes evenly from where it is to its new level; a new fade of a channel takes its place from where it is.
    """

    def __init__(self) -> None:
        self._fades: dict[int, tuple[float, float, float, float]] = {}  # channel -> start, end [s], from, to

    def set(self, levels: Mapping[int, int], fade_s: float, now_s: float) -> None:
        """Begins to fade channels, 1 to 512, to levels, 0 to 255."""
        for channel, level in levels.items():
            self._fades[channel] = (now_s, now_s + fade_s, self._level(channel, now_s), float(level))

    def values(self, now_s: float) -> bytes:
        """All levels at a time."""
        told = bytearray(CHANNELS)
        for channel in self._fades:
            told[channel - 1] = round(self._level(channel, now_s))
        return bytes(told)

    def is_fading(self, now_s: float) -> bool:
        """Whether something is still on its way."""
        return any(end >= now_s for _, end, _, _ in self._fades.values())

    def _level(self, channel: int, now_s: float) -> float:
        start, end, before, after = self._fades.get(channel, (0.0, 0.0, 0.0, 0.0))
        if now_s >= end:
            return after
        return before + (after - before) * max(0.0, (now_s - start) / (end - start))


class Desk:
    """Sends cues to all outputs of a show.

    Args:
        senders: Outputs by name; closed with the desk.
        play: Starts the sound of a file; None where there is no player.
        say: Told once of each output that does not take cues.
    """

    def __init__(
        self,
        senders: Mapping[str, Sender],
        play: Callable[[str], None] | None = None,
        say: Callable[[str], None] | None = None,
    ) -> None:
        self._senders, self._play, self._say = dict(senders), play, say or (lambda _: None)
        self._lights: dict[str, Lights] = {}
        self._told_s: dict[str, float] = {}
        self._broken: set[str] = set()
        self._queue: queue.SimpleQueue[CueSection | None] = queue.SimpleQueue()
        self._thread = threading.Thread(target=self._run, name="desk", daemon=True)
        self._thread.start()

    def emit(self, cue: CueSection) -> None:
        """Sends a cue soon; comes back at once."""
        self._queue.put(cue)

    def close(self) -> None:
        """Sends what is left and closes all outputs."""
        self._queue.put(None)
        self._thread.join(timeout=2.0)

    def _run(self) -> None:
        while True:
            try:
                cue = self._queue.get(timeout=_FADE_S if self._lights else None)
            except queue.Empty:
                self._refresh()
                continue
            if cue is None:
                break
            self._take(cue)
            self._refresh()
        for name, sender in self._senders.items():
            self._tried(name, sender.close)

    def _take(self, cue: CueSection) -> None:
        if cue.sound is not None:
            if self._play is not None:
                sound, play = cue.sound, self._play
                self._tried(f"sound {sound}", lambda: play(sound))
            return
        name = str(cue.to)
        if cue.dmx is not None:
            self._lights.setdefault(name, Lights()).set(cue.dmx, cue.fade, time.monotonic())
            self._told_s[name] = -1.0
        elif name in self._senders:
            self._tried(name, lambda: self._senders[name].send(cue))

    def _refresh(self) -> None:
        now = time.monotonic()
        for name, lights in self._lights.items():
            last = self._told_s.get(name, -1.0)
            fading = lights.is_fading(last) and now - last >= _FADE_S * 0.5  # the end of a fade is told, too
            if name in self._senders and (last < 0.0 or fading or now - last > _AGAIN_S):
                values = lights.values(now)
                self._tried(name, lambda name=name, values=values: self._senders[name].levels(values))  # type: ignore[misc]
                self._told_s[name] = now

    def _tried(self, name: str, call: Callable[[], None]) -> None:
        try:
            call()
        except Exception as error:  # a lamp that is unplugged does not end a show
            if name not in self._broken:
                self._broken.add(name)
                self._say(f"'{name}' does not take cues: {error}")
