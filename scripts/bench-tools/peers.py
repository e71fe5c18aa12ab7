"""WireMock 2.35 beside the sandbox: a stateful look-up and a stateful POST, which is what both are used for.

The jar comes in the wheel of PyPI's `wiremock` 2.7.0, Java from Debian. WireMock's journal is bounded as the sandbox's is.
"""

import json
import socket
import subprocess
import time
import urllib.request
import zipfile

from loads import OUT, Program, Unusable, change, measured, wrk
from sandbox import ROOT

JAR = OUT / "wiremock-standalone-2.35.jar"
# Time for Java's compiler before anything counts.
WARM_SECONDS = 10
CONNECTIONS = 16


def fetch():
    """The jar, once."""
    if JAR.exists():
        return
    subprocess.run([ROOT / "scripts/install-packages", "default-jre-headless", "python3-pip"], stdout=2, check=True)
    folder = OUT / "wheel"
    command = ["python3", "-m", "pip", "download", "--quiet", "--no-deps", "--dest", folder, "wiremock==2.7.0"]
    subprocess.run(command, stdout=2, check=True)
    (wheel,) = folder.glob("wiremock-2.7.0-*.whl")
    with zipfile.ZipFile(wheel) as archive:
        (name,) = [name for name in archive.namelist() if name.startswith("wiremock/server/wiremock-standalone-2.35")]
        JAR.write_bytes(archive.read(name))


class WireMock:
    """A look-up that depends on a scenario's state, and a POST that changes it."""

    def __init__(self, answer):
        with socket.create_server(("127.0.0.1", 0)) as free:
            self.port = free.getsockname()[1]
        options = ["--bind-address", "127.0.0.1", "--max-request-journal-entries", 2_000, "--disable-banner", "--use-chunked-encoding", "never"]
        begin = time.monotonic()
        # It prints its settings when it listens.
        self.program = Program(["java", "-jar", JAR, "--port", self.port, *options], mark="port:")
        self.process = self.program.process
        self.milliseconds = (time.monotonic() - begin) * 1_000
        self.url = f"http://127.0.0.1:{self.port}/lookup"
        for state, other in (("Started", "suspended"), ("suspended", "Started")):
            self.stub("token", "GET", "/lookup", state, state, answer)
            # One for each connection: it finds no stub for a request when another one changes the state meanwhile.
            for number in range(CONNECTIONS):
                self.stub(f"token-{number}", "POST", f"/change/{number}", state, other, json.dumps({"state": other}))

    def stub(self, scenario, method, path, state, new_state, body):
        mapping = {
            "scenarioName": scenario, "requiredScenarioState": state, "newScenarioState": new_state, "request": {"method": method, "url": path},
            "response": {"status": 200, "headers": {"Content-Type": "application/json"}, "body": body},
        }
        request = urllib.request.Request(f"http://127.0.0.1:{self.port}/__admin/mappings", json.dumps(mapping).encode())
        with urllib.request.urlopen(request, timeout=30) as reply:
            if reply.status != 201:
                raise Unusable("WireMock took no stub")

    def change(self, seconds):
        requests = [("POST", f"/change/{number}", {"event": "suspend"}) for number in range(CONNECTIONS)]
        return measured(self.program, lambda: change(self.port, [[one, one] for one in requests], seconds))

    def end(self):
        self.program.end()


class Peers:
    """A section: WireMock, then the sandbox."""

    def __init__(self, bench, changes):
        fetch()
        self.changes = changes
        self.peer = bench.begin(WireMock(bench.sandbox.server.api("GET", bench.sandbox.path).text))
        wrk(self.peer.url, CONNECTIONS, WARM_SECONDS)
        self.peer.change(WARM_SECONDS)

    def __call__(self, bench):
        heads = ("WireMock", "sandbox")
        theirs = measured(self.peer, lambda: wrk(self.peer.url, CONNECTIONS, bench.seconds))
        ours = measured(bench.sandbox, lambda: wrk(bench.sandbox.url, CONNECTIONS, bench.seconds))
        bench.figures.compare("peerLookup", "stateful GET, 16 connections", theirs, ours, heads, rate=(">=", 2.5), cpu=("<=", 0.33))
        theirs = self.peer.change(bench.seconds)
        ours = self.changes.measure(self.changes.tokens[:CONNECTIONS])
        bench.figures.compare("peerChange", "stateful POST, 16 connections", theirs, ours, heads, rate=(">=", 1))
        bench.figures.single("peer.startup", "WireMock's start-up, ms", self.peer.milliseconds)
        bench.figures.single("peer.resident", "  resident, MB", self.peer.program.resident() / 1024)
