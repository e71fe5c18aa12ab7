"""What an issuer's backend does, made without the sandbox's own code: payloads, codes, pass data, activation data."""

import base64
import datetime
import hashlib
import hmac
import json
import os
import subprocess
import tempfile
import time

import jwt
from cryptography import x509
from cryptography.hazmat.decrepit.ciphers.algorithms import TripleDES
from cryptography.hazmat.primitives import hashes, padding as block_padding, serialization
from cryptography.hazmat.primitives.asymmetric import ec, padding, rsa
from cryptography.hazmat.primitives.ciphers import Cipher, algorithms, modes
from cryptography.hazmat.primitives.ciphers.aead import AESGCM
from jwcrypto import jwk, jws

from sandbox import CARDS

APPLICATION = "A1B2C3D4E5.com.acceptance.app"
ISSUER = "ACCEPT0001"


def b64(data):
    return base64.b64encode(data).decode()


def card(scheme, **changes):
    """The card JSON of a payload; None removes a member."""
    members = {
        "issuerCardRefId": "accept-" + scheme.lower(),
        "fpan": CARDS[scheme]["pan"],
        "exp": "1230",
        "cardHolderName": "ANA PRUEBA",
    }
    members.update(changes)
    return {name: value for name, value in members.items() if value is not None}


class Issuer:
    """Keys of one issuer, and what it makes with them."""

    def __init__(self, tsh_certificate):
        self.key = rsa.generate_private_key(public_exponent=65537, key_size=2048)
        self.tsh = tsh_certificate.encode()
        self.pem = self.key.private_bytes(
            serialization.Encoding.PEM, serialization.PrivateFormat.PKCS8, serialization.NoEncryption()
        )
        self.public_pem = (
            self.key.public_key()
            .public_bytes(serialization.Encoding.PEM, serialization.PublicFormat.SubjectPublicKeyInfo)
            .decode()
        )

    # Authorization codes

    def claims(self, sub, **changes):
        now = int(time.time())
        claims = {"iss": ISSUER, "sub": sub, "aud": "APPLE_PAY", "iat": now, "exp": now + 300}
        claims.update(changes)
        return {name: value for name, value in claims.items() if value is not None}

    def pyjwt(self, sub, key=None, algorithm="RS256", **changes):
        headers = {"kid": "accept-1"}
        return jwt.encode(self.claims(sub, **changes), key or self.pem, algorithm=algorithm, headers=headers)

    def jwcrypto(self, sub, **changes):
        token = jws.JWS(json.dumps(self.claims(sub, **changes)))
        header = json.dumps({"alg": "RS256", "typ": "JWT", "kid": "accept-1"})
        token.add_signature(jwk.JWK.from_pem(self.pem), None, header)
        return token.serialize(compact=True)

    # Payloads

    def openssl(self, document, *options, oaep=True):
        """`openssl cms`, as the README shows it; gives hexadecimal."""
        with tempfile.NamedTemporaryFile() as certificate:
            certificate.write(self.tsh)
            certificate.flush()
            command = ["openssl", "cms", "-encrypt", "-binary", "-aes-256-cbc", "-outform", "DER", *options]
            command += ["-recip", certificate.name]
            if oaep:
                for option in ("rsa_padding_mode:oaep", "rsa_oaep_md:sha256", "rsa_mgf1_md:sha256"):
                    command += ["-keyopt", option]
            return subprocess.run(command, input=as_bytes(document), capture_output=True, check=True).stdout.hex()

    def cryptography(self, document, ber=False, **options):
        """EnvelopedData put together here from cryptography's primitives: its own builder knows no OAEP."""
        return envelope(as_bytes(document), x509.load_pem_x509_certificate(self.tsh), ber, **options).hex()


def as_bytes(document):
    return document if isinstance(document, bytes) else json.dumps(document).encode()


# ASN.1, as little as EnvelopedData needs


