"""Young's modulus and damping of a part from a free oscillation of its tip (Fig. 5 of the paper).

The part is let go from a bent rest. Model and record are compared moment by moment, not by their frequencies alone,
and the difference is made small over stiffness, damping, and how the part was held. A rod that swings far does not
swing as fast as one that swings little, and gravity makes an upright one slower: the simulation knows both.

With one visible mode of vibration there is one number of damping: mass damping alpha and stiffness damping beta act
alike, zeta = alpha m' / (2 w) + beta w / 2. Only a second mode tells them apart. So beta alone is fitted where one mode
is seen, and that is said.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace

import numpy as np
from scipy.optimize import least_squares

from animato.character import Character, FlexiblePart, Material
from animato.described import HasPage
from animato.errors import CharacterError, MotionError, unknown_name
from animato.mechanics.simulation import IntegrationOptions, State, System, build_system, integrate, solve_statics
from animato.mechanics.simulation.dynamics import build_work, put_forces, put_outputs
from animato.mechanics.simulation.vibration import vibration_modes
from animato.outcome import Iteration, Outcome, Progress, Status
from animato.steady.materials.oscillation import Oscillation

_LEAST_FRAMES = 20
_WORTH_IT = 0.8  # of the squares that are left: what a second mode must lower them to
_HELD = 0.1  # of a period after the estimated release that is not looked at
_SECOND_SEEN = 0.02  # share of the first mode's amplitude from which on a second mode counts as seen
_STEPS_A_PERIOD = 200
_LARGEST_STEP = 1e-3  # [s]
_G = 9.81


@dataclass(frozen=True)
class FittedValue:
    """A number and how well it is known.

    Attributes:
        value: In SI units.
        error: One standard deviation; NaN where it was not fitted.
    """

    value: float
    error: float

    def __str__(self) -> str:
        return f"{self.value:.4g} +- {self.error:.2g}" if np.isfinite(self.error) else f"{self.value:.4g}"


@dataclass(frozen=True, eq=False, repr=False)
class MaterialFit(HasPage):
    """What a part is made of, by how it swings.

    Attributes:
        character: With the fitted material.
        part: Name of the part.
        record: What was measured.
        material: The fitted one.
        youngs_modulus, mass_damping, stiffness_damping: With their errors [Pa, 1/s, s].
        simulated: Displacement of the model at the times of the record [m], [frame].
        damping_ratio: Of the first mode.
        outcome: How the fit ended.
        notes: What could not be told, in plain sentences.
    """

    REPORT = "material_fit"

    character: Character
    part: str
    record: Oscillation
    material: Material
    youngs_modulus: FittedValue
    mass_damping: FittedValue
    stiffness_damping: FittedValue
    simulated: np.ndarray
    damping_ratio: float
    outcome: Outcome
    notes: tuple[str, ...]

    @property
    def rms_m(self) -> float:
        """Of the difference between model and record [m]."""
        return float(np.sqrt(np.mean((self.simulated - self.record.values) ** 2)))

    def facts(self) -> dict[str, str]:
        """At a glance."""
        return {
            "part": self.part,
            "Young's modulus": f"{FittedValue(self.youngs_modulus.value / 1e9, self.youngs_modulus.error / 1e9)} GPa",
            "mass damping": f"{self.mass_damping} 1/s",
            "stiffness damping": f"{self.stiffness_damping} s",
            "off the record": f"{1000.0 * self.rms_m:.3g} mm RMS",
        }


@dataclass(frozen=True)
class _Guess:
    """All that is fitted. Stiffness is a factor on the part's own; `hold` is the sideways pull that bends it, in g."""

    stiffness: float
    beta: float
    hold: float
    offset: float = 0.0
    late: float = 0.0
    alpha: float = 0.0
    second: float = 0.0
    second_rate: float = 0.0


