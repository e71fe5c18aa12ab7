"""The corpus: at least one request for every operation of every face and of the control API."""

import base64
import json
import re

from sandbox import APP, BANK, CARDS, ROOT
from wire import ASIDE, CUT, MAIN, NOW_TEXT, PINNED, Corpus
from world import ART, EXTENSION, EXTENSION_UI

NEW_BANK = "FUZZBANK01"


def corpus_of(server, world):
    corpus = Corpus(server)
    export = world.call("GET", "/v1/export", control=True).json
    # The copy's first snapshot gets the same id, because it is drawn from the same seed.
    snapshot = world.call("POST", "/v1/snapshots", control=True)["id"]
    boundaries(corpus, export)
    tpc(corpus, world)
    wallet(corpus, world)
    d1_client(corpus, world)
    d1_issuer(corpus, world)
    control_reads(corpus, world)
    explain(corpus, world)
    control_changes(corpus, world)
    aside(corpus, world, export, snapshot)
    last(corpus, world)
    complete(corpus)
    return corpus, export


def boundaries(corpus, export):
    """The worlds as they were: one from its export, its copy made anew, and the one that requests without a tenant meet."""
    corpus.boundary("POST", "/v1/tenants", {"name": MAIN, "seed": 7})
    corpus.boundary("POST", "/v1/import", export, tenant=MAIN)
    corpus.boundary("PUT", "/v1/clock", {"mode": "frozen", "now": NOW_TEXT}, tenant=MAIN)
    corpus.boundary("DELETE", f"/v1/tenants/{ASIDE}")
    corpus.boundary("POST", f"/v1/tenants/{MAIN}/fork", {"as": ASIDE})
    corpus.boundary("POST", "/v1/tenants/default/reset")


def tpc(corpus, world):
    base = f"/mg/tpc/{BANK}/"
    for scheme, (session, _) in world.open_sessions.items():
        corpus.add("tpc", "POST", base + "generateAddPaymentPassRequest", world.generate_body(scheme, session), weight=30)
        corpus.add("tpc", "POST", base + "getTokens", {"scheme": scheme, "encryptedPayload": world.payload(scheme)}, weight=50)
    corpus.add("tpc", "POST", base + "getTokens", {
        "scheme": "VISA", "encryptedPayload": world.payload("VISA", key="TSH-PAYLOAD-4096")}, by_header=True, weight=20)
    activation = {"scheme": "VISA", "encryptedPayload": world.payload("VISA"), "nonce": world.open_sessions["VISA"][0]["nonce"],
                  "authorizationCode": world.signed("authorization-code", "fuzz-visa")}
    corpus.add("tpc", "POST", base + "activatePass", activation, weight=50)
    pan = {"deviceId": world.phone, "application": APP, "primaryAccountNumberSuffix": "1111"}
    corpus.add("tpc", "POST", base + "getCardDigitizationResult", pan)
    corpus.add("tpc", "POST", base + "isCardDigitized", pan, by_header=True)
    for name in ("getEligibleTokenRequestors", "schemePushProvision", "getTokenRequestorAsset", "addCard"):
        corpus.add("tpc", "POST", base + name, {"scheme": "VISA"}, weight=5)
    for action, scheme in (("Suspend", "VISA"), ("Resume", "VISA"), ("Suspend", "MASTERCARD")):
        token = world.tokens[scheme]
        corpus.add("tpc", "POST", base + "updateTokenState", {
            "tokenId": token, "tokenRequestorId": CARDS[scheme]["requestor"], "scheme": scheme, "action": action,
            "authorizationCode": world.signed("authorization-code", token, f"jti={action}-{scheme}")})


