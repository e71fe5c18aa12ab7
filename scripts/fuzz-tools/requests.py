"""`scripts/fuzz requests` and `scripts/fuzz replay`: see there."""

import argparse
import json
import os
import pathlib
import re
import shutil
import signal
import socket
import statistics
import subprocess
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent))

from operations import corpus_of
from sandbox import ROOT
from sandbox.cardnumbers import is_luhn
from sandbox.checks import Checks
from wire import ASIDE, MAIN, NOW_TEXT, Server, raw
from world import World

OUT = ROOT / ".build" / "fuzz"
# How much more memory the last samples may show than those of the middle: a share, and kilobytes for noise.
GROWTH, NOISE = 0.10, 32 * 1024


def card_numbers(path):
    """Lines of the log with a card number."""
    found = 0
    pattern = re.compile(rb"(?<![0-9A-Za-z])(?:4\d{12}|4\d{15}|4\d{18}|5[1-5]\d{14}|2[2-7]\d{14}|3[47]\d{13}|6\d{15})(?![0-9A-Za-z])")
    with open(path, "rb") as log:
        for line in log:
            for match in pattern.finditer(line):
                if is_luhn(match[0].decode()):
                    found += 1
                    print(f"     a card number: {line[:match.start()].decode(errors='replace')[-120:]}…")
                    break
            if found == 20:
                break
    return found


def bad_lines(path):
    """Lines of the log that are not JSON, or of level error: a crash prints such lines."""
    found = 0
    with open(path, "rb") as log:
        for line in log:
            try:
                level = json.loads(line).get("level")
            except (ValueError, AttributeError):
                level = "no JSON"
            if level in ("no JSON", "error"):
                found += 1
                if found <= 20:
                    print(f"     {level}: {line[:300].decode(errors='replace').rstrip()}")
    return found


