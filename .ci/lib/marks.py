"""Marked secrets, the ways a client could write each, and what must then be found nowhere."""

import base64
import json
import random
import urllib.parse

from sandbox.cardnumbers import with_check_digit

LETTERS = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789"


def b64(text, alphabet="standard"):
    data = text.encode() if isinstance(text, str) else text
    return base64.b64encode(data).decode() if alphabet == "standard" else base64.urlsafe_b64encode(data).decode().rstrip("=")


def encoded_forms(secret):
    """The secret inside hexadecimal, and inside base64 in its three alignments; parts that others share are cut off."""
    yield secret.encode().hex()
    yield secret.encode().hex().upper()
    for shift in range(3):
        for alphabet in ("standard", "url"):
            text = b64("x" * shift + secret + "x" * (-(shift + len(secret)) % 3), alphabet)
            yield text[[0, 2, 3][shift] : len(text) - (0 if (shift + len(secret)) % 3 == 0 else 4)]


def bare(text):
    return text.replace("\\", "") if "\\" in text else text


class Mark:
    """A secret: `needles` are what must not be found, `writings` how it is sent, by name."""

    def __init__(self, name, secret, writings, needles=()):
        self.name, self.secret, self.writings = name, secret, writings
        self.needles = {secret, *needles}
        for needle in list(self.needles):
            self.needles.update(encoded_forms(needle))
        # What hides it deeper than these forms is looked for as it was sent.
        for writing in writings.values():
            if not self.found(writing):
                self.needles.add(bare(writing))

    def found(self, text):
        """The forms of it that stand in a text; backslashes aside, as JSON in JSON has more of them."""
        stripped = bare(text)
        return [needle for needle in self.needles if needle in text or needle in stripped]


def card(name, number):
    groups = [number[:4], number[4:10], number[10:]] if len(number) == 15 else [number[i : i + 4] for i in range(0, 16, 4)]
    document = json.dumps({"pan": number, "exp": "1230"})
    once = json.dumps({"inner": document})
    writings = {
        "plain": number,
        "with spaces": " ".join(groups),
        "with dashes": "-".join(groups),
        "in a sentence": f"card {number} of Ana",
        "in JSON in a string": document,
        "in JSON in JSON in a string": once,
        "in base64": b64(number),
        "in base64 at another place": b64("x" + number),
        "in base64 at a third place": b64("xx" + number),
        "in base64url of JSON": b64(document, "url"),
        "in base64 of base64": b64(b64(document)),
        "in hexadecimal": document.encode().hex(),
        "percent-encoded": "".join(f"%{byte:02X}" for byte in number.encode()),
        "in a URL": f"https://issuer.example/cards/{number}?pan={number}",
        "with its expiry": f"{number}=3012",
        "as \\u escapes": "".join(f"\\u{ord(digit):04x}" for digit in number),
    }
    spaced = {separator.join(groups) for separator in " -+"} | {"%20".join(groups), "".join(f"%{b:02X}" for b in number.encode())}
    return Mark(name, number, writings, spaced)


def named(name, secret, *members):
    """A secret that only the name beside it gives away."""
    writings = {}
    for member in members:
        document = json.dumps({member: secret})
        writings[f"{member} in JSON in a string"] = document
        writings[f"{member} in JSON in JSON in a string"] = json.dumps({"inner": document})
        writings[f"{member} in base64 of JSON"] = b64(document)
        writings[f"{member} in a URL"] = f"https://issuer.example/x?a=1&{member}={urllib.parse.quote(secret)}"
        writings[f"{member} in XML"] = f"<card><{member}>{secret}</{member}></card>"
        writings[f"{member} in an attribute"] = f'<card {member}="{secret}"/>'
    return Mark(name, secret, writings)


