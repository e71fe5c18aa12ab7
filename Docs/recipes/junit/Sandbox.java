import com.google.gson.JsonArray;
import com.google.gson.JsonElement;
import com.google.gson.JsonObject;
import com.google.gson.JsonParser;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.util.UUID;
import org.junit.jupiter.api.extension.AfterEachCallback;
import org.junit.jupiter.api.extension.BeforeEachCallback;
import org.junit.jupiter.api.extension.ExtensionContext;

/**
 * A world of the sandbox for each test, which makes tests that run in parallel safe; copy this file into your tests.
 *
 * <pre>{@code @RegisterExtension final Sandbox sandbox = new Sandbox();}</pre>
 *
 * When a test fails, what the sandbox was asked, what it answered, and why, is printed.
 */
public class Sandbox implements BeforeEachCallback, AfterEachCallback {
    private static final String API = System.getenv().getOrDefault("API", "http://127.0.0.1:8080");
    private static final String CONTROL = System.getenv().getOrDefault("CONTROL", "http://127.0.0.1:8081");
    private static final String CONTROL_TOKEN = System.getenv("CONTROL_TOKEN"); // where the control API wants one
    private static final HttpClient CLIENT = HttpClient.newHttpClient();

    /** An answer that is not 2xx: the network's code is in the body, the sandbox's reasons are in the diagnosis. */
    public static class Refused extends RuntimeException {
        public final int status;
        public final String diagnosis;
        public final String body;

        Refused(HttpResponse<String> answer, String diagnosis) {
            super(answer.request().method() + " " + answer.uri() + ": " + answer.statusCode() + " " + diagnosis + " "
                    + answer.body());
            this.status = answer.statusCode();
            this.diagnosis = diagnosis;
            this.body = answer.body();
        }
    }

    public String tenant;

    @Override
    public void beforeEach(ExtensionContext context) throws Exception {
        tenant = "junit-" + UUID.randomUUID();
        JsonObject world = new JsonObject();
        world.addProperty("name", tenant);
        control("POST", "/v1/tenants", world);
    }

    @Override
    public void afterEach(ExtensionContext context) throws Exception {
        if (context.getExecutionException().isPresent()) {
            System.out.println(context.getDisplayName() + ", the sandbox's journal:\n" + journal());
        }
        control("DELETE", "/v1/tenants/" + tenant, null);
    }

    public JsonObject api(String method, String path, JsonObject body) throws Exception {
        return call(method, HttpRequest.newBuilder(URI.create(API + "/t/" + tenant + path)), body);
    }

    public JsonObject control(String method, String path, JsonObject body) throws Exception {
        HttpRequest.Builder request = HttpRequest.newBuilder(URI.create(CONTROL + path)).header("x-sandbox-tenant", tenant);
        if (CONTROL_TOKEN != null) request.header("authorization", "Bearer " + CONTROL_TOKEN);
        return call(method, request, body);
    }

    private JsonObject call(String method, HttpRequest.Builder request, JsonObject body) throws Exception {
        request.header("content-type", "application/json")
                .method(method, HttpRequest.BodyPublishers.ofString(body == null ? "" : body.toString()));
        HttpResponse<String> answer = CLIENT.send(request.build(), HttpResponse.BodyHandlers.ofString());
        if (answer.statusCode() >= 300) {
            throw new Refused(answer, answer.headers().firstValue("x-sandbox-diagnosis").orElse(""));
        }
        return answer.body().isEmpty() ? null : JsonParser.parseString(answer.body()).getAsJsonObject();
    }

    /** What happened in the test, oldest first, with each check that was not passed. */
    private String journal() throws Exception {
        StringBuilder lines = new StringBuilder();
        JsonArray items = control("GET", "/v1/journal?limit=200", null).getAsJsonArray("items");
        for (int index = items.size() - 1; index >= 0; index--) {
            JsonObject entry = items.get(index).getAsJsonObject();
            lines.append("  %s %s %s%n".formatted(entry.get("status"), entry.get("operation"), entry.get("diagnosis")));
            for (JsonElement check : entry.getAsJsonArray("checks")) {
                if (!check.getAsJsonObject().get("passed").getAsBoolean()) lines.append("    " + check + "\n");
            }
        }
        return lines.toString();
    }
}
