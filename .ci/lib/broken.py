"""Broken requests, each wrong in one way, with the diagnosis code that must come first."""

import base64
import hashlib
import hmac
import json
import time

import issuer
from issuer import ISSUER, b64

from sandbox import CARDS

TPC = f"/mg/tpc/{ISSUER}/"


def requests_of(sandbox):
    """Yields (what is wrong, the reply, the code)."""
    yield from documents(sandbox)
    yield from payload_forms(sandbox)
    yield from cards(sandbox)
    yield from codes(sandbox)
    yield from chains(sandbox)
    yield from tokens(sandbox)
    yield from wallet(sandbox)
    yield from control(sandbox)


def generate(sandbox, card=None, payload=None, code=None, scheme="VISA", issuer_id=ISSUER, **changes):
    """A right generateAddPaymentPassRequest but for what is named."""
    maker, card = sandbox.issuer, card if card is not None else issuer.card(scheme)
    payload = payload if payload is not None else maker.cryptography(card)
    code = code if code is not None else maker.pyjwt(issuer.card("VISA")["issuerCardRefId"])
    session = sandbox.session(sandbox.device(), "VISA")
    return sandbox.generate(sandbox.request(session, scheme, payload, code, **changes), issuer_id)


def documents(sandbox):
    post = lambda raw, path="generateAddPaymentPassRequest", **o: sandbox.server.api("POST", TPC + path, raw=raw, **o)
    yield "a body that is not JSON", post(b"scheme=VISA"), "JSON_SYNTAX"
    yield "half a body", post(b'{"scheme": "VISA"'), "JSON_TRUNCATED"
    yield "a member twice", post(b'{"scheme": "VISA", "scheme": "AMEX"}'), "JSON_DUPLICATE_KEY"
    yield "a trailing comma", post(b'{"scheme": "VISA",}'), "JSON_TRAILING_COMMA"
    yield "a list for a body", post(b"[]"), "BODY_NOT_OBJECT"
    yield "an unknown operation", post(b"{}", "generateAddPaymentPass"), "PATH_UNKNOWN"
    yield "a trailing slash", post(b"{}", "getTokens/"), "TRAILING_SLASH"
    yield "GET", sandbox.server.api("GET", TPC + "getTokens"), "METHOD_NOT_ALLOWED"
    yield "a body of 2 MiB", post(b'"' + b"a" * (2 << 20) + b'"'), "BODY_TOO_LARGE"
    yield "a tenant name with a blank", post(b"{}", headers={"x-sandbox-tenant": "my tenant"}), "TENANT_NAME_INVALID"
    yield "an unknown issuer", generate(sandbox, issuer_id="NOBANK0000"), "ISSUER_UNKNOWN"
    yield "PassKit's spelling of the scheme", sandbox.generate({**right_body(sandbox), "scheme": "Visa"}), "SCHEME_UNKNOWN"
    yield "no encryptedPayload", sandbox.generate(without(right_body(sandbox), "encryptedPayload")), "ENCRYPTED_PAYLOAD_MISSING"
    yield "no nonce", sandbox.generate(without(right_body(sandbox), "nonce")), "NONCE_MISSING"
    yield "a number for the code", sandbox.generate({**right_body(sandbox), "authorizationCode": 7}), "AUTHORIZATION_CODE_WRONG_TYPE"


def right_body(sandbox):
    card = issuer.card("VISA")
    session = sandbox.session(sandbox.device(), "VISA")
    payload = sandbox.issuer.cryptography(card)
    return sandbox.request(session, "VISA", payload, sandbox.issuer.pyjwt(card["issuerCardRefId"]))


def without(body, name):
    return {key: value for key, value in body.items() if key != name}


def payload_forms(sandbox):
    maker, card = sandbox.issuer, issuer.card("VISA")
    right = bytes.fromhex(maker.cryptography(card))
    yield "a payload in base64", generate(sandbox, payload=b64(right)), "ENC_BASE64"
    yield "half a hexadecimal digit too few", generate(sandbox, payload=right.hex()[:-1]), "ENC_HEX_ODD"
    yield "a payload cut off", generate(sandbox, payload=right[:-40].hex()), "CMS_TRUNCATED"
    yield "PKCS#1 v1.5", generate(sandbox, payload=maker.openssl(card, "-keyid", oaep=False)), "CMS_RSA_PKCS1V15"
    yield "OAEP with SHA-1", generate(sandbox, payload=maker.cryptography(card, hash_algorithm="sha1")), "CMS_OAEP_SHA1"
    mixed = maker.cryptography(card, mask_algorithm="sha1")
    yield "OAEP-SHA-256 with MGF1-SHA-1", generate(sandbox, payload=mixed), "CMS_OAEP_MIXED_MGF1"
    bent = right[:-1] + bytes([right[-1] ^ 1])
    yield "a bent ciphertext", generate(sandbox, payload=bent.hex()), "CMS_CONTENT_NOT_OPENED"


