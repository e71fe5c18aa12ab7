"""Writers of the shared tenants: each changes things of its own, one change after the other, over all faces."""

import collections

from facts import Book, Change, Unexpected
from link import Cut, Link
from sandbox import APP, BANK, WALLET

NETWORKS = ("visa", "mastercard", "amex", "discover")


class Totals:
    """What all writers did."""

    def __init__(self):
        self.answered = collections.Counter()
        self.open = collections.Counter()
        self.problems = []


class Writer:
    """Connections to one server, a book, and `work`, which never ends by itself."""

    def __init__(self, index, tenant, draws, materials, totals):
        self.name = f"{type(self).__name__.lower()}-{index}"
        self.index, self.tenant, self.draws = index, tenant, draws
        self.materials, self.totals = materials, totals
        self.book = Book(self.name)
        self.round = 0
        self.links = {}

    def connect(self, server):
        self.links = {name: Link(port) for name, port in server.ports.items()}

    def disconnect(self):
        for link in self.links.values():
            link.close()

    async def run(self):
        """Works until the server is gone."""
        try:
            await self.look()
            while True:
                self.round += 1
                await self.work()
        except Cut:
            return
        except Unexpected as error:
            self.totals.problems.append(f"{self.name}: {error}")
        finally:
            self.disconnect()

    async def get(self, port, path, tenant=None):
        return await self.links[port].call("GET", path, tenant=tenant or self.tenant)

    async def change(self, change, port, method, path, body=None, tenant=None):
        """Asks for a change and waits for its answer, which must be a success."""
        self.book.ask(change)
        status, answer = await self.links[port].call(method, path, body, tenant or self.tenant)
        if not 200 <= status < 300:
            self.book.refused()
            raise Unexpected(f"{change.what}: {method} {path}: {status} {answer}")
        self.book.answered(answer)
        self.totals.answered[change.what] += 1
        return answer

    def place(self, kind, id):
        return (self.tenant, kind, id)

    def always(self, what, facts):
        """A change whose facts are known before it is answered."""
        return Change(what, lambda _: facts)

    async def look(self):
        """Asks the server, and not the file, for something that the writer knows."""

    def expect(self, what, seen, wanted):
        if seen != wanted:
            raise Unexpected(f"the server shows {what} as {seen}; it was answered as {wanted}")


