"""Ports to controllers of pulses: serial devices, and drivers that call over a network."""

from animato.stage.lines.pulses.pulse_port import PulsePort, open_port, port_options

__all__ = ["PulsePort", "open_port", "port_options"]
