from __future__ import annotations

import pytest

from tests.layers import fault, faults


def test_every_import_goes_the_right_way() -> None:
    assert faults() == []


@pytest.mark.parametrize(
    ("layer", "module"),
    [
        ("spatial", "animato.character"),
        ("motion", "animato.mechanics.tree.states"),
        ("express", "animato.trace"),
        ("solvers", "animato.character"),
        ("formats", "animato.report"),
        ("mechanics", "matplotlib.pyplot"),
        ("motion", ".clip"),
        ("motion", "animato.surprise"),
    ],
)
def test_wrong_ways_are_found(layer: str, module: str) -> None:
    assert fault(layer, module)


def test_right_ways_are_not() -> None:
    assert fault("mechanics", "animato.character.joint") is None
    assert fault("view", "PIL.Image") is None
    assert fault("solvers", "animato.spatial.basis") is None
