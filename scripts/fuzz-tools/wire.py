"""Requests as bytes, sent to a running sandbox, and the file that the C part reads. Python's standard library only."""

import http.client
import json
import pathlib
import socket
import struct

from sandbox import server as servers
from sandbox.calls import Reply

CONTROL, PINNED, CUT, BOUNDARY = 1, 2, 4, 8
MAIN, ASIDE = "fz-main", "fz-aside"
# The worlds stand still here, so that signed times hold for as long as a run takes.
NOW, NOW_TEXT = 1_893_456_000, "2030-01-01T00:00:00Z"


def raw(method, path, body=None, headers=()):
    """The bytes of a request. `body` is a JSON value, or text as it is."""
    fields = [("Host", "127.0.0.1"), *headers]
    data = b""
    if body is not None:
        data = body.encode() if isinstance(body, str) else json.dumps(body, separators=(",", ":")).encode()
        if not any(name.lower() == "content-type" for name, _ in fields):
            fields.append(("Content-Type", "application/json"))
        fields.append(("Content-Length", str(len(data))))
    lines = [f"{method} {path} HTTP/1.1", *(f"{name}: {value}" for name, value in fields)]
    return "\r\n".join(lines).encode() + b"\r\n\r\n" + data


class Server(servers.Server):
    """A release server of its own on free ports, in memory; its log is a file."""

    def __init__(self, binary, log):
        pathlib.Path(log).unlink(missing_ok=True)
        super().__init__(binary, "--seed", "1", "--tenants", "auto", "--tenant-idle", "0", "--log-level", "debug", log=log)

    def send(self, data, control=False, timeout=60):
        with socket.create_connection(("127.0.0.1", self.ports["control" if control else "api"]), timeout=timeout) as connection:
            connection.sendall(data)
            answer = http.client.HTTPResponse(connection, method=data.split(b" ", 1)[0].decode("latin-1"))
            answer.begin()
            return Reply(answer)


class Corpus:
    """The requests, in the order in which they are sent unchanged."""

    def __init__(self, server):
        self.server, self.records, self.operations = server, [], []

    def add(self, face, method, path, body=None, headers=(), flags=0, weight=100, tenant=MAIN, by_header=False):
        """Keeps a request; `face` is that of Docs/openapi."""
        headers = list(headers)
        self.operations.append((face, method, path.split("?")[0]))
        if face == "control":
            flags |= CONTROL
            if tenant:
                headers.append(("X-Sandbox-Tenant", tenant))
        elif by_header:
            headers.append(("X-Sandbox-Tenant", tenant))
        else:
            path = f"/t/{tenant}{path}"
        self.records.append([flags, weight, 0, raw(method, path, body, headers)])

    def boundary(self, method, path, body=None, tenant=None):
        headers = [("X-Sandbox-Tenant", tenant)] if tenant else []
        self.records.append([CONTROL | BOUNDARY, 0, 0, raw(method, path, body, headers)])

    def send_boundary(self):
        for flags, _, _, data in self.records:
            if flags & BOUNDARY:
                reply = self.server.send(data, True)
                if reply.status >= 400 and reply.status != (404 if data.startswith(b"DELETE ") else 409):
                    raise SystemExit(f"fuzz: {data.splitlines()[0]}: {reply.status} {reply.bytes[:300]}")

    def settle(self):
        """Sends everything once from the boundary on, and notes what is answered. Gives what was refused."""
        self.send_boundary()
        refused = []
        for record in self.records:
            if record[0] & BOUNDARY:
                continue
            reply = self.server.send(record[3], bool(record[0] & CONTROL))
            record[2] = reply.status
            if reply.status >= 400:
                refused.append(f"{reply.status} {reply.codes} {record[3].splitlines()[0].decode()[:110]} {reply.bytes[:120]}")
        self.send_boundary()
        return refused

    def write(self, path):
        with open(path, "wb") as file:
            for flags, weight, status, data in self.records:
                file.write(struct.pack("<BHHI", flags, weight, status, len(data)) + data)
