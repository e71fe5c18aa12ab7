"""The Containerfile, built and run by podman over a base of this machine's own, since no image can be fetched here."""

import json
import os
import pathlib
import re
import secrets
import shutil
import subprocess
import time

from sandbox.server import free_ports

BASE = "docker.io/library/debian:bookworm-slim"
IMAGE = "localhost/tsp-sandbox"
# A container may not ask for more than the machine itself has, and podman asks for a million.
LIMITS = ["--ulimit", "nofile=1024:1024", "--ulimit", "nproc=4096:4096"]
CLOSED = ["--read-only", "--read-only-tmpfs=false", "--cap-drop=all", "--security-opt=no-new-privileges", "--network=host"]


class Podman:
    """podman with a storage of its own, so that nothing of the user's is touched."""

    def __init__(self, folder, runtime):
        self.command = ["podman", "--root", str(folder / "storage"), "--runroot", str(folder / "run"), "--runtime", runtime]

    def __call__(self, *arguments, **options):
        return subprocess.run([*self.command, *map(str, arguments)], stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, **options)


def usable(folder, base):
    """podman with a runtime that this machine can run, and the reason why there is none."""
    reason = "podman is not installed"
    if not shutil.which("podman"):
        return None, reason
    for runtime in ("crun", "runc"):
        if not shutil.which(runtime):
            continue
        podman = Podman(folder, runtime)
        imported = podman("import", base, BASE)
        reason = imported.stdout
        if imported.returncode != 0:
            continue
        (folder / "probe").write_text(f"FROM {BASE}\nRUN true\n", encoding="utf-8")
        for attempt in (
            podman("build", "--pull=never", "--network=host", *LIMITS, "--tag", "localhost/probe", "--file", folder / "probe", folder),
            podman("run", "--rm", *LIMITS, *CLOSED, "localhost/probe", "true"),
        ):
            reason = f"{runtime}: {attempt.stdout}"
            if attempt.returncode != 0:
                break
        else:
            return podman, ""
    return None, reason


def run(check, not_here, walk, folder, base, tarball):
    home = folder / "containers"
    home.mkdir()
    podman, reason = usable(home, base)
    if podman is None:
        return not_here("the container; its steps were those of the empty root", reason)
    try:
        tried(check, walk, podman, home, tarball)
    finally:
        podman("rm", "--all", "--force", "--time", "0")
        podman("volume", "rm", "--all", "--force")
        podman("rmi", "--all", "--force")
        subprocess.run(["umount", home / "storage" / "overlay"], capture_output=True)


def tried(check, walk, podman, home, tarball):
    context = home / "context"
    context.mkdir()
    for source in ("Containerfile", ".dockerignore"):
        shutil.copy(source, context)
    place = pathlib.Path(".build/package") / tarball.name
    (context / place).parent.mkdir(parents=True)
    shutil.copy(tarball, context / place)
    built = podman("build", "--pull=never", "--network=host", *LIMITS, "--format", "docker", "--build-arg", f"TARBALL={place}", "--tag", IMAGE, context)
    check("the Containerfile is built", built.returncode == 0, built.stdout.splitlines()[-8:])
    if built.returncode != 0:
        return
    image = json.loads(podman("image", "inspect", IMAGE).stdout)[0]
    check("not as root, and with a health check", image["User"] == "10001:10001" and image["Healthcheck"]["Test"] == ["CMD", "tsp-sandbox", "health"], image.get("Healthcheck"))

    token = secrets.token_hex(16)
    api, control_port = free_ports(2)
    settings = {"PORT": api, "CONTROL_PORT": control_port, "CONTROL_TOKEN": token}
    variables = [word for name, value in settings.items() for word in ("--env", f"TSP_SANDBOX_{name}={value}")]
    control = f"http://127.0.0.1:{control_port}"
    curl = home / "curl"
    curl.mkdir()
    (curl / ".curlrc").write_text(f'header = "Authorization: Bearer {token}"\n', encoding="utf-8")

    def started(name):
        result = podman("run", "--detach", "--name", name, "--health-interval=disable", *LIMITS, *CLOSED, *variables, "--volume", "data:/var/lib/tsp-sandbox", IMAGE)
        for _ in range(100):
            if result.returncode != 0 or podman("exec", name, "tsp-sandbox", "health").returncode == 0:
                break
            time.sleep(0.1)
        return check(f"it starts ({name}): read-only, without capabilities, with a volume", podman("exec", name, "tsp-sandbox", "health").returncode == 0,
                     [*result.stdout.splitlines()[-4:], *podman("logs", name).stdout.splitlines()[-4:]])

    def ask(method, path):
        return subprocess.run(["curl", "-sS", "-X", method, control + path], capture_output=True, text=True, env={**os.environ, "CURL_HOME": str(curl)}).stdout

    if not started("first"):
        return
    health = podman("healthcheck", "run", "first")
    check("podman's health check finds it alive", health.returncode == 0, health.stdout[-200:])
    user = podman("exec", "first", "cat", "/proc/1/status").stdout
    check("as a user without rights", re.search(r"(?m)^Uid:\t10001\t", user) and "CapEff:\t0000000000000000" in user, user[:200])
    check("the root cannot be written", podman("exec", "first", "touch", "/opt/x").returncode != 0)
    without = subprocess.run(["curl", "-sS", "-o", os.devnull, "-w", "%{http_code}", control + "/v1/tenants"], capture_output=True, text=True)
    check("the control API wants the token", without.stdout == "401", without.stdout + without.stderr)
    walk(check, "README's walk against the container", f"http://127.0.0.1:{api}", control, CURL_HOME=str(curl))
    ask("POST", "/v1/tenants/kept/reset")
    stopped = podman("stop", "--time", "20", "first")
    code = podman("inspect", "--format", "{{.State.ExitCode}}", "first").stdout.strip()
    check("podman stop: exit code 0", stopped.returncode == 0 and code == "0", f"{code} {stopped.stdout[-200:]}")
    # An upgrade: another container on the same volume.
    if started("second"):
        check("what the volume holds outlives the container", '"kept"' in ask("GET", "/v1/tenants"))
