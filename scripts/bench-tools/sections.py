"""What the bench measures: one function for each section, called once a round. Both sides of a ratio run one after the other."""

import socket
import time

import loads
from loads import Program, Provisioning, Unusable, change, crypto, measured, tls_load, wrk
from sandbox import APP, BANK, DEVICES, ROOT

KEYS = ROOT / "keys/tls"
TLS_OPTIONS = ["--tls-port", "0", "--tls-cert", KEYS / "server.cert.pem", "--tls-key", KEYS / "server.key.pem",
               "--client-ca", KEYS / "client-ca.cert.pem"]
CHANGERS = 16


class Sandbox:
    """A server with one device that has a visible pass: the look-up."""

    def __init__(self, binary, folder, name, options):
        self.server, self.milliseconds = loads.start(binary, folder, name, *options)
        self.process = self.server.process
        self.idle = self.server.resident()
        Provisioning(self.server, 1, 1, 10).result()
        self.device = self.server.api("GET", DEVICES)["items"][0]["deviceId"]
        self.path = f"{DEVICES}/{self.device}/passes?application={APP}"
        self.url = self.server.url("api") + self.path
        reply = self.server.api("GET", self.path)
        if not reply["localPasses"]:
            raise Unusable(f"the look-up shows no pass: {reply}")
        self.answer = len(reply.bytes)

    def want(self, port, method, path, body=None):
        reply = self.server.client.send(port, method, path, body)
        if not 200 <= reply.status < 300:
            raise Unusable(f"{method} {path}: {reply}")
        return reply

    def fill(self, count):
        """So many devices with a token each, by whole provisionings."""
        while count > 0:
            Provisioning(self.server, min(count, 10_000), 16, 600).result()
            count -= 10_000

    def end(self):
        self.server.end()


class Bench:
    """What the sections share: the options, the figures, the bare server and the sandbox."""

    def __init__(self, options, binary, folder, figures):
        self.options, self.binary, self.folder, self.figures = options, binary, folder, figures
        self.seconds, self.started = options.seconds, []
        self.serve = ["--loops", options.loops] if options.loops else []
        self.bare = self.begin(Program([loads.OUT / "bare", 0]))
        self.sandbox = self.begin(Sandbox(binary, folder, "sandbox", [*self.serve, *TLS_OPTIONS]))
        # So many pairs that the load ends by the clock: no server is faster than the bare operations.
        self.pairs_per_second = int(crypto("provisioning", 1)["requestsPerSecond"] * 1.25) + 1

    def begin(self, started):
        self.started.append(started)
        return started

    def end(self):
        for each in reversed(self.started):
            each.end()

    def provisioning(self, connections, seconds):
        return Provisioning(self.sandbox.server, self.pairs_per_second * seconds, connections, seconds)


def startup(bench):
    server, milliseconds = loads.start(bench.binary, bench.folder, f"startup{time.monotonic_ns()}", *bench.serve)
    bench.figures.single("startup.milliseconds", "start-up on an empty folder, ms", milliseconds, ("<=", 50))
    bench.figures.single("memory.idle", "  resident then, MB", server.resident() / 1024, ("<=", 25))
    if server.stop() != 0:
        raise Unusable("the server did not stop with exit code 0")


def lookups(bench):
    connections = [16] if bench.options.short else [16, 64]
    bare_url = f"http://127.0.0.1:{bench.bare.port}/"
    for count in connections:
        bare = measured(bench.bare, lambda: wrk(bare_url, count, bench.seconds))
        ours = measured(bench.sandbox, lambda: wrk(bench.sandbox.url, count, bench.seconds))
        goals = {"rate": (">=", 0.6, 0.55), "cpu": ("<=", 2.0, 2.4)}
        bench.figures.compare(f"lookup{count}", f"look-up, {count} connections", bare, ours, **goals)


def lookups_over_tls(bench):
    """Beside the same requests without TLS, to the bare server and to the sandbox."""
    ports = bench.sandbox.server.ports
    for count in (16, 64):
        bare = measured(bench.bare, lambda: tls_load(bench.bare.port, "/", count, bench.seconds))
        plain = measured(bench.sandbox, lambda: tls_load(ports["api"], bench.sandbox.path, count, bench.seconds))
        tls = measured(bench.sandbox, lambda: tls_load(ports["tls"], bench.sandbox.path, count, bench.seconds, certificate="tls"))
        bench.figures.compare(f"tlsToBare{count}", f"look-up over TLS, {count} connections", bare, tls, rate=(">=", 0.4))
        bench.figures.compare(f"tls{count}", f"look-up, {count} connections", plain, tls, heads=("plain", "TLS"))


