"""The sections of .ci/acceptance."""

import base64
import json
import os
import sqlite3
import tempfile

import broken
import issuer
from issuer import APPLICATION, ISSUER, b64

from sandbox import APP, BANK, CARDS, WALLET
from sandbox.checks import Checks
from sandbox.server import Server
from sandbox.tools import Tools

TPC = f"/mg/tpc/{ISSUER}/"
DIRECT_KEYS = {
    "visa": {"keySetId": "909090.1", "key": os.urandom(16).hex()},
    "amex": {"key": os.urandom(32).hex()},
    "discover": {"key": os.urandom(32).hex()},
}
TAV_KEY = "keys/issuers/DEMOBANK01/tav.key.pem"


class Sandbox:
    """A server with an issuer of its own, and the steps of push provisioning."""

    def __init__(self, server):
        self.server = server
        items = server.control("GET", "/v1/payload-certificates")["items"]
        self.certificates = {item["keyId"]: item["certificate"] for item in items}
        self.issuer = issuer.Issuer(self.certificates["TSH-PAYLOAD-2048"])

    def set_up(self):
        """The issuer with its public key, network keys, metadata and application; gives the statuses."""
        with open(TAV_KEY.replace(".key", ".pub"), encoding="ascii") as file:
            keys = {**DIRECT_KEYS, "mastercard": {"tav": [{"pem": file.read()}]}}
        document = {
            "name": "Acceptance",
            "keys": [{"use": "authorizationCode", "kid": "accept-1", "pem": self.issuer.public_pem}],
            "networkKeys": keys,
        }
        metadata = {"contactName": "Acceptance", "associatedApplicationIdentifiers": [APPLICATION]}
        put = lambda path, body: self.server.control("PUT", path, body).status
        statuses = [put(f"/v1/issuers/{ISSUER}", document)]
        for scheme in CARDS:
            statuses.append(put(f"/v1/issuers/{ISSUER}/pass-metadata/{scheme.lower()}", metadata))
        return statuses + [put(f"/v1/applications/{APPLICATION}", {"issuerId": ISSUER, "entitled": True})]

    def device(self, kind="phone"):
        return self.server.api("POST", WALLET + "/devices", {"kind": kind})["deviceId"]

    def session(self, device, scheme, **changes):
        body = {
            "paymentNetwork": CARDS[scheme]["passkit"],
            "cardholderName": "ANA PRUEBA",
            "primaryAccountSuffix": CARDS[scheme]["pan"][-4:],
            "application": APPLICATION,
        }
        body.update(changes)
        body = {name: value for name, value in body.items() if value is not None}
        return self.server.api("POST", f"{WALLET}/devices/{device}/provisioning-sessions", body)

    def request(self, session, scheme, payload, code, **changes):
        """The body of generateAddPaymentPassRequest; None removes a member."""
        body = {
            "scheme": scheme,
            "encryptedPayload": payload,
            "authorizationCode": code,
            "certificateChain": session["certificates"],
            "nonce": session["nonce"],
            "nonceSignature": session["nonceSignature"],
        }
        body.update(changes)
        return {name: value for name, value in body.items() if value is not None}

    def generate(self, body, issuer_id=ISSUER):
        return self.server.api("POST", f"/mg/tpc/{issuer_id}/generateAddPaymentPassRequest", body)

    def create_pass(self, session, triple):
        return self.server.api("POST", f"{WALLET}/provisioning-sessions/{session['sessionId']}/pass", triple)

    def provision(self, scheme, payload, code, device=None):
        """The main job from a new device to the pass; gives the wallet's answer, or TSH's refusal."""
        session = self.session(device or self.device(), scheme)
        triple = self.generate(self.request(session, scheme, payload, code))
        return self.create_pass(session, triple.json) if triple.status == 200 else triple

    def manual_entry(self, device, scheme, **changes):
        body = {
            "pan": CARDS[scheme]["pan"],
            "expiration": "12/30",
            "name": "ANA PRUEBA",
            "cvv": "1234" if scheme == "AMEX" else "123",
            "paymentNetwork": CARDS[scheme]["passkit"],
        }
        body.update(changes)
        return self.server.api("POST", f"{WALLET}/devices/{device}/manual-entries", body)

    def update(self, scheme, token, action, **changes):
        body = {
            "tokenId": token,
            "tokenRequestorId": CARDS[scheme]["requestor"],
            "scheme": scheme,
            "authorizationCode": self.issuer.pyjwt(token),
            "action": action,
        }
        body.update(changes)
        return self.server.api("POST", TPC + "updateTokenState", body)

    def token_state(self, token):
        return self.server.control("GET", f"/v1/tokens/{token}")["state"]


