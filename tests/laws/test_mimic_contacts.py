"""What holds of plans of contacts whatever the person does: mirrored people, shifted times, turned people."""

from __future__ import annotations

import numpy as np
import pytest

from animato.formats import load_character
from animato.mimic.anatomy import Anatomy, anatomy_of
from animato.mimic.contacts import ContactPlan, plan_contacts
from animato.mimic.person import Person
from tests.pose_builders import PUSH_UP, SIT, STAND, mirrored_person, person_of_points, person_of_poses

MIRRORED = {"left": "right", "right": "left"}


@pytest.fixture(scope="module")
def anatomy() -> Anatomy:
    return anatomy_of(load_character("pico"))


def restless(seed: int) -> Person:
    """Somebody who sits down or does push-ups, with feet that wander."""
    rng = np.random.default_rng(seed)
    person = person_of_poses([STAND, SIT if seed % 2 else PUSH_UP, STAND], jump_m=0.3 if seed == 2 else 0.0)
    positions, phase = person.positions.copy(), 2.0 * np.pi * person.times
    for column, name in enumerate(person.names):
        if name.endswith(("ankle", "toe", "wrist")):
            waves = rng.normal(size=(3, 3)) * (0.02, 0.02, 0.015)
            for k, wave in enumerate(waves):
                positions[:, column] += np.outer(np.maximum(0.0, np.sin((k + 1) * phase + rng.uniform(0, 6))), wave)
    return person_of_points(person.times, person.names, positions)


def names_of(plan: ContactPlan) -> list[str]:
    return [part.name for part in plan.parts]


@pytest.mark.parametrize("seed", range(4))
def test_a_mirrored_person_has_the_mirrored_plan(seed: int, anatomy: Anatomy) -> None:
    person = restless(seed)
    plan = plan_contacts(person, anatomy, person.times)
    other = plan_contacts(mirrored_person(person), anatomy, person.times)
    assert plan.planted.any() and not plan.planted.all()
    columns = [
        names_of(other).index(" ".join(MIRRORED.get(word, word) for word in name.split())) for name in names_of(plan)
    ]
    np.testing.assert_array_equal(other.planted[:, columns], plan.planted)
    np.testing.assert_array_equal(other.lowered[:, columns], plan.lowered)
    np.testing.assert_array_equal(other.support[:, ::-1], plan.support)
    np.testing.assert_array_equal(other.flight, plan.flight)
    for column, part in zip(columns, plan.parts, strict=True):
        assert other.parts[column].height == pytest.approx(part.height, abs=1e-12)


@pytest.mark.parametrize("seed", range(4))
def test_where_and_when_it_happens_does_not_matter(seed: int, anatomy: Anatomy) -> None:
    person = restless(seed)
    plan = plan_contacts(person, anatomy, person.times)
    turn = np.array([[0.0, -1.0, 0.0], [1.0, 0.0, 0.0], [0.0, 0.0, 1.0]])
    moved = person_of_points(person.times + 3.0, person.names, person.positions @ turn.T + (4.0, -2.0, 0.0))
    other = plan_contacts(moved, anatomy, person.times)
    for field in ("planted", "lowered", "support", "flight"):
        np.testing.assert_array_equal(getattr(other, field), getattr(plan, field))


def test_one_side_alone_would_be_seen(anatomy: Anatomy) -> None:
    """Negative control: a person with one foot lifted is not its own mirror image."""
    person = restless(1)
    plan = plan_contacts(person, anatomy, person.times)
    other = plan_contacts(mirrored_person(person), anatomy, person.times)
    assert np.any(other.planted[:, :4] != plan.planted[:, :4])