@dataclass(frozen=True, eq=False)
class _Setup:
    """The stand: a character whose motor holds the part still, and the body at its tip."""

    character: Character
    part: FlexiblePart
    body: str
    record: Oscillation

    def material(self, guess: _Guess) -> Material:
        own = self.part.material
        return replace(
            own,
            youngs_modulus=guess.stiffness * own.youngs_modulus,
            mass_damping=max(guess.alpha, 0.0),
            stiffness_damping=max(guess.beta, 0.0),
        )

    def made_of(self, material: Material) -> Character:
        parts = tuple(
            replace(part, material=material) if part.name == self.part.name else part
            for part in self.character.flexible_parts
        )
        return replace(self.character, flexible_parts=parts)

    def displacement(self, guess: _Guess) -> np.ndarray:
        """Of the model at the times of the record [m], [frame]; NaN where it came to nothing."""
        stand = self.made_of(self.material(guess))
        system = build_system(stand, tracked=(self.body,))
        held = np.zeros(len(system.motor_names))
        rest = solve_statics(system, held)
        x, y, z = np.asarray(stand.gravity) + guess.hold * _G * self.record.direction
        bent = solve_statics(
            build_system(replace(stand, gravity=(float(x), float(y), float(z))), tracked=(self.body,)), held
        )
        u, v = bent.u[0].copy(), np.zeros(system.unknown_count)
        if guess.second or guess.second_rate:
            shape, rate = self.second_mode(system, held, rest.u[0], rest.lam[0])
            u += guess.second * shape
            v += guess.second_rate * rate * shape
        end = self.record.times[-1] + max(guess.late, 0.0)
        step = min(_LARGEST_STEP, 1.0 / (_STEPS_A_PERIOD * self.record.frequency_hz))
        steps = int(np.ceil(end / step)) + 2
        motors = np.zeros((steps + 1, 3, len(held)))
        run = integrate(system, motors, step, IntegrationOptions(), start=State(u, v, bent.lam[0]))
        if not run.outcome.usable:
            return np.full(len(self.record.times), np.nan)
        swing = (run.points[:, 0] - rest.points[0, 0]) @ self.record.direction
        return _sampled(run.times, swing, self.record.times + guess.late) + guess.offset

    def second_mode(self, system: System, held: np.ndarray, u: np.ndarray, lam: np.ndarray) -> tuple[np.ndarray, float]:
        """The next mode that swings along the record, as unknowns for one metre at the tip, and its rate [rad/s]."""
        modes = vibration_modes(system, held, u, lam, count=min(8, len(u)))
        tip = modes.shapes @ _tip_jacobian(system, modes.pose).T
        for n, frequency in enumerate(modes.frequencies_hz):
            along = float(tip[n] @ self.record.direction)
            if frequency > 2.0 * modes.frequencies_hz[0] and abs(along) > 0.5 * float(np.linalg.norm(tip[n])):
                return modes.shapes[n, : system.unknown_count] / along, 2.0 * np.pi * float(frequency)
        raise MotionError("The model has no second mode along the line of the record.")


def _tip_jacobian(system: System, pose: np.ndarray) -> np.ndarray:
    """Changes of the tip's place with all coordinates, [3, n]."""
    n, work, rest = system.coordinate_count, build_work(system.packed), np.zeros(system.coordinate_count)
    put_forces(
        system.packed, work, pose, rest, rest, np.zeros(system.row_count), np.empty(n), np.empty(system.row_count)
    )
    points, rotations = np.empty((1, 3)), np.empty((1, 3, 3))
    by_points, by_turns = np.empty((1, 3, n)), np.empty((1, 3, n))
    put_outputs(system.packed, work, points, rotations, by_points, by_turns)
    return by_points[0]


def fit_material(
    character: Character,
    record: Oscillation,
    *,
    part: str | None = None,
    body: str | None = None,
    progress: Progress | None = None,
) -> MaterialFit:
    """Fits Young's modulus and damping of a part to a free oscillation.

    Args:
        character: The stand: a part that is held at one end, its material a first guess, with the mass at its tip.
        record: What was measured at the tip.
        part: Which of its flexible parts; needed where it has several.
        body: What the marker was on; the body at the part's far end where not given.
        progress: Told of every trial.
    """
    setup = _setup(character, record, part, body)
    count = 0

    def tell() -> None:
        nonlocal count
        count += 1
        if progress is not None:
            progress(Iteration(stage="fitting the material", number=count))

    # the slow swing alone first: with a fast mode on top the fit could lock on to a wrong beat of it
    slow = _fitted(setup, _first_guess(setup), _SLOW, tell, smooth=True)
    plain = _fitted(setup, slow.guess, _SLOW, tell)
    trials = [_fitted(setup, one, _ALL, tell, iterations=8) for one in _second_mode_starts(setup, plain.guess)]
    best = min(trials, key=_squares, default=None)
    if best is None or _squares(best) > _WORTH_IT * _squares(plain):
        return _result(setup, plain, False, count)
    return _result(setup, _fitted(setup, best.guess, _ALL, tell), True, count)


@dataclass(frozen=True, eq=False)
class _Fitted:
    """Where a fit ended: values, their errors by name, what is left, and whether it settled."""

    guess: _Guess
    errors: dict[str, float]
    left: np.ndarray
    settled: bool


def _squares(found: _Fitted) -> float:
    return float(found.left @ found.left)


_SLOW = ("stiffness", "beta", "hold", "offset", "late")
_ALL = (*_SLOW, "alpha", "second", "second_rate")


