"""Films of a motion: GIF everywhere, MP4 where ffmpeg is installed. In real time, written whole or not at all."""

from __future__ import annotations

import io
import os
import subprocess
import tempfile
from collections import deque
from collections.abc import Iterator, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from pathlib import Path
from typing import TYPE_CHECKING, TypedDict, Unpack

import numpy as np

from animato.character import Character
from animato.errors import AnimatoError, OptionError, missing_dependency
from animato.formats.files import check_writable, write_whole
from animato.motion import Clip
from animato.outcome import Iteration, Progress
from animato.view.picture import time_label
from animato.view.raster import Camera, Look, with_label
from animato.view.scene import Stage, set_stage

if TYPE_CHECKING:
    from PIL import Image


_MOST_FRAMES = 20_000
_PALETTE_SAMPLES = 9
_MOST_THREADS = 4


class FilmOptions(TypedDict, total=False):
    """Options that both kinds of film share.

    Attributes:
        ghost: A second motion of the same character, drawn translucent.
        fps: Frames of the film per second.
        speed: 1 for real time, 0.5 for half as fast.
        width: [pixels].
        height: [pixels].
        camera: Who looks; where not given, one that frames the whole motion.
        follow: Whether the camera goes along with a character that travels.
        look: Quality and surroundings.
        trails: Names of end-points, markers or bodies whose path is drawn.
        progress: Told how far the film is.
    """

    ghost: Clip | None
    fps: float
    speed: float
    width: int
    height: int
    camera: Camera | None
    follow: bool
    look: Look | None
    trails: str | Sequence[str]
    progress: Progress | None


def save_gif(path: str | Path, character: Character, clip: Clip, **options: Unpack[FilmOptions]) -> Path:
    """Writes a motion as an animated GIF that runs for ever.

    Args:
        path: Ends in .gif.
        character: Who moves.
        clip: How.
        options: See `FilmOptions`; 25 frames per second of 480 x 360 pixels unless said otherwise, at
            most 50, as viewers do not show GIFs any faster.

    Returns:
        The path.
    """
    _check_suffix(path, ".gif", "save_mp4")
    fps = options.get("fps", 25.0)
    if not 0.1 <= fps <= 50.0:
        raise OptionError(f"A GIF has 0.1 to 50 frames per second, given {fps}.")
    settings: FilmOptions = {"fps": fps, "width": 480, "height": 360, **options}
    from PIL import Image

    frames = [Image.fromarray(picture) for picture in _pictures(character, clip, settings)]
    palette = _palette(frames)
    drawn = [frame.quantize(palette=palette, dither=Image.Dither.NONE) for frame in frames]
    # GIF counts in hundredths of a second: rounding the end of each frame keeps the whole in time
    ends = np.rint(100.0 * np.arange(1, len(drawn) + 1) / fps)
    durations = (10 * np.diff(ends, prepend=0.0)).astype(int).tolist()
    stream = io.BytesIO()
    drawn[0].save(
        stream, format="GIF", save_all=True, append_images=drawn[1:], duration=durations, loop=0, optimize=False
    )
    return write_whole(path, stream.getvalue())


def save_mp4(path: str | Path, character: Character, clip: Clip, **options: Unpack[FilmOptions]) -> Path:
    """Writes a motion as an MP4 film (H.264), which every browser and player shows.

    Args:
        path: Ends in .mp4.
        character: Who moves.
        clip: How.
        options: See `FilmOptions`; 30 frames per second of 960 x 540 pixels unless said otherwise. An
            odd width or height becomes the even number below it.

    Returns:
        The path.

    Raises:
        MissingDependencyError: The extra "video" is not installed.
    """
    _check_suffix(path, ".mp4", "save_gif")
    try:
        import imageio_ffmpeg
    except ImportError:
        raise missing_dependency("imageio-ffmpeg", "video", "Writing MP4") from None
    fps = options.get("fps", 30.0)
    if not 1.0 <= fps <= 240.0:
        raise OptionError(f"An MP4 has 1 to 240 frames per second, given {fps}.")
    settings: FilmOptions = {"fps": fps, "width": 960, "height": 540, **options}
    width, height = settings["width"] // 2 * 2, settings["height"] // 2 * 2
    settings = {**settings, "width": width, "height": height}
    with tempfile.TemporaryDirectory(prefix="animato_") as folder:
        draft = Path(folder) / "film.mp4"
        command = [
            imageio_ffmpeg.get_ffmpeg_exe(), "-y", "-loglevel", "error",
            "-f", "rawvideo", "-pix_fmt", "rgb24", "-s", f"{width}x{height}", "-r", f"{fps:g}", "-i", "-",
            "-an", "-c:v", "libx264", "-preset", "medium", "-crf", "18", "-pix_fmt", "yuv420p",
            "-movflags", "+faststart", str(draft),
        ]  # fmt: skip
        _encode(command, _pictures(character, clip, settings), Path(folder) / "log.txt")
        return write_whole(path, draft.read_bytes())


