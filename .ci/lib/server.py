"""A running server, and requests to it."""

import json
import signal
import subprocess
import uuid

import requests


class Server:
    """One `tsp-sandbox serve` on free ports; what it writes to standard error is kept."""

    def __init__(self, binary, store, log):
        self.log = log
        self.command = [binary, "serve", "--port", "0", "--control-port", "0", "--store", store, "--log-level", "debug"]
        self.start()

    def start(self):
        with open(self.log, "ab") as log:
            self.process = subprocess.Popen(
                self.command, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=log
            )
        line = json.loads(self.process.stdout.readline() or b"{}")
        if line.get("event") != "listening":
            raise SystemExit(f"the server did not start; see {self.log}")
        self.api_url, self.control_url = line["api"], line["control"]

    def kill(self):
        self.process.kill()
        self.process.wait()
        self.process.stdout.close()

    def restart_after_kill(self):
        self.kill()
        self.start()

    def stop(self):
        """SIGTERM; gives the exit code."""
        self.process.send_signal(signal.SIGTERM)
        code = self.process.wait(timeout=30)
        self.process.stdout.close()
        return code

    def api(self, method, path, body=None, **options):
        return Reply(self.api_url, method, path, body, **options)

    def control(self, method, path, body=None, **options):
        return Reply(self.control_url, method, path, body, **options)


class Reply:
    """An answer, read."""

    def __init__(self, base, method, path, body=None, raw=None, headers=None):
        self.request_id = "acc-" + uuid.uuid4().hex[:12]
        fields = {"x-request-id": self.request_id}
        if body is not None:
            raw = json.dumps(body).encode()
        if raw is not None:
            fields["content-type"] = "application/json"
        fields.update(headers or {})
        answer = requests.request(method, base + path, data=raw, headers=fields, timeout=30)
        self.status = answer.status_code
        self.text = answer.text
        header = answer.headers.get("x-sandbox-diagnosis", "")
        self.codes = header.split(",") if header else []
        try:
            self.json = answer.json()
        except ValueError:
            self.json = None

    def __getitem__(self, name):
        return self.json.get(name) if isinstance(self.json, dict) else None

    def __str__(self):
        return f"{self.status} {','.join(self.codes)} {self.text[:200]}"


class Report:
    """Prints each check and counts it."""

    def __init__(self):
        self.passed = self.failed = 0

    def section(self, title):
        print(f"\n{title}", flush=True)

    def check(self, name, is_right, seen=""):
        if is_right:
            self.passed += 1
            print(f"  ok   {name}", flush=True)
        else:
            self.failed += 1
            print(f"  FAIL {name}: {seen}", flush=True)
        return bool(is_right)

    def finish(self):
        print(f"\n{self.passed} passed, {self.failed} failed", flush=True)
        return 0 if self.failed == 0 and self.passed > 0 else 1
