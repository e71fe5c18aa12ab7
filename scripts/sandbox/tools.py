"""An issuer's tools: the program's own `seal` and `sign`."""

import json
import subprocess

from sandbox import BANK, ROOT


class Tools:
    """Commands of the program `binary`, run in the repository, where the keys are."""

    def __init__(self, binary):
        self.binary = str(binary)

    def run(self, *arguments, text=""):
        """What a command prints."""
        done = subprocess.run([self.binary, *arguments], input=text, capture_output=True, text=True, cwd=ROOT, check=True)
        return done.stdout.strip()

    def seal(self, reference, pan, key="TSH-PAYLOAD-2048", exp="1230", name="ANA PRUEBA"):
        """A payload: the card, encrypted for TSH."""
        card = {"issuerCardRefId": reference, "fpan": pan, "exp": exp, "cardHolderName": name}
        return self.run("seal", "--key", key, text=json.dumps(card))

    def sign(self, kind, *arguments, issuer=BANK):
        """What `sign KIND` makes for an issuer."""
        return self.run("sign", kind, "--issuer", issuer, *arguments)

    def authorization_code(self, subject, *arguments):
        return self.sign("authorization-code", "--sub", subject, *arguments)
