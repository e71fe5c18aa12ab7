"""A world with something of everything in it: devices, passes, tokens, sessions, D1."""

from sandbox import APP, BANK, CARDS, ROOT
from sandbox.tools import Tools
from wire import MAIN, NOW, NOW_TEXT, raw

EXTENSION, EXTENSION_UI = APP + ".wallet", APP + ".wallet-ui"
# One white pixel.
ART = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAAAAAA6fptVAAAACklEQVR4nGP4DwABAQEAG7buVgAAAABJRU5ErkJggg=="


class World:
    def __init__(self, server, binary):
        self.server, self.tools = server, Tools(binary)
        self.call("POST", "/v1/tenants", {"name": MAIN, "seed": 7}, control=True)
        self.call("PUT", "/v1/clock", {"mode": "frozen", "now": NOW_TEXT}, control=True)
        self.devices()
        self.passes()
        self.d1()

    def call(self, method, path, body=None, bearer=None, control=False, headers=()):
        headers = [("X-Sandbox-Tenant", MAIN), *headers]
        if bearer:
            headers.append(("Authorization", "Bearer " + bearer))
        reply = self.server.send(raw(method, path, body, headers), control)
        if reply.status >= 300:
            raise SystemExit(f"fuzz: {method} {path}: {reply.status} {reply.codes} {reply.bytes.decode()[:300]}")
        return reply

    def signed(self, kind, sub, *claims, life=300):
        times = ["--claim", f"iat={NOW}", "--claim", f"exp={NOW + life}"]
        more = [word for claim in claims for word in ("--claim", claim)]
        return self.tools.sign(kind, "--sub", sub, *times, *more)

    def payload(self, scheme, reference=None, key="TSH-PAYLOAD-2048"):
        return self.tools.seal(reference or f"fuzz-{scheme.lower()}", CARDS[scheme]["pan"], key)

    def devices(self):
        make = lambda body: self.call("POST", "/wallet/apple/devices", body)["deviceId"]
        self.phone, self.second, self.spare = (make({"kind": "phone"}) for _ in range(3))
        self.watch = make({"kind": "watch", "pairedWith": self.phone})

    def session_body(self, scheme, application=APP, suffix=None):
        return {"paymentNetwork": CARDS[scheme]["passkit"], "cardholderName": "ANA PRUEBA", "application": application,
                "primaryAccountSuffix": suffix or CARDS[scheme]["pan"][-4:]}

    def session(self, device, scheme, **changes):
        return self.call("POST", f"/wallet/apple/devices/{device}/provisioning-sessions",
                         self.session_body(scheme, **changes)).json

    def generate_body(self, scheme, session, reference=None):
        reference = reference or f"fuzz-{scheme.lower()}"
        return {"scheme": scheme, "encryptedPayload": self.payload(scheme, reference),
                "authorizationCode": self.signed("authorization-code", reference),
                "certificateChain": session["certificates"], "nonce": session["nonce"],
                "nonceSignature": session["nonceSignature"]}

    def triple(self, scheme, session):
        return self.call("POST", f"/mg/tpc/{BANK}/generateAddPaymentPassRequest", self.generate_body(scheme, session)).json

    def passes(self):
        self.tokens, self.serials, self.open_sessions = {}, {}, {}
        for scheme in CARDS:
            session = self.session(self.phone, scheme)
            made = self.call("POST", f"/wallet/apple/provisioning-sessions/{session['sessionId']}/pass",
                             self.triple(scheme, session))
            self.tokens[scheme], self.serials[scheme] = made["tokenId"], made["pass"]["serialNumber"]
            # And one whose pass is still to come.
            session = self.session(self.second, scheme)
            self.open_sessions[scheme] = (session, self.triple(scheme, session))
        manual = self.call("POST", f"/wallet/apple/devices/{self.spare}/manual-entries", self.manual_body("VISA"))
        self.waiting_token, self.waiting_serial = manual["tokenId"], manual["pass"]["serialNumber"]
        self.call("POST", f"/wallet/apple/devices/{self.spare}/passes/{self.waiting_serial}/activation-code",
                  {"method": "SMS"})
        codes = self.call("GET", f"/v1/activation-codes?tokenId={self.waiting_token}", control=True)
        self.code = codes["items"][0]["code"]

    def manual_body(self, scheme):
        card = CARDS[scheme]
        return {"pan": card["pan"], "expiration": "12/30", "name": "ANA PRUEBA", "cvv": "1234" if scheme == "AMEX" else "123",
                "paymentNetwork": card["passkit"]}

    def configure_body(self):
        return {"deviceId": self.phone, "application": APP, "appGroupID": "group.com.demobank.app", "issuerId": BANK,
                "consumerId": "consumer-ana", "cardParamsList": [
                    {"cardId": "card-visa", "productTitle": "Visa", "cardArt": ART, "last4": "2718"},
                    {"cardId": "card-mastercard", "productTitle": "Mastercard", "cardArt": ART, "last4": "3146"}]}

    def bind_body(self):
        return {"deviceId": self.phone, "application": EXTENSION_UI, "context": "extension"}

    def login_body(self):
        """A login that may happen: a binding of its own, and a token about it."""
        bound = self.call("POST", "/d1/client/v1/binding-hash", self.bind_body())["bindingHash"]
        token = self.signed("issuer-token", "consumer-ana", f"cbp={bound}")
        return {"deviceId": self.phone, "application": EXTENSION_UI, "context": "extension", "issuerTokens": [token]}

    def entry_body(self):
        session = self.session(self.phone, "VISA", application=EXTENSION_UI, suffix="2718")
        return session, {"certificateChain": session["certificates"], "nonce": session["nonce"],
                         "nonceSignature": session["nonceSignature"]}

    def d1(self):
        self.call("POST", "/d1/client/v1/configure", self.configure_body())
        self.d1_session = self.call("POST", "/d1/client/v1/login", self.login_body())["sessionToken"]
        self.next_login = self.login_body()
        session, body = self.entry_body()
        triple = self.call("POST", "/d1/client/v1/pass-entries/card-visa/add-payment-pass-request", body, self.d1_session)
        self.d1_pass = self.call("POST", f"/wallet/apple/provisioning-sessions/{session['sessionId']}/pass", triple.json).json
        cards = self.call("GET", "/d1/client/v1/cards/card-visa/digital-cards", bearer=self.d1_session).json
        self.digital_card = cards["items"][0]["digitalCardId"]
        self.bearer = self.call("POST", "/authz/v1/oauth2/token", self.grant(), headers=[self.form])["access_token"]
        self.jwe = (ROOT / "scripts/fuzz-tools/card.jwe").read_text().strip()

    form = ("Content-Type", "application/x-www-form-urlencoded")

    def grant(self):
        assertion = self.signed("issuer-token", BANK, life=600)
        return f"grant_type=urn:ietf:params:oauth:grant-type:jwt-bearer&assertion={assertion}"