class Holder(Writer):
    """A phone of its own, with tokens on it. Each `work` is one step from what is known, so that a killed server's next
    life goes on where its last one ended."""

    def __init__(self, *arguments):
        super().__init__(*arguments)
        self.device = None
        self.forget()

    def forget(self):
        """What only an answer told: the pass's serial number, by token."""
        self.serials = {}

    def living(self):
        """Tokens on the phone, with their states."""
        tokens = [(place[2], fact) for place, fact in self.book.facts.items() if place[1] == "token"]
        return {id: fact["state"] for id, fact in tokens if fact["deviceId"] == self.device and fact["state"] != "deleted"}

    async def work(self):
        phone = self.device and self.book.facts.get(self.place("device", self.device))
        living = self.living() if phone else {}
        if not phone or not set(living) <= set(self.serials):
            # None, or one with a token of which only the file told.
            self.forget()
            await self.phone()
        elif phone["lost"]:
            await self.lost(False, living)
        elif living:
            await self.live(living)
        else:
            await self.begin()

    async def phone(self):
        name = f"{self.name} {self.round}"
        made = lambda document: {self.place("device", document["deviceId"]): {"name": name, "lost": False}}
        change = Change("make a device", made, (self.tenant, "device", {"name": name}))
        body = {"kind": "phone", "name": name}
        self.device = (await self.change(change, "api", "POST", WALLET + "/devices", body))["deviceId"]

    def token(self, id, state, **members):
        return {self.place("token", id): {"state": state, "deviceId": self.device, **members}}

    async def step(self, what, id, state, by, port, method, path, body=None):
        """`by` is who suspends."""
        facts = self.token(id, state, suspenders=[by] if state == "suspended" else [])
        await self.change(self.always(what, facts), port, method, path, body)

    async def event(self, id, event, state):
        path = f"/v1/tokens/{id}/events"
        await self.step(f"token {event}", id, state, "issuer", "control", "POST", path, {"event": event})

    async def tap(self, id, what, state):
        """In the wallet."""
        method, path = ("DELETE", self.path(id)) if what == "delete" else ("POST", f"{self.path(id)}/{what}")
        await self.step(f"{what} a pass", id, state, "cardholder", "api", method, path)

    def path(self, id):
        return f"{WALLET}/devices/{self.device}/passes/{self.serials[id]}"

    async def lost(self, on, living):
        """One change of a device and all its tokens."""
        facts = {self.place("device", self.device): {"lost": on}}
        for id in living:
            facts.update(self.token(id, "suspended" if on else "active", suspenders=["requestor"] if on else []))
        path = f"{WALLET}/devices/{self.device}/lost-mode"
        await self.change(self.always("lost mode", facts), "api", "POST", path, {"on": on})

    async def wipe(self, living):
        """Likewise, and the device is gone."""
        facts = {self.place("device", self.device): None}
        for id in living:
            facts.update(self.token(id, "deleted"))
        await self.change(self.always("wipe", facts), "api", "DELETE", f"{WALLET}/devices/{self.device}")

    async def live(self, living):
        """A step of one token, or of the phone with all of its tokens."""
        id, state = self.draws.choice(sorted(living.items()))
        draw = self.draws.randrange(8)
        if state == "suspended":
            # The issuer lifts the cardholder's suspension too, not the other way round.
            by_cardholder = self.book.facts[self.place("token", id)].get("suspenders") == ["cardholder"]
            await (self.tap if by_cardholder and draw < 6 else self.event)(id, "resume", "active")
        elif draw < 4:
            await (self.tap if draw < 2 else self.event)(id, "suspend", "suspended")
        elif draw < 6:
            await (self.tap if draw == 4 else self.event)(id, "delete", "deleted")
        elif draw == 6 and "suspended" not in living.values():
            await self.lost(True, living)
        else:
            await self.wipe(living)

    async def look(self):
        known = [(place, fact) for place, fact in self.book.facts.items() if place[1] == "token" and fact]
        if known:
            place, fact = self.draws.choice(known[-8:])
            status, answer = await self.get("control", f"/v1/tokens/{place[2]}")
            seen = answer.get("state") if status == 200 else status
            self.expect(f"token {place[2]}", seen, fact["state"])


class Provisioner(Holder):
    """The main job: session, TSH, wallet, and the life of the token."""

    def forget(self):
        super().forget()
        self.card = self.session = self.triple = None

    async def begin(self):
        if self.session is None:
            self.card = self.draws.choice(self.materials.cards)
            await self.begin_session()
        elif self.triple is None:
            await self.generate()
        else:
            await self.provision()

    async def begin_session(self):
        device = self.device
        begun = lambda document: {self.place("session", document["sessionId"]): {"deviceId": device, "tokenId": None}}
        change = Change("begin a session", begun, (self.tenant, "session", {"deviceId": device}))
        body = {
            "paymentNetwork": self.card.passkit, "cardholderName": "ANA PRUEBA",
            "primaryAccountSuffix": self.card.pan[-4:], "application": APP,
        }
        self.session = await self.change(change, "api", "POST", f"{WALLET}/devices/{device}/provisioning-sessions", body)

    async def generate(self):
        """The card appears by use, with its number, and a code that may be used once is spent: one change."""
        card, session = self.card, self.session
        code, jti = self.materials.code_for(card)
        place = f"{BANK}/{card.reference}"
        facts = {
            self.place("card", place): {"reference": card.reference, "state": "active"},
            self.place("number:card", place): {"number": card.pan},
        }
        if jti:
            facts[self.place("jti", f"{BANK}/{jti}")] = {"jti": jti}
        body = {
            "scheme": card.scheme, "encryptedPayload": card.payload, "authorizationCode": code,
            "certificateChain": session["certificates"], "nonce": session["nonce"],
            "nonceSignature": session["nonceSignature"],
        }
        what = "spend a code" if jti else "generate a request"
        path = f"/mg/tpc/{BANK}/generateAddPaymentPassRequest"
        self.triple = await self.change(self.always(what, facts), "api", "POST", path, body)

    async def provision(self):
        id, device = self.session["sessionId"], self.device

        def made(token):
            return {
                self.place("session", id): {"deviceId": device, "tokenId": token["tokenId"]},
                **self.token(token["tokenId"], "active"),
            }

        change = Change("provision a token", made, (self.tenant, "token", {"deviceId": device}))
        path = f"{WALLET}/provisioning-sessions/{id}/pass"
        answer = await self.change(change, "api", "POST", path, self.triple)
        self.serials[answer["tokenId"]] = answer["pass"]["serialNumber"]
        self.card = self.session = self.triple = None


