import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import com.google.gson.JsonObject;
import com.google.gson.JsonParser;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What an issuer's team wants to know of its push, with ../../clients/Push.java as its backend and app. */
class PushTest {
    @RegisterExtension
    final Sandbox sandbox = new Sandbox();

    private static JsonObject json(String text, Object... values) {
        return JsonParser.parseString(text.formatted(values)).getAsJsonObject();
    }

    private String state(String token) throws Exception {
        return sandbox.control("GET", "/v1/tokens/" + token, null).get("state").getAsString();
    }

    @ParameterizedTest
    @ValueSource(strings = {"VISA", "MASTERCARD", "AMEX", "DISCOVER"})
    void aPushedCardIsActive(String scheme) throws Exception {
        JsonObject made = new Push(sandbox.tenant).push(scheme);
        assertEquals("green", made.get("decision").getAsString());
        assertEquals("active", state(made.get("tokenId").getAsString()));
    }

    /** A card typed into Wallet by hand comes without the issuer's activation data: it waits for a code. */
    @ParameterizedTest
    @ValueSource(strings = {"VISA", "MASTERCARD", "AMEX", "DISCOVER"})
    void aCardTypedInIsActivatedWithACode(String scheme) throws Exception {
        Push.Card card = Push.CARDS.get(scheme);
        sandbox.control("POST", "/v1/cards", json("""
                {"issuerId": "DEMOBANK01", "issuerCardRefId": "typed-in", "pan": "%s", "exp": "1230",
                "cardHolderName": "ANA PRUEBA"}""", card.pan()));
        String phone = sandbox.api("POST", "/wallet/apple/devices", json("{'kind': 'phone'}")).get("deviceId").getAsString();
        JsonObject made = sandbox.api("POST", "/wallet/apple/devices/" + phone + "/manual-entries", json("""
                {"pan": "%s", "expiration": "12/30", "name": "ANA PRUEBA", "cvv": "%s", "paymentNetwork": "%s"}""",
                card.pan(), scheme.equals("AMEX") ? "1234" : "123", card.network()));
        assertEquals("yellow", made.get("decision").getAsString());
        JsonObject pass = made.getAsJsonObject("pass");
        String token = made.get("tokenId").getAsString();
        String path = "/wallet/apple/devices/" + phone + "/passes/" + pass.get("serialNumber").getAsString();
        assertEquals("inactive", state(token));

        String method = pass.getAsJsonArray("activationMethods").get(0).getAsJsonObject().get("id").getAsString();
        sandbox.api("POST", path + "/activation-code", json("{'method': '%s'}", method));
        String code = sandbox.control("GET", "/v1/activation-codes?tokenId=" + token, null)
                .getAsJsonArray("items").get(0).getAsJsonObject().get("code").getAsString();
        sandbox.api("POST", path + "/activate", json("{'activationCode': '%s'}", code));
        assertEquals("active", state(token));
    }

    @ParameterizedTest
    @ValueSource(strings = {"VISA", "MASTERCARD", "AMEX", "DISCOVER"})
    void theNetworkIsDownOnce(String scheme) throws Exception {
        sandbox.control("POST", "/v1/faults", json("""
                {"match": {"operation": "tpc.generateAddPaymentPassRequest"},
                "effect": {"respond": {"status": 503, "body": "down for maintenance"}}, "trigger": {"times": 1}}"""));
        Push client = new Push(sandbox.tenant);
        Push.Refused refusal = assertThrows(Push.Refused.class, () -> client.push(scheme));
        assertEquals(503, refusal.status);
        assertEquals("green", client.push(scheme).get("decision").getAsString());
    }
}