def _fitted(
    setup: _Setup,
    begin: _Guess,
    names: tuple[str, ...],
    tell: Callable[[], None],
    *,
    smooth: bool = False,
    iterations: int = 30,
) -> _Fitted:
    """Makes the difference of model and record small over some of the values."""
    begin = replace(begin, beta=max(begin.beta, 1e-6))  # a start on a bound would stay there
    record = setup.record
    start = np.array([getattr(begin, name) for name in names])
    scales = np.array([_SCALES[name] for name in names])
    scales[names.index("beta")] = max(begin.beta, 1e-5)
    held = record.times < _HELD / record.frequency_hz  # when exactly it was let go is not known

    def residual(x: np.ndarray) -> np.ndarray:
        tell()
        values = setup.displacement(_with(begin, names, start + (x - 1.0) * scales))
        left = np.where(np.isfinite(values), values - record.values, 1.0)
        left[held] = 0.0
        return _smoothed(left, record) if smooth else left

    # unknowns of about 1, so that steps of differences are a small share of each scale
    lower = 1.0 + (np.array([_LEAST.get(name, -np.inf) for name in names]) - start) / scales
    found = least_squares(
        residual,
        np.maximum(1.0, lower),
        bounds=(lower, np.inf),
        diff_step=1e-4,
        max_nfev=iterations,
        xtol=1e-9,
        ftol=1e-9,
    )
    errors = dict(zip(names, _errors(found.jac, found.fun) * scales, strict=True))
    best = _with(begin, names, start + (found.x - 1.0) * scales)
    return _Fitted(best, errors, found.fun, bool(found.success))


def _smoothed(values: np.ndarray, record: Oscillation) -> np.ndarray:
    """Without what is much faster than the swing."""
    step = float(np.median(np.diff(record.times)))
    window = np.hanning(max(3, int(0.4 / (record.frequency_hz * step))) + 2)
    return np.convolve(values, window / window.sum(), mode="same")


_SCALES = {
    "stiffness": 1.0,
    "beta": 1e-4,
    "hold": 0.1,
    "offset": 1e-3,
    "late": 1e-3,
    "alpha": 0.1,
    "second": 1e-2,
    "second_rate": 1e-2,
}
_LEAST = {"stiffness": 0.02, "beta": 0.0, "alpha": 0.0, "late": -0.05}


def _with(guess: _Guess, names: tuple[str, ...], values: np.ndarray) -> _Guess:
    return replace(guess, **dict(zip(names, map(float, values), strict=True)))


def _setup(character: Character, record: Oscillation, part: str | None, body: str | None) -> _Setup:
    parts = {one.name: one for one in character.flexible_parts}
    if not parts:
        raise CharacterError(f"'{character.name}' has no flexible part whose material could be fitted.")
    if part is None and len(parts) > 1:
        raise CharacterError(f"'{character.name}' has several flexible parts; choose `part` from {', '.join(parts)}.")
    name = part or next(iter(parts))
    if name not in parts:
        raise unknown_name("flexible part", name, list(parts), character.name)
    tip = body or parts[name].interfaces[-1].body
    if tip not in {one.name for one in character.bodies}:
        raise unknown_name("body", tip, [one.name for one in character.bodies], character.name)
    return _Setup(character, parts[name], tip, record)


def _first_guess(setup: _Setup) -> _Guess:
    """Stiffness by the frequency, damping by the decay, the pull by the first amplitude."""
    record, stiffness = setup.record, 1.0
    wanted = record.frequency_hz
    for _ in range(5):
        system = build_system(setup.made_of(setup.material(_Guess(stiffness, 0.0, 0.0))), tracked=(setup.body,))
        held = np.zeros(len(system.motor_names))
        rest = solve_statics(system, held)
        frequency = float(vibration_modes(system, held, rest.u[0], rest.lam[0], count=1).frequencies_hz[0])
        stiffness *= float(np.clip((wanted / max(frequency, 1e-3)) ** 2, 0.2, 5.0))
    decay = _decay_rate(record)
    guess = _Guess(stiffness, 2.0 * decay / (2.0 * np.pi * wanted) ** 2, 0.05)
    for _ in range(4):
        there = float(setup.displacement(guess)[0])
        guess = replace(guess, hold=guess.hold * float(np.clip(record.values[0] / max(there, 1e-9), 0.2, 5.0)))
    return guess