def cards(sandbox):
    make = lambda **changes: generate(sandbox, card=issuer.card("VISA", **changes))
    plain = lambda text: generate(sandbox, payload=sandbox.issuer.cryptography(text))
    yield "a plaintext that is not JSON", plain(b"not JSON"), "PAYLOAD_NOT_JSON"
    yield "no fpan", make(fpan=None), "PAYLOAD_PAN_MISSING"
    yield "fpan as a number", make(fpan=4111111111111111), "PAYLOAD_PAN_IS_NUMBER"
    yield "no exp", make(exp=None), "PAYLOAD_EXPIRY_MISSING"
    yield "exp as YYMM with a slash", make(exp="30/12"), "EXP_FORMAT"
    yield "exp in month 13", make(exp="1330"), "EXPIRY_IMPOSSIBLE"
    yield "a number that is not a test number", make(fpan="4539578763621480"), "PAN_NOT_TEST"
    yield "a Mastercard sent as VISA", make(fpan=CARDS["MASTERCARD"]["pan"]), "PAN_NETWORK_MISMATCH"
    yield "the reference of another card", make(fpan="4242424242424242"), "CARD_REF_CONFLICT"
    yield "a card number for a reference", make(issuerCardRefId=CARDS["VISA"]["pan"]), "CARD_REF_IS_PAN"
    yield "no name", make(cardHolderName=None), "PAYLOAD_CARDHOLDER_NAME_MISSING"
    suffix = {"primaryAccountSuffix": "9999"}
    yield "a suffix of another card", sandbox.generate({**right_body(sandbox), **suffix}), "PAN_SUFFIX_MISMATCH"


def codes(sandbox):
    maker, reference = sandbox.issuer, issuer.card("VISA")["issuerCardRefId"]
    now = int(time.time())
    make = lambda **changes: generate(sandbox, code=maker.pyjwt(reference, **changes))
    yield "a code of two parts", generate(sandbox, code="abc.def"), "JWT_PARTS"
    yield "HS256 with the public key", generate(sandbox, code=hs256(maker, reference)), "JWT_ALG_HMAC"
    yield "signed by another key", generate(sandbox, code=issuer.Issuer(maker.tsh.decode()).pyjwt(reference)), "JWT_SIGNATURE_INVALID"
    yield "an expired code", make(iat=now - 900, exp=now - 600), "JWT_EXPIRED"
    yield "a code from the future", make(iat=now + 3_600, exp=now + 3_900), "JWT_IAT_FUTURE"
    yield "no exp", make(exp=None), "JWT_EXP_MISSING"
    yield "another issuer's iss", make(iss="DEMOBANK01"), "JWT_ISS_MISMATCH"
    yield "aud GOOGLE", make(aud="GOOGLE"), "JWT_AUD_UNKNOWN"
    yield "sub of another card", generate(sandbox, code=maker.pyjwt("another-card")), "JWT_SUB_MISMATCH"
    spent = maker.pyjwt(reference, jti="broken-once")
    generate(sandbox, code=spent)
    yield "a jti that is spent", generate(sandbox, code=spent), "JWT_JTI_REPLAYED"


def hs256(maker, reference):
    """The classic forgery: an HMAC with the public key, which PyJWT refuses to make."""
    url = lambda data: base64.urlsafe_b64encode(data).rstrip(b"=")
    text = url(b'{"alg":"HS256","typ":"JWT"}') + b"." + url(json.dumps(maker.claims(reference)).encode())
    return (text + b"." + url(hmac.new(maker.public_pem.encode(), text, hashlib.sha256).digest())).decode()


def chains(sandbox):
    body = right_body(sandbox)
    chain = body["certificateChain"]
    yield "the chain reversed", sandbox.generate({**body, "certificateChain": chain[::-1]}), "CHAIN_REVERSED"
    yield "no certificates", sandbox.generate({**body, "certificateChain": []}), "CERTIFICATE_CHAIN_EMPTY"


