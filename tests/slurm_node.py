"""A Slurm of one node for a test: its own daemons, ports and folder, started by whoever runs the test."""

from __future__ import annotations

import getpass
import os
import shutil
import socket
import subprocess
import tempfile
import time
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path

PROGRAMS = ("munged", "slurmctld", "slurmd", "sbatch", "squeue", "scancel", "sinfo")
PATIENCE_S = 60.0


class NoSlurmError(Exception):
    """Why there is none."""


@contextmanager
def slurm_node() -> Iterator[dict[str, str]]:
    """The environment in which sbatch and its like reach the node.

    Raises:
        NoSlurmError: It is not installed, or does not start.
    """
    found = {name: shutil.which(name, path=os.environ.get("PATH", "") + ":/usr/sbin:/sbin") for name in PROGRAMS}
    missing = [name for name, place in found.items() if place is None]
    if missing:
        raise NoSlurmError(f"{', '.join(missing)} not installed (Debian: slurm-wlm)")
    with ExitStack() as stack:
        folder = Path(stack.enter_context(tempfile.TemporaryDirectory(prefix="slurm-", dir="/tmp")))  # a short name
        folder.chmod(0o755)
        environment = {**os.environ, "SLURM_CONF": str(folder / "slurm.conf")}
        _configure(folder)
        munge = (
            *("--foreground", "--force", f"--key-file={folder}/key", f"--socket={folder}/munge"),
            *(f"--pid-file={folder}/munged.pid", f"--log-file={folder}/munged.log", f"--seed-file={folder}/seed"),
        )
        for name, arguments in (("munged", munge), ("slurmctld", ("-D",)), ("slurmd", ("-D",))):
            _start(stack, [str(found[name]), *arguments], environment)
            if name == "munged":
                _until((folder / "munge").exists, "munged does not start")
        _until(lambda: "idle" in _told(["sinfo", "-h", "-o", "%T"], environment), "the node does not become idle")
        yield environment


def _configure(folder: Path) -> None:
    key = folder / "key"
    key.write_bytes(os.urandom(1024))
    key.chmod(0o400)
    user, host = getpass.getuser(), socket.gethostname().partition(".")[0]
    (folder / "state").mkdir()
    (folder / "spool").mkdir()
    lines = {
        "ClusterName": "test",
        "SlurmctldHost": f"{host}(127.0.0.1)",
        "SlurmUser": user,
        "SlurmdUser": user,
        "AuthType": "auth/munge",
        "AuthInfo": f"socket={folder}/munge",
        "SlurmctldPort": _free_port(),
        "SlurmdPort": _free_port(),
        "StateSaveLocation": folder / "state",
        "SlurmdSpoolDir": folder / "spool",
        "SlurmctldPidFile": folder / "slurmctld.pid",
        "SlurmdPidFile": folder / "slurmd.pid",
        "SlurmctldLogFile": folder / "slurmctld.log",
        "SlurmdLogFile": folder / "slurmd.log",
        "ProctrackType": "proctrack/linuxproc",
        "TaskPlugin": "task/none",
        "SelectType": "select/cons_tres",
        "SelectTypeParameters": "CR_CPU",
        "MpiDefault": "none",
        "ReturnToService": 2,
    }
    text = "".join(f"{name}={value}\n" for name, value in lines.items())
    text += f"NodeName={host} NodeAddr=127.0.0.1 CPUs={os.cpu_count() or 1} State=UNKNOWN\n"
    (folder / "slurm.conf").write_text(text + "PartitionName=all Nodes=ALL Default=YES State=UP\n")


def _free_port() -> int:
    with socket.socket() as one:
        one.bind(("127.0.0.1", 0))
        return int(one.getsockname()[1])


def _start(stack: ExitStack, command: list[str], environment: dict[str, str]) -> None:
    process = subprocess.Popen(command, env=environment, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)

    def stop() -> None:
        process.terminate()
        try:
            process.wait(10)
        except subprocess.TimeoutExpired:
            process.kill()
            process.wait()

    stack.callback(stop)


def _told(command: list[str], environment: dict[str, str]) -> str:
    return subprocess.run(command, env=environment, capture_output=True, text=True, check=False).stdout


def _until(happens: object, otherwise: str) -> None:
    assert callable(happens)
    begin = time.monotonic()
    while not happens():
        if time.monotonic() - begin > PATIENCE_S:
            raise NoSlurmError(otherwise)
        time.sleep(0.1)