def is_active(sandbox, reply):
    if reply.status != 201 or reply["decision"] != "green":
        return False
    state = reply["pass"]["secureElementPass"]["passActivationState"]
    return state == "activated" and sandbox.token_state(reply["tokenId"]) == "active"


def payloads(sandbox, check):
    maker = sandbox.issuer
    ways = {
        "openssl cms, DER": lambda card: maker.openssl(card, "-keyid"),
        "openssl cms, DER, issuer and serial number": lambda card: maker.openssl(card),
        "openssl cms, BER (-stream)": lambda card: maker.openssl(card, "-keyid", "-stream"),
        "Python cryptography, DER": lambda card: maker.cryptography(card),
        "Python cryptography, BER with indefinite lengths": lambda card: maker.cryptography(card, ber=True),
    }
    check.section("Payloads, codes by PyJWT")
    for scheme in CARDS:
        for name, make in ways.items():
            card = issuer.card(scheme)
            reply = sandbox.provision(scheme, make(card), maker.pyjwt(card["issuerCardRefId"]))
            check(f"{scheme}: {name}", is_active(sandbox, reply), reply)
    large = issuer.Issuer(sandbox.certificates["TSH-PAYLOAD-4096"])
    card = issuer.card("VISA")
    reply = sandbox.provision("VISA", large.cryptography(card), maker.pyjwt(card["issuerCardRefId"]))
    check("VISA: RSA-4096", is_active(sandbox, reply), reply)

    check.section("Codes by jwcrypto")
    for scheme in CARDS:
        card = issuer.card(scheme)
        code = maker.jwcrypto(card["issuerCardRefId"], jti=os.urandom(8).hex())
        reply = sandbox.provision(scheme, maker.cryptography(card), code)
        check(f"{scheme}: a token with jti", is_active(sandbox, reply), reply)


def activation_data(scheme, session):
    pan, nonce = CARDS[scheme]["pan"], base64.b64decode(session["nonce"])
    if scheme == "VISA":
        return issuer.mbpac(nonce, DIRECT_KEYS["visa"]["keySetId"], DIRECT_KEYS["visa"]["key"])
    if scheme == "MASTERCARD":
        with open(TAV_KEY, "rb") as file:
            return issuer.tav(pan, "1230", file.read())
    return issuer.mac(pan, nonce, DIRECT_KEYS[scheme.lower()]["key"])


def direct_passkit(sandbox, check):
    check.section("Direct PassKit: encryptedPassData, ephemeralPublicKey and activationData made in Python")
    for scheme in CARDS:
        session = sandbox.session(sandbox.device(), scheme)
        triple = issuer.pass_data(session, CARDS[scheme]["pan"])
        triple["activationData"] = activation_data(scheme, session)
        reply = sandbox.create_pass(session, triple)
        check(f"{scheme}: a token, active", is_active(sandbox, reply), reply)
        session = sandbox.session(sandbox.device(), scheme)
        triple = issuer.pass_data(session, CARDS[scheme]["pan"])
        triple["activationData"] = b64(b"not activation data")
        reply = sandbox.create_pass(session, triple)
        check(f"{scheme}: wrong activation data is refused", reply.status == 422, reply)


