"""The emulated Maestro: what it does with bytes that are not as they should be."""

from __future__ import annotations

from animato.stage.emulated import MaestroEmulator


def heard(emulator: MaestroEmulator, *data: int, now: float = 1.0) -> bytes:
    return b"".join(answer for _, answer in emulator._hear(bytes(data), now))


def test_the_guides_example_is_1500_microseconds() -> None:
    emulator = MaestroEmulator()
    heard(emulator, 0x84, 0x02, 0x70, 0x2E)
    assert emulator.frames == [(1.0, {2: 1500.0})]
    assert heard(emulator, 0x90, 0x02) == (6000).to_bytes(2, "little")
    emulator.stop()


def test_a_micro_takes_many_targets_for_an_error_and_goes_home() -> None:
    emulator = MaestroEmulator(range(6), home={0: 1200.0})
    heard(emulator, 0x84, 0, 0x70, 0x2E)
    heard(emulator, 0x9F, 2, 0, 0x70, 0x2E, 0x70, 0x2E)
    assert heard(emulator, 0xA1)[0] == 1 << 4
    assert heard(emulator, 0xA1) == b"\0\0"  # asking clears it
    assert emulator.bodies[0].goal == 1200.0
    assert not emulator.bodies[1].torque
    emulator.stop()


def test_a_command_inside_another_is_a_protocol_error() -> None:
    emulator = MaestroEmulator()
    heard(emulator, 0x84, 0x02, 0xA1)
    assert emulator.stranger == 1
    heard(emulator, 0x33)
    assert emulator.stranger == 2
    emulator.stop()


def test_others_on_the_line_are_not_meant() -> None:
    emulator = MaestroEmulator(device=5)
    heard(emulator, 0xAA, 0x06, 0x04, 0x02, 0x70, 0x2E)
    assert emulator.frames == []
    heard(emulator, 0xAA, 0x05, 0x04, 0x02, 0x70, 0x2E)
    assert emulator.frames[-1][1] == {2: 1500.0}
    emulator.stop()