class Typist(Holder):
    """Cards typed into the wallet: tokens that wait for a code, and codes that are sent and used up."""

    async def begin(self):
        card, device = self.materials.cards[self.index % 4], self.device
        made = lambda token: self.token(token["tokenId"], "inactive")
        change = Change("type a card in", made, (self.tenant, "token", {"deviceId": device}))
        body = {
            "pan": card.pan, "expiration": "12/30", "name": "ANA PRUEBA", "paymentNetwork": card.passkit,
            "cvv": "1234" if card.scheme == "AMEX" else "123",
        }
        answer = await self.change(change, "api", "POST", f"{WALLET}/devices/{device}/manual-entries", body)
        self.serials[answer["tokenId"]] = answer["pass"]["serialNumber"]

    async def live(self, living):
        (id, state), *_ = living.items()
        code = self.place("activationCode", id)
        if state != "inactive":
            await super().live(living)
        elif self.book.facts.get(code) is None:
            change = self.always("send a code", {code: {"tokenId": id, "method": "SMS"}})
            await self.change(change, "api", "POST", self.path(id) + "/activation-code", {"method": "SMS"})
        else:
            # The code and the waiting end in one change.
            _, inbox = await self.get("control", f"/v1/activation-codes?tokenId={id}")
            change = self.always("activate by code", {code: None, **self.token(id, "active")})
            body = {"activationCode": inbox["items"][0]["code"]}
            await self.change(change, "api", "POST", self.path(id) + "/activate", body)


class Controller(Holder):
    """Tokens made by the control API, two on one phone, so that what happens to the phone happens to both."""

    async def begin(self):
        for network in self.draws.sample(("visa", "mastercard"), 2):
            id = f"{self.name}.{self.round}.{network}"
            facts = self.token(id, "active", cardReference=f"card-{network}")
            body = {"issuerCardRefId": f"card-{network}", "issuerId": BANK, "deviceId": self.device, "tokenId": id}
            answer = await self.change(self.always("make a token", facts), "control", "POST", "/v1/tokens", body)
            self.serials[id] = answer["serialNumber"]


class Cards(Writer):
    """Cards of the writer's own, with their numbers: blocked, replaced, closed."""

    def __init__(self, *arguments):
        super().__init__(*arguments)
        self.reference = None

    def facts(self, pan, state):
        place = f"{BANK}/{self.reference}"
        card = {"reference": self.reference, "state": state, "panSuffix": pan[-4:]}
        return {self.place("card", place): card, self.place("number:card", place): {"number": pan}}

    async def work(self):
        place = f"{BANK}/{self.reference}"
        known = self.book.facts.get(self.place("card", place))
        if known is None or known["state"] == "closed":
            self.reference, pan = f"{self.name}.{self.round}", self.materials.number()
            body = {"issuerId": BANK, "issuerCardRefId": self.reference, "pan": pan, "exp": "1230"}
            await self.change(self.always("make a card", self.facts(pan, "active")), "control", "POST", "/v1/cards", body)
            return
        pan, body = self.book.facts[self.place("number:card", place)]["number"], {}
        event = "unblock" if known["state"] == "blocked" else self.draws.choice(("block", "block", "replace", "replace", "close"))
        if event == "replace":
            pan = self.materials.number()
            body = {"pan": pan, "exp": "1131"}
        change = self.always(f"card {event}", self.facts(pan, {"block": "blocked", "close": "closed"}.get(event, "active")))
        path = f"/v1/cards/{self.reference}/events?issuerId={BANK}"
        await self.change(change, "control", "POST", path, {"event": event, **body})


