"""HTTP calls on connections that are kept."""

import http.client
import json
import socket
import time

# A connection that nobody used for longer is not used again: the server may close it at any moment.
IDLE_SECONDS = 15


class Reply:
    """An answer, read."""

    def __init__(self, answer):
        self.status, self.headers, self.bytes = answer.status, answer.headers, answer.read()
        # Codes of the diagnosis, the one that decided first.
        self.codes = [code for code in self.headers.get("X-Sandbox-Diagnosis", "").split(",") if code]
        try:
            self.json = json.loads(self.bytes)
        except ValueError:
            self.json = None

    @property
    def text(self):
        return self.bytes.decode("utf-8", "replace")

    def __getitem__(self, name):
        return self.json.get(name) if isinstance(self.json, dict) else None

    def __str__(self):
        return f"{self.status} {','.join(self.codes)} {self.text[:300]}"


class Client:
    """One connection to each port of a server, made when it is first needed. For one thread.

    `ports` gives the numbers by name, and `headers` go with every request.
    """

    def __init__(self, ports, headers=None, timeout=60):
        self.ports, self.headers, self.timeout = ports, headers or {}, timeout
        self.links = {}

    def send(self, port, method, path, body=None, *, raw=None, headers=None):
        """`body` is sent as JSON, `raw` as it is. Nothing is ever sent twice."""
        fields = dict(self.headers)
        if body is not None:
            raw = json.dumps(body).encode()
        if raw is not None:
            fields["Content-Type"] = "application/json"
        fields.update(headers or {})
        link = self.link(port)
        try:
            link.request(method, path, raw, fields)
        except (BrokenPipeError, ConnectionResetError):
            # The server refused before it had read everything, and its answer is there.
            pass
        try:
            reply = Reply(link.getresponse())
        except BaseException:
            self.drop(port)
            raise
        self.links[port] = (link, time.monotonic())
        return reply

    def link(self, port):
        link, used = self.links.get(port, (None, 0))
        if link is not None and time.monotonic() - used < IDLE_SECONDS and link.sock is not None:
            return link
        self.drop(port)
        link = http.client.HTTPConnection("127.0.0.1", self.ports[port], timeout=self.timeout)
        link.connect()
        link.sock.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        self.links[port] = (link, time.monotonic())
        return link

    def drop(self, port):
        link, _ = self.links.pop(port, (None, 0))
        if link is not None:
            link.close()

    def close(self):
        for port in list(self.links):
            self.drop(port)