def tlv(tag, *parts):
    body = b"".join(parts)
    if len(body) < 128:
        return bytes([tag, len(body)]) + body
    length = len(body).to_bytes((len(body).bit_length() + 7) // 8, "big")
    return bytes([tag, 0x80 | len(length)]) + length + body


def indefinite(tag, *parts):
    return bytes([tag, 0x80]) + b"".join(parts) + b"\0\0"


def oid(text):
    numbers = [int(part) for part in text.split(".")]
    body = bytes([numbers[0] * 40 + numbers[1]])
    for number in numbers[2:]:
        groups = [number & 0x7F]
        while number := number >> 7:
            groups.insert(0, 0x80 | number & 0x7F)
        body += bytes(groups)
    return tlv(0x06, body)


def envelope(plaintext, certificate, ber, hash_algorithm=None, mask_algorithm=None, key_bits=256):
    sha = {"sha1": ("1.3.14.3.2.26", hashes.SHA1()), "sha256": ("2.16.840.1.101.3.4.2.1", hashes.SHA256())}
    hash_oid, hash_function = sha[hash_algorithm or "sha256"]
    mask_oid, mask_function = sha[mask_algorithm or hash_algorithm or "sha256"]
    key, iv = os.urandom(key_bits // 8), os.urandom(16)
    padder = block_padding.PKCS7(128).padder()
    encryptor = Cipher(algorithms.AES(key), modes.CBC(iv)).encryptor()
    ciphertext = encryptor.update(padder.update(plaintext) + padder.finalize()) + encryptor.finalize()
    oaep = padding.OAEP(padding.MGF1(mask_function), hash_function, None)
    encrypted_key = certificate.public_key().encrypt(key, oaep)
    key_identifier = certificate.extensions.get_extension_for_class(x509.SubjectKeyIdentifier).value.digest

    sequence = indefinite if ber else tlv
    hash_identifier = tlv(0x30, oid(hash_oid), tlv(0x05))
    mask_identifier = tlv(0x30, oid("1.2.840.113549.1.1.8"), tlv(0x30, oid(mask_oid), tlv(0x05)))
    parameters = tlv(0x30, tlv(0xA0, hash_identifier), tlv(0xA1, mask_identifier))
    recipient = tlv(
        0x30,
        tlv(0x02, b"\2"),
        tlv(0x80, key_identifier),
        tlv(0x30, oid("1.2.840.113549.1.1.7"), parameters),
        tlv(0x04, encrypted_key),
    )
    if ber:
        halves = [ciphertext[:16], ciphertext[16:]]
        content = indefinite(0xA0, *(tlv(0x04, half) for half in halves))
    else:
        content = tlv(0x80, ciphertext)
    aes = {128: "2.16.840.1.101.3.4.1.2", 256: "2.16.840.1.101.3.4.1.42"}[key_bits]
    encrypted = sequence(0x30, oid("1.2.840.113549.1.7.1"), tlv(0x30, oid(aes), tlv(0x04, iv)), content)
    enveloped = sequence(0x30, tlv(0x02, b"\2"), tlv(0x31, recipient), encrypted)
    return sequence(0x30, oid("1.2.840.113549.1.7.3"), sequence(0xA0, enveloped))


# What a direct-PassKit backend makes


def pass_data(session, pan, expiration="12/30", iv=bytes(12), **changes):
    """ECC_V2: encryptedPassData and ephemeralPublicKey for the session's leaf certificate."""
    leaf = x509.load_der_x509_certificate(base64.b64decode(session["certificates"][0]))
    ephemeral = ec.generate_private_key(ec.SECP256R1())
    point = ephemeral.public_key().public_bytes(
        serialization.Encoding.X962, serialization.PublicFormat.UncompressedPoint
    )
    secret = ephemeral.exchange(ec.ECDH(), leaf.public_key())
    key = hashlib.sha256(b"\0\0\0\1" + secret + b"\x0did-aes256-GCM" + b"Apple" + point).digest()
    content = {
        "primaryAccountNumber": pan,
        "expiration": expiration,
        "name": "ANA PRUEBA",
        "nonce": base64.b64decode(session["nonce"]).hex(),
        "nonceSignature": base64.b64decode(session["nonceSignature"]).hex(),
    }
    content.update(changes)
    content = {name: value for name, value in content.items() if value is not None}
    sealed = AESGCM(key).encrypt(iv, json.dumps(content).encode(), None)
    return {"encryptedPassData": b64(sealed), "ephemeralPublicKey": b64(point)}


def tav(pan, exp, key_pem, minutes=30):
    """Mastercard's TAV, version 3."""
    until = datetime.datetime.now(datetime.timezone.utc) + datetime.timedelta(minutes=minutes)
    timestamp = until.strftime("%Y-%m-%dT%H:%M:%SZ")
    key = serialization.load_pem_private_key(key_pem, None)
    text = "|".join([timestamp, pan, exp])
    document = {
        "version": "3",
        "signatureAlgorithm": "RSA-SHA256",
        "dataValidUntilTimestamp": timestamp,
        "includedFieldsInOrder": "dataValidUntilTimestamp|accountNumber|accountExpiry",
        "signature": b64(key.sign(text.encode(), padding.PKCS1v15(), hashes.SHA256())),
    }
    return b64(json.dumps(document).encode())


def mac(pan, nonce, key_hex):
    """American Express and Discover: the sandbox's own format."""
    digest = hmac.new(bytes.fromhex(key_hex), nonce + pan.encode(), hashlib.sha256).digest()
    return b64(json.dumps({"v": 1, "mac": b64(digest)}).encode())


def mbpac(nonce, key_set, key_hex):
    """Visa: the inferred layout, two-key TDEA in CBC mode with an IV of zeros."""
    data = f"nonce={nonce.hex()};authcode=123456".encode()
    block = b"\0\1" + os.urandom(4) + b"%02d" % len(data) + data
    block += bytes(-len(block) % 8)
    key = bytes.fromhex(key_hex)
    encryptor = Cipher(TripleDES(key + key[:8]), modes.CBC(bytes(8))).encryptor()
    encrypted = encryptor.update(block) + encryptor.finalize()
    return b64(f"MBPAC-1-FK-{key_set}--TDEA-{encrypted.hex().upper()}".encode())
