"""A card of an issuer, pushed into a wallet of the sandbox: from the card's data to an active token.

    pip install cryptography asn1crypto PyJWT requests
    SCHEME=VISA python3 push.py

`seal` and `authorization_code` are what an issuer's backend does; `push` is what its app does.
"""

import json
import os
import pathlib
import sys
import time
import uuid

import jwt
import requests
from asn1crypto import algos, cms
from cryptography import x509
from cryptography.hazmat.primitives import hashes
from cryptography.hazmat.primitives.asymmetric import padding
from cryptography.hazmat.primitives.ciphers import Cipher, algorithms, modes
from cryptography.hazmat.primitives.padding import PKCS7

API = os.environ.get("API", "http://127.0.0.1:8080")
CONTROL = os.environ.get("CONTROL", "http://127.0.0.1:8081")
CONTROL_TOKEN = os.environ.get("CONTROL_TOKEN")  # where the control API wants one
TENANT = os.environ.get("TENANT", "push-python")
SCHEME = os.environ.get("SCHEME", "VISA")
KEYS = pathlib.Path(os.environ.get("KEYS", "keys"))
CODE_LIFE = int(os.environ.get("CODE_LIFE", "300"))  # seconds

ISSUER, APPLICATION = "DEMOBANK01", "A1B2C3D4E5.com.demobank.app"
CARDS = {  # published test numbers; PassKit has its own names for the schemes
    "VISA": ("Visa", "4111111111111111"),
    "MASTERCARD": ("MasterCard", "5555555555554444"),
    "AMEX": ("AmEx", "378282246310005"),
    "DISCOVER": ("Discover", "6011111111111117"),
}


class Refused(Exception):
    """An answer that is not 2xx: the network's own words are in the body, the sandbox's reasons in a header."""

    def __init__(self, answer):
        self.status, self.diagnosis = answer.status_code, answer.headers.get("X-Sandbox-Diagnosis", "")
        error = answer.json() if "json" in answer.headers.get("content-type", "") else {}
        self.code = error.get("code") or error.get("reason")  # TSH and the control API: code; the wallet: reason
        super().__init__(
            f"{answer.request.method} {answer.url}\n"
            f"  HTTP {self.status}, code {self.code}: {error.get('message') or answer.text}\n"
            f"  X-Sandbox-Diagnosis: {self.diagnosis}\n"
            f"  more: GET {CONTROL}/v1/journal/{answer.headers['x-request-id']}"
        )


def call(method, url, body=None, tenant=TENANT):
    """The JSON of an answer. The API takes the tenant from the path, the control API from this header."""
    headers = {"X-Sandbox-Tenant": tenant}
    if CONTROL_TOKEN and url.startswith(CONTROL):
        headers["Authorization"] = f"Bearer {CONTROL_TOKEN}"
    answer = requests.request(method, url, json=body, headers=headers, timeout=30)
    if not answer.ok:
        raise Refused(answer)
    return answer.json()


def seal(card):
    """The payload: CMS EnvelopedData, AES-256-CBC, the key with RSA-OAEP (SHA-256, MGF1 with SHA-256), in hexadecimal."""
    certificate = x509.load_pem_x509_certificate((KEYS / "tsh/payload-2048.cert.pem").read_bytes())
    key, iv = os.urandom(32), os.urandom(16)
    padder, encryptor = PKCS7(128).padder(), Cipher(algorithms.AES(key), modes.CBC(iv)).encryptor()
    content = encryptor.update(padder.update(json.dumps(card).encode()) + padder.finalize()) + encryptor.finalize()
    oaep = padding.OAEP(padding.MGF1(hashes.SHA256()), hashes.SHA256(), label=None)
    sha256 = {"algorithm": "sha256"}
    parameters = {"hash_algorithm": sha256, "mask_gen_algorithm": {"algorithm": "mgf1", "parameters": sha256}}
    identifier = certificate.extensions.get_extension_for_class(x509.SubjectKeyIdentifier).value.digest
    recipient = cms.KeyTransRecipientInfo({
        "version": "v2",
        "rid": cms.RecipientIdentifier({"subject_key_identifier": identifier}),
        "key_encryption_algorithm": {"algorithm": "rsaes_oaep", "parameters": algos.RSAESOAEPParams(parameters)},
        "encrypted_key": certificate.public_key().encrypt(key, oaep),
    })  # fmt: skip
    enveloped = cms.EnvelopedData({
        "version": "v2",
        "recipient_infos": [cms.RecipientInfo({"ktri": recipient})],
        "encrypted_content_info": {
            "content_type": "data",
            "content_encryption_algorithm": {"algorithm": "aes256_cbc", "parameters": iv},
            "encrypted_content": content,
        },
    })  # fmt: skip
    return cms.ContentInfo({"content_type": "enveloped_data", "content": enveloped}).dump().hex()


def authorization_code(subject):
    """The proof that the issuer wants it, for one card reference (or, in the life cycle, one token id)."""
    now = int(time.time())
    claims = {"iss": ISSUER, "sub": subject, "aud": "APPLE_PAY", "iat": now, "exp": now + CODE_LIFE, "jti": str(uuid.uuid4())}
    key = (KEYS / f"issuers/{ISSUER}/authorization.key.pem").read_text()
    return jwt.encode(claims, key, algorithm="RS256", headers={"kid": "demobank01-auth-1"})


def push(scheme, tenant=TENANT):
    """Gives the wallet's answer: decision, token id and pass."""
    api = lambda path, body: call("POST", f"{API}/t/{tenant}{path}", body, tenant)
    network, pan = CARDS[scheme]
    card = {"issuerCardRefId": f"push-{scheme.lower()}", "fpan": pan, "exp": "1230", "cardHolderName": "ANA PRUEBA"}
    phone = api("/wallet/apple/devices", {"kind": "phone"})["deviceId"]
    wanted = {
        "paymentNetwork": network,
        "cardholderName": card["cardHolderName"],
        "primaryAccountSuffix": pan[-4:],
        "application": APPLICATION,
    }
    session = api(f"/wallet/apple/devices/{phone}/provisioning-sessions", wanted)
    request = {
        "scheme": scheme,
        "encryptedPayload": seal(card),
        "authorizationCode": authorization_code(card["issuerCardRefId"]),
        "certificateChain": session["certificates"],
        "nonce": session["nonce"],
        "nonceSignature": session["nonceSignature"],
    }
    triple = api(f"/mg/tpc/{ISSUER}/generateAddPaymentPassRequest", request)
    return api(f"/wallet/apple/provisioning-sessions/{session['sessionId']}/pass", triple)


if __name__ == "__main__":
    try:
        made = push(SCHEME)
        token = call("GET", f"{CONTROL}/v1/tokens/{made['tokenId']}")
        print(f"{SCHEME}: {made['decision']}, token {token['tokenId']} is {token['state']}")
    except Refused as refusal:
        sys.exit(f"refused: {refusal}")