def _decay_rate(record: Oscillation) -> float:
    """Of the envelope [1/s], by a line through the logarithms of the largest value of each period."""
    periods = (record.times * record.frequency_hz).astype(int)
    tall = np.array([np.abs(record.values[periods == n]).max() for n in range(int(periods[-1]))])
    good = tall > 0.05 * tall.max(initial=0.0)
    if good.sum() < 3:
        return 0.0
    moments = np.flatnonzero(good) / record.frequency_hz
    return max(0.0, -float(np.polyfit(moments, np.log(tall[good]), 1)[0]))


def _second_mode_starts(setup: _Setup, guess: _Guess) -> list[_Guess]:
    """Guesses with a second mode, where the record shows one.

    The swing does not tell to a fraction of the fast period when it was let go, so that moments around it are tried.
    """
    record = setup.record
    system = build_system(setup.made_of(setup.material(guess)), tracked=(setup.body,))
    held = np.zeros(len(system.motor_names))
    rest = solve_statics(system, held)
    try:
        _, rate = setup.second_mode(system, held, rest.u[0], rest.lam[0])
    except MotionError:
        return []
    if rate * float(np.median(np.diff(record.times))) > 0.5 * np.pi:
        return []  # too few frames a period to see it
    period = 2.0 * np.pi / rate
    tried = (replace(guess, late=guess.late + shift * period) for shift in (0.0, 1.0 / 3.0, -1.0 / 3.0))
    found = [_with_second(setup, one, rate) for one in tried]
    return [one for one in found if one is not None]


def _with_second(setup: _Setup, guess: _Guess, rate: float) -> _Guess | None:
    """A guess with displacement and velocity of the second mode that what is left early shows; None without it."""
    record = setup.record
    # high modes die first, so that they are looked for early
    early = record.times < max(3.0 / record.frequency_hz, 0.2 * record.times[-1])
    early &= record.times > _HELD / record.frequency_hz
    left = (record.values - setup.displacement(guess))[early]
    if not np.all(np.isfinite(left)) or early.sum() < _LEAST_FRAMES:
        return None
    times = record.times[early] + guess.late
    fall = np.exp(-0.5 * guess.beta * rate**2 * times)
    slow = 2.0 * np.pi * record.frequency_hz
    waves = np.column_stack(
        [fall * np.cos(rate * times), fall * np.sin(rate * times), np.cos(slow * times), np.sin(slow * times)]
    )
    amounts = np.linalg.lstsq(waves, left, rcond=None)[0]
    noise = float(np.std(left - waves @ amounts))
    seen = float(np.hypot(amounts[0], amounts[1]))
    if seen < _SECOND_SEEN * record.values[0] or seen < 6.0 * noise / np.sqrt(early.sum()):
        return None
    return replace(guess, alpha=0.05, second=float(amounts[0]), second_rate=float(amounts[1]))


def _errors(jacobian: np.ndarray, residual: np.ndarray) -> np.ndarray:
    """One standard deviation of each unknown; residuals that follow one another count as fewer."""
    count = len(residual) - jacobian.shape[1]
    variance = float(residual @ residual) / max(count, 1)
    together = float(residual[1:] @ residual[:-1]) / max(float(residual @ residual), 1e-300)
    together = min(max(together, 0.0), 0.98)
    normal = np.linalg.pinv(jacobian.T @ jacobian)
    return np.sqrt(np.maximum(np.diag(normal), 0.0) * variance * (1.0 + together) / (1.0 - together))


def _result(setup: _Setup, found: _Fitted, two: bool, trials: int) -> MaterialFit:
    best, errors, own, notes = found.guess, found.errors, setup.part.material.youngs_modulus, []
    if not two:
        notes.append(
            "One mode of vibration is seen, so mass damping and stiffness damping cannot be told apart: all damping is "
            "given as stiffness damping. A record that shows a second mode, as after a knock, tells them apart."
        )
    reason = "model and record agree as well as they can" if found.settled else "the fit did not settle"
    return MaterialFit(
        setup.made_of(setup.material(best)),
        setup.part.name,
        setup.record,
        setup.material(best),
        FittedValue(best.stiffness * own, errors["stiffness"] * own),
        FittedValue(max(best.alpha, 0.0), errors.get("alpha", float("nan"))),
        FittedValue(max(best.beta, 0.0), errors["beta"]),
        setup.displacement(best),
        _decay_rate(setup.record) / (2.0 * np.pi * setup.record.frequency_hz),
        Outcome(Status.SOLVED if found.settled else Status.OUT_OF_ITERATIONS, reason, trials),
        tuple(notes),
    )


def _sampled(times: np.ndarray, values: np.ndarray, where: np.ndarray) -> np.ndarray:
    """Values between steps, by the cubic through them; before the first one it is held."""
    from scipy.interpolate import CubicSpline

    return np.asarray(CubicSpline(times, values)(np.maximum(where, times[0])))
