"""Sounds as files: WAV, read and cut without a library."""

from __future__ import annotations

import wave
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from animato.errors import FileFormatError


@dataclass(frozen=True, eq=False)
class Wave:
    """A sound.

    Attributes:
        path: Its file.
        rate_hz: Samples a second.
        channels: How many.
        width: Bytes a sample.
        data: The samples as they stand in the file.
    """

    path: Path
    rate_hz: int
    channels: int
    width: int
    data: bytes

    @property
    def duration_s(self) -> float:
        """Its length [s]."""
        return len(self.data) / (self.rate_hz * self.channels * self.width)

    def mono(self) -> np.ndarray:
        """Its samples, all channels together, -1 to 1, shape [sample]."""
        if self.width == 1:
            values = np.frombuffer(self.data, dtype=np.uint8).astype(np.float64) / 128.0 - 1.0
        elif self.width == 3:
            raw = np.frombuffer(self.data, dtype=np.uint8).reshape(-1, 3)
            wide = np.zeros((len(raw), 4), dtype=np.uint8)
            wide[:, 1:] = raw
            values = wide.view("<i4").ravel() / 2.0**31
        else:
            values = np.frombuffer(self.data, dtype=f"<i{self.width}") / 2.0 ** (8 * self.width - 1)
        count = len(values) // self.channels * self.channels
        mono: np.ndarray = values[:count].reshape(-1, self.channels).mean(axis=1)
        return mono

    def save_from(self, at_s: float, path: str | Path) -> None:
        """Writes what is left of it from a time on [s]."""
        frame = self.channels * self.width
        with wave.open(str(path), "wb") as file:
            file.setnchannels(self.channels)
            file.setsampwidth(self.width)
            file.setframerate(self.rate_hz)
            file.writeframes(self.data[min(round(max(at_s, 0.0) * self.rate_hz) * frame, len(self.data)) :])


def load_wave(path: str | Path) -> Wave:
    """Reads a WAV file of whole numbers.

    Raises:
        FileFormatError: It is none.
    """
    try:
        with wave.open(str(path), "rb") as file:
            head = file.getframerate(), file.getnchannels(), file.getsampwidth()
            data = file.readframes(file.getnframes())
    except FileNotFoundError:
        raise FileFormatError(path, "there is no such file.") from None
    except (wave.Error, EOFError, OSError) as error:
        raise FileFormatError(
            path, f"is no WAV file of whole numbers ({error}). Sounds are WAV: ffmpeg -i song.mp3 song.wav makes one."
        ) from None
    if not data or head[0] <= 0:
        raise FileFormatError(path, "holds no sound.")
    return Wave(Path(path), *head, data)
