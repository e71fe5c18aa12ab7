"""The programs of Docs/clients, run and watched."""

import dataclasses
import http.server
import json
import os
import pathlib
import re
import shutil
import subprocess
import sys
import threading

import requests

from sandbox import CARDS
from sandbox.checks import Checks
from sandbox.server import Server

SOURCES = pathlib.Path("Docs/clients")
WORK = pathlib.Path(".build/clients")
JARS = ":".join(f"/usr/share/java/{name}.jar" for name in ("bcpkix", "bcprov", "bcutil", "gson"))


@dataclasses.dataclass
class Client:
    """A program in one language: what Debian must have, how it is built into a folder, and how it is run from there."""

    language: str
    file: str
    packages: list
    run: list
    build: list = None
    mistakes: list = dataclasses.field(default_factory=list)

    def prepare(self, source, folder):
        """Copies the source into a folder, and builds it there; gives what the compiler said when it failed."""
        shutil.rmtree(folder, ignore_errors=True)
        folder.mkdir(parents=True)
        (folder / self.file).write_text(source)
        if self.build:
            made = subprocess.run(
                [part.format(folder=folder) for part in self.build], capture_output=True, text=True, stdin=subprocess.DEVNULL
            )
            return made.stderr[-600:] if made.returncode else None

    def start(self, folder, tenant, scheme, server, **environment):
        wanted = {"API": server.url("api"), "CONTROL": server.url("control"), "TENANT": tenant, "SCHEME": scheme, **environment}
        return subprocess.run(
            ["timeout", "--kill-after=5", "120", *(part.format(folder=folder) for part in self.run)],
            env={**os.environ, **wanted},
            stdin=subprocess.DEVNULL,
            capture_output=True,
            text=True,
        )


# A mistake: what it is, what stands in the program, what stands there instead, and the code that the sandbox gives it.
ITS_OWN_BUILDER = """    from cryptography.hazmat.primitives.serialization import Encoding, pkcs7
    builder = pkcs7.PKCS7EnvelopeBuilder().set_data(json.dumps(card).encode()).add_recipient(certificate)
    return builder.encrypt(Encoding.DER, [pkcs7.PKCS7Options.Binary]).hex()
"""
GO_OAEP = "rsa.EncryptOAEP(sha256.New(), rand.Reader, certificate.PublicKey.(*rsa.PublicKey), key, nil)"
GO_PKCS1 = "rsa.EncryptPKCS1v15(rand.Reader, certificate.PublicKey.(*rsa.PublicKey), key)"
PHP_OPENSSL = "(openssl_public_encrypt($key, $sealed, $public, OPENSSL_PKCS1_OAEP_PADDING) ? $sealed : '')"
CLIENTS = [
    Client(
        "Python",
        "push.py",
        ["python3", "python3-venv"],
        [sys.executable, "{folder}/push.py"],
        mistakes=[
            ("cryptography's own builder", "    key, iv = ", ITS_OWN_BUILDER + "    key, iv = ", "CMS_RSA_PKCS1V15"),
            ("MGF1 with SHA-1", "MGF1(hashes.SHA256())", "MGF1(hashes.SHA1())", "CMS_KEY_NOT_OPENED"),
        ],
    ),
    Client(
        "Node",
        "push.mjs",
        ["nodejs"],
        ["node", "{folder}/push.mjs"],
        mistakes=[
            ("without oaepHash", ', oaepHash: "sha256"', "", "CMS_KEY_NOT_OPENED"),
            ("the payload in base64", 'toString("hex"); // env', 'toString("base64"); // env', "ENC_BASE64"),
            ("the code in base64", '.toString("base64url")).join', '.toString("base64")).join', "JWT_PADDING"),
        ],
    ),
    Client(
        "Java",
        "Push.java",
        ["default-jdk-headless", "libbcpkix-java", "libgoogle-gson-java"],
        ["java", "-cp", "{folder}:" + JARS, "Push"],
        build=["javac", "-cp", JARS, "-d", "{folder}", "{folder}/Push.java"],
        mistakes=[
            ("without an algorithm for the key", "(certificate, algorithm)", "(certificate)", "CMS_RSA_PKCS1V15"),
            ("MGF1 with SHA-1", "MGF1ParameterSpec.SHA256, ", "MGF1ParameterSpec.SHA1, ", "CMS_OAEP_MIXED_MGF1"),
            ("Triple DES", "CMSAlgorithm.AES256_CBC", "CMSAlgorithm.DES_EDE3_CBC", "CMS_CONTENT_CIPHER"),
        ],
    ),
    Client(
        "PHP",
        "push.php",
        ["php-cli", "php-phpseclib3"],
        ["php", "{folder}/push.php"],
        mistakes=[
            ("openssl_public_encrypt", "$oaep->encrypt($key)", PHP_OPENSSL, "CMS_KEY_NOT_OPENED"),
            ("without OPENSSL_RAW_DATA", "OPENSSL_RAW_DATA", "0", "CMS_CONTENT_LENGTH"),
        ],
    ),
    Client(
        "Go",
        "push.go",
        ["golang-go"],
        ["{folder}/push"],
        build=["go", "build", "-o", "{folder}/push", "{folder}/push.go"],
        mistakes=[
            ("padded with zeros", "[]byte{byte(padding)}", "[]byte{0}", "CMS_CONTENT_NOT_OPENED"),
            ("EncryptPKCS1v15", GO_OAEP, GO_PKCS1, "CMS_KEY_NOT_OPENED"),
        ],
    ),
]


