// A card of an issuer, pushed into a wallet of the sandbox: from the card's data to an active token.
//
//     SCHEME=VISA java -cp '/usr/share/java/*' Push.java
//
// Java 17 with Bouncy Castle (bcpkix, bcprov, bcutil) for CMS and Gson for JSON. `seal` and `authorizationCode` are what an
// issuer's backend does; `push` is what its app does.

import com.google.gson.JsonElement;
import com.google.gson.JsonObject;
import com.google.gson.JsonParser;
import java.io.ByteArrayInputStream;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.KeyFactory;
import java.security.Signature;
import java.security.cert.CertificateFactory;
import java.security.cert.X509Certificate;
import java.security.spec.MGF1ParameterSpec;
import java.security.spec.PKCS8EncodedKeySpec;
import java.time.Instant;
import java.util.Base64;
import java.util.HexFormat;
import java.util.Map;
import java.util.UUID;
import javax.crypto.spec.OAEPParameterSpec;
import javax.crypto.spec.PSource;
import org.bouncycastle.asn1.pkcs.PKCSObjectIdentifiers;
import org.bouncycastle.cms.CMSAlgorithm;
import org.bouncycastle.cms.CMSEnvelopedDataGenerator;
import org.bouncycastle.cms.CMSProcessableByteArray;
import org.bouncycastle.cms.jcajce.JceCMSContentEncryptorBuilder;
import org.bouncycastle.cms.jcajce.JceKeyTransRecipientInfoGenerator;
import org.bouncycastle.jce.provider.BouncyCastleProvider;
import org.bouncycastle.operator.jcajce.JcaAlgorithmParametersConverter;

public class Push {
    static final String API = environment("API", "http://127.0.0.1:8080");
    static final String CONTROL = environment("CONTROL", "http://127.0.0.1:8081");
    static final String CONTROL_TOKEN = environment("CONTROL_TOKEN", ""); // where the control API wants one
    static final String SCHEME = environment("SCHEME", "VISA");
    static final Path KEYS = Path.of(environment("KEYS", "keys"));
    static final long CODE_LIFE = Long.parseLong(environment("CODE_LIFE", "300")); // seconds
    static final String ISSUER = "DEMOBANK01";
    static final String APPLICATION = "A1B2C3D4E5.com.demobank.app";

    record Card(String network, String pan) {}

    // Published test numbers; PassKit has its own names for the schemes.
    static final Map<String, Card> CARDS = Map.of(
            "VISA", new Card("Visa", "4111111111111111"),
            "MASTERCARD", new Card("MasterCard", "5555555555554444"),
            "AMEX", new Card("AmEx", "378282246310005"),
            "DISCOVER", new Card("Discover", "6011111111111117"));

    static String environment(String name, String otherwise) {
        return System.getenv().getOrDefault(name, otherwise);
    }

    /** An answer that is not 2xx: the network's own words are in the body, the sandbox's reasons in a header. */
    static class Refused extends Exception {
        final int status;
        final String diagnosis;

        private Refused(String message, int status, String diagnosis) {
            super(message);
            this.status = status;
            this.diagnosis = diagnosis;
        }

        static Refused of(HttpResponse<String> answer) {
            String text = answer.body();
            boolean isJSON = answer.headers().firstValue("content-type").orElse("").contains("json");
            JsonObject error = isJSON ? JsonParser.parseString(text).getAsJsonObject() : new JsonObject();
            // TSH and the control API: code; the wallet: reason
            JsonElement code = error.has("code") ? error.get("code") : error.get("reason");
            String message = error.has("message") ? error.get("message").getAsString() : text;
            String diagnosis = answer.headers().firstValue("x-sandbox-diagnosis").orElse("");
            String id = answer.headers().firstValue("x-request-id").orElse("");
            message = "%s %s\n  HTTP %d, code %s: %s\n  X-Sandbox-Diagnosis: %s\n  more: GET %s/v1/journal/%s".formatted(
                    answer.request().method(), answer.uri(), answer.statusCode(), code, message, diagnosis, CONTROL, id);
            return new Refused(message, answer.statusCode(), diagnosis);
        }
    }

    private final HttpClient client = HttpClient.newHttpClient();
    private final String tenant;

    Push(String tenant) {
        this.tenant = tenant;
    }

    /** The JSON of an answer. The API takes the tenant from the path, the control API from the header. */
    private JsonObject call(String method, String url, JsonObject body) throws Exception {
        HttpRequest.Builder request = HttpRequest.newBuilder(URI.create(url))
                .header("content-type", "application/json")
                .header("x-sandbox-tenant", tenant)
                .method(method, HttpRequest.BodyPublishers.ofString(body == null ? "" : body.toString()));
        if (!CONTROL_TOKEN.isEmpty() && url.startsWith(CONTROL)) request.header("authorization", "Bearer " + CONTROL_TOKEN);
        HttpResponse<String> answer = client.send(request.build(), HttpResponse.BodyHandlers.ofString());
        if (answer.statusCode() >= 300) throw Refused.of(answer);
        return answer.body().isEmpty() ? new JsonObject() : JsonParser.parseString(answer.body()).getAsJsonObject();
    }

    JsonObject api(String path, JsonObject body) throws Exception {
        return call("POST", API + "/t/" + tenant + path, body);
    }

