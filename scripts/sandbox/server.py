"""A server of a script's own: `tsp-sandbox serve` on free ports of 127.0.0.1."""

import json
import os
import pathlib
import select
import signal
import socket
import subprocess
import time

from sandbox import ROOT
from sandbox.calls import Client

START_SECONDS = 30
TICKS = os.sysconf("SC_CLK_TCK")


class DidNotStart(Exception):
    """The server gave up on its file, or did not come up in time."""


def cpu_seconds(pid):
    """Processor time that a process has used, in user mode and in the kernel, over all of its threads."""
    fields = pathlib.Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / TICKS


def resident(pid):
    """Resident memory of a process, in KiB."""
    return int(pathlib.Path(f"/proc/{pid}/status").read_text().split("VmRSS:")[1].split()[0])


def free_ports(count):
    """Ports for what cannot pick its own, and be asked which one."""
    listeners = [socket.socket() for _ in range(count)]
    for listener in listeners:
        listener.bind(("127.0.0.1", 0))
    ports = [listener.getsockname()[1] for listener in listeners]
    for listener in listeners:
        listener.close()
    return ports


class Server:
    """One process; `ports`, by the names of the listening line, and `client` are there once it listens.

    `options` go to `serve`; `log` is the file for standard error, which is added to; `under` is a command that runs it.
    """

    def __init__(self, binary, *options, store="memory", log=os.devnull, under=()):
        self.binary, self.options, self.store, self.log = str(binary), options, store, log
        self.under = list(under)
        self.process = self.client = None
        self.ports, self.first_line = {}, b""

    def __enter__(self):
        return self if self.is_running else self.start()

    def __exit__(self, *_):
        self.end()

    @property
    def is_running(self):
        return self.process is not None and self.process.poll() is None

    def spawn(self):
        """Starts the process and does not wait for it."""
        command = [*self.under, self.binary, "serve", "--port", "0", "--control-port", "0", "--store", str(self.store)]
        with open(self.log, "ab") as log:
            self.process = subprocess.Popen(
                [*command, *map(str, self.options)], cwd=ROOT, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=log
            )

    def listen(self):
        """Waits until it listens."""
        output = self.process.stdout
        ready, _, _ = select.select([output], [], [], START_SECONDS)
        self.first_line = output.readline() if ready else b""
        line = json.loads(self.first_line or b"{}")
        if line.get("event") != "listening":
            self.kill()
            raise DidNotStart(f"the server did not start on {self.store}; see {self.log}")
        self.ports = {name: int(url.rpartition(":")[2]) for name, url in line.items() if name in ("api", "control", "tls") and url}
        if self.client is not None:
            self.client.close()
        self.client = Client(self.ports)

    def start(self):
        self.spawn()
        self.listen()
        return self

    def restart_after_kill(self):
        self.kill()
        self.start()

    def kill(self):
        """SIGKILL to this process, by its id."""
        self.process.kill()
        self.process.wait()
        self.process.stdout.close()

    def stop(self, seconds=START_SECONDS):
        """SIGTERM; gives the exit code, and -9 when it would not end in time."""
        self.process.send_signal(signal.SIGTERM)
        try:
            code = self.process.wait(timeout=seconds)
        except subprocess.TimeoutExpired:
            self.kill()
            return -9
        self.process.stdout.close()
        return code

    def stop_and_kill(self, seconds):
        """SIGTERM, and SIGKILL while it may still be closing its store."""
        self.process.send_signal(signal.SIGTERM)
        time.sleep(seconds)
        self.kill()

    def end(self):
        """Whatever became of it: it does not run any more."""
        if self.client is not None:
            self.client.close()
        if self.is_running:
            self.kill()

    # Calls

    def url(self, port):
        return f"http://127.0.0.1:{self.ports[port]}"

    def api(self, method, path, body=None, **options):
        return self.client.send("api", method, path, body, **options)

    def control(self, method, path, body=None, **options):
        return self.client.send("control", method, path, body, **options)

    # What it uses

    def resident(self):
        return resident(self.process.pid)

    def cpu_seconds(self):
        return cpu_seconds(self.process.pid)
