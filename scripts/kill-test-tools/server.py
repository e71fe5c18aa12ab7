"""The server under test: started on a store's file, killed, stopped."""

import json
import pathlib
import select
import signal
import subprocess
import time

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
START_SECONDS = 30


class DidNotStart(Exception):
    """The server gave up on its file, or did not come up in time."""


class Server:
    """One process; `ports` are known once it listens."""

    def __init__(self, binary, store, log):
        self.binary, self.store, self.log = binary, store, log
        self.process = None
        self.api = self.control = None

    @property
    def is_running(self):
        return self.process is not None and self.process.poll() is None

    def spawn(self):
        """Starts the process and does not wait for it."""
        command = [self.binary, "serve", "--port", "0", "--control-port", "0", "--store", str(self.store)]
        command += ["--tenant-idle", "0", "--log-level", "warning"]
        with open(self.log, "ab") as log:
            self.process = subprocess.Popen(
                command, cwd=ROOT, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=log
            )

    def listen(self):
        """Waits until it listens."""
        output = self.process.stdout
        ready, _, _ = select.select([output], [], [], START_SECONDS)
        line = output.readline() if ready else b""
        if not line:
            self.kill()
            raise DidNotStart(f"the server did not open {self.store}; see {self.log}")
        listening = json.loads(line)
        self.api, self.control = (int(listening[name].rpartition(":")[2]) for name in ("api", "control"))

    def start(self):
        self.spawn()
        self.listen()

    def kill(self):
        """SIGKILL to this process, by its id."""
        self.process.kill()
        self.process.wait()
        self.process.stdout.close()

    def stop(self):
        """SIGTERM, and its exit code."""
        self.process.send_signal(signal.SIGTERM)
        code = self.process.wait(timeout=START_SECONDS)
        self.process.stdout.close()
        return code

    def stop_and_kill(self, seconds):
        """SIGTERM, and SIGKILL while it may still be closing its store."""
        self.process.send_signal(signal.SIGTERM)
        time.sleep(seconds)
        self.kill()

    def tool(self, *arguments, text=""):
        """Another command of the same program."""
        done = subprocess.run([self.binary, *arguments], input=text, capture_output=True, text=True, check=True, cwd=ROOT)
        return done.stdout.strip()
