"""Sounds: WAV of every width, beats that were put there, a player that is a program."""

from __future__ import annotations

import sys
import time
import wave
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest

from animato.errors import FileFormatError, OptionError
from animato.stage.shows.sound import Effects, SoundClock, Wave, beats_of, load_wave

RATE = 8000
WRITES = [sys.executable, "-c", "import sys, time; open(sys.argv[1] + '.played', 'w').close(); time.sleep(60)"]


def clicks(bpm: float, first_s: float, seconds: float = 30.0, noise: float = 0.02, seed: int = 0) -> np.ndarray:
    """Strokes of a drum that decay in 40 ms, every second one louder, in noise."""
    rng = np.random.default_rng(seed)
    samples = rng.normal(0.0, noise, int(RATE * seconds))
    stroke = np.exp(-np.arange(int(0.04 * RATE)) / (0.01 * RATE)) * np.sin(np.arange(int(0.04 * RATE)) * 1.3)
    for n, at in enumerate(np.arange(first_s, seconds - 0.1, 60.0 / bpm)):
        start = round(at * RATE)
        samples[start : start + len(stroke)] += (0.7 if n % 2 else 0.5) * stroke
    return np.clip(samples, -1.0, 1.0)


def save(path: Path, samples: np.ndarray, width: int = 2, channels: int = 1) -> Path:
    whole = np.repeat(np.rint(samples * (2 ** (8 * width - 1) - 1)).astype(np.int64), channels)
    if width == 1:
        whole += 128
    with wave.open(str(path), "wb") as file:
        file.setnchannels(channels)
        file.setsampwidth(width)
        file.setframerate(RATE)
        file.writeframes(b"".join(int(one).to_bytes(width, "little", signed=width > 1) for one in whole))
    return path


@pytest.mark.parametrize("width", [1, 2, 3, 4])
@pytest.mark.parametrize("channels", [1, 2])
def test_waves_of_every_width_are_read(tmp_path: Path, width: int, channels: int) -> None:
    samples = 0.9 * np.sin(np.arange(2000) * 0.05)
    sound = load_wave(save(tmp_path / "a.wav", samples, width, channels))
    assert sound.duration_s == pytest.approx(0.25)
    assert np.abs(sound.mono() - samples).max() < 1.5 / 2 ** (8 * width - 1) * 1.01
    sound.save_from(0.1, tmp_path / "b.wav")
    rest = load_wave(tmp_path / "b.wav")
    assert rest.duration_s == pytest.approx(0.15)
    assert np.array_equal(rest.mono(), sound.mono()[800:])


def test_what_is_no_wave_is_said(tmp_path: Path) -> None:
    (tmp_path / "a.wav").write_bytes(b"ID3 an mp3")
    with pytest.raises(FileFormatError, match="no WAV file"):
        load_wave(tmp_path / "a.wav")
    with pytest.raises(FileFormatError, match="no such file"):
        load_wave(tmp_path / "b.wav")


@pytest.mark.parametrize(("bpm", "first_s"), [(90.0, 0.1), (104.5, 0.33), (120.0, 0.0), (127.3, 0.21), (143.0, 0.4)])
def test_the_beat_is_found(bpm: float, first_s: float) -> None:
    samples = clicks(bpm, first_s)
    found = beats_of(Wave(Path("a.wav"), RATE, 1, 2, (samples * 32000).astype("<i2").tobytes()))
    assert found.bpm == pytest.approx(bpm, rel=2e-3)
    for n in range(0, int(29.0 * bpm / 60.0), 7):  # all along the sound, to two windows of 10 ms
        beat = first_s + n * 60.0 / bpm
        off = (beat - found.first_s + found.every_s / 2.0) % found.every_s - found.every_s / 2.0
        assert abs(off) < 0.021


def test_noise_has_no_beat() -> None:
    noise = np.random.default_rng(3).normal(0.0, 0.1, 30 * RATE)
    with pytest.raises(OptionError, match="give 'bpm' and 'offset'"):
        beats_of(Wave(Path("noise.wav"), RATE, 1, 2, (np.clip(noise, -1, 1) * 32000).astype("<i2").tobytes()))
    with pytest.raises(OptionError, match="too short or too even"):
        beats_of(Wave(Path("a.wav"), RATE, 1, 2, bytes(1000)))


def test_a_sound_is_a_clock_that_goes_where_it_is_told(tmp_path: Path) -> None:
    sound = load_wave(save(tmp_path / "a.wav", clicks(120.0, 0.0, 4.0)))
    now = [10.0]
    clock = SoundClock(sound, WRITES, now=lambda: now[0])
    try:
        clock.play(0.0)
        assert _until(lambda: clock.read() is not None)
        now[0] += 1.5
        reading = clock.read()
        assert reading is not None
        assert reading.running
        assert reading.at_s == pytest.approx(1.5)
        assert _until((tmp_path / "a.wav.played").exists)
        clock.halt()
        now[0] += 5.0
        reading = clock.read()
        assert reading is not None
        assert not reading.running
        assert reading.at_s == pytest.approx(1.5)
        clock.play(2.0)
        assert _until(lambda: clock.read() is not None)
        now[0] += 0.25
        reading = clock.read()
        assert reading is not None
        assert reading.at_s == pytest.approx(2.25)
    finally:
        clock.close()
    assert clock._process is None


def test_without_a_player_time_goes_on_in_silence(tmp_path: Path) -> None:
    clock = SoundClock(load_wave(save(tmp_path / "a.wav", np.zeros(800))), None)
    clock.play(0.0)
    assert _until(lambda: clock.read() is not None)
    clock.close()


def test_effects_are_started_and_ended(tmp_path: Path) -> None:
    save(tmp_path / "bell.wav", np.zeros(800))
    effects = Effects(WRITES, lambda name: tmp_path / name)
    effects.play("bell.wav")
    assert _until((tmp_path / "bell.wav.played").exists)
    effects.close()
    assert all(one.poll() is not None for one in effects._running)
    Effects(None, lambda name: tmp_path / name).play("bell.wav")


def _until(true: Callable[[], bool], patience_s: float = 20.0) -> bool:
    end = time.monotonic() + patience_s
    while not true() and time.monotonic() < end:
        time.sleep(0.005)
    return true()
