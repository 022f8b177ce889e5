"""What a solution of steady says of itself."""

import numpy as np
import pytest

import animato as an


@pytest.fixture(scope="module")
def solution() -> an.steady.Solution:
    times = np.linspace(0.0, 0.8, 81)
    clip = an.Clip(times, ("motor",), np.radians(8) * np.clip((times - 0.2) / 0.2, 0, 1)[:, None])
    return an.steady.solve(an.steady.build("rod", clip, an.steady.Options(step_s=4e-3)))


def test_the_ends_are_tracked_by_themselves(solution: an.steady.Solution) -> None:
    assert [one.body for one in solution.problem.tracked] == ["ball"]


def test_usage_has_torques_as_simulated(solution: an.steady.Solution) -> None:
    usage = solution.usage
    assert usage.holds == solution.outcome.usable
    assert usage.values["torque"][:, 0] == pytest.approx(solution.after.runs[0].torque[:, 0])
    rigid = an.mechanics.limits.limit_usage(solution.problem.character, solution.clip)
    assert abs(usage.peak("torque") - rigid.peak("torque")) > 0.01  # a rod that bends asks for something else


def test_a_clip_of_other_motors_is_refused() -> None:
    clip = an.Clip(np.linspace(0.0, 1.0, 11), ("elbow",), np.zeros((11, 1)))
    with pytest.raises(an.AnimatoError, match="elbow"):
        an.steady.build("rod", clip)