    JsonObject control(String method, String path, JsonObject body) throws Exception {
        return call(method, CONTROL + path, body);
    }

    /** An object of texts: names and values in turn. */
    static JsonObject object(String... members) {
        JsonObject object = new JsonObject();
        for (int i = 0; i < members.length; i += 2) object.addProperty(members[i], members[i + 1]);
        return object;
    }

    /** The payload: CMS EnvelopedData, AES-256-CBC, the key with RSA-OAEP (SHA-256, MGF1 with SHA-256), in hexadecimal. */
    static String seal(JsonObject card) throws Exception {
        byte[] pem = Files.readAllBytes(KEYS.resolve("tsh/payload-2048.cert.pem"));
        var certificate = (X509Certificate)
                CertificateFactory.getInstance("X.509").generateCertificate(new ByteArrayInputStream(pem));
        // All of it: without a parameter spec, Java's OAEPWithSHA-256AndMGF1Padding is MGF1 with SHA-1.
        var oaep = new OAEPParameterSpec("SHA-256", "MGF1", MGF1ParameterSpec.SHA256, PSource.PSpecified.DEFAULT);
        var algorithm = new JcaAlgorithmParametersConverter()
                .getAlgorithmIdentifier(PKCSObjectIdentifiers.id_RSAES_OAEP, oaep);
        var provider = new BouncyCastleProvider();
        var generator = new CMSEnvelopedDataGenerator();
        generator.addRecipientInfoGenerator(
                new JceKeyTransRecipientInfoGenerator(certificate, algorithm).setProvider(provider));
        var encryptor = new JceCMSContentEncryptorBuilder(CMSAlgorithm.AES256_CBC).setProvider(provider).build();
        var content = new CMSProcessableByteArray(card.toString().getBytes(StandardCharsets.UTF_8));
        return HexFormat.of().formatHex(generator.generate(content, encryptor).getEncoded());
    }

    /** The proof that the issuer wants it, for one card reference (or, in the life cycle, one token id). */
    static String authorizationCode(String subject) throws Exception {
        long now = Instant.now().getEpochSecond();
        JsonObject header = object("typ", "JWT", "alg", "RS256", "kid", "demobank01-auth-1");
        JsonObject claims =
                object("iss", ISSUER, "sub", subject, "aud", "APPLE_PAY", "jti", UUID.randomUUID().toString());
        claims.addProperty("iat", now);
        claims.addProperty("exp", now + CODE_LIFE);
        Base64.Encoder base64url = Base64.getUrlEncoder().withoutPadding();
        String text = base64url.encodeToString(header.toString().getBytes(StandardCharsets.UTF_8)) + "."
                + base64url.encodeToString(claims.toString().getBytes(StandardCharsets.UTF_8));
        String pem = Files.readString(KEYS.resolve("issuers/" + ISSUER + "/authorization.key.pem"));
        byte[] der = Base64.getMimeDecoder().decode(pem.replaceAll("-----[A-Z ]+-----", ""));
        Signature signature = Signature.getInstance("SHA256withRSA");
        signature.initSign(KeyFactory.getInstance("RSA").generatePrivate(new PKCS8EncodedKeySpec(der)));
        signature.update(text.getBytes(StandardCharsets.UTF_8));
        return text + "." + base64url.encodeToString(signature.sign());
    }

    /** Gives the wallet's answer: decision, token id and pass. */
    JsonObject push(String scheme) throws Exception {
        Card known = CARDS.get(scheme);
        String reference = "push-" + scheme.toLowerCase();
        JsonObject card =
                object("issuerCardRefId", reference, "fpan", known.pan, "exp", "1230", "cardHolderName", "ANA PRUEBA");
        String phone = api("/wallet/apple/devices", object("kind", "phone")).get("deviceId").getAsString();
        JsonObject session = api("/wallet/apple/devices/" + phone + "/provisioning-sessions", object(
                "paymentNetwork", known.network,
                "cardholderName", "ANA PRUEBA",
                "primaryAccountSuffix", known.pan.substring(known.pan.length() - 4),
                "application", APPLICATION));
        JsonObject request = object(
                "scheme", scheme,
                "encryptedPayload", seal(card),
                "authorizationCode", authorizationCode(reference),
                "nonce", session.get("nonce").getAsString(),
                "nonceSignature", session.get("nonceSignature").getAsString());
        request.add("certificateChain", session.get("certificates"));
        JsonObject triple = api("/mg/tpc/" + ISSUER + "/generateAddPaymentPassRequest", request);
        String sessionId = session.get("sessionId").getAsString();
        return api("/wallet/apple/provisioning-sessions/" + sessionId + "/pass", triple);
    }

    public static void main(String[] arguments) throws Exception {
        try {
            Push client = new Push(environment("TENANT", "push-java"));
            JsonObject made = client.push(SCHEME);
            JsonObject token = client.control("GET", "/v1/tokens/" + made.get("tokenId").getAsString(), null);
            System.out.printf("%s: %s, token %s is %s%n", SCHEME, made.get("decision").getAsString(),
                    token.get("tokenId").getAsString(), token.get("state").getAsString());
        } catch (Refused refusal) {
            System.err.println("refused: " + refusal.getMessage());
            System.exit(1);
        }
    }
}
