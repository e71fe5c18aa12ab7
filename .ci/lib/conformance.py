"""Runs schemathesis against a server of its own, and counts."""

import json
import os
import pathlib
import secrets
import shutil
import subprocess
import sys

import examples
from sandbox.checks import Checks
from sandbox.server import Server

REPORTS = pathlib.Path(".build/ci/schemathesis")
LIBRARY = pathlib.Path(__file__).resolve().parent
PHASES = ["examples", "coverage", "fuzzing"]
SECONDS = 600


def schemathesis(server, token):
    """Runs it; gives its exit code and its report, which is None when there is none."""
    # Fetched here: a header given to schemathesis would go with each request, those without authentication too.
    document = REPORTS / "openapi.json"
    reply = server.control("GET", "/v1/openapi.json", headers={"authorization": f"Bearer {token}"})
    document.write_text(reply.text, encoding="utf-8")
    report = REPORTS / "report.json"
    command = [
        str(pathlib.Path(sys.executable).with_name("schemathesis")),
        "--config-file", str(LIBRARY / "schemathesis.toml"),
        "run", str(document), "--url", server.url("control"),
        "--phases", ",".join(PHASES), "--checks", "all", "--no-color",
        "--report", "json,ndjson", "--report-json-path", str(report),
        "--report-ndjson-path", str(REPORTS / "events.ndjson"),
    ]
    environment = {
        **os.environ, "SCHEMATHESIS_HOOKS": str(LIBRARY / "control_hooks.py"), "CONTROL_TOKEN": token,
        "SANDBOX_API": server.url("api"), "COLUMNS": "120", "PYTHONDONTWRITEBYTECODE": "1",
    }
    code = subprocess.run(command, env=environment, stdin=subprocess.DEVNULL, timeout=SECONDS).returncode
    return code, json.loads(report.read_text()) if report.exists() else None


def errors(log):
    """Lines that the server wrote at level error, or that are not log lines at all."""
    found = []
    for line in pathlib.Path(log).read_text(encoding="utf-8", errors="replace").splitlines():
        try:
            if json.loads(line).get("level") != "error":
                continue
        except ValueError:
            pass
        found.append(line)
    return found


def judge(check, code, result):
    """One check for each operation, and the whole run."""
    if not check("schemathesis wrote a report", result is not None and result["complete"], f"exit code {code}"):
        return
    failing = {}
    for failure in result["failures"]:
        for operation in failure["operations"]:
            failing.setdefault(operation, []).append(failure["title"])
    for operation, titles in sorted(failing.items()):
        check(operation, False, ", ".join(titles))
    count = result["operations"]
    # An undeclared method on a declared path is an operation of its own in the report.
    check.passed += max(0, count["tested"] - len(failing))
    whole = count["tested"] == count["total"] and count["errored"] == 0 and count["skipped"] == 0
    check("every operation was tested", whole, json.dumps(count))
    check("no test ended in an error of the tool", code in (0, 1) and not result["test_cases"]["errored"], code)
    for phase in PHASES:
        status = result["phases"][phase]["status"]
        check(f"phase {phase}", status == "success", status)


def main(binary):
    if not os.access(binary, os.X_OK):
        raise SystemExit(f"{binary} is not a program: swift build makes it")
    shutil.rmtree(REPORTS, ignore_errors=True)
    REPORTS.mkdir(parents=True)
    log = REPORTS / "server.log"
    check = Checks()
    token = secrets.token_hex(16)
    server = Server(binary, "--seed", "1", "--control-token", token, log=log).start()
    try:
        code, result = schemathesis(server, token)
        check.section("The control API and its document")
        judge(check, code, result)
        faces = json.loads(subprocess.run([binary, "faces", "--json"], capture_output=True, check=True).stdout)["faces"]
        documents = sorted({face["document"] for face in faces} | {"/openapi/control.json"})
        examples.check_all(check, server, documents, {"authorization": f"Bearer {token}"})
        metrics = server.control("GET", "/metrics", headers={"authorization": f"Bearer {token}"})
        check("the server still answers", metrics.status == 200, metrics)
    except BaseException:
        server.kill()
        raise
    code = server.stop()
    check("SIGTERM ends the server with 0", code == 0, code)
    seen = errors(log)
    check("no line of level error in the log", not seen, "; ".join(seen[:3]))
    text = log.read_text(encoding="utf-8", errors="replace")
    check("the control token is not in the log", token not in text)
    return check.finish()
