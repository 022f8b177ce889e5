"""The scripts of the player, for pages that carry it and for pages that are served."""

from __future__ import annotations

from importlib import resources

PLAYER_PARTS = ("numbers", "shaders", "camera", "stage", "things", "timelines", "film")
"""Files `player_....js` in the order in which they build upon one another."""


def player_sources() -> str:
    """All parts as one script that defines what they define and does nothing by itself."""
    folder = resources.files("animato.report")
    parts = (folder.joinpath(f"player_{name}.js").read_text(encoding="utf-8") for name in PLAYER_PARTS)
    return "".join(without_comments(part) for part in parts)


def without_comments(script: str) -> str:
    """A script without its comments and indents, which no browser needs."""
    lines = (line.strip() for line in script.splitlines())
    return "\n".join(line for line in lines if line and not line.startswith("//")) + "\n"
