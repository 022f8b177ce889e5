"""The characters, clips and strokes that come with animato: YAML, CSV and JSON files.

They are data, not code: copy one and change it to make your own.
"""

from pathlib import Path

LIBRARY = Path(__file__).resolve().parent
"""Where they are."""

__all__ = ["LIBRARY"]