def wallet(corpus, world):
    base = "/wallet/apple/devices"
    waiting = f"{base}/{world.spare}/passes/{world.waiting_serial}"
    corpus.add("wallet", "GET", base)
    corpus.add("wallet", "POST", base, {"kind": "phone"})
    corpus.add("wallet", "POST", base, {"kind": "watch", "pairedWith": world.phone}, by_header=True)
    corpus.add("wallet", "GET", f"{base}/{world.phone}")
    corpus.add("wallet", "PATCH", f"{base}/{world.watch}", {"pairedWith": world.second})
    corpus.add("wallet", "POST", f"{base}/{world.watch}/lost-mode", {"on": True})
    corpus.add("wallet", "GET", f"{base}/{world.phone}/passes?application={APP}")
    for scheme, (session, triple) in world.open_sessions.items():
        corpus.add("wallet", "POST", f"{base}/{world.second}/provisioning-sessions", world.session_body(scheme), weight=30)
        corpus.add("wallet", "POST", f"/wallet/apple/provisioning-sessions/{session['sessionId']}/pass", triple)
        corpus.add("wallet", "POST", f"{base}/{world.second}/manual-entries", world.manual_body(scheme), weight=50)
    corpus.add("wallet", "GET", waiting + "/verification-url")
    corpus.add("wallet", "POST", waiting + "/activate", {"activationCode": world.code})
    corpus.add("wallet", "POST", waiting + "/activation-code", {"method": "SMS"})
    active = f"{base}/{world.phone}/passes/{world.serials['AMEX']}"
    corpus.add("wallet", "POST", active + "/suspend")
    corpus.add("wallet", "POST", active + "/resume")


def d1_client(corpus, world):
    bearer = [("Authorization", "Bearer " + world.d1_session)]
    base = "/d1/client/v1/"
    add = lambda method, path, body=None, **more: corpus.add("d1", method, base + path, body, **more)
    add("POST", "configure", world.configure_body())
    add("GET", f"extension-status?deviceId={world.phone}&application={EXTENSION}")
    add("POST", "binding-hash", world.bind_body())
    add("POST", "login", world.next_login)
    add("GET", "pass-entries", headers=bearer)
    add("GET", "remote-pass-entries", headers=bearer, by_header=True)
    _, entry = world.entry_body()
    add("POST", "pass-entries/card-visa/add-payment-pass-request", entry, headers=bearer, weight=50)
    add("GET", "cards/card-visa/digitization-state", headers=bearer)
    add("GET", "cards/card-visa/digital-cards", headers=bearer)
    add("POST", "cards/card-visa/activate", headers=bearer)
    for verb in ("suspend", "resume", "activate"):
        add("POST", f"digital-cards/{world.digital_card}/{verb}", headers=bearer)
    for image in sorted((ROOT / "fixtures/d1/card-art").glob("*.png")):
        text = base64.b64encode(image.read_bytes()).decode()
        if len(text) < 100_000:
            add("POST", "card-art/check", {"cardArt": text}, weight=30)
    add("POST", "card-art/check", {"cardArt": ART})
    corpus.add("d1", "GET", "/d1/openapi.json", weight=5)


def d1_issuer(corpus, world):
    bearer = [("Authorization", "Bearer " + world.bearer)]
    corpus.add("d1", "POST", "/authz/v1/oauth2/token", world.grant(), headers=[world.form])
    why = {"reason": "USER_DECISION"}
    for version in ("v1", "v2"):
        base = f"/banking/{version}/issuers/{BANK}/"
        mark = ":" if version == "v1" else "/"
        add = lambda method, path, body=None, **more: corpus.add("d1", method, base + path, body, headers=bearer, **more)
        person = {"firstName": "Ana", "lastName": "Prueba", "language": "es-MX"}
        add("PUT", f"consumers/fuzz-{version}", person)
        add("GET", f"consumers/fuzz-{version}", by_header=True)
        if version == "v1":
            add("PUT", "consumers/fuzz-v1/cards", {"cards": [{"cardId": "fuzz-card-v1", "encryptedData": world.jwe}]})
        else:
            add("PUT", "cards/fuzz-card-v2", {"consumerId": "fuzz-v2", "encryptedData": world.jwe})
            add("POST", "cards", {"cardId": "fuzz-card-v3", "consumerId": "fuzz-v2", "encryptedData": world.jwe})
        add("GET", "consumers/consumer-ana/cards")
        add("GET", "cards/card-visa")
        add("GET", "cards/card-visa/digitalCards")
        for verb in ("suspend", "resume"):
            add("POST", f"cards/card-mastercard/operations{mark}{verb}", why)
        add("POST", f"cards/card-amex/operations{mark}renew", {"reason": "USER_DECISION", "newExp": "1232", "exp": "1232"})
        add("POST", f"cards/card-discover/operations{mark}replace", {"reason": "CARD_LOST", "encryptedData": world.jwe})
        if version == "v1":
            for verb in ("suspend", "resume"):
                add("POST", f"digitalCards/{world.digital_card}/operations:{verb}", {"reasonCode": "USER_DECISION"})


