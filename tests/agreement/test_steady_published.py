"""The published system in maximal coordinates and the fast one in minimal coordinates: one motion."""

from dataclasses import replace

import numpy as np
import pytest

import animato as an
from animato.character import Body, Character, Frame, Joint, JointRole, JointType, Rod
from animato.errors import CharacterError
from animato.mechanics.flexible.mesh import MeshOptions
from animato.mechanics.simulation import (
    IntegrationOptions,
    Integrator,
    State,
    build_system,
    integrate,
    solve_statics,
)
from animato.steady.published.maximal import (
    build_maximal_system,
    simulate_maximal,
    solve_maximal_statics,
    with_rigid_modes,
)

BDF2 = IntegrationOptions(integrator=Integrator.BDF2)


def _ramp(times: np.ndarray, duration: float, height: float) -> np.ndarray:
    """A quintic from rest to rest and its derivatives, [time, 3, 1]."""
    x = np.clip(times / duration, 0.0, 1.0)
    place = x**3 * (10.0 - 15.0 * x + 6.0 * x * x)
    speed = 30.0 * x**2 * (1.0 - x) ** 2 / duration
    acceleration = 60.0 * x * (1.0 - x) * (1.0 - 2.0 * x) / duration**2
    return height * np.stack((place, speed, acceleration), axis=1)[:, :, None]


def _times(duration: float, step: float) -> np.ndarray:
    return np.linspace(0.0, duration, round(duration / step) + 1)


def _plastic_rod() -> Character:
    """The shipped rod, shorter, thicker and softer, so that few coarse elements will do; no lateral contraction."""
    model = an.load_character("rod")
    (part,) = model.flexible_parts
    material = replace(part.material, poisson_ratio=0.0, youngs_modulus=4e9, density=1200.0)
    far = replace(part.interfaces[1], frame_part=Frame((0.0, 0.0, 0.3)))
    rod = replace(part, geometry=Rod(6e-3, 0.3), material=material, interfaces=(part.interfaces[0], far))
    return replace(model, flexible_parts=(rod,))


def _pendulum() -> Character:
    """Three rods that hang on a ball, a universal joint and a hinge, released sideways."""
    bodies = [Body("base")]
    joints = [Joint("ground", JointType.GROUND, "world", "base")]
    kinds = (JointType.SPHERICAL, JointType.UNIVERSAL, JointType.REVOLUTE)
    for number, kind in enumerate(kinds):
        name = f"link{number}"
        inertia = (1e-4, 2e-3, 2.1e-3, 1e-5, 0.0, 2e-5)
        bodies.append(Body(name, mass=0.5, centre=(0.1, 0.01 * number, 0.02), inertia=inertia))
        end = Frame((0.2, 0.0, 0.0)) if number else Frame()
        parent = bodies[number].name
        joints.append(Joint(kind.value, kind, parent, name, JointRole.PASSIVE, frame_parent=end, axis=(0.0, 1.0, 0.2)))
    return Character("pendulum", tuple(bodies), tuple(joints))


def test_a_pendulum_of_rigid_bodies() -> None:
    model, ends = _pendulum(), []
    maximal, minimal = build_maximal_system(model), build_system(model, tracked=["link2"])
    still = np.zeros(minimal.unknown_count)
    for step in (4e-3, 2e-3):
        times = _times(0.3, step)
        none = np.zeros((len(times), 0))
        run = simulate_maximal(maximal, times, none, none, start=maximal.rest)
        fast = integrate(minimal, np.zeros((len(times), 3, 0)), step, BDF2, start=State(still, still, np.zeros(0)))
        ends.append(np.linalg.norm(run.centres("link2")[-1] - fast.points[-1, 0]))
        travel = np.linalg.norm(fast.points[-1, 0] - fast.points[0, 0])
        assert travel > 0.1
    assert ends[1] < 5e-3 * travel
    assert 3.3 < ends[0] / ends[1] < 4.8


def test_a_four_bar() -> None:
    model, off = an.load_character("four_bar"), []
    maximal, minimal = build_maximal_system(model), build_system(model, tracked=["coupler"])
    for step in (8e-3, 4e-3):
        times = _times(0.4, step)
        motors = _ramp(times, 0.3, 1.5)
        run = simulate_maximal(maximal, times, motors[:, 0], motors[:, 1])
        fast = integrate(minimal, motors, step, BDF2)
        off.append(np.linalg.norm(run.centres("coupler") - fast.points[:, 0], axis=1).max())
        assert run.gaps.max() < 2e-3
    assert off[1] < 1e-4
    assert 3.5 < off[0] / off[1] < 4.5