def handshakes(bench):
    """A connection for each request: plain, TLS, mutual, with the last session; beside `openssl s_server`."""
    command = ["openssl", "s_server", "-accept", "127.0.0.1:0", "-www", "-cert", KEYS / "server.cert.pem", "-key", KEYS / "server.key.pem",
               "-CAfile", KEYS / "client-ca.cert.pem", "-verify", "1"]
    theirs, ports, path = Program(command, mark="ACCEPT "), bench.sandbox.server.ports, bench.sandbox.path
    try:
        for name, certificate in (("TLS", "tls"), ("mutual TLS", KEYS)):
            peer = tls_load(theirs.port, "/", 16, bench.seconds, "new", certificate)
            ours = tls_load(ports["tls"], path, 16, bench.seconds, "new", certificate)
            resumed = tls_load(ports["tls"], path, 16, bench.seconds, "resume", certificate)
            if not resumed["resumed"]:
                raise Unusable("no TLS session was resumed")
            bench.figures.compare(f"new.{name}", f"new connections, {name}", peer, ours, heads=("s_server", "sandbox"))
            bench.figures.compare(f"resume.{name}", f"new connections, {name}", ours, resumed, heads=("sandbox", "resumed"))
    finally:
        theirs.end()


class Changes:
    """Tokens of their own, on phones of their own: each is suspended and resumed in turn, in the wallet."""

    def __init__(self, bench):
        self.bench, self.port = bench, bench.sandbox.server.ports["api"]
        self.tokens = [self.token() for _ in range(CHANGERS + 1)]
        # The last one has seen many changes.
        change(self.port, [self.pair(self.tokens[-1])], 3_600, bench.options.changes)

    def token(self):
        """Where its pass is."""
        want = self.bench.sandbox.want
        device = want("api", "POST", DEVICES, {"kind": "phone"})["deviceId"]
        body = {"issuerId": BANK, "issuerCardRefId": "card-visa", "deviceId": device, "state": "active"}
        return f"{DEVICES}/{device}/passes/" + want("control", "POST", "/v1/tokens", body)["serialNumber"]

    def pair(self, token):
        return [("POST", f"{token}/{event}", {}) for event in ("suspend", "resume")]

    def measure(self, tokens):
        pairs = [self.pair(token) for token in tokens]
        return measured(self.bench.sandbox, lambda: change(self.port, pairs, self.bench.seconds))

    def __call__(self, bench):
        many = self.measure(self.tokens[:CHANGERS])
        bench.figures.single("changes.requestsPerSecond", f"life-cycle changes, {CHANGERS} connections, /s", many["requestsPerSecond"])
        bench.figures.single("changes.cpuMicroseconds", "  CPU each, us", many["cpuMicroseconds"], ("<=", 120))
        young, old = self.measure(self.tokens[:1]), self.measure(self.tokens[-1:])
        label = f"of one token, first and after {bench.options.changes:,}"
        bench.figures.compare("oldToken", label, young, old, heads=("young", "old"), cpu=("<=", 1.1))


def devices(bench):
    request = ("POST", DEVICES, {"kind": "phone"})
    bare = crypto("device", bench.seconds)
    ours = measured(bench.sandbox, lambda: change(bench.sandbox.server.ports["api"], [[request, request]] * 16, bench.seconds))
    bench.figures.compare("device", "devices made, 16 connections", bare, ours, cpu=("<=", 2))


def provisioning(bench):
    for count in [16] if bench.options.short else [16, 64]:
        ours = bench.provisioning(count, bench.seconds).result()
        bare = crypto("provisioning", bench.seconds)
        goals = {"rate": (">=", 0.7), "cpu": ("<=", 1.6)}
        bench.figures.compare(f"provisioning{count}", f"provisioning, {count} connections", bare, ours, **goals)


def lookups_beside(bench):
    """One client, because a crowd of them is its own queue; then the same beside a load that never waits for it."""
    for count in (1, 16):
        alone = wrk(bench.sandbox.url, count, bench.seconds)
        load = bench.provisioning(16, bench.seconds + 3)
        beside = wrk(bench.sandbox.url, count, bench.seconds)
        if not load.is_running:
            raise Unusable("the provisioning load ended before the look-ups did")
        pairs = load.result()["requestsPerSecond"]
        crowd = "1 connection" if count == 1 else f"{count} connections"
        bench.figures.compare(f"beside{count}", f"look-up beside provisioning, {crowd}", alone, beside, heads=("alone", "beside"), p99=("<=", 5))
        bench.figures.single(f"beside{count}.provisioningPerSecond", f"provisionings beside look-ups on {crowd}, /s", pairs)