def control_reads(corpus, world):
    for path in ("/healthz", "/readyz", "/metrics"):
        corpus.add("control", "GET", path, weight=20)
    card = "/v1/cards/card-visa?issuerId=" + BANK
    for path in ("/v1/version", "/v1/tenants", f"/v1/tenants/{MAIN}", "/v1/issuers", f"/v1/issuers/{BANK}",
                 f"/v1/issuers/{BANK}/pass-metadata/visa", f"/v1/applications/{APP}", "/v1/cards", card, "/v1/tokens",
                 f"/v1/tokens/{world.tokens['VISA']}", f"/v1/activation-codes?tokenId={world.waiting_token}",
                 "/v1/payload-certificates", "/v1/apple/root", "/v1/faults", "/v1/callbacks",
                 f"/v1/callbacks?tokenId={world.tokens['VISA']}", "/v1/clock", "/v1/scenarios", "/v1/snapshots"):
        corpus.add("control", "GET", path, weight=30)
    for path in ("/v1/openapi.json", "/openapi/tpc.json"):
        corpus.add("control", "GET", path, weight=5)
    for path in ("/v1/credentials", "/v1/credentials/none", "/v1/diagnoses/CMS_TRUNCATED", f"/v1/issuers/{BANK}/consumers",
                 f"/v1/issuers/{BANK}/consumers/consumer-ana", "/v1/tokens?limit=1", "/v1/cards?limit=1&after=none"):
        corpus.add("control", "GET", path, weight=30)
    corpus.add("control", "GET", "/v1/diagnoses", weight=5)
    corpus.add("control", "GET", "/v1/export", weight=10)
    filters = f"face=tpc&status=400&diagnosis=JSON_SYNTAX&since={NOW_TEXT}&limit=2"
    corpus.add("control", "GET", "/v1/journal?limit=2", weight=30)
    corpus.add("control", "GET", "/v1/journal?" + filters, weight=50)
    corpus.add("control", "GET", "/v1/journal/export?" + filters, weight=30)
    corpus.add("control", "GET", "/v1/journal/wait?count=1&timeout=0&operation=wallet.listDevices", flags=CUT, weight=30)


def explain(corpus, world):
    session, triple = world.open_sessions["VISA"]
    add = lambda kind, value, weight=20, **context: corpus.add(
        "control", "POST", "/v1/explain", {"kind": kind, "value": value, "context": {"issuerId": BANK, **context}},
        weight=weight)
    for path in sorted((ROOT / "fixtures/cms").glob("*.hex")):
        add("pkcs7", path.read_text().strip(), weight=8)
    add("jws", world.signed("authorization-code", "card-visa"), weight=80, use="authorizationCode", sub="card-visa")
    add("jws", world.signed("issuer-token", "consumer-ana"), weight=80, use="issuerToken", sub="consumer-ana")
    add("jwe", world.jwe, weight=80)
    add("pass", triple, weight=80, sessionId=session["sessionId"])
    tav = world.tools.sign("tav", "--pan", CARDS["MASTERCARD"]["pan"], "--exp", "1230",
                     "--valid-until", "2030-01-01T00:20:00Z")
    add("activation-data", tav, weight=80, network="mastercard", pan=CARDS["MASTERCARD"]["pan"], exp="1230")
    add("activation-data", triple.get("activationData", ""), weight=80, network="visa", nonce=session["nonce"])