def tokens(sandbox):
    token = sandbox.manual_entry(sandbox.device(), "VISA")["tokenId"]
    update = lambda *arguments, **changes: sandbox.update("VISA", *arguments, **changes)
    yield "an unknown token", update("DNITHE000000000000000000", "Activate"), "TOKEN_UNKNOWN"
    yield "a small letter in the action", update(token, "activate"), "ACTION_UNKNOWN"
    yield "Visa without token requestor", update(token, "Activate", tokenRequestorId=""), "TOKEN_REQUESTOR_ID_REQUIRED"
    yield "Mastercard's token requestor", update(token, "Activate", tokenRequestorId="50110030273"), "TOKEN_REQUESTOR_ID_MISMATCH"
    yield "suspend a token that waits", update(token, "Suspend"), "TOKEN_REQUIRES_ACTIVATION"
    by_card = sandbox.issuer.pyjwt(issuer.card("VISA")["issuerCardRefId"])
    yield "a code for the card", update(token, "Activate", authorizationCode=by_card), "JWT_SUB_IS_CARD_REF"
    update(token, "Activate")
    yield "activate twice", update(token, "Activate"), "ALREADY_IN_REQUESTED_STATE"
    waiting = sandbox.manual_entry(sandbox.device("watch"), "VISA")["tokenId"]
    yield "the phone's, while the watch's waits", update(token, "Activate"), "OTHER_DEVICE_PENDING"
    update(waiting, "Delete")
    update(token, "Delete")
    yield "resume a deleted token", update(token, "Resume"), "TOKEN_DELETED"


def wallet(sandbox):
    api, device = sandbox.server.api, sandbox.device()
    yield "an unknown device", sandbox.session("no-device", "VISA"), "DEVICE_UNKNOWN"
    yield "an application without entitlement", sandbox.session(device, "VISA", application="A1B2C3D4E5.com.other"), "APP_NOT_ENTITLED"
    yield "paymentNetwork VISA", sandbox.session(device, "VISA", paymentNetwork="VISA"), "PAYMENT_NETWORK_UNKNOWN"
    yield "a suffix of three digits", sandbox.session(device, "VISA", primaryAccountSuffix="111"), "PRIMARY_ACCOUNT_SUFFIX_FORM"
    yield "a cardholder name that is not a text", sandbox.session(device, "VISA", cardholderName=7), "CARDHOLDER_NAME_WRONG_TYPE"
    path = "/wallet/apple/provisioning-sessions/no-session/pass"
    yield "an unknown session", api("POST", path, {}), "SESSION_UNKNOWN"
    session = sandbox.session(device, "VISA")
    triple = sandbox.generate(
        sandbox.request(
            session, "VISA", sandbox.issuer.cryptography(issuer.card("VISA")), sandbox.issuer.pyjwt("accept-visa")
        )
    ).json
    wrapped = {**without(triple, "ephemeralPublicKey"), "wrappedKey": triple["ephemeralPublicKey"]}
    yield "the key as wrappedKey", sandbox.create_pass(session, wrapped), "WRAPPEDKEY_IN_ECC"
    yield "terms refused", sandbox.create_pass(session, {**triple, "termsAccepted": False}), "TERMS_REFUSED"
    other = sandbox.session(sandbox.device(), "VISA")
    make = lambda **changes: {
        **issuer.pass_data(other, CARDS["VISA"]["pan"], **changes),
        "activationData": triple["activationData"],
    }
    yield "pass data with a 16-byte IV", sandbox.create_pass(other, make(iv=bytes(16))), "IV_16_ZERO"
    yield "a nonce in base64", sandbox.create_pass(other, make(nonce=other["nonce"])), "NONCE_B64_IN_JSON"
    yield "another nonceSignature", sandbox.create_pass(other, make(nonceSignature="00" * 64)), "NONCE_SIGNATURE_MISMATCH"
    yield "a Visa value of another session", sandbox.create_pass(other, make()), "ACTIVATION_VISA_NONCE"
    sandbox.create_pass(session, triple)
    yield "a session used twice", sandbox.create_pass(session, triple), "SESSION_USED"
    yield "an unknown pass", api("DELETE", f"/wallet/apple/devices/{device}/passes/none"), "PASS_UNKNOWN"


def control(sandbox):
    put = lambda path, body: sandbox.server.control("PUT", path, body)
    yield "an issuerId of nine characters", put("/v1/issuers/MYBANK001", {}), "ISSUER_ID_FORM"
    key = {"keys": [{"use": "authorizationCode", "pem": "-----BEGIN NOTHING-----"}]}
    yield "a key that is not one", put("/v1/issuers/BROKEN0001", key), "KEY_INVALID"
    metadata = f"/v1/issuers/{ISSUER}/pass-metadata/visa"
    yield "the member in the singular", put(metadata, {"associatedApplicationIdentifier": ["A"]}), "ASSOCIATION_MEMBER_SINGULAR"
    yield "an app without a team", put(metadata, {"associatedApplicationIdentifiers": ["com.bank"]}), "ASSOCIATION_ENTRY_INVALID"
    yield "a launch URL without a store", put(metadata, {"appLaunchURL": "a://b"}), "LAUNCH_URL_NEEDS_STORE_ID"
    yield "an unknown journal entry", sandbox.server.control("GET", "/v1/journal/none"), "JOURNAL_ENTRY_NOT_FOUND"
