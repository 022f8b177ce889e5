"""`animato trace --live`: samples in from standard input, a pipe or a UDP port, commands out."""

from __future__ import annotations

import contextlib
import json as json_text
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple, Protocol

from animato.cli.live.servos import live_stage
from animato.errors import OptionError

if TYPE_CHECKING:
    from collections.abc import Sequence

    import numpy as np

    from animato.character import Character
    from animato.express.loop import CommandSinks
    from animato.express.sources import Losses
    from animato.trace import Loop, Options, StrokeReading
    from animato.trace.live import LiveSample, LiveSession

_UDP = "udp://"
_MOST_POLLS = 20
_LIVE_READING = frozenset({"point", "plane", "lift_m"})  # what can be said of a stroke that is not there yet


class LiveWishes(NamedTuple):
    """What was said about following live.

    Attributes:
        to: Where commands go beside standard output: udp://HOST:PORT, or servos as for `animato play`.
        delay_s: How far behind the hand the robot aims to be [s].
        longest_lag_s: How much later than that it may be [s].
        quiet: Whether commands are not printed.
        yes: Whether nobody is asked before the torque of servos goes on.
    """

    to: tuple[str, ...]
    delay_s: float
    longest_lag_s: float
    quiet: bool
    yes: bool = False


class SampleSource(Protocol):
    """Where samples come from."""

    @property
    def losses(self) -> Losses:
        """Lines that were lost on the way in."""

    @property
    def ended(self) -> bool:
        """Whether nothing will come any more."""

    def poll(self, time_s: float) -> Sequence[LiveSample | str]:
        """What came by now [s]."""


def trace_live(
    stroke: str,
    character: Character,
    tracing: Options,
    reading: StrokeReading,
    wishes: LiveWishes,
    *,
    out: Path,
    page: Path | None,
    json: Path | None,
    ready: Callable[[str], None],
) -> tuple[bool, list[str]]:
    """Follows a stroke while it is drawn, and writes what the robot did; whether that is whole, and words about it.

    Args:
        stroke: - for standard input, udp://HOST:PORT, a named pipe, or a stroke that is played as it was drawn.
        character: The robot.
        tracing: What is wanted; of it start, beta, gamma, torque and rate_hz count.
        reading: How to read the stroke.
        wishes: What was said about following live.
        out: The clip to write.
        page: The page to write; beside the clip where not given.
        json: Where the figures go, for machines.
        ready: Told, in a sentence, when samples may come.
    """
    from animato.formats import save_motion
    from animato.formats.files import write_whole
    from animato.report.trace import save_live_page
    from animato.trace.live import LiveSession

    with contextlib.ExitStack() as opened:
        loop, source = _opened(stroke, character, tracing, reading, wishes, opened)
        session = LiveSession(loop)
        stop: list[bool] = []
        sinks = _sinks(wishes, character, loop, tracing.rate_hz, opened, lambda: stop.append(True))
        ready(f"Ready: {_where(stroke)}; Ctrl-C ends it.")
        with contextlib.suppress(KeyboardInterrupt):  # the usual way to end; what it did is still to be told
            _run(session, loop, source, sinks, tracing.rate_hz, stop)
        session.end()
    figures = session.figures()
    said = figures.lines()
    if source.losses.count:
        said.append(f"Lines that were lost on the way in: {source.losses.count}; {source.losses.first}.")
    if sinks.losses.count:
        said.append(f"Commands that were lost: {sinks.losses.count}; {sinks.losses.first}.")
    if json is not None:
        write_whole(json, json_text.dumps({**figures.as_json(), "commands_lost": sinks.losses.count}, indent=1))
    if not loop.motion.plans:
        return False, [*said, "Nothing was drawn, so there is no clip."]
    save_motion(out, loop.clip(tracing.rate_hz), character)
    where = save_live_page(page or out.with_suffix(".html"), loop, figures, f"Drawn live, {character.name}")
    return not sinks.losses.count, [*said, f"The clip: {out}", f"The page: {where}"]


def _where(stroke: str) -> str:
    """Where samples are expected, in words."""
    if stroke == "-":
        return "samples come from standard input"
    return f"samples come from {stroke[:80]}" if stroke.startswith(_UDP) else f"{Path(stroke).name[:80]} is followed"