class Settings(Writer):
    """Issuers with metadata, applications and fault rules."""

    async def work(self):
        await self.draws.choice((self.issuer, self.metadata, self.metadata, self.application, self.rule, self.rule))()

    @property
    def issuer_id(self):
        return f"KT{self.index:08}"

    def known(self, kind, id):
        return self.book.facts.get(self.place(kind, id))

    async def issuer(self):
        text, id = f"{self.name} {self.round}", self.issuer_id
        if self.known("issuer", id) and self.draws.random() < 0.3:
            # Its metadata goes with it.
            gone = {place: None for place in self.book.facts if place[1] == "passMetadata"}
            change = self.always("remove an issuer", {self.place("issuer", id): None, **gone})
            await self.change(change, "control", "DELETE", f"/v1/issuers/{id}")
        else:
            # Without keys of its own it would be given new ones, which takes long.
            change = self.always("put an issuer", {self.place("issuer", id): {"name": text}})
            body = {"name": text, "networkKeys": self.materials.network_keys}
            await self.change(change, "control", "PUT", f"/v1/issuers/{id}", body)

    async def metadata(self):
        text, id = f"{self.name} {self.round}", self.issuer_id
        if not self.known("issuer", id):
            return await self.issuer()
        network = self.draws.choice(NETWORKS)
        change = self.always("put metadata", {self.place("passMetadata", f"{id}/{network}"): {"contactName": text}})
        path = f"/v1/issuers/{id}/pass-metadata/{network}"
        await self.change(change, "control", "PUT", path, {"contactName": text})

    async def application(self):
        text, app = f"{self.index}{self.round:06}", f"KILLTEST01.com.writer{self.index}"
        path = f"/v1/applications/{app}"
        if self.known("application", app) and self.draws.random() < 0.5:
            change = self.always("remove an application", {self.place("application", app): None})
            await self.change(change, "control", "DELETE", path)
        else:
            change = self.always("put an application", {self.place("application", app): {"storeIdentifier": text}})
            await self.change(change, "control", "PUT", path, {"issuerId": BANK, "storeIdentifier": text})

    async def rule(self):
        rules = [place[2] for place, fact in self.book.facts.items() if place[1] == "fault" and fact is not None]
        if len(rules) > 3:
            change = self.always("remove a fault rule", {self.place("fault", rules[0]): None})
            await self.change(change, "control", "DELETE", f"/v1/faults/{rules[0]}")
            return
        id = f"{self.name}.{self.round}"
        change = self.always("make a fault rule", {self.place("fault", id): {}})
        body = {"id": id, "match": {"headers": {"x-kill-test": self.name}}, "effect": {"delay": {"fixedMs": 1}}}
        await self.change(change, "control", "POST", "/v1/faults", body)

    async def look(self):
        known = self.known("issuer", self.issuer_id)
        status, answer = await self.get("control", f"/v1/issuers/{self.issuer_id}")
        self.expect(f"issuer {self.issuer_id}", answer["name"] if status == 200 else None, known and known["name"])
        _, rules = await self.get("control", "/v1/faults")
        seen = {rule["id"] for rule in rules["items"]}
        mine = {place[2]: fact for place, fact in self.book.facts.items() if place[1] == "fault"}
        self.expect("fault rules", seen & set(mine), {id for id, fact in mine.items() if fact is not None})