def is_flat(samples):
    """Second half of the run: median of its end against that of its beginning. Too few samples say nothing."""
    half = samples[len(samples) // 2:]
    if len(half) < 4:
        return True, "too few samples to judge the memory"
    width = max(2, len(half) // 4)
    before, after = statistics.median(half[:width]), statistics.median(half[-width:])
    text = f"resident memory in the second half: {before / 1024:.0f} MB, then {after / 1024:.0f} MB"
    return after <= before * (1 + GROWTH) + NOISE, text


def compile_client():
    OUT.mkdir(parents=True, exist_ok=True)
    program = OUT / "requests"
    sources = sorted(str(path) for path in (ROOT / "scripts/fuzz-tools").glob("*.c"))
    subprocess.run([os.environ.get("CC", "cc"), "-O2", "-D_GNU_SOURCE", "-Wall", "-Wextra", "-Werror", *sources, "-o",
                    str(program)], check=True)
    return program


def prepared(server, folder, options):
    """Makes the world of the run and writes its corpus, or takes those of an earlier run."""
    if options.corpus:
        load(server, options.corpus / "world.json")
        for name in ("corpus", "world.json"):
            shutil.copy(options.corpus / name, folder / name)
        return
    corpus, export = corpus_of(server, World(server, options.binary))
    (folder / "world.json").write_text(json.dumps(export))
    refused = corpus.settle()
    corpus.write(folder / "corpus")
    print(f"{len(corpus.records)} requests in the corpus; refused unchanged, as a user may be:")
    print("".join(f"     {line[:150]}\n" for line in refused), end="", flush=True)


def run(options):
    program = compile_client()
    folder = OUT / f"run-{options.seed}-{options.first}-{options.count}"
    if options.corpus == folder:
        raise SystemExit("fuzz: the corpus of the same run: copy its folder first")
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    check = Checks()
    server = Server(options.binary, folder / "log").start()
    try:
        prepared(server, folder, options)
        command = [program, server.ports["api"], server.ports["control"], server.process.pid, folder / "corpus", folder, options.count, options.seed,
                   options.first, options.patience]
        result = subprocess.run([str(word) for word in command], stdout=subprocess.PIPE, text=True)
        counts = json.loads(result.stdout) if result.stdout else {}
        (folder / "result.json").write_text(json.dumps(counts))
        for name in ("requests", "answered", "seconds", "answers", "from500", "orderedByFaultRules", "connections"):
            print(f"{name}: {json.dumps(counts.get(name))}")
        findings = counts.get("findings", 1)
        check(f"{counts.get('requests', 0)} requests with seed {options.seed}: {findings} findings",
              result.returncode == 0 and findings == 0)
        flat, text = is_flat(counts.get("kilobytes", []))
        check(text, flat)
        alive = server.is_running and server.send(raw("GET", "/healthz"), control=True).status == 200
        check("the health check answers at the end", alive)
    finally:
        code = server.stop()
    check(f"the server stops with exit code {code}", code == 0)
    check("no card number in the log", not card_numbers(folder / "log"))
    check("no error in the log", not bad_lines(folder / "log"))
    if check.failed == 0 and not options.keep:
        (folder / "log").unlink()
    print(f"what was kept: {folder}")
    return check.finish()


def load(server, world):
    """The world of an earlier run, so that its requests mean what they meant."""
    tenant = [("X-Sandbox-Tenant", MAIN)]
    for data in (raw("POST", "/v1/tenants", {"name": MAIN, "seed": 7}),
                 raw("POST", "/v1/import", world.read_text(), tenant),
                 raw("PUT", "/v1/clock", {"mode": "frozen", "now": NOW_TEXT}, tenant),
                 raw("POST", f"/v1/tenants/{MAIN}/fork", {"as": ASIDE})):
        reply = server.send(data, control=True)
        if reply.status >= 300:
            raise SystemExit(f"fuzz: {data.splitlines()[0].decode()}: {reply.status} {reply.bytes[:300]}")


def replay(options):
    """Sends one kept request to a new server that has the world of its run, and prints what comes back."""
    data = options.file.read_bytes()
    control = ".control." in options.file.name
    OUT.mkdir(parents=True, exist_ok=True)
    server = Server(options.binary, OUT / "replay.log").start()
    try:
        world = options.file.parent / "world.json"
        if world.exists():
            load(server, world)
        with socket.create_connection(("127.0.0.1", server.ports["control" if control else "api"]), timeout=10) as connection:
            connection.sendall(data)
            connection.shutdown(socket.SHUT_WR)
            try:
                while piece := connection.recv(65536):
                    sys.stdout.buffer.write(piece)
            except (TimeoutError, ConnectionResetError) as error:
                print(f"\nfuzz: {error}")
        sys.stdout.flush()
        ended = server.process.poll()
    finally:
        code = server.stop()
    print(f"\nfuzz: exit code of the server: {code}; its log: {OUT / 'replay.log'}")
    return 1 if ended is not None or code != 0 else 0


def main():
    parser = argparse.ArgumentParser(prog="scripts/fuzz")
    parts = parser.add_subparsers(dest="part", required=True)
    one = parts.add_parser("requests")
    one.add_argument("--count", type=int, default=1_000_000)
    one.add_argument("--seed", type=int, default=1)
    one.add_argument("--first", type=int, default=0)
    one.add_argument("--patience", type=float, default=5)
    one.add_argument("--corpus", type=lambda text: pathlib.Path(text).resolve())
    one.add_argument("--keep", action="store_true")
    two = parts.add_parser("replay")
    two.add_argument("file", type=lambda text: pathlib.Path(text).resolve())
    for part in (one, two):
        part.add_argument("--binary", required=True)
    options = parser.parse_args()
    options.binary = str(pathlib.Path(options.binary).resolve())
    os.chdir(ROOT)
    # Ends as by an error, so that the server is stopped too.
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(143))
    return run(options) if options.part == "requests" else replay(options)


if __name__ == "__main__":
    sys.exit(main())
