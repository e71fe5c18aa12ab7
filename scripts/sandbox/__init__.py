"""What checks and scripts share: a server of their own, calls to it, an issuer's tools, environments, counting.

Python's standard library only. A script puts the folder `scripts` on its path and imports what it needs from here.
"""

import pathlib

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
# The issuer of the fixtures, and its app.
BANK, APP = "DEMOBANK01", "A1B2C3D4E5.com.demobank.app"
WALLET = "/wallet/apple"
DEVICES = WALLET + "/devices"

# The four networks: PassKit's name, a published test number, the token requestor that updateTokenState wants.
CARDS = {
    "VISA": {"passkit": "Visa", "pan": "4111111111111111", "requestor": "40010030273"},
    "MASTERCARD": {"passkit": "MasterCard", "pan": "5555555555554444", "requestor": ""},
    "AMEX": {"passkit": "AmEx", "pan": "378282246310005", "requestor": ""},
    "DISCOVER": {"passkit": "Discover", "pan": "6011111111111117", "requestor": ""},
}
