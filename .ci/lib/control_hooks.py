"""What schemathesis is told about the control API beyond its document."""

import datetime
import json
import os
import pathlib
import re
from collections.abc import Mapping

import requests
import schemathesis
from hypothesis import strategies as st

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
TENANT = re.compile(r"[a-z0-9][a-z0-9-]{0,62}")
LARGEST = 2**53
LONGEST_WAIT = 0.05


def keys(pattern):
    return st.sampled_from([path.read_text() for path in sorted(ROOT.glob(f"keys/{pattern}"))])


def times():
    """RFC 3339 in whole seconds of UTC, 1970 to 9999."""
    first, last = datetime.datetime(1970, 1, 2), datetime.datetime(9999, 12, 30)
    return st.datetimes(first, last).map(lambda time: time.strftime("%Y-%m-%dT%H:%M:%SZ"))


# Texts that no regular expression describes: numbers with a check digit, keys, days of the calendar.
TEST_PANS = json.loads((ROOT / "fixtures" / "test-pans.json").read_text())["numbers"]
schemathesis.openapi.format("test-pan", st.sampled_from(TEST_PANS))
schemathesis.openapi.format("rsa-public-key-pem", keys("issuers/*/authorization.pub.pem"))
schemathesis.openapi.format("p256-public-key-pem", keys("issuers/*/d1.pub.pem"))
schemathesis.openapi.format("rsa-key-pem", keys("issuers/*/tav.*.pem"))
schemathesis.openapi.format("certificate-pem", keys("tsh/*.cert.pem"))
schemathesis.openapi.format("date-time", times())
schemathesis.openapi.format("journal-time", times() | st.just("0") | st.just("now"))

# What a request that fits the document may be refused for all the same, because JSON Schema cannot say it: code and
# pointer, by operation. The status of these operations is allowed in schemathesis.toml.
BEYOND_SCHEMA = {
    # Whether a text is a key, of the right kind, and held as a pair; names that are used twice; two numbers of one length,
    # in order.
    "control.createIssuer": [
        ("KEY_(INVALID|ID_TAKEN)", "/.*"), ("FIELD_INVALID", r"/accountRanges/\d+"),
        ("FIELD_INVALID", r"/networkKeys/mastercard/tav/\d+/signs"),
    ],
    "control.putIssuer": [
        ("KEY_(INVALID|ID_TAKEN)", "/.*"), ("FIELD_INVALID", r"/accountRanges/\d+"),
        ("FIELD_INVALID", r"/networkKeys/mastercard/tav/\d+/signs"),
        # Two texts that must be the same.
        ("FIELD_INVALID", "/issuerId"),
    ],
    # Conditions that no operation fulfils together; two numbers in order; a body where the status has none.
    "control.createFault": [
        ("FAULT_RULE_NEVER_MATCHES", "/.*"), ("FAULT_RULE_VALUE", "/effect/(commitThen/)?delay/uniformMs"),
        ("FAULT_RULE_VALUE", "/effect/(commitThen/)?respond/body"),
    ],
    # The card's network is known to the server only.
    "control.createToken": [("FIELD_INVALID", "/network")],
    # So is the issuer, and whether the token says what it is.
    "control.explain": [
        ("FIELD_INVALID", "/context/issuerId"), ("FIELD_MISSING", "/context/[a-zA-Z]+"),
        ("EXPLAIN_KEY_UNKNOWN", "/context/keyId"),
    ],
    # Words that the server knows only: faces, operations and codes; networks with credentials; keys of the tenant; a private key
    # that is held, of a card that may be charged.
    "control.listJournal": [("JOURNAL_FILTER_VALUE", "")],
    "control.exportJournal": [("JOURNAL_FILTER_VALUE", "")],
    "control.waitForJournal": [("JOURNAL_FILTER_VALUE", "")],
    "control.createCredential": [("CREDENTIAL_NETWORK_UNKNOWN", "/network")],
    "control.seal": [("FIELD_INVALID", "/keyId")],
    # The 31st of February, and a time zone beyond the year 9999.
    "control.setClock": [("FIELD_INVALID", "/now")],
    "control.advanceClock": [("FIELD_INVALID", "/seconds")],
    "control.importWorld": [("WORLD_[A-Z_]+", "/.*")],
    # Whether digits are a test number, and of the card's network.
    "control.createCard": [("(PAN|CARD)_[A-Z_]+", "/pan")],
    # Of its issuer, query and body must say the same.
    "control.cardEvent": [("(PAN|CARD|NETWORK)_[A-Z_]+", "/pan"), ("FIELD_INVALID", "/issuerId")],
}


