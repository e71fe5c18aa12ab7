"""Writes the seeds of the targets: Tests/Fuzz/Corpus, and what other files of the repository hold already.

    seeds.py FOLDER

Python's standard library only.
"""

import base64
import pathlib
import re
import shutil
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent

WORDS = {
    "pointer": ["a/b", "~1", "~01", "a~b/c~", "é/́", "/"],
    "encoding": ["AAECAwQ=", "AAECAwQ", "-_-_", "00ff0a", "00FF", "AB==", "A", "NDExMTExMTExMTExMTExMQ=="],
    "percent": ["a=b&c=d+e", "%41%2f", "%C3%A9=%", "a%2=b", "%00&%ff&=", "a;b&&=&+"],
    "time": ["2030-01-01T00:00:00Z", "2030-02-28T23:59:59.999+14:00", "9999-12-31T23:59:59.999999Z", "0000-01-01t00:00:00z",
             "300101000000Z", "20300101000000Z", "1970-01-01T00:00:00-00:01"],
    "masking": ['{"fpan":"4111111111111111","cvv":"123"}', "pan=4111+1111+1111+1111&exp=1230", "/a/4111111111111111?cvv=123",
                '{"value":"NDExMTExMTExMTExMTExMQ==","hex":"34313131313131313131313131313131"}', "Bearer abc.def.ghi",
                "%34%31%31%31%31%31%31%31%31%31%31%31%31%31%31%31", "-----BEGIN PRIVATE KEY-----\nMIIB\n-----END PRIVATE KEY-----",
                '"\\u0034111 1111 1111 1111"', '{"primaryAccountNumber":"5555-5555-5555-4444","activationCode":"123456"}'],
    "request": ["\3GET / HTTP/1.1\r\nHost: a\r\n\r\nGET /b HTTP/1.0\r\n\r\n",
                "\1POST /a?b=c HTTP/1.1\r\nHost: a:1\r\nContent-Length: 3\r\n\r\nabcGET / HTTP/1.1\r\nHost: [::1]\r\n\r\n",
                "\5POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n3;a=b\r\nabc\r\n0\r\nX: y\r\n\r\n",
                "\2OPTIONS * HTTP/1.1\r\nHost: a\r\nExpect: 100-continue\r\nContent-Length: 0\r\n\r\n",
                "\7GET http://a/b HTTP/1.1\r\nHost: a\r\nConnection: Upgrade\r\nUpgrade: h2c\r\n\r\n"],
    "answer": ["\3HTTP/1.1 200 OK\r\nContent-Length: 3\r\n\r\nabc", "\1HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 204 No Content\r\n\r\n",
               "\2HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n3\r\nabc\r\n0\r\n\r\n", "\4HTTP/1.0 200 OK\r\n\r\nto the end"],
    "pattern": ["/wallet/**\n/wallet/apple/devices", "/a/*/c\n/a/b/c", "a*b*c*\naXbYc", "/x\n/x", "delay=500\n", "decision=yellow\n"],
    "fault": ['{"match":{"face":"tpc","path":"/a/*","headers":{"x":"*"},"attempt":1},"effect":{"delay":{"fixedMs":5}},'
              '"trigger":{"skip":1,"times":2,"probability":0.5,"ttlSeconds":60}}',
              '{"id":"a","effect":{"respond":{"status":418,"headers":{"a":"b"},"body":{"c":1}}}}',
              '{"effect":{"delay":{"lognormal":{"medianMs":2,"sigma":0.6}}}}', '{"effect":{"delay":{"uniformMs":[1,9]}}}',
              '{"effect":{"commitThen":{"connection":"close"}}}', '{"effect":{"dribble":{"bytes":1,"everyMs":200}}}',
              '{"effect":{"decision":"red","reason":"a"}}', '{"effect":{"corrupt":"signature"}}',
              '{"effect":{"networkError":"UNAVAILABLE"}}', '{"match":{"direction":"callback"},"effect":{"callback":"drop"}}'],
    "art": ["%PDF-1.4\n1 0 obj\n<< /Type /Page /MediaBox [0 0 1536 969] >>\nendobj\n%%EOF\n"],
    "json": ['{"a":[1,-0.5e3,"\\u00e9\\ud83d\\ude00",null,true,{}],"b~/":""}', "[[[[]]]]", "9007199254740992", '"\\/"'],
    "key": ['{"kty":"EC","crv":"P-256","x":"f83OJ3D2xF1Bg8vub9tLe1gHMzV76e8Tus9uPHvRVEU",'
            '"y":"x_FEzRu9m36HLN_tue659LNpXW6pCyStikYjKIWI5a0"}', '{"kty":"RSA","n":"AQAB","e":"AQAB"}',
            '{"kty":"OKP","crv":"Ed25519","x":"11qYAYKxCrfVS_7TyWQHOg7hcvPapiMlrwIaaPcHURo"}'],
}


def ders(text):
    return [base64.b64decode(re.sub(r"\s", "", body)) for body in re.findall(r"-----BEGIN [^-]+-----(.*?)-----END", text, re.S)]


def vector(name):
    """A constant of the pass data vector."""
    source = (ROOT / "Tests/CryptoTests/Vectors/PassDataVector.swift").read_text()
    body = re.search(r"let " + name + r' = """(.*?)"""', source, re.S)[1]
    return bytes.fromhex(re.sub(r"[\s\\]", "", body))


def seeds():
    for target, texts in WORDS.items():
        for number, text in enumerate(texts):
            yield target, f"word-{number}", text.encode()
    for path in sorted((ROOT / "fixtures").glob("*/*.json")):
        if path.stat().st_size < 2_000:
            yield "json", path.name, path.read_bytes()
            yield "masking", path.name, path.read_bytes()
    for path in sorted((ROOT / "fixtures/cms").glob("*.hex")):
        text = path.read_text().strip()
        yield "payload", path.name, text.encode()
        yield "cms", path.name, bytes.fromhex(text)
        yield "ber", path.name, bytes.fromhex(text)
    yield "payload", "base64", base64.b64encode(bytes.fromhex(text))
    for path in sorted((ROOT / "keys").glob("**/*.pem")):
        name = path.parent.name + "-" + path.name
        yield "pem", name, path.read_bytes()
        for der in ders(path.read_text()):
            yield ("certificate" if ".cert." in name else "key"), name, der
            yield "ber", name, der
    for path in sorted((ROOT / "fixtures/d1/card-art").glob("*.png")):
        if path.stat().st_size < 100_000:
            yield "art", path.name, path.read_bytes()
    yield "passdata", "vector", vector("ephemeralPoint") + vector("sealed12")
    yield "jwe", "card", (ROOT / "scripts/fuzz-tools/card.jwe").read_bytes().strip()
    for path in sorted((ROOT / "Tests/Fuzz/Corpus").glob("*/*")):
        yield path.parent.name, path.name, path.read_bytes()


def main():
    folder = pathlib.Path(sys.argv[1])
    shutil.rmtree(folder, ignore_errors=True)
    for target, name, data in seeds():
        (folder / target).mkdir(parents=True, exist_ok=True)
        (folder / target / name).write_bytes(data)


main()