class Scissors(http.server.BaseHTTPRequestHandler):
    """Between client and API: passes everything on, but the second half of each payload."""

    api = None

    def do_POST(self):
        body = json.loads(self.rfile.read(int(self.headers["content-length"])))
        if payload := body.get("encryptedPayload"):
            body["encryptedPayload"] = payload[: len(payload) // 4 * 2]
        headers = {name: self.headers[name] for name in ("content-type", "x-sandbox-tenant")}
        answer = requests.post(self.api + self.path, data=json.dumps(body), headers=headers, timeout=30)
        self.send_response(answer.status_code)
        for name, value in answer.headers.items():
            if name.lower() not in ("connection", "date", "server"):
                self.send_header(name, value)
        self.end_headers()
        self.wfile.write(answer.content)

    def log_message(self, *_):
        pass


def cutting_proxy(server):
    Scissors.api = server.url("api")
    proxy = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Scissors)
    threading.Thread(target=proxy.serve_forever, daemon=True).start()
    return f"http://127.0.0.1:{proxy.server_port}"


def wrong_keys(server):
    """Two folders of keys: in one the issuer signs with another's key, in the other TSH's certificate is Apple's."""
    signing, sealing = WORK / "keys-signing", WORK / "keys-sealing"
    for folder in (signing, sealing):
        shutil.rmtree(folder, ignore_errors=True)
        shutil.copytree("keys", folder)
    name = "authorization.key.pem"
    shutil.copy(f"keys/issuers/DEMOBANK02/{name}", signing / "issuers/DEMOBANK01" / name)
    make = ["openssl", "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-subj", "/CN=Somebody", "-keyout", os.devnull]
    subprocess.run([*make, "-out", str(sealing / "tsh/payload-2048.cert.pem")], check=True, capture_output=True)
    return str(signing.resolve()), str(sealing.resolve())


def seen(run):
    return f"exit code {run.returncode}\n{run.stdout[-400:]}{run.stderr[-600:]}"


def refused(run, status, code, diagnosis):
    """Whether a program printed the refusal, with the network's code and the sandbox's first reason, and failed."""
    wanted = f"refused: .*\\n  HTTP {status}, code {code}: .*\\n  X-Sandbox-Diagnosis: {diagnosis}(,|\\n)"
    return run.returncode == 1 and re.search(wanted, run.stderr)


def is_active(server, tenant, scheme, run):
    printed = re.search(f"^{scheme}: green, token (\\S+) is active$", run.stdout, re.MULTILINE)
    tokens = server.control("GET", "/v1/tokens", headers={"X-Sandbox-Tenant": tenant})["items"]
    states = {token["tokenId"]: (token["network"], token["state"]) for token in tokens}
    return run.returncode == 0 and printed and states.get(printed[1]) == (scheme.lower(), "active")


def install(client, check):
    made = subprocess.run(["scripts/install-packages", *client.packages], capture_output=True, text=True)
    there = shutil.which(client.run[0]) if not client.build else shutil.which(client.build[0])
    return check(f"from Debian: {' '.join(client.packages)}", made.returncode == 0 and there, made.stderr[-600:])


def watch(client, server, check, cut, keys):
    check.section(client.language)
    if not install(client, check):
        return
    source, folder, tenant = (SOURCES / client.file).read_text(), WORK / client.language, f"clients-{client.language.lower()}"
    problem = client.prepare(source, folder)
    if not check("it builds", problem is None, problem):
        return
    run = lambda scheme="VISA", **environment: client.start(folder, tenant, scheme, server, **environment)
    for scheme in CARDS:
        made = run(scheme)
        check(f"{scheme}: an active token", is_active(server, tenant, scheme, made), seen(made))
    signing, sealing = keys
    for name, environment, wanted in [
        ("another signing key", {"KEYS": signing}, (401, 401, "JWT_SIGNATURE_INVALID")),
        ("another certificate", {"KEYS": sealing}, (400, 112, "CMS_NO_RECIPIENT")),
        ("a cut payload", {"API": cut}, (400, 112, "CMS_TRUNCATED")),
        ("an expired code", {"CODE_LIFE": "-120"}, (401, 401, "JWT_EXPIRED")),
    ]:
        made = run(**environment)
        check(f"{name}: {wanted[2]} is printed", refused(made, *wanted), seen(made))
    page = (SOURCES / "README.md").read_text().split(f"\n## {client.language}\n")[1].split("\n## ")[0]
    for name, right, wrong, code in client.mistakes:
        problem = f"{right} stands there {source.count(right)} times" if source.count(right) != 1 else None
        problem = problem or client.prepare(source.replace(right, wrong), folder)
        made = None if problem else run()
        is_told = made and refused(made, 400, 112, code)
        check(f"{name}: {code}, as the page says", is_told and f"`{code}`" in page, problem or seen(made))


def main(binary):
    WORK.mkdir(parents=True, exist_ok=True)
    check = Checks()
    with Server(binary, "--log-level", "debug", log=WORK / "server.log") as server:
        cut, keys = cutting_proxy(server), wrong_keys(server)
        for client in CLIENTS:
            watch(client, server, check, cut, keys)
    return check.finish()