def within(value):
    """The value with numbers as JSON keeps them: a larger one is refused wherever it stands (RFC 7493, section 2.2). Of one
    that is written with a fraction or an exponent, 2^53 itself may stand for its neighbour, and is refused, too."""
    if isinstance(value, bool):
        return value
    if isinstance(value, int):
        return max(-LARGEST, min(LARGEST, value))
    if isinstance(value, float) and abs(value) >= LARGEST:
        return float(LARGEST - 1) if value > 0 else -float(LARGEST - 1)
    if isinstance(value, list):
        return [within(item) for item in value]
    if isinstance(value, dict):
        return {name: within(item) for name, item in value.items()}
    return value


def token(body):
    """A body that makes a token: a card of the fixtures, and a device, which is made on the other port."""
    device = requests.post(os.environ["SANDBOX_API"] + "/wallet/apple/devices", json={"kind": "phone"}, timeout=60)
    kept = {name: value for name, value in body.items() if name not in ("issuerId", "network")}
    return {**kept, "issuerCardRefId": "card-visa", "deviceId": device.json()["deviceId"]}


@schemathesis.hook
def before_call(context, case, kwargs):
    # A long poll of up to a minute would be most of the run; what is invalid is sent as it is.
    if case.operation.path == "/v1/journal/wait":
        query = dict(case.query) if isinstance(case.query, Mapping) else {}
        try:
            timeout = float(query.get("timeout", 30))
        except (TypeError, ValueError):
            timeout = -1
        if 0 <= timeout <= 60:
            case.query = {**query, "timeout": round(min(timeout, LONGEST_WAIT), 3)}
    # Each valid name would make one more world, and linked calls would not meet in one.
    if case.headers and TENANT.fullmatch(str(case.headers.get("X-Sandbox-Tenant", ""))):
        del case.headers["X-Sandbox-Tenant"]
    if case.meta is not None and case.meta.generation.mode.is_positive:
        body = within(case.body)
        # A key of 4,096 bits takes seconds to make.
        if case.operation.path == "/v1/payload-keys/rotate" and isinstance(body, dict) and body.get("bits") == 4096:
            body = {**body, "bits": 2048}
        if case.operation.path == "/v1/tokens" and isinstance(body, dict):
            body = token(body)
        if body != case.body:
            case.body = body


@schemathesis.check
def the_right_token_is_taken(ctx, response, case):
    """401 is for another token than the server's, or none: the tool makes some up, in requests that are right otherwise."""
    if response.status_code == 401:
        sent = response.request.headers.get("Authorization", "")
        sent = sent if isinstance(sent, str) else ", ".join(sent)
        assert sent != f"Bearer {os.environ['CONTROL_TOKEN']}", "the server refuses its own token"


@schemathesis.check
def refused_only_beyond_the_schema(ctx, response, case):
    """A request that fits the document is refused as malformed only for what no schema can say."""
    if response.status_code != 400 or case.meta is None or not case.meta.generation.mode.is_positive:
        return
    operation = case.operation.definition.raw.get("operationId", "")
    problem = response.json()
    code, pointer = problem.get("code", ""), problem.get("pointer", "")
    allowed = BEYOND_SCHEMA.get(operation, [])
    assert any(re.fullmatch(c, code) and re.fullmatch(p, pointer) for c, p in allowed), (
        f"{operation} refuses a request that fits the document: {code} at {pointer!r}"
    )