def _check_suffix(path: str | Path, suffix: str, other: str) -> None:
    """Refuses a name that says something else than what the file will be."""
    if Path(path).suffix.lower() != suffix:
        raise OptionError(f"'{path}' does not end in {suffix}, which this film is. `{other}` writes the other kind.")
    check_writable(path)


def _encode(command: list[str], pictures: Iterator[np.ndarray], log: Path) -> None:
    """Feeds raw frames to an encoder and waits for it; raises what it says where it fails."""
    with log.open("wb") as errors:
        process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.DEVNULL, stderr=errors)
        try:
            if process.stdin is not None:
                for picture in pictures:
                    process.stdin.write(picture.tobytes())
                process.stdin.close()
            code = process.wait()
        except BrokenPipeError:
            code = process.wait() or 1
        finally:
            if process.poll() is None:
                process.kill()
                process.wait()
            if process.stdin is not None and not process.stdin.closed:
                process.stdin.close()
    if code != 0:
        said = log.read_text(errors="replace").strip() or f"exit code {code}"
        raise AnimatoError(f"The film could not be encoded; ffmpeg says: {said}. A GIF needs no ffmpeg.")


def _pictures(character: Character, clip: Clip, options: FilmOptions) -> Iterator[np.ndarray]:
    """All frames of a film, one after another."""
    progress = options.get("progress")
    times = film_times(clip, fps=options["fps"], speed=options.get("speed", 1.0))
    stage = set_stage(
        character,
        clip,
        ghost=options.get("ghost"),
        camera=options.get("camera"),
        follow=options.get("follow", False),
        width=options["width"],
        height=options["height"],
        look=options.get("look") or Look(supersampling=2),
        trails=options.get("trails", ()),
    )
    for n, picture in enumerate(_drawn(stage, times)):
        yield picture
        if progress is not None:
            progress(Iteration(stage="drawing frames", number=n + 1, total=len(times)))


def _drawn(stage: Stage, times: np.ndarray) -> Iterator[np.ndarray]:
    """Pictures of moments in their order, several drawn at once: kernels let other threads run."""
    empty = stage.empty_light()

    def drawn(time: float) -> np.ndarray:
        return with_label(stage.picture(time, empty=empty), time_label(time) if stage.look.labels else "")

    threads = min(_MOST_THREADS, os.cpu_count() or 1)
    with ThreadPoolExecutor(threads, thread_name_prefix="animato film") as pool:
        waiting: deque[Future[np.ndarray]] = deque()
        try:
            for time in times.tolist():
                waiting.append(pool.submit(drawn, time))
                if len(waiting) > 2 * threads:  # a long film is not kept in memory
                    yield waiting.popleft().result()
            while waiting:
                yield waiting.popleft().result()
        finally:
            for one in waiting:
                one.cancel()


def film_times(clip: Clip, *, fps: float, speed: float = 1.0) -> np.ndarray:
    """Moments of the clip [s] that a film shows, shape [frame]."""
    if not 0.01 <= speed <= 100.0:
        raise OptionError(f"The speed of a film goes from 0.01 to 100, given {speed}.")
    count = int(np.floor(clip.duration * fps / speed + 1e-6)) + 1
    if count > _MOST_FRAMES:
        raise OptionError(
            f"The film would have {count} frames, more than {_MOST_FRAMES}. "
            f"Choose fewer frames per second, a higher speed or a shorter clip."
        )
    return np.minimum(clip.times[0] + np.arange(count) * speed / fps, clip.times[-1])


def _palette(frames: list[Image.Image]) -> Image.Image:
    """256 colours for all frames.

    Colours count by a power of how often they are seen on a few of the frames; by their number
    alone the backdrop would take nearly all places.
    """
    from PIL import Image

    some = [np.asarray(frames[n]) for n in np.unique(np.linspace(0, len(frames) - 1, _PALETTE_SAMPLES).astype(int))]
    # as one number a colour: sorting rows of three takes fifty times as long
    coded = [frame.reshape(-1, 3).astype(np.uint32) @ np.array((1 << 16, 1 << 8, 1), np.uint32) for frame in some]
    codes, count = np.unique(np.concatenate(coded), return_counts=True)
    seen = np.column_stack([codes >> 16, codes >> 8, codes]).astype(np.uint8)
    sheet = np.repeat(seen, np.ceil(count**0.6).astype(int), axis=0)
    return Image.fromarray(sheet[None]).quantize(256, method=Image.Quantize.MEDIANCUT, kmeans=2)