def _opened(
    stroke: str,
    character: Character,
    tracing: Options,
    reading: StrokeReading,
    wishes: LiveWishes,
    opened: contextlib.ExitStack,
) -> tuple[Loop, SampleSource]:
    """The loop, and where its samples come from."""
    from animato.express.loop import StreamTargets, UdpTargets
    from animato.trace import Loop, load_strokes, posture_at
    from animato.trace.sketch import parse_plane

    path = Path(stroke)
    pipe = path.exists() and not (path.is_file() or path.is_dir())
    options = {
        "delay_s": wishes.delay_s,
        "longest_lag_s": wishes.longest_lag_s,
        "beta": tracing.beta,
        "gamma": min(tracing.gamma, 1e-3),
        "torque": tracing.torque,
        "lift_m": float(reading.get("lift_m", 0.02)),
    }
    if stroke != "-" and not stroke.startswith(_UDP) and not pipe:
        sketch = load_strokes(stroke, character, start=tracing.start, **reading)
        place = sketch.positions[0]
        start = posture_at(character, sketch.points, place, tracing.start) if tracing.start else None
        loop = Loop(character, sketch.points, start=start, **options)  # type: ignore[arg-type]
        return loop, _Played(sketch.positions, sketch.times)
    strange = [name for name in reading if name not in _LIVE_READING]
    if strange:
        raise OptionError(f"`{strange[0]}` is for strokes that are there already; leave it out when drawing live.")
    plane = parse_plane(reading["plane"]) if "plane" in reading else None
    point = reading.get("point") or _only_point(character)
    loop = Loop(character, point, plane, start=tracing.start, **options)  # type: ignore[arg-type]
    source = StreamTargets.of_pipe(stroke) if pipe else None
    if stroke.startswith(_UDP):
        host, port = place_of(stroke, "stroke")
        return loop, opened.enter_context(UdpTargets(port, host))
    return loop, opened.enter_context(source or StreamTargets())


def _only_point(character: Character) -> str:
    if len(character.end_points) != 1:
        names = ", ".join(one.name for one in character.end_points) or "none"
        raise OptionError(f"Which point of '{character.name}' shall follow? Name its `point`; end-points: {names}.")
    return character.end_points[0].name


def _sinks(
    wishes: LiveWishes,
    character: Character,
    loop: Loop,
    rate_hz: float,
    opened: contextlib.ExitStack,
    left: Callable[[], None],
) -> CommandSinks:
    """All who want commands; `left` is called where one of them does no more."""
    from animato.express.loop import CommandLines, CommandSink, CommandSinks, UdpCommands

    sinks: list[CommandSink] = []
    for word in wishes.to:
        if word.startswith(_UDP):
            sinks.append(opened.enter_context(UdpCommands(*place_of(word, "to"))))
    if not wishes.quiet:
        sinks.append(opened.enter_context(CommandLines(sys.stdout, left)))
    ports = tuple(word for word in wishes.to if not word.startswith(_UDP))
    if ports:
        start = dict(zip(loop.names, loop.command(0.0).tolist(), strict=True))
        sinks.append(opened.enter_context(live_stage(character, start, rate_hz, ports, yes=wishes.yes, ended=left)))
    return CommandSinks(*sinks)


def _run(
    session: LiveSession, loop: Loop, source: SampleSource, sinks: CommandSinks, rate_hz: float, stop: list[bool]
) -> None:
    """Gives commands in real time until the drawing has ended and the robot rests, or nobody reads them."""
    from animato.express.loop import Command

    begin, frame, before, ended = time.perf_counter(), 0, None, False
    while not (stop or session.ended):
        now = time.perf_counter() - begin
        session.take(_all_that_came(source, now), now)
        if source.ended and not ended:
            ended = True
            session.end()
        now = max(now, time.perf_counter() - begin)
        positions = session.command(now)
        rates = 0.0 * positions if before is None else (positions - before[1]) / max(now - before[0], 1e-6)
        before = now, positions
        sinks(Command(now, loop.names, positions, rates, 0.0, False, ()))
        # frames that were missed stay missed: a joint has no use for them
        frame = max(frame + 1, int((time.perf_counter() - begin) * rate_hz))
        time.sleep(max(begin + frame / rate_hz - time.perf_counter(), 0.0))


def _all_that_came(source: SampleSource, now: float) -> list[LiveSample | str]:
    """A source gives few lines at a time; what waited while the robot was made ready is needed whole."""
    came: list[LiveSample | str] = []
    for _ in range(_MOST_POLLS):
        more = source.poll(now)
        if not more:
            break
        came += more
    return came


def place_of(text: str, option: str) -> tuple[str, int]:
    """Host and port of udp://HOST:PORT; this machine alone where there is no host."""
    name, _, port = text.removeprefix(_UDP).rpartition(":")
    name = name.removeprefix("[").removesuffix("]") or "127.0.0.1"
    if not text.startswith(_UDP) or not (port.isascii() and port.isdecimal()) or len(port) > 5 or int(port) > 65535:
        raise OptionError(f"`{option}` must be udp://HOST:PORT with a port up to 65535, not {text!r:.80}.")
    return name, int(port)


class _Played:
    """A stroke that is there already, each sample when its time has come."""

    def __init__(self, places: np.ndarray, times: np.ndarray) -> None:
        from animato.express.sources import Losses

        self._places, self._times, self._next = places, times, 0
        self.losses = Losses()

    @property
    def ended(self) -> bool:
        """Whether all of it was given."""
        return self._next == len(self._times)

    def poll(self, time_s: float) -> list[LiveSample | str]:
        """What is due by now [s]."""
        from animato.trace.live import LiveSample

        due: list[LiveSample | str] = []
        while not self.ended and self._times[self._next] - self._times[0] <= time_s:
            place = tuple(self._places[self._next].ravel().tolist())
            due.append(LiveSample(place, float(self._times[self._next])))
            self._next += 1
        return due
