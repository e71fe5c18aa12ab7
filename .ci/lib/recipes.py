"""The suites of Docs/recipes, run at once and again."""

import argparse
import os
import pathlib
import re
import shutil
import subprocess
import sys
import time

from sandbox.checks import Checks
from sandbox.server import Server

RECIPES = pathlib.Path("Docs/recipes")
WORK = pathlib.Path(".build/recipes")
JARS = [
    *("bcpkix", "bcprov", "bcutil", "gson"),
    *("junit-jupiter-api", "junit-jupiter-engine", "junit-jupiter-params", "apiguardian-api", "opentest4j"),
    *("junit-platform-commons", "junit-platform-engine", "junit-platform-launcher", "junit-platform-reporting"),
    *("junit-platform-console", "open-test-reporting-tooling", "picocli"),
]
CLASSES = ":".join(f"/usr/share/java/{name}.jar" for name in JARS)
DEBIAN = {
    "pytest": ["python3", "python3-venv"],
    "JUnit 5": ["default-jdk-headless", "junit5", "libbcpkix-java", "libgoogle-gson-java"],
    "Node": ["nodejs"],
}

# Tests that must fail, each with its suite's own file beside it: what the reader of a failure is shown.
FAILING = {
    "test_failing.py": """
        import pytest

        def test_that_fails(sandbox):
            sandbox.api("POST", "/mg/tpc/NOSUCHBANK/getTokens", {})
    """,
    "FailingTest.java": """
        import org.junit.jupiter.api.Test;
        import org.junit.jupiter.api.extension.RegisterExtension;

        class FailingTest {
            @RegisterExtension final Sandbox sandbox = new Sandbox();

            @Test void fails() throws Exception {
                sandbox.api("POST", "/mg/tpc/NOSUCHBANK/getTokens", new com.google.gson.JsonObject());
            }
        }
    """,
    "failing.test.mjs": """
        import { sandboxTest } from "./sandbox.mjs";
        sandboxTest("fails", (sandbox) => sandbox.api("POST", "/mg/tpc/NOSUCHBANK/getTokens", {}));
    """,
}


class Suites:
    def __init__(self, server, check, options):
        self.check, self.options = check, options
        self.environment = {**os.environ, "API": server.url("api"), "CONTROL": server.url("control"), "NO_COLOR": "1"}

    def run(self, *command):
        """The command's end; one that takes ten minutes is killed, and that is a failure."""
        return subprocess.run(
            ["timeout", "--kill-after=5", "600", *command],
            env=self.environment,
            stdin=subprocess.DEVNULL,
            capture_output=True,
            text=True,
        )

    def installed(self, suite):
        self.check.section(suite)
        made = self.run("scripts/install-packages", *DEBIAN[suite])
        return self.check(f"from Debian: {' '.join(DEBIAN[suite])}", made.returncode == 0, made.stderr[-600:])

    def passes(self, name, wanted, pattern, *command):
        """All wanted tests ran, and passed; the end of the output when not."""
        start = time.monotonic()
        made = self.run(*command)
        found = re.search(pattern, made.stdout)
        passed = int(found[1]) if found else 0
        name = f"{name}: {passed} of {wanted} tests in {time.monotonic() - start:.1f} s"
        self.check(name, made.returncode == 0 and passed == wanted, f"\n{made.stdout[-6000:]}{made.stderr[-1000:]}")

    def fails(self, *command):
        made = self.run(*command)
        shown = made.stdout.split("journal", 1)[-1]
        is_told = made.returncode and re.search("400 .?tpc.getTokens.* .*ISSUER_UNKNOWN", shown) and "NOSUCHBANK" in shown
        self.check("a test that fails shows the journal", is_told, f"exit code {made.returncode}\n{made.stdout[-3000:]}")

    def again(self):
        return range(1, self.options.runs + 1)

    def pytest(self):
        if not self.installed("pytest"):
            return
        command = [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider"]
        suite = str(RECIPES / "pytest")
        self.passes("one after another", 20, r"(\d+) passed", *command, suite)
        workers, each = self.options.workers, self.options.each
        count = max(1, workers * each // 20)
        for number in self.again():
            name = f"{workers} workers, run {number}"
            self.passes(name, 20 * count, r"(\d+) passed", *command, "-n", str(workers), "--count", str(count), suite)
        folder = failing(RECIPES / "pytest/conftest.py", "test_failing.py")
        self.fails(*command, "-n", "2", f"--rootdir={folder}", folder)

    def junit(self):
        if not self.installed("JUnit 5"):
            return
        launcher = ["org.junit.platform.console.ConsoleLauncher", "--disable-banner", "--disable-ansi-colors"]

        def build(folder, *sources):
            classes = f"{folder}/classes"
            made = self.run("javac", "-cp", CLASSES, "-d", classes, *map(str, sources))
            shutil.copy(RECIPES / "junit/junit-platform.properties", classes)
            self.check("it builds", made.returncode == 0, made.stderr[-1000:])
            return ["java", "-cp", f"{classes}:{CLASSES}", *launcher, "--scan-classpath", classes]

        folder = WORK / "junit"
        (folder / "classes").mkdir(parents=True, exist_ok=True)
        command = build(folder, "Docs/clients/Push.java", *(RECIPES / "junit").glob("*.java"))
        for number in self.again():
            self.passes(f"in parallel, run {number}", 12, r"(\d+) tests successful", *command)
        folder = failing(RECIPES / "junit/Sandbox.java", "FailingTest.java")
        (pathlib.Path(folder) / "classes").mkdir()
        self.fails(*build(folder, *pathlib.Path(folder).glob("*.java")))

    def node(self):
        if not self.installed("Node"):
            return
        command = ["node", "--test", "--test-reporter=tap"]
        for number in self.again():
            self.passes(f"run {number}", 12, r"\n# pass (\d+)", *command, str(RECIPES / "node/push.test.mjs"))
        self.fails(*command, failing(RECIPES / "node/sandbox.mjs", "failing.test.mjs") + "/failing.test.mjs")


def failing(copied, test):
    """A folder with the file that users copy, and a test that fails."""
    folder = WORK / "failing" / test.partition(".")[0]
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    shutil.copy(copied, folder)
    lines = FAILING[test].strip("\n").splitlines()
    (folder / test).write_text("\n".join(line[8:] for line in lines))
    return str(folder)


def main(arguments):
    parser = argparse.ArgumentParser()
    parser.add_argument("binary", nargs="?", default=".build/debug/tsp-sandbox")
    parser.add_argument("--workers", type=int, default=8)
    parser.add_argument("--each", type=int, default=40)
    parser.add_argument("--runs", type=int, default=3)
    parser.add_argument("--store")
    options = parser.parse_args(arguments)
    shutil.rmtree(WORK, ignore_errors=True)
    WORK.mkdir(parents=True)
    check = Checks()
    store = options.store or WORK / "sandbox.db"
    server = Server(options.binary, store=store, log=WORK / "server.log").start()
    try:
        suites = Suites(server, check, options)
        suites.pytest()
        suites.junit()
        suites.node()
        check.section("Afterwards")
        tenants = [item["name"] for item in server.control("GET", "/v1/tenants")["items"]]
        check("no tenant is left behind", tenants == ["default"], tenants)
    finally:
        code = server.stop()
    check("SIGTERM: exit code 0", code == 0, code)
    return check.finish()
