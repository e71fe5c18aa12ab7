"""What an issuer's team wants to know of its push, with ../../clients/push.py as its backend and app."""

import push
import pytest

each_scheme = pytest.mark.parametrize("scheme", list(push.CARDS))


def type_in(sandbox, scheme):
    """A card typed into Wallet by hand comes without the issuer's activation data, so it is yellow: it waits."""
    network, pan = push.CARDS[scheme]
    card = {"issuerId": push.ISSUER, "issuerCardRefId": "typed-in", "pan": pan, "exp": "1230", "cardHolderName": "ANA PRUEBA"}
    sandbox.control("POST", "/v1/cards", card)
    phone = sandbox.api("POST", "/wallet/apple/devices", {"kind": "phone"})["deviceId"]
    entry = {"pan": pan, "expiration": "12/30", "name": "ANA PRUEBA", "cvv": "1234" if scheme == "AMEX" else "123"}
    made = sandbox.api("POST", f"/wallet/apple/devices/{phone}/manual-entries", {**entry, "paymentNetwork": network})
    assert made["decision"] == "yellow"
    return made["tokenId"], made["pass"], f"/wallet/apple/devices/{phone}/passes/{made['pass']['serialNumber']}"


def state(sandbox, token):
    return sandbox.control("GET", f"/v1/tokens/{token}")["state"]


@each_scheme
def test_a_pushed_card_is_active(sandbox, scheme):
    made = push.push(scheme, sandbox.tenant)
    assert made["decision"] == "green"
    assert [token["state"] for token in sandbox.control("GET", "/v1/tokens")["items"]] == ["active"]


@each_scheme
def test_a_card_typed_in_is_activated_with_a_code(sandbox, scheme):
    token, waiting, path = type_in(sandbox, scheme)
    assert state(sandbox, token) == "inactive"
    sandbox.api("POST", f"{path}/activation-code", {"method": waiting["activationMethods"][0]["id"]})
    code = sandbox.control("GET", f"/v1/activation-codes?tokenId={token}")["items"][0]["code"]
    sandbox.api("POST", f"{path}/activate", {"activationCode": code})
    assert state(sandbox, token) == "active"


@each_scheme
def test_a_card_typed_in_is_activated_by_the_backend(sandbox, scheme):
    token, _, _ = type_in(sandbox, scheme)
    request = {
        "tokenId": token,
        "tokenRequestorId": "40010030273" if scheme == "VISA" else "",
        "scheme": scheme,
        "authorizationCode": push.authorization_code(token),
        "action": "Activate",
    }
    assert sandbox.api("POST", f"/mg/tpc/{push.ISSUER}/updateTokenState", request)["state"] == "ACTIVE"
    assert state(sandbox, token) == "active"


@each_scheme
def test_the_network_is_down_once(sandbox, scheme):
    rule = {
        "match": {"operation": "tpc.generateAddPaymentPassRequest"},
        "effect": {"respond": {"status": 503, "body": "down for maintenance"}},
        "trigger": {"times": 1},
    }
    sandbox.control("POST", "/v1/faults", rule)
    with pytest.raises(push.Refused) as refusal:
        push.push(scheme, sandbox.tenant)
    assert refusal.value.status == 503
    assert push.push(scheme, sandbox.tenant)["decision"] == "green"


@each_scheme
def test_a_token_that_nobody_activates_ends_after_30_days(sandbox, scheme):
    token, _, _ = type_in(sandbox, scheme)
    sandbox.control("POST", "/v1/clock/advance", {"seconds": 30 * 24 * 3600})
    assert state(sandbox, token) == "deleted"