class Marks:
    """All marks of one run, made from a seed."""

    def __init__(self, seed=1):
        self.draws = random.Random(seed)
        # Of the ranges of fixtures/test-pans.json, and none of the fixtures' cards.
        self.cards = [
            card("a Visa number", with_check_digit("476173" + self.digits(9))),
            card("a Mastercard number", with_check_digit("541333" + self.digits(9))),
            card("an Amex number", with_check_digit("374245" + self.digits(8))),
            card("a Discover number", with_check_digit("601100099" + self.digits(6))),
        ]
        word = self.word
        key = word(64)
        pem = f"-----BEGIN PRIVATE KEY-----\n{key}\n{word(40)}\n-----END PRIVATE KEY-----"
        der = b64(bytes.fromhex("308204bd020100300d06092a864886f70d0101010500048204a7") + word(600).encode())
        jwk_part = word(43)
        header, claims = b64('{"alg":"RS256"}', "url"), b64('{"iss":"MARKEDBANK"}', "url")
        signature, tav_signature = word(86), word(344)
        opaque, session, cryptogram = word(32), word(43), word(28)
        tav = b64(json.dumps({"version": "3", "includedFieldsInOrder": "a|b", "signature": tav_signature}))
        self.named = [
            named("a security code", "cv" + word(8), "cvv", "cvc2", "securityCode", "cardSecurityCode"),
            named("a one-time code", "ot" + word(8), "activationCode", "otp", "verificationCode"),
            named("a client's secret", word(24), "client_secret", "clientSecret", "password"),
            named("a session", session, "sessionToken", "session_token"),
            named("an access token", word(43), "access_token", "refreshToken"),
            named("a symmetric key", self.draws.randbytes(16).hex(), "key", "sharedSecret"),
            named("a cryptogram", cryptogram, "cryptogram", "onlinePaymentCryptogram"),
            named("a binding hash", word(43), "bindingHash"),
        ]
        self.shaped = [
            Mark("a private key", key, {
                "PEM": pem, "PEM in JSON in a string": json.dumps({"pem": pem}), "PEM in base64": b64(pem),
                "PEM with line ends written out": pem.replace("\n", "\\n"),
            }),
            Mark("a private key without PEM", der[60:140], {"DER in base64": der, "DER in hexadecimal": base64.b64decode(der).hex()}),
            Mark("a JWK", jwk_part, {
                "JWK in a string": json.dumps({"kty": "EC", "crv": "P-256", "x": word(43), "y": word(43), "d": jwk_part}),
            }),
            Mark("a signature", signature, {
                "JWT": f"{header}.{claims}.{signature}", "JWT behind Bearer": f"Bearer {header}.{claims}.{signature}",
                "JWT in JSON in a string": json.dumps({"code": f"{header}.{claims}.{signature}"}),
                "JWT glued to a word": f"x{header}.{claims}.{signature}",
                "JWS as JSON": json.dumps({"payload": claims, "signatures": [{"protected": header, "signature": signature}]}),
            }),
            Mark("an opaque bearer", opaque, {"behind Bearer": f"Bearer {opaque}", "in a sentence": f"sent Bearer {opaque} twice"}),
            Mark("a TAV", tav_signature, {"as it is sent": tav, "decoded": base64.b64decode(tav).decode()}, [tav[80:400]]),
        ]
        self.all = self.cards + self.named + self.shaped

    def digits(self, count):
        return "".join(self.draws.choice("0123456789") for _ in range(count))

    def word(self, count):
        return "".join(self.draws.choice(LETTERS) for _ in range(count))

    def writings(self):
        """(mark, name of the writing, text), one after the other of all marks."""
        return [(mark, name, text) for mark in self.all for name, text in mark.writings.items()]

    def headers(self):
        """Everything in a header that is a credential by its name."""
        opaque, client, session = self.shaped[4].secret, self.named[2].secret, self.named[3].secret
        return [
            {"Authorization": f"Bearer {opaque}", "Cookie": f"session={session}", "X-Api-Key": client},
            {"Authorization": opaque, "Proxy-Authorization": "Basic " + b64("user:" + client), "X-Session-Token": session},
            {"X-Pay-Token": f"xv2:1:{session}", "X-Auth-Token": opaque, "X-Client-Secret": client, "X-OTP": self.named[1].secret},
            {"X-CVV": self.named[0].secret, "Client-Secret": client, "Access-Token": self.named[4].secret},
            {"X-Authorization": f"Bearer {opaque}", "X-Forwarded-Authorization": opaque, "X-Activation-Code": self.named[1].secret},
        ]

    def query(self):
        """Everything in a query by its name."""
        return "&".join(
            f"{member}={urllib.parse.quote(mark.secret)}"
            for mark, member in zip(self.named, ("cvv", "otp", "client_secret", "sessionToken", "access_token", "key", "cryptogram", "bindingHash"))
        )

    def bodies(self):
        """Whole bodies, by their content type."""
        number = self.cards[0].secret
        members = {name.split(" ")[0]: mark.secret for mark in self.named for name in mark.writings}
        document = json.dumps({"pan": number, **members})
        form = urllib.parse.urlencode({"pan": number, **members})
        parts = "".join(f'--b\r\nContent-Disposition: form-data; name="{name}"\r\n\r\n{value}\r\n' for name, value in members.items())
        xml = "<c>" + "".join(f"<{name}>{value}</{name}>" for name, value in {"pan": number, **members}.items()) + "</c>"
        namespaced = "<n:c>" + "".join(f"<n:{name} a='1'> {value} </n:{name}>" for name, value in members.items()) + "</n:c>"
        json_type, form_type = "application/json", "application/x-www-form-urlencoded"
        return [
            (json_type, document), (json_type, json.dumps(document)), (json_type, json.dumps({"a": json.dumps({"b": document})})),
            (json_type, document[:-2]), (json_type, json.dumps([{"deep": [json.loads(document)]}], indent=2)),
            (json_type, document.replace('"pan"', '"' + number + '":1,"pan"')), (json_type, number), (json_type, f'{{"pan":{number}}}'),
            (form_type, form), (json_type, form), (None, form), ("text/plain", form),
            ("multipart/form-data; boundary=b", parts + "--b--\r\n"), ("application/xml", xml), ("text/xml", namespaced),
            ("application/octet-stream", b64(document)), ("application/json", b64(document)),
            ("application/pkcs7-mime", b64("\x30\x80" + document)),
        ]
