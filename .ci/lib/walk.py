"""Sends marked secrets to every operation of every face, to every place of it, rightly and wrongly."""

import http.client
import json
import pathlib
import socket
import urllib.parse

METHODS = ("get", "put", "post", "patch", "delete")
# Calls that would empty what is searched, or wait: they are sent their marks where they refuse them.
ENDING = {"control.clearJournal", "control.deleteTenant", "control.resetTenant", "control.importWorld", "control.restoreSnapshot"}
WAITING = {"control.waitForJournal"}


class Operation:
    def __init__(self, document, face, method, path, item, operation):
        self.id, self.method, self.path = operation["operationId"], method.upper(), path
        self.port = "control" if face == "control" else "api"
        parameters = [resolved(document, p) for p in item.get("parameters", []) + operation.get("parameters", [])]
        self.queries = [p["name"] for p in parameters if p["in"] == "query"]
        self.members = sorted(members(document, operation.get("requestBody", {}), set()))

    def fill(self, value, **right):
        """The path with every parameter replaced; `right` names those that are right."""
        parts = self.path.split("/")
        for index, part in enumerate(parts):
            if "{" in part:
                name, rest = part.partition("}")[0].strip("{"), part.partition("}")[2]
                parts[index] = right.get(name, value) + rest
        return "/".join(parts)


def resolved(document, value):
    while isinstance(value, dict) and "$ref" in value:
        target = document
        for part in value["$ref"].split("/")[1:]:
            target = target[part]
        value = target
    return value


def members(document, value, seen):
    """Names of all members of a request body, at any depth."""
    found = set()
    if isinstance(value, dict):
        if "$ref" in value:
            if value["$ref"] in seen:
                return found
            seen.add(value["$ref"])
            return members(document, resolved(document, value), seen)
        found |= set(value.get("properties", {})) if isinstance(value.get("properties"), dict) else set()
        for child in value.values():
            found |= members(document, child, seen)
    elif isinstance(value, list):
        for child in value:
            found |= members(document, child, seen)
    return found


def operations(root):
    """Every operation in the documents, so that a new one is walked by itself."""
    found = []
    for file in sorted(pathlib.Path(root, "Docs", "openapi").glob("*.json")):
        face, document = file.stem, json.loads(file.read_text(encoding="utf-8"))
        for path, item in document["paths"].items():
            found += [Operation(document, face, m, path, item, item[m]) for m in METHODS if m in item]
    return found


