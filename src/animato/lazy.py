"""Names of a package that are imported at their first use, so that `import animato` costs nothing (PEP 562)."""

from __future__ import annotations

import sys
from collections.abc import Callable, Mapping
from importlib import import_module
from typing import Any

from animato.errors import did_you_mean


def lazily(package: str, places: Mapping[str, str]) -> tuple[Callable[[str], Any], Callable[[], list[str]]]:
    """The `__getattr__` and `__dir__` of a package whose public names live in modules that are not imported yet.

    Args:
        package: Its `__name__`.
        places: Module by public name; a module of that very name stands for itself.
    """

    def get(name: str) -> Any:
        place = places.get(name)
        if place is None:
            public = [one for one in places if not one.startswith("_")]
            raise AttributeError(f"'{package}' has no '{name}'.{did_you_mean(name, public)}")
        module = import_module(place)
        value = module if place == f"{package}.{name}" else getattr(module, name)
        setattr(sys.modules[package], name, value)  # asked once
        return value

    return get, lambda: sorted(places)
