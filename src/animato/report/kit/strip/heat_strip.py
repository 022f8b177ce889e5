"""Joints by time, coloured by the share of their limits: no violation is lost, however long the clip is."""

from __future__ import annotations

import io
from dataclasses import dataclass

import numpy as np

from animato.mechanics.limits import LIMIT_KINDS, SHARE_TOLERANCE, LimitUsage

COLUMN_COUNT = 1000
ALL_KINDS = "all"
LEAST_WIDTH = 400  # pixels


@dataclass(frozen=True, eq=False)
class HeatStrip:
    """The largest share of each limit in each of at most `COLUMN_COUNT` equal spans of time.

    Attributes:
        edges: Where the spans begin and end [s], shape [column + 1].
        shares: Kind -> largest share in each span, NaN where there is no limit, shape [column, axis].
        samples: Kind -> at which of the usage's times that is, shape [column, axis].
    """

    edges: np.ndarray
    shares: dict[str, np.ndarray]
    samples: dict[str, np.ndarray]

    @property
    def column_count(self) -> int:
        """Number of spans."""
        return len(self.edges) - 1

    def of_kind(self, kind: str) -> np.ndarray:
        """Shares of one kind, or the largest over all kinds for "all"; shape [column, axis]."""
        if kind != ALL_KINDS:
            return self.shares[kind]
        stacked = np.stack([self.shares[kind] for kind in LIMIT_KINDS])
        largest = np.max(np.where(np.isnan(stacked), -np.inf, stacked), axis=0)
        return np.where(np.isneginf(largest), np.nan, largest)


def build_heat_strip(usage: LimitUsage, *, column_count: int = COLUMN_COUNT) -> HeatStrip:
    """Gathers the samples of a check into equal spans of time, keeping the largest share of each.

    Args:
        usage: Shares at times that may be unevenly spaced.
        column_count: At most so many spans; never more than there are samples.
    """
    times = usage.times
    count = max(1, min(column_count, len(times) - 1))
    edges = np.linspace(times[0], times[-1], count + 1)
    first = np.searchsorted(times, edges[:-1], side="left")
    last = np.append(first[1:], len(times))
    # Frames far apart leave spans without a sample of their own; those show the nearest one.
    centres = 0.5 * (edges[:-1] + edges[1:])
    nearest = np.clip(np.searchsorted(0.5 * (times[1:] + times[:-1]), centres), 0, len(times) - 1)
    empty = first >= last
    first = np.where(empty, nearest, first)
    last = np.where(empty, nearest + 1, last)
    shares, samples = {}, {}
    for kind in LIMIT_KINDS:
        known = np.where(np.isnan(usage.shares[kind]), -np.inf, usage.shares[kind])
        where = np.stack([low + np.argmax(known[low:high], axis=0) for low, high in zip(first, last, strict=True)])
        largest = np.take_along_axis(known, where, axis=0)
        shares[kind] = np.where(np.isneginf(largest), np.nan, largest)
        samples[kind] = where
    return HeatStrip(edges, shares, samples)


# From nothing over amber to orange as a limit comes near, then a step to magenta beyond it. The
# lightness falls all the way, so the order survives grey print and every kind of colour blindness.
_WITHIN = (
    (0.0, (247, 205, 110, 0)),
    (0.5, (247, 205, 110, 45)),
    (0.75, (246, 190, 85, 130)),
    (0.9, (243, 165, 50, 235)),
    (1.0, (230, 120, 20, 255)),
)
_BEYOND = ((1.0, (190, 10, 110, 255)), (1.5, (140, 0, 100, 255)), (2.0, (90, 0, 80, 255)))
_STEPS = 64  # colours on each side of 100 %
_UNKNOWN = 2 * _STEPS
_HATCH = 2 * _STEPS + 1


def _ramp(stops: tuple[tuple[float, tuple[int, ...]], ...]) -> np.ndarray:
    where = np.linspace(stops[0][0], stops[-1][0], _STEPS)
    places = [place for place, _ in stops]
    return np.stack([np.interp(where, places, [colour[i] for _, colour in stops]) for i in range(4)], axis=1)


def strip_palette() -> np.ndarray:
    """Red, green, blue, opacity of each colour, shape [colour, 4]."""
    extra = [(128, 128, 128, 40), (255, 255, 255, 255)]  # unknown, hatch
    return np.vstack([_ramp(_WITHIN), _ramp(_BEYOND), extra]).round().astype(np.uint8)


def colour_indices(shares: np.ndarray) -> np.ndarray:
    """The colour of each share: below `_STEPS` within the limit, from there on beyond it."""
    level = np.nan_to_num(shares, nan=0.0, posinf=1e6)
    within = np.clip(np.rint(level * (_STEPS - 1)), 0, _STEPS - 1)
    beyond = _STEPS + np.clip(np.rint((level - 1.0) * (_STEPS - 1)), 0, _STEPS - 1)
    index = np.where(level > 1.0 + SHARE_TOLERANCE, beyond, within)
    return np.where(np.isnan(shares), _UNKNOWN, index).astype(np.uint8)


def draw_heat_strip(shares: np.ndarray, *, row_height: int, min_width: int = 5) -> bytes:
    """The strip as a PNG, one row an axis, at least one pixel a column; what is beyond its limit is hatched.

    Args:
        shares: Shape [column, axis].
        row_height: Of one axis [pixel]; the last one is left free as a gap.
        min_width: A violation is drawn at least so wide [pixel], so that a smaller view cannot lose it.
    """
    from PIL import Image

    repeat = -(-LEAST_WIDTH // len(shares))  # few columns are drawn wider, as a hatch needs room
    cells = colour_indices(_widened(np.repeat(shares, repeat, axis=0), min_width)).T
    picture = np.repeat(cells, row_height, axis=0)
    rows, columns = np.arange(picture.shape[0])[:, None], np.arange(picture.shape[1])[None]
    inside = rows % row_height
    beyond = (picture >= _STEPS) & (picture < _UNKNOWN)
    picture[beyond & ((columns + inside) % 6 == 0) & (inside > 1) & (inside < row_height - 3)] = _HATCH
    picture[np.broadcast_to(inside == row_height - 1, picture.shape)] = 0
    picture[(picture == _UNKNOWN) & ((columns + rows) % 8 != 0)] = 0
    image = Image.fromarray(np.ascontiguousarray(picture))
    palette = strip_palette()
    image.putpalette(palette[:, :3].tobytes())
    stream = io.BytesIO()
    image.save(stream, "PNG", transparency=palette[:, 3].tobytes(), optimize=False)
    return stream.getvalue()


def _widened(shares: np.ndarray, width: int) -> np.ndarray:
    """Spreads each violation over its neighbours, at most `width` columns in all."""
    wide = shares.copy()
    for shift in range(1, width // 2 + 1):
        for towards in (shift, -shift):
            moved = np.full_like(shares, np.nan)
            if abs(towards) < len(shares):
                moved[max(0, towards) : len(shares) + min(0, towards)] = shares[
                    max(0, -towards) : len(shares) + min(0, -towards)
                ]
            wide = np.where((moved > 1.0 + SHARE_TOLERANCE) & ~(wide > moved) & ~np.isnan(shares), moved, wide)
    return wide