def life(sandbox, check):
    check.section("Yellow, and the life of a token")
    for scheme in CARDS:
        device = sandbox.device()
        made = sandbox.manual_entry(device, scheme)
        token = made["tokenId"]
        check(f"{scheme}: manual entry is yellow", made["decision"] == "yellow", made)
        for action, wanted in [("Activate", "ACTIVE"), ("Suspend", "SUSPENDED"), ("Resume", "ACTIVE"), ("Delete", "DELETED")]:
            reply = sandbox.update(scheme, token, action)
            check(f"{scheme}: {action}", reply.status == 200 and reply["state"] == wanted, reply)
        again = sandbox.manual_entry(device, scheme)
        check(f"{scheme}: added again", again.status == 201 and again["tokenId"] != token, again)
        sandbox.update(scheme, again["tokenId"], "Delete")
        reference = issuer.card(scheme)["issuerCardRefId"]
        event = lambda name: sandbox.server.control("POST", f"/v1/cards/{reference}/events", {"event": name})
        event("block")
        red = sandbox.manual_entry(sandbox.device(), scheme)
        check(f"{scheme}: a blocked card is red", red.status == 422 and red.codes[:1] == ["CARD_BLOCKED"], red)
        event("unblock")


def broken_requests(sandbox, check):
    check.section("Broken requests: each its own code, none a 5xx")
    seen = {}
    for name, reply, code in broken.requests_of(sandbox):
        problem = None
        if not 400 <= reply.status < 500:
            problem = "no 4xx"
        elif reply.codes[:1] != [code]:
            problem = f"wanted {code}"
        elif code in seen:
            problem = f"the same code as: {seen[code]}"
        seen[code] = name
        check(f"{name}: {code}", problem is None, f"{problem}; {reply}")
    check(f"{len(seen)} different codes, thirty are wanted", len(seen) >= 30)


def restart(sandbox, check):
    check.section("kill -9 between two calls")
    server, scheme = sandbox.server, "MASTERCARD"
    device = sandbox.device()
    token = sandbox.manual_entry(device, scheme)["tokenId"]
    server.restart_after_kill()
    check("a token that was answered is there, inactive", sandbox.token_state(token) == "inactive")
    for action, wanted in [("Activate", "active"), ("Suspend", "suspended"), ("Delete", "deleted")]:
        answered = sandbox.update(scheme, token, action)
        server.restart_after_kill()
        state = sandbox.token_state(token)
        check(f"{action} was answered, the token is {wanted}", answered.status == 200 and state == wanted, state)
    session = sandbox.session(device, "VISA")
    card = issuer.card("VISA")
    code = sandbox.issuer.pyjwt(card["issuerCardRefId"], jti="kill-nine")
    body = sandbox.request(session, "VISA", sandbox.issuer.openssl(card, "-keyid"), code)
    triple = sandbox.generate(body)
    server.restart_after_kill()
    made = sandbox.create_pass(session, triple.json)
    check("a session goes on", is_active(sandbox, made), made)
    server.restart_after_kill()
    again = sandbox.create_pass(session, triple.json)
    check("a used session stays used", again.status == 409 and again["tokenId"] == made["tokenId"], again)
    replay = sandbox.generate(body)
    check("a spent jti stays spent", replay.codes[:1] == ["JWT_JTI_REPLAYED"], replay)