def control_changes(corpus, world):
    pem = (ROOT / "keys/issuers" / BANK / "authorization.pub.pem").read_text()
    p256 = (ROOT / "keys/issuers" / BANK / "d1.pub.pem").read_text()
    certificate = (ROOT / "keys/tsh/payload-2048.cert.pem").read_text()
    keys = [{"use": "authorizationCode", "kid": "fuzz-1", "pem": pem}, {"use": "d1Assertion", "kid": "fuzz-2", "pem": p256},
            {"use": "authorizationCode", "kid": "fuzz-3", "certificate": certificate}]
    add = lambda method, path, body=None, **more: corpus.add("control", method, path, body, **more)
    # A new issuer gets an RSA key, which is most of a second of work.
    add("POST", "/v1/issuers", {"issuerId": NEW_BANK, "name": "Fuzz Bank", "keys": keys, "accountRanges": ["400002"],
                                "policies": {"binding": "off"}}, weight=5)
    add("PUT", f"/v1/issuers/{NEW_BANK}", {"name": "Fuzz", "accountRanges": [{"low": "400000", "high": "400009"}]}, weight=5)
    metadata = {"contactName": "My Bank", "bank_app": "My Bank", "appLaunchURL": "mybank://verify",
                "associatedStoreIdentifiers": ["1234567890"], "associatedApplicationIdentifiers": [APP]}
    add("PUT", f"/v1/issuers/{NEW_BANK}/pass-metadata/visa", metadata)
    add("POST", f"/v1/issuers/{NEW_BANK}/pass-metadata/visa/apply", {})
    add("PUT", "/v1/applications/A1B2C3D4E5.com.fuzz.app", {"issuerId": NEW_BANK, "kind": "app", "entitled": True})
    add("PATCH", "/v1/applications/A1B2C3D4E5.com.fuzz.app", {"entitled": False, "urlScheme": None})
    add("DELETE", "/v1/applications/A1B2C3D4E5.com.fuzz.app")
    add("PUT", f"/v1/issuers/{BANK}/consumers/fuzz-put", {"state": "inactive"})
    add("DELETE", f"/v1/issuers/{BANK}/consumers/fuzz-put")
    add("POST", "/v1/credentials", {"network": "visa", "role": "requestor", "name": "Fuzz"})
    add("DELETE", "/v1/credentials/none")
    for what, subject in (("authorization-code", "card-visa"), ("issuer-token", "consumer-ana"), ("d1-assertion", BANK)):
        add("POST", f"/v1/sign/{what}", {"issuerId": BANK, "sub": subject, "ttl": 60, "claims": {"x": 1}}, weight=10)
    add("POST", "/v1/sign/tav", {"issuerId": BANK, "pan": CARDS["MASTERCARD"]["pan"], "exp": "1230"}, weight=10)
    add("POST", "/v1/seal", {"card": {"issuerCardRefId": "fuzz", "fpan": "4242424242424242", "exp": "1230"}}, weight=20)
    add("POST", "/v1/cards", {"issuerId": BANK, "issuerCardRefId": "fuzz-made", "pan": "4242424242424242", "exp": "1230",
                              "cardHolderName": "ANA PRUEBA"})
    for event in ({"event": "block"}, {"event": "unblock"}, {"event": "renew", "exp": "1232"}):
        add("POST", "/v1/cards/fuzz-made/events", event)
    add("POST", "/v1/tokens", {"issuerCardRefId": "card-discover", "issuerId": BANK, "deviceId": world.second,
                               "state": "active", "tokenId": "fuzz-token"})
    for event in ({"event": "suspend", "by": "issuer", "reason": "lost"}, {"event": "resume", "by": "issuer"}):
        add("POST", "/v1/tokens/fuzz-token/events", event)


