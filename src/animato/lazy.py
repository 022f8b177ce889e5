"""Names of a package that are imported at their first use, so that `import animato` costs nothing (PEP 562)."""

from __future__ import annotations

import sys
from collections.abc import Callable, Mapping, Sequence
from importlib import import_module
from typing import Any

from animato.errors import did_you_mean


def lazily(
    package: str, places: Mapping[str, Sequence[str]], rooms: Sequence[str] = ()
) -> tuple[Callable[[str], Any], Callable[[], list[str]]]:
    """The `__getattr__` and `__dir__` of a package whose public names live in modules that are not imported yet.

    Args:
        package: Its `__name__`.
        places: Public names by the module that has them.
        rooms: Sub-packages that can be reached as attributes.
    """
    module_of = {name: module for module, names in places.items() for name in names}

    def get(name: str) -> Any:
        if name in rooms:
            return import_module(f"{package}.{name}")  # the import makes it an attribute
        if name not in module_of:
            raise AttributeError(f"'{package}' has no '{name}'.{did_you_mean(name, [*module_of, *rooms])}")
        value = getattr(import_module(module_of[name]), name)
        setattr(sys.modules[package], name, value)  # asked once
        return value

    return get, lambda: sorted({*vars(sys.modules[package]), *module_of, *rooms})
