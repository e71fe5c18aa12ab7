"""What an issuer's backend makes, by the server's own `seal` and `sign`: payloads and authorization codes."""

import concurrent.futures
import dataclasses
import itertools
import json
import time

from sandbox import CARDS
from sandbox.cardnumbers import with_check_digit

# The server takes a code for five minutes.
CODE_SECONDS = 200


@dataclasses.dataclass
class Card:
    reference: str
    pan: str
    scheme: str
    passkit: str
    payload: str = ""
    code: str = ""


class Materials:
    """Four cards of the fixtures, and more that appear by use. Numbers are of the ranges of fixtures/test-pans.json."""

    def __init__(self, root, tools, more=24):
        self.tools = tools
        self.counter = itertools.count(1)
        with open(root / "fixtures/tenants/default.json", encoding="utf-8") as file:
            known = {card["issuerCardRefId"]: card["pan"] for card in json.load(file)["cards"]}
        self.cards = [Card("card-" + s.lower(), known["card-" + s.lower()], s, card["passkit"]) for s, card in CARDS.items()]
        self.cards += [Card(f"kill-test-{index}", self.number(), "VISA", "Visa") for index in range(more)]
        self.once, self.jti, self.signed = [], itertools.count(1), 0.0
        pem = (root / "keys/issuers/DEMOBANK01/tav.pub.pem").read_text(encoding="ascii")
        self.network_keys = {
            "visa": {"keySetId": "909090.1", "key": "0123456789ABCDEF" * 2}, "mastercard": {"tav": [{"pem": pem}]},
            "amex": {"key": "01" * 32}, "discover": {"key": "02" * 32},
        }
        self.each(self.seal, self.cards)
        self.refresh()

    def number(self):
        """A Visa test number that was not given out before."""
        return with_check_digit(f"4761730{next(self.counter):08}")

    def code_for(self, card):
        """A code for the card and its jti, which is None for one that may be used again."""
        for index, (owner, code, jti) in enumerate(self.once):
            if owner is card:
                del self.once[index]
                return code, jti
        return card.code, None

    def refresh(self):
        """Signs new codes before the old ones end, and always some that can be used once."""
        if not self.signed or time.monotonic() - self.signed > CODE_SECONDS:
            self.signed = time.monotonic()
            self.once.clear()
            self.each(self.sign, self.cards)
        self.each(self.sign_once, self.cards[len(self.once) : 4])

    def each(self, make, items):
        with concurrent.futures.ThreadPoolExecutor(4) as pool:
            list(pool.map(make, items))

    def seal(self, card):
        card.payload = self.tools.seal(card.reference, card.pan)

    def code(self, card, *more):
        return self.tools.authorization_code(card.reference, "--ttl", "300", *more)

    def sign(self, card):
        card.code = self.code(card)

    def sign_once(self, card):
        jti = f"kill-test-{next(self.jti)}"
        self.once.append((card, self.code(card, "--claim", f"jti={jti}"), jti))