class Crowd:
    """Two like servers, of which one has 1,000 tenants and 500 fault rules of all sorts that never apply to the look-up."""

    def __init__(self, bench):
        self.few = bench.begin(Sandbox(bench.binary, bench.folder, "few", bench.serve))
        self.many = bench.begin(Sandbox(bench.binary, bench.folder, "many", bench.serve))
        for number in range(1_000):
            self.many.server.control("GET", "/v1/clock", headers={"X-Sandbox-Tenant": f"crowd-{number}"})
        for number in range(500):
            match = ({"tokenId": f"DNITHE{number}"}, {"path": f"/wallet/apple/devices/dev-{number}/passes"}, {"headers": {"x-test": str(number)}},
                     {"cardLast4": str(1_000 + number)}, {"operation": "tpc.getTokens"})[number % 5]
            self.many.want("control", "POST", "/v1/faults", {"match": match, "effect": {"respond": {"status": 503}}})
        kept = [len(self.many.want("control", "GET", path)["items"]) for path in ("/v1/tenants", "/v1/faults")]
        if kept != [1_001, 500]:
            raise Unusable(f"there are {kept} tenants and rules")
        self.turn = 0

    def __call__(self, bench):
        """Many short pairs, each begun by the other one."""
        for _ in range(4):
            self.turn += 1
            for count in (16, 64):
                found = {}
                for side in (self.few, self.many)[:: 1 if self.turn % 2 else -1]:
                    found[side] = measured(side, lambda: wrk(side.url, count, 1))
                label = f"1,000 tenants and 500 rules, {count} connections"
                bench.figures.compare(f"crowd{count}", label, found[self.few], found[self.many], heads=("few", "many"), rate=(">=", 0.9))


def waiting(bench):
    """What requests that wait cost the others: one delayed, 200 that get no answer."""
    alone = wrk(bench.sandbox.url, 16, bench.seconds)
    links = []
    try:
        for number in range(201):
            fault = "connection=stall" if number else "delay=30000"
            links.append(socket.create_connection(("127.0.0.1", bench.sandbox.server.ports["api"]), timeout=10))
            links[-1].sendall(f"GET {bench.sandbox.path} HTTP/1.1\r\nHost: a\r\nX-Sandbox-Fault: {fault}\r\n\r\n".encode())
        time.sleep(1)
        begin = time.monotonic()
        bench.sandbox.want("control", "GET", "/healthz")
        bench.figures.single("waiting.healthMilliseconds", "health check beside 201 that wait, ms", (time.monotonic() - begin) * 1_000)
        beside = wrk(bench.sandbox.url, 16, bench.seconds)
        for link in links:
            link.setblocking(False)
            try:
                raise Unusable(f"a request that should wait was answered: {link.recv(100)}")
            except BlockingIOError:
                pass
    finally:
        for link in links:
            link.close()
    bench.figures.compare("waiting", "look-up beside 201 that wait", alone, beside, heads=("alone", "beside"), rate=(">=", 0.9))


def extension_status(bench):
    """The Wallet extension's first question, which is answered from memory."""
    sandbox = bench.sandbox
    card = {"cardId": "card-visa", "productTitle": "Visa", "cardArt": "eA=="}
    sandbox.want("api", "POST", "/d1/client/v1/configure", {
        "deviceId": sandbox.device, "application": APP, "appGroupID": "group.com.demobank.app", "issuerId": BANK,
        "consumerId": "consumer-ana", "cardParamsList": [card]})
    url = f"{sandbox.server.url('api')}/d1/client/v1/extension-status?deviceId={sandbox.device}&application={APP}.wallet"
    bare = measured(bench.bare, lambda: wrk(f"http://127.0.0.1:{bench.bare.port}/", 16, bench.seconds))
    ours = measured(sandbox, lambda: wrk(url, 16, bench.seconds))
    bench.figures.compare("status16", "extension-status, 16 connections", bare, ours, rate=(">=", 0.5))


def memory(bench):
    """After 100,000 look-ups, once."""
    answered = 0
    while answered < 100_000:
        answered += wrk(bench.sandbox.url, 16, 1)["requests"]
    bench.figures.single("memory.afterLookups", "resident after 100,000 look-ups, MB", bench.sandbox.server.resident() / 1024, ("<=", 60))


def sections(bench):
    """Name and function of each section, in their order."""
    if bench.options.short:
        return [("start-up", startup), ("look-ups", lookups), ("changes", Changes(bench)), ("devices", devices), ("provisioning", provisioning)]
    return [
        ("start-up", startup), ("look-ups", lookups), ("extension-status", extension_status), ("TLS", lookups_over_tls),
        ("handshakes", handshakes), ("changes", Changes(bench)), ("devices", devices), ("provisioning", provisioning),
        ("look-ups beside provisioning", lookups_beside), ("tenants and rules", Crowd(bench)), ("requests that wait", waiting),
    ]
