"""Small print in pictures."""

from __future__ import annotations

import numpy as np


def with_label(picture: np.ndarray, text: str, *, corner: str = "lower left") -> np.ndarray:
    """A copy of a picture with a discreet line of text in a corner.

    Args:
        picture: sRGB bytes, shape [row, column, 3].
        text: One line.
        corner: "lower left" or "upper left".
    """
    if not text:
        return picture
    from PIL import Image, ImageDraw, ImageFont

    height = picture.shape[0]
    size = max(11, round(0.032 * height))
    image = Image.fromarray(picture)
    draw = ImageDraw.Draw(image, "RGBA")
    font = ImageFont.load_default(size)
    edge = round(0.7 * size)
    left, top, _, bottom = draw.textbbox((0, 0), text, font=font)
    row = edge - top if corner.startswith("upper") else height - edge - bottom
    # dark or light, whichever stands out from what is below it
    patch = picture[max(row, 0) : row + 2 * size, : 8 * size]
    ink = (30, 36, 48, 150) if patch.size == 0 or patch.mean() > 110 else (240, 243, 248, 190)
    draw.text((edge - left, row), text, fill=ink, font=font)
    return np.asarray(image.convert("RGB"))


def with_title(picture: np.ndarray, text: str) -> np.ndarray:
    """A copy with a title that can still be read where the picture is one of many, shown small."""
    from PIL import Image, ImageDraw, ImageFont

    image = Image.fromarray(picture)
    draw = ImageDraw.Draw(image)
    draw.text((14, 10), text, fill=(30, 36, 48), font=ImageFont.load_default(24))
    draw.rectangle((0, 0, image.width - 1, image.height - 1), outline=(255, 255, 255))
    return np.asarray(image)


def with_ring(picture: np.ndarray, at: np.ndarray) -> np.ndarray:
    """A copy with a ring about a place of it that somebody looks at, [column, row]."""
    from PIL import Image, ImageDraw

    image = Image.fromarray(picture)
    draw, (x, y) = ImageDraw.Draw(image), at.tolist()
    for radius, width in ((8.0, 3), (2.0, 4)):
        draw.ellipse((x - radius, y - radius, x + radius, y + radius), outline=(194, 0, 107), width=width)
    return np.asarray(image)