def aside(corpus, world, export, snapshot):
    """What would bend the other requests' world: time, faults, settings, whole worlds. It has a tenant of its own."""
    def add(method, path, body=None, weight=30, **more):
        corpus.add("control", method, path, body, tenant=ASIDE, flags=PINNED, weight=weight, **more)

    add("POST", "/v1/snapshots", weight=5)
    effects = [
        {"delay": {"fixedMs": 5}}, {"delay": {"uniformMs": [1, 9]}}, {"delay": {"lognormal": {"medianMs": 2, "sigma": 0.6}}},
        {"respond": {"status": 418, "headers": {"x-tea": "pot"}, "body": {"a": 1}}}, {"networkError": "UNAVAILABLE"},
        {"decision": "yellow", "reason": "fuzz"}, {"connection": "reset"}, {"dribble": {"bytes": 1, "everyMs": 200}},
        {"corrupt": "signature"}, {"commitThen": {"connection": "close"}}, {"callback": "drop"},
    ]
    for number, effect in enumerate(effects):
        match = {"face": "wallet", "method": "POST", "path": "/wallet/**", "headers": {"x-test": "a*"}, "attempt": 1,
                 "tokenId": "none", "cardLast4": "1111", "issuerId": BANK}
        if "callback" in effect:
            match = {"direction": "callback", "tokenId": "none"}
        if "networkError" in effect or "corrupt" in effect or "decision" in effect:
            match = {"face": "wallet", "tokenId": "none"}
        add("POST", "/v1/faults", {"id": f"rule-{number}", "match": match, "effect": effect,
                                   "trigger": {"skip": 1, "times": 2, "probability": 0.5, "ttlSeconds": 60}})
    add("GET", "/v1/faults/rule-0")
    add("DELETE", "/v1/faults/rule-0")
    add("DELETE", "/v1/faults")
    add("PUT", "/v1/clock", {"mode": "frozen", "now": NOW_TEXT})
    add("POST", "/v1/clock/advance", {"seconds": 1.5})
    add("PATCH", f"/v1/tenants/{ASIDE}", {"strictness": "lenient", "magicData": True, "walletPropagationMs": 0, "seed": 9,
                                          "diagnosisHeader": True})
    add("POST", "/v1/tenants", {"name": "fz-more", "seed": 7}, weight=5)
    add("POST", f"/v1/tenants/{ASIDE}/fork", {"as": "fz-fork"}, weight=5)
    add("DELETE", "/v1/tenants/fz-more", weight=10)
    add("POST", "/v1/payload-keys/rotate", {"bits": 2048}, weight=1)
    add("DELETE", "/v1/payload-keys/TSH-PAYLOAD-2048", weight=1)
    tokens = f"/v1/tenants/{ASIDE}/tokens"
    add("POST", tokens, {"access": "read"}, weight=5)
    add("GET", tokens)
    add("GET", tokens + "/tok-none", weight=10)
    add("DELETE", tokens + "/tok-none", weight=10)
    add("POST", "/v1/import", export, weight=40)
    small = dict(export, records=[r for r in export["records"] if r["kind"] in ("tenant", "device", "issuer")], numbers=[])
    add("POST", "/v1/import", small, weight=10)
    add("POST", f"/v1/snapshots/{snapshot}/restore", weight=5)
    add("DELETE", f"/v1/snapshots/{snapshot}", weight=5)
    add("POST", f"/v1/tenants/{ASIDE}/reset", weight=5)
    add("DELETE", "/v1/journal", weight=5)
    add("GET", "/v1/journal/none", weight=10)
    add("POST", "/v1/callbacks/none/redeliver", weight=10)


def last(corpus, world):
    """What ends the things that the requests before are about."""
    bearer = [("Authorization", "Bearer " + world.bearer)]
    session = [("Authorization", "Bearer " + world.d1_session)]
    add = lambda face, method, path, body=None, **more: corpus.add(face, method, path, body, weight=1, **more)
    add("d1", "POST", f"/d1/client/v1/digital-cards/{world.digital_card}/delete", headers=session)
    issuer = f"/issuers/{BANK}/"
    add("d1", "POST", f"/banking/v1{issuer}digitalCards/{world.digital_card}/operations:delete", {"reasonCode": "USER_DECISION"},
        headers=bearer)
    add("d1", "POST", f"/banking/v1{issuer}cards/card-amex/operations:delete", {"reason": "USER_DECISION"}, headers=bearer)
    add("d1", "POST", f"/banking/v2{issuer}cards/card-discover/operations/delete", {"reason": "USER_DECISION"}, headers=bearer)
    add("d1", "DELETE", f"/banking/v1{issuer}consumers/fuzz-v1", headers=bearer)
    add("d1", "DELETE", f"/banking/v2{issuer}consumers/consumer-beto", headers=bearer)
    add("d1", "POST", "/d1/client/v1/logout", {"deviceId": world.phone, "application": EXTENSION_UI}, headers=session)
    add("wallet", "DELETE", f"/wallet/apple/devices/{world.phone}/passes/{world.serials['DISCOVER']}")
    add("wallet", "DELETE", f"/wallet/apple/devices/{world.watch}")
    add("control", "POST", "/v1/tokens/fuzz-token/events", {"event": "delete", "by": "issuer"})
    add("control", "POST", "/v1/cards/fuzz-made/events", {"event": "close"})
    add("control", "DELETE", f"/v1/issuers/{NEW_BANK}")


def complete(corpus):
    """Every operation of the documents has a request."""
    missing = []
    for face in ("tpc", "wallet", "d1", "control"):
        document = json.loads((ROOT / f"Docs/openapi/{face}.json").read_text())
        for template, item in document["paths"].items():
            pattern = re.compile(re.sub(r"\\{[^/]*?\\}", "[^/]+", re.escape(template)))
            for method in item:
                if method != "parameters" and not any(
                    face == f and method.upper() == m and pattern.fullmatch(p) for f, m, p in corpus.operations
                ):
                    missing.append(f"{method.upper()} {template}")
    if missing:
        raise SystemExit("fuzz: the corpus has no request for " + ", ".join(missing))