def pipeline(sandbox, check, binary):
    check.section("seal and sign in a pipeline, demo issuer")
    server = sandbox.server
    tools = Tools(binary)
    cards = server.control("GET", "/v1/cards")["items"]
    with open("fixtures/tenants/default.json", encoding="utf-8") as file:
        numbers = {card["issuerCardRefId"]: card for card in json.load(file)["cards"]}
    for scheme in CARDS:
        reference = "card-" + scheme.lower()
        known = numbers[reference]
        key = "TSH-PAYLOAD-4096" if scheme == "AMEX" else "TSH-PAYLOAD-2048"
        payload = tools.seal(reference, known["pan"], key, known["exp"], known["cardHolderName"])
        code = tools.authorization_code(reference)
        session = sandbox.session(
            sandbox.device(), scheme, primaryAccountSuffix=known["pan"][-4:], application=APP
        )
        triple = sandbox.generate(sandbox.request(session, scheme, payload, code), BANK)
        reply = sandbox.create_pass(session, triple.json)
        check(f"{scheme}: an active token", is_active(sandbox, reply), reply)
    check("the fixtures' cards are listed, masked", all("pan" not in card for card in cards) and cards)
    session = sandbox.session(sandbox.device(), "MASTERCARD")
    triple = issuer.pass_data(session, CARDS["MASTERCARD"]["pan"])
    triple["activationData"] = tools.sign("tav", "--pan", CARDS["MASTERCARD"]["pan"], "--exp", "1230")
    reply = sandbox.create_pass(session, triple)
    check("sign tav: taken from an issuer that registered this key", is_active(sandbox, reply), reply)


def forms(pan):
    """A card number as it could hide: digits, hexadecimal of them, base64 in its three alignments."""
    found = {"digits": pan, "hexadecimal": pan.encode().hex()}
    for shift in range(3):
        text = b64(b"x" * shift + pan.encode())
        found[f"base64, {shift}"] = text[[0, 2, 3][shift] : len(text) - 4]
    return found


def journal(sandbox):
    return sandbox.server.control("GET", "/v1/journal?limit=1000").text


def leaks(sandbox, check, database, entries):
    """`entries` is the journal from before the restarts, which empty it."""
    check.section("Card numbers stand in the vault table only")
    pans = [card["pan"] for card in CARDS.values()]
    entries += journal(sandbox)
    with open(sandbox.server.log, encoding="utf-8") as file:
        log = file.read()
    control = "".join(
        sandbox.server.control("GET", path).text
        for path in ("/v1/cards", "/v1/tokens", "/v1/issuers", "/v1/activation-codes")
    )
    code = sandbox.server.stop()
    check("SIGTERM: exit code 0", code == 0, code)
    lines = [line for line in log.splitlines() if line]
    check("the log is JSON lines", lines and all(is_json(line) for line in lines), lines[:1])
    for name, text in [("journal", entries), ("log", log), ("control API", control)]:
        hits = [f"{pan[:6]}… as {form}" for pan in pans for form, value in forms(pan).items() if value in text]
        check(f"{name} ({len(text)} characters)", text and not hits, hits)
    connection = sqlite3.connect(database)
    tables = [row[0] for row in connection.execute("SELECT name FROM sqlite_master WHERE type = 'table'")]
    for table in tables:
        cells = [value for row in connection.execute(f'SELECT * FROM "{table}"') for value in row]
        text = "\n".join(v.decode("latin-1") if isinstance(v, bytes) else str(v) for v in cells)
        hits = [f"{pan[:6]}… as {form}" for pan in pans for form, value in forms(pan).items() if value in text]
        if table == "vault":
            check("table vault has the four", all(pan in text for pan in pans))
        else:
            check(f"table {table} ({len(cells)} cells)", not hits, hits)


def is_json(line):
    try:
        return isinstance(json.loads(line), dict)
    except ValueError:
        return False


def main(binary):
    check = Checks()
    with tempfile.TemporaryDirectory() as folder:
        database = os.path.join(folder, "sandbox.db")
        with Server(binary, "--log-level", "debug", store=database, log=os.path.join(folder, "log")) as server:
            sandbox = Sandbox(server)
            check.section("Setting up")
            statuses = sandbox.set_up()
            check("issuer, metadata, application", all(status in (200, 201) for status in statuses), statuses)
            payloads(sandbox, check)
            direct_passkit(sandbox, check)
            life(sandbox, check)
            broken_requests(sandbox, check)
            pipeline(sandbox, check, binary)
            entries = journal(sandbox)
            restart(sandbox, check)
            leaks(sandbox, check, database, entries)
    return check.finish()