def test_a_rod_under_gravity_from_either_end() -> None:
    model, theta = _plastic_rod(), np.array([0.9])
    fast = solve_statics(build_system(model, tracked=["ball"]), theta).points[0, 0]
    rigid = np.array((0.3 * np.sin(0.9), 0.0, 0.11 + 0.3 * np.cos(0.9)))
    places = []
    for reference in ("hub", "ball"):
        system = build_maximal_system(model, degree=3, mesh=MeshOptions(layers=14), references={"rod": reference})
        U = solve_maximal_statics(system, theta)
        places.append(system.bodies_of(U)[0][system.body_names.index("ball")])
    sag = np.linalg.norm(fast - rigid)
    assert sag > 1e-3
    assert np.linalg.norm(places[0] - fast) < 5e-3 * sag  # elements of 2 cm are that much too stiff
    assert places[1] == pytest.approx(places[0], abs=1e-9)
    (part,) = model.flexible_parts
    stiffer = replace(part, material=replace(part.material, youngs_modulus=1.1 * part.material.youngs_modulus))
    system = build_maximal_system(replace(model, flexible_parts=(stiffer,)), degree=3, mesh=MeshOptions(layers=14))
    U = solve_maximal_statics(system, theta)
    assert np.linalg.norm(system.bodies_of(U)[0][-1] - fast) > 5e-2 * sag


def test_a_rod_swung_by_a_motor() -> None:
    model, mesh, off, places = _plastic_rod(), MeshOptions(layers=12), [], []
    hub, ball = (
        build_maximal_system(model, degree=4, mesh=mesh, references={"rod": reference}) for reference in ("hub", "ball")
    )
    minimal = build_system(model, tracked=["ball"])
    for every, step in ((1, 4e-3), (2, 2e-3), (4, 1e-3)):
        times = _times(0.08, step)
        motors = _ramp(times, 0.08, 0.15)
        fast = integrate(minimal, motors, step, BDF2).points[::every, 0]
        run = simulate_maximal(hub, times, motors[:, 0], motors[:, 1]).centres("ball")[::every]
        places.append(run)
        off.append(run - fast)
        if every == 2:
            swapped = simulate_maximal(ball, times, motors[:, 0], motors[:, 1]).centres("ball")[::every] - run
    travel = np.linalg.norm(np.ptp(fast, axis=0))
    # what is left of the difference is the mesh's; what the step adds falls with its square
    assert np.linalg.norm(off[2], axis=1).max() < 2e-3 * travel
    assert 3.0 < np.linalg.norm(off[0] - off[1]) / np.linalg.norm(off[1] - off[2]) < 5.0
    # from the other end the discrete run is another one, by no more than the error of its step
    assert np.linalg.norm(swapped) < np.linalg.norm(places[1] - places[2])


@pytest.mark.parametrize("reference", ["hub", "ball"])
def test_eleven_modes_do(reference: str) -> None:
    model, mesh, references = _plastic_rod(), MeshOptions(layers=8), {"rod": reference}
    times = _times(0.08, 4e-3)
    motors = _ramp(times, 0.08, 0.15)
    system = build_maximal_system(model, degree=3, mesh=mesh, references=references)
    run = simulate_maximal(system, times, motors[:, 0], motors[:, 1])
    (part,) = system.parts
    node_mass = part.elements.node_mass.toarray()
    snapshots = np.einsum("npm,tm->tnp", part.basis, run.U[:, -part.mode_count :])
    snapshots = snapshots @ part.rotation  # in the part's own coordinates
    _, weights = np.linalg.eigh(np.einsum("snp,nm,tmp->st", snapshots, node_mass, snapshots, optimize=True))
    modes = np.einsum("tk,tnp->npk", weights[:, :-6:-1], snapshots)
    basis = with_rigid_modes(part.elements.mesh.nodes, node_mass, modes)
    assert basis.shape[2] == 11
    reduced = build_maximal_system(model, bases={"rod": basis}, mesh=mesh, references=references)
    again = simulate_maximal(reduced, times, motors[:, 0], motors[:, 1])
    off = np.linalg.norm(again.centres("ball") - run.centres("ball"), axis=1).max()
    assert off < 3e-3 * np.linalg.norm(np.ptp(run.centres("ball"), axis=0))


def test_what_the_published_form_does_not_know_is_named() -> None:
    model = an.load_character("four_bar")
    joints = tuple(replace(one, damping=0.1) if one.name == "crank_pin" else one for one in model.joints)
    with pytest.raises(CharacterError, match=r"crank_pin.*damping"):
        build_maximal_system(replace(model, joints=joints))
    with pytest.raises(CharacterError, match="floats"):
        build_maximal_system(replace(model, joints=model.joints[1:]))
