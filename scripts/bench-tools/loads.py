"""Programs of the bench: what is measured beside the sandbox, and what puts load on both."""

import json
import os
import pathlib
import subprocess
import time

from sandbox import ROOT
from sandbox.server import Server, cpu_seconds, resident

TOOLS = ROOT / "scripts/bench-tools"
OUT = ROOT / ".build/bench"
LIBRARIES = {
    "bare": ["libevent"], "crypto-bare": ["libcrypto"], "provision": ["libcrypto"], "change": ["libcrypto"],
    "tls-load": ["libssl", "libcrypto"],
}


class Unusable(Exception):
    """A figure that says nothing: something was refused, or did not start."""


def compile_tools():
    """The programs in C, into .build/bench."""
    OUT.mkdir(parents=True, exist_ok=True)
    for name, libraries in LIBRARIES.items():
        flags = subprocess.run(["pkg-config", "--cflags", "--libs", *libraries], capture_output=True, text=True, check=True).stdout.split()
        warnings = ["-Wall", "-Wextra", "-Werror"]
        command = [os.environ.get("CC", "cc"), "-O2", *warnings, TOOLS / f"{name}.c", "-o", OUT / name, *flags, "-pthread"]
        subprocess.run(command, check=True)


def build():
    """The release server; gives its path."""
    options = ["--configuration", "release", "--static-swift-stdlib"]
    subprocess.run(["swift", "build", *options, "--product", "tsp-sandbox", "--quiet", "-j", "2"], stdout=2, check=True, cwd=ROOT)
    path = subprocess.run(["swift", "build", *options, "--show-bin-path"], capture_output=True, text=True, check=True, cwd=ROOT).stdout
    return pathlib.Path(path.strip()) / "tsp-sandbox"


class Program:
    """Another program that serves: its first line that holds `mark` says that it listens."""

    def __init__(self, command, mark="listening", log=os.devnull):
        with open(log, "wb") as errors:
            self.process = subprocess.Popen(
                [str(word) for word in command], cwd=ROOT, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=errors, text=True
            )
        while mark not in (line := self.process.stdout.readline()):
            if not line:
                raise Unusable(f"{command[0]} did not start; see {log}")
        self.line = line

    @property
    def port(self):
        return int("".join(c for c in self.line.rpartition(":")[2] if c.isdigit()))

    def resident(self):
        return resident(self.process.pid)

    def end(self):
        self.process.terminate()
        self.process.wait()


# Loads. Each gives its result as a dictionary.


def result(command, timeout):
    """The last line of a load, which is JSON."""
    done = subprocess.run([str(word) for word in command], cwd=ROOT, capture_output=True, text=True, timeout=timeout)
    lines = done.stdout.splitlines()
    if done.returncode != 0 or not lines:
        raise Unusable(f"{command[0]}: exit code {done.returncode}: {done.stderr.strip()[-500:]}")
    found = json.loads(lines[-1])
    if found.get("failed"):
        raise Unusable(f"{' '.join(map(str, command))}: requests failed: {lines[-1]} {done.stderr.strip()[-500:]}")
    return found


def wrk(url, connections, seconds, script="report.lua"):
    threads = 1 if connections < 2 else 2
    command = ["wrk", "--threads", threads, "--connections", connections, "--duration", f"{seconds}s", "--timeout", "20s", "--latency", "--script", TOOLS / script, url]
    return result(command, seconds + 60)


def tls_load(port, path, connections, seconds, how="keep", certificate="plain"):
    """`how` is keep, new or resume; `certificate` plain, tls, or a folder with a client's."""
    return result([OUT / "tls-load", port, path, connections, seconds, how, certificate], seconds + 60)


def change(port, requests, seconds, count=0):
    """Two requests in turn on each connection: `requests` has (method, path, body) for each, in pairs."""
    file = OUT / f"requests-{os.getpid()}"
    file.write_text("".join(f"{method} {path} {json.dumps(body, separators=(',', ':'))}\n" for pair in requests for method, path, body in pair))
    try:
        return result([OUT / "change", port, len(requests), seconds, count, file], seconds + 60)
    finally:
        file.unlink()


def crypto(what, seconds):
    """The bare operations, by the names of the other results."""
    found = result([OUT / "crypto-bare", seconds, what], seconds + 60)
    return {"requestsPerSecond": found["operationsPerSecond"], "cpuMicroseconds": found["cpuMicroseconds"]}


class Provisioning:
    """Whole provisionings in the background; the clock has started when this is made."""

    def __init__(self, server, pairs, connections, seconds):
        self.server, self.seconds = server, seconds
        command = [OUT / "provision", server.ports["api"], "keys", min(pairs, 100_000), connections, seconds]
        self.process = subprocess.Popen([str(word) for word in command], cwd=ROOT, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
        if "ready" not in self.process.stdout.readline():
            raise Unusable(f"the provisioning load ended early: {self.process.communicate()[1][-500:]}")
        self.cpu = server.cpu_seconds()

    @property
    def is_running(self):
        return self.process.poll() is None

    def result(self):
        out, errors = self.process.communicate(timeout=self.seconds + 120)
        cpu = self.server.cpu_seconds() - self.cpu
        if self.process.returncode != 0:
            raise Unusable(f"the provisioning load failed: {errors.strip()[-500:]}")
        found = json.loads(out.splitlines()[-1])
        if found["failed"]:
            raise Unusable(f"{found['failed']} provisionings were refused: {errors.strip()[-500:]}")
        return {
            "requestsPerSecond": found["pairsPerSecond"], "p99Microseconds": found["p99Microseconds"],
            "cpuMicroseconds": cpu * 1e6 / found["pairs"],
        }


def measured(side, load):
    """Runs a load, and adds the processor time of each request: of the process that answers, over all its threads."""
    pid = side.process.pid
    before = cpu_seconds(pid)
    found = load()
    found["cpuMicroseconds"] = (cpu_seconds(pid) - before) * 1e6 / max(1, found["requests"])
    return found


def start(binary, folder, name, *options):
    """A sandbox with a store of its own in the folder, and the milliseconds that it took to listen."""
    server = Server(binary, "--pan-policy", "any", "--seed", "1", *options, store=folder / f"{name}.db", log=folder / f"{name}.log")
    begin = time.monotonic()
    server.start()
    return server, (time.monotonic() - begin) * 1_000
