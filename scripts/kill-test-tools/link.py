"""HTTP to the server under test: one connection, one request after the other."""

import asyncio
import json


class Cut(Exception):
    """The connection ended before the whole answer was there: nobody knows whether the change was made."""


class Link:
    """A connection to one port of 127.0.0.1, made when it is first needed."""

    def __init__(self, port):
        self.port = port
        self.reader = self.writer = None

    async def call(self, method, path, body=None, tenant=None):
        """The status and the JSON of the answer; Cut when it did not come whole."""
        data = b"" if body is None else json.dumps(body).encode()
        head = f"{method} {path} HTTP/1.1\r\nHost: localhost\r\nContent-Length: {len(data)}\r\n"
        if body is not None:
            head += "Content-Type: application/json\r\n"
        if tenant is not None:
            head += f"X-Sandbox-Tenant: {tenant}\r\n"
        try:
            if self.writer is None:
                self.reader, self.writer = await asyncio.open_connection("127.0.0.1", self.port, limit=1 << 20)
            self.writer.write(head.encode() + b"\r\n" + data)
            return await self.answer()
        except (OSError, asyncio.IncompleteReadError) as error:
            raise Cut(str(error)) from None

    async def answer(self):
        lines = (await self.reader.readuntil(b"\r\n\r\n")).decode("latin-1").split("\r\n")
        length = 0
        for line in lines[1:]:
            name, _, value = line.partition(":")
            if name.lower() == "content-length":
                length = int(value)
        body = await self.reader.readexactly(length)
        return int(lines[0].split(" ")[1]), json.loads(body) if body else None

    def close(self):
        if self.writer is not None:
            self.writer.transport.abort()
        self.reader = self.writer = None