class Walker:
    """Sends, and keeps what was answered."""

    def __init__(self, ports, marks):
        self.ports, self.marks = ports, marks
        self.links = {}
        self.answers = []
        self.count = 0
        self.failures = []

    def send(self, port, method, target, body=None, headers=None):
        """Gives status and text; the answer is kept to be searched."""
        fields = {"X-Request-Id": f"walk-{self.count}", **(headers or {})}
        self.count += 1
        data = body.encode("utf-8") if isinstance(body, str) else body
        for attempt in (1, 2):
            link = self.links.get(port)
            if link is None:
                link = self.links[port] = http.client.HTTPConnection("127.0.0.1", self.ports[port], timeout=30)
            try:
                link.putrequest(method, target, skip_accept_encoding=True)
                for name, value in fields.items():
                    link.putheader(name, value.encode("utf-8"))
                if data is not None:
                    link.putheader("Content-Length", str(len(data)))
                link.endheaders(data)
                answer = link.getresponse()
                text = answer.read().decode("utf-8", "replace")
                break
            except (http.client.HTTPException, OSError):
                # Closed by the server after a refusal of what could not be framed.
                link.close()
                del self.links[port]
                if attempt == 2:
                    raise
        head = "\n".join(f"{name}: {value}" for name, value in answer.getheaders())
        self.answers.append((port, f"{method} {target[:120]}", head + "\n" + text))
        if answer.status >= 500 and answer.status not in (501, 505):
            self.failures.append(f"{answer.status} to {method} {target[:80]}")
        return answer.status, text

    def json(self, port, method, path, body=None, **headers):
        status, text = self.send(port, method, path, None if body is None else json.dumps(body), {"Content-Type": "application/json", **headers})
        try:
            return status, json.loads(text) if text else None
        except ValueError:
            return status, None

    # Places

    def fields(self, operation, writing):
        """One writing in every member, parameter, header and path parameter of an operation."""
        mark, name, text = writing
        quoted = urllib.parse.quote(text, safe="")
        query = "&".join(f"{q}={quoted}" for q in operation.queries + ["x"])
        one_line = " ".join(text.split())
        headers = {"Content-Type": "application/json", "User-Agent": one_line, "X-Request-Id": one_line[:90], "Referer": "https://a.example/?x=" + quoted}
        body = None if operation.method == "GET" else json.dumps({member: text for member in [*operation.members, "unknown"]})
        targets = [operation.fill("DEMOBANK01") + "?" + query, operation.fill(quoted) + "?a=1"]
        if "%" in text and " " not in text:
            targets.append(operation.fill(text))
        for target in targets:
            if len(target) < 8_000:
                self.send(operation.port, operation.method, target, body, headers)
        if mark in self.marks.cards and name == "plain":
            self.send(operation.port, operation.method, operation.fill("DEMOBANK01"), body, {**headers, "X-Sandbox-Tenant": text})
            self.send(operation.port, operation.method, operation.fill("DEMOBANK01") + "?" + text, '{"' + text + '":1,"' + text + '":2}', headers)

    def whole(self, operation):
        """Every kind of body, and every credential in a header and in the query."""
        target = operation.fill("DEMOBANK01") + "?" + self.marks.query()
        headers = self.marks.headers()
        for index, (kind, body) in enumerate(self.marks.bodies()):
            fields = dict(headers[index % len(headers)])
            if operation.port == "control":
                fields.pop("Authorization", None)
            if kind:
                fields["Content-Type"] = kind
            self.send(operation.port, operation.method, target, body, fields)

    def broken(self):
        """Bytes that are not HTTP, or HTTP that is refused before anything looks at it."""
        number, secret = self.marks.cards[0].secret, self.marks.shaped[4].secret
        path = f"/wallet/apple/devices/{number}?pan={number}&access_token={secret}"
        requests = [
            f"GET {path} HTTP/3.0\r\nHost: a\r\n\r\n", f"{number} {path} HTTP/1.1\r\nHost: a\r\n\r\n", f"GET {path}\r\n\r\n",
            f"get {path} HTTP/1.1\r\nHost: a\r\n\r\n", f"GET http://{number}@a/{number} HTTP/1.1\r\nHost: a\r\n\r\n",
            f"GET {path} HTTP/1.1\r\nAuthorization Bearer {secret}\r\n\r\n", f"GET {path} HTTP/1.1\r\n\r\n",
            f"GET {path} HTTP/1.1\r\nHost: a\r\nHost: {number}\r\n\r\n", f"GET {path} HTTP/1.1\r\nHost: {number}\r\n{number}: 1\r\n\r\n",
            f"POST {path} HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: {number}\r\n\r\n",
            f"POST {path} HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n{number}zz\r\n{number}\r\n",
            f"POST {path} HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n10;pan={number}\r\n{number}\r\nx\r\n\r\n",
            f"POST {path} HTTP/1.1\r\nHost: a\r\nContent-Length: {number}\r\n\r\n{number}",
            f"POST {path} HTTP/1.1\r\nHost: a\r\nContent-Length: 16\r\nContent-Length: 17\r\n\r\n{number}",
            f"POST {path} HTTP/1.1\r\nHost: a\r\nExpect: {number}\r\nContent-Length: 16\r\n\r\n{number}",
            f"GET /{number * 700} HTTP/1.1\r\nHost: a\r\n\r\n", f"GET {path} HTTP/1.1\r\nHost: a\r\nX-A: {number * 5_000}\r\n\r\n",
            f"GET {path} HTTP/1.1\r\nHost: a\r\nAuthorization: Bearer {secret}\r\n folded {number}\r\n\r\n", f"{number}\r\n\r\n",
            f"GET /%zz{number} HTTP/1.1\r\nHost: a\r\nCookie: {secret}\r\n\r\n", f"BREW {path} HTTP/1.1\r\nHost: a\r\n\r\n",
        ]
        for port in ("api", "control"):
            for request in requests:
                with socket.create_connection(("127.0.0.1", self.ports[port]), timeout=10) as connection:
                    connection.sendall(request.encode())
                    connection.shutdown(socket.SHUT_WR)
                    received = b""
                    try:
                        while block := connection.recv(65_536):
                            received += block
                    except OSError:
                        pass
                self.answers.append((port, repr(request[:60]), received.decode("utf-8", "replace")))
                self.count += 1
