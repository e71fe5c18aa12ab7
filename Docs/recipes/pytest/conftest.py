"""Fixtures for tests against the sandbox. Copy this file into the folder of your tests.

    pip install pytest pytest-xdist requests
    pytest -n 4

`sandbox` is a world of its own: every worker of every run has a tenant that nobody else has, every test finds it as new, and
the report of a test that failed shows what the sandbox was asked, what it answered, and why.
"""

import os

import pytest
import requests

API = os.environ.get("API", "http://127.0.0.1:8080")
CONTROL = os.environ.get("CONTROL", "http://127.0.0.1:8081")
CONTROL_TOKEN = os.environ.get("CONTROL_TOKEN")  # where the control API wants one


class Refused(Exception):
    """An answer that is not 2xx: the network's code is in `body`, the sandbox's reasons are in `diagnosis`."""

    def __init__(self, answer):
        self.status, self.body = answer.status_code, answer.text
        self.diagnosis = answer.headers.get("X-Sandbox-Diagnosis", "").split(",")
        super().__init__(f"{answer.request.method} {answer.url}: {self.status} {','.join(self.diagnosis)} {self.body}")


class Sandbox:
    def __init__(self, tenant):
        self.tenant = tenant
        self.session = requests.Session()

    def api(self, method, path, body=None):
        return self._call(method, f"{API}/t/{self.tenant}{path}", body, {})

    def control(self, method, path, body=None):
        headers = {"X-Sandbox-Tenant": self.tenant}
        if CONTROL_TOKEN:
            headers["Authorization"] = f"Bearer {CONTROL_TOKEN}"
        return self._call(method, CONTROL + path, body, headers)

    def _call(self, method, url, body, headers):
        answer = self.session.request(method, url, json=body, headers=headers, timeout=30)
        if not answer.ok:
            raise Refused(answer)
        return answer.json() if answer.content else None

    def journal(self):
        """What happened since the last reset, oldest first, with each check that was not passed."""
        lines = []
        for entry in reversed(self.control("GET", "/v1/journal?limit=200")["items"]):
            lines.append(f"{entry['status']} {entry['operation']} {' '.join(entry['diagnosis'])}")
            for check in entry["checks"]:
                if not check["passed"]:
                    lines.append(f"    {check['name']}: {check.get('evidence', '')} {check.get('hint', '')}")
        return "\n".join(lines)


@pytest.fixture(scope="session")
def world(worker_id, testrun_uid):
    """The tenant of this worker. Both arguments are from pytest-xdist, which gives them without `-n` as well."""
    name = f"pytest-{testrun_uid[:12]}-{worker_id}"
    world = Sandbox(name)
    world.control("POST", "/v1/tenants", {"name": name})
    yield world
    world.control("DELETE", f"/v1/tenants/{name}")


@pytest.fixture
def sandbox(world):
    """The tenant as it was made: no cards but the fixtures', no tokens, no faults, an empty journal, the system's clock."""
    world.control("POST", f"/v1/tenants/{world.tenant}/reset")
    return world


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(item):
    report = yield
    sandbox = item.funcargs.get("sandbox")
    if report.failed and sandbox:
        report.sections.append(("the sandbox's journal", sandbox.journal()))
    return report
