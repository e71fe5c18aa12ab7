"""The unit under a systemd of its own: a Debian that systemd-nspawn boots, in which the commands of Docs/deployment.md are run."""

import json
import pathlib
import re
import resource
import shutil
import subprocess
import time

from sandbox.server import free_ports

UNIT = "tsp-sandbox"
BOOT_SECONDS = 60


def documented(tarball):
    """The commands of the chapter about systemd, for this tarball."""
    chapter = pathlib.Path("Docs/deployment.md").read_text(encoding="utf-8").split("\n## systemd\n")[1].split("\n## ")[0]
    name = tarball.name.removesuffix(".tar.gz")
    return [re.sub(r"tsp-sandbox-[\d.]+-linux-x86_64", name, line.strip()) for line in chapter.splitlines() if line.startswith("    ")]


class Machine:
    """A booted root, whose network is that of this machine."""

    def __init__(self, root):
        self.process = subprocess.Popen(
            ["systemd-nspawn", "--boot", "--quiet", "--directory", root, "--register=no", "--keep-unit", "--console=pipe"],
            stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True,
        )

    def first(self):
        """The id of its first process."""
        children = subprocess.run(["pgrep", "--parent", str(self.process.pid)], capture_output=True, text=True).stdout.split()
        return children[0] if children else None

    def boots(self):
        end = time.monotonic() + BOOT_SECONDS
        while time.monotonic() < end and self.process.poll() is None:
            if self.first() and self("systemctl is-system-running").stdout.strip() in ("running", "degraded"):
                return True
            time.sleep(0.5)
        return False

    def __call__(self, command):
        inside = ["nsenter", "--target", self.first() or "0", "--mount", "--pid", "--uts", "--ipc", "--", "/bin/sh", "-c", "cd / && " + command]
        return subprocess.run(inside, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)

    def end(self):
        """As a power switch; gives what it said."""
        self.process.terminate()
        try:
            return self.process.communicate(timeout=30)[0]
        except subprocess.TimeoutExpired:
            self.process.kill()
            return self.process.communicate()[0]


def run(check, not_here, walk, folder, tarball):
    what = "the service under systemd; its unit was only read"
    if not shutil.which("mmdebstrap") or not shutil.which("systemd-nspawn"):
        return not_here(what, "mmdebstrap or systemd-nspawn is missing")
    root = folder / "system"
    made = subprocess.run(["mmdebstrap", "--variant=minbase", "--include=systemd,systemd-sysv", "--quiet", "bookworm", root],
                          stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
    if made.returncode != 0:
        return not_here(what, made.stdout)
    shutil.copy(tarball, root)
    limit = resource.getrlimit(resource.RLIMIT_NOFILE)[1]
    if limit < 65_536:
        # What this machine has not, its guest cannot give.
        (root / "etc/systemd/system/tsp-sandbox.service.d").mkdir(parents=True)
        (root / "etc/systemd/system/tsp-sandbox.service.d/limit.conf").write_text(f"[Service]\nLimitNOFILE={limit}\n", encoding="utf-8")
    machine = Machine(root)
    try:
        if not machine.boots():
            return not_here(what, machine.end())
        tried(check, walk, machine, root, tarball)
    finally:
        machine.end()


def tried(check, walk, machine, root, tarball):
    api, control = free_ports(2)
    failed = []
    for command in documented(tarball):
        if command.startswith("systemctl enable"):
            with open(root / "etc/tsp-sandbox/environment", "a", encoding="utf-8") as settings:
                settings.write(f"TSP_SANDBOX_PORT={api}\nTSP_SANDBOX_CONTROL_PORT={control}\n")
        if command.startswith("systemctl reload"):
            alive(machine, control)
        result = machine(command)
        if result.returncode != 0:
            failed.append(f"{command}: {result.stdout.strip()}")
    check("every command of Docs/deployment.md is carried out", not failed, [*failed, *journal(machine)[-5:]])
    status = machine(f"cat /proc/$(systemctl show --property=MainPID --value {UNIT})/status").stdout
    check("a user of its own, no capability, no new ones, and a filter of system calls",
          re.search(r"(?m)^Uid:\t6\d{4}\t", status) and "CapEff:\t0000000000000000" in status
          and "NoNewPrivs:\t1" in status and "Seccomp:\t2" in status, status[:300])
    walk(check, "README's walk against the service", f"http://127.0.0.1:{api}", f"http://127.0.0.1:{control}")
    subprocess.run(["curl", "-sS", "-o", "/dev/null", "-X", "POST", f"http://127.0.0.1:{control}/v1/tenants/kept/reset"])
    again = machine(f"systemctl restart {UNIT}")
    kept = alive(machine, control) and subprocess.run(["curl", "-sS", f"http://127.0.0.1:{control}/v1/tenants"], capture_output=True, text=True).stdout
    check("its state outlives a restart", again.returncode == 0 and kept and '"kept"' in kept, again.stdout)
    machine(f"systemctl stop {UNIT}")
    ended = machine(f"systemctl show --property=Result,ExecMainStatus {UNIT}").stdout.split()
    check("systemctl stop: exit code 0", sorted(ended) == ["ExecMainStatus=0", "Result=success"], ended)
    lines = journal(machine)
    check("it read its files again, and its log is JSON lines and nothing else",
          any("to read again" in line for line in lines) and all(is_json(line) for line in lines), [line for line in lines if not is_json(line)] or lines[-5:])


def journal(machine):
    return machine(f"journalctl --identifier={UNIT} --output=cat --no-pager").stdout.splitlines()


def is_json(line):
    try:
        return isinstance(json.loads(line), dict)
    except ValueError:
        return False


def alive(machine, control):
    return any(machine(f"tsp-sandbox health --url http://127.0.0.1:{control} || {{ sleep 0.2; false; }}").returncode == 0 for _ in range(100))
