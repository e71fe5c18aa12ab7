// A card of an issuer, pushed into a wallet of the sandbox: from the card's data to an active token.
//
//     dotnet new console --output push && cp Push.cs push/Program.cs
//     dotnet add push package System.Security.Cryptography.Pkcs
//     SCHEME=VISA dotnet run --project push
//
// .NET 8. UNTRIED: CI has no .NET, so this file was never compiled. `Seal` and `AuthorizationCode` are what an issuer's
// backend does; `Push` is what its app does.

using System.Security.Cryptography;
using System.Security.Cryptography.Pkcs;
using System.Security.Cryptography.X509Certificates;
using System.Text;
using System.Text.Json.Nodes;

string Setting(string name, string otherwise) => Environment.GetEnvironmentVariable(name) ?? otherwise;

var api = Setting("API", "http://127.0.0.1:8080");
var control = Setting("CONTROL", "http://127.0.0.1:8081");
var controlToken = Setting("CONTROL_TOKEN", ""); // where the control API wants one
var tenant = Setting("TENANT", "push-csharp");
var scheme = Setting("SCHEME", "VISA");
var keys = Setting("KEYS", "keys");
var codeLife = int.Parse(Setting("CODE_LIFE", "300")); // seconds

const string issuer = "DEMOBANK01";
const string application = "A1B2C3D4E5.com.demobank.app";

// Published test numbers; PassKit has its own names for the schemes.
var cards = new Dictionary<string, (string Network, string Pan)>
{
    ["VISA"] = ("Visa", "4111111111111111"),
    ["MASTERCARD"] = ("MasterCard", "5555555555554444"),
    ["AMEX"] = ("AmEx", "378282246310005"),
    ["DISCOVER"] = ("Discover", "6011111111111117"),
};

using var client = new HttpClient();
client.DefaultRequestHeaders.Add("X-Sandbox-Tenant", tenant);

try
{
    var made = await Push(scheme);
    var token = await Call(HttpMethod.Get, $"{control}/v1/tokens/{made["tokenId"]}");
    Console.WriteLine($"{scheme}: {made["decision"]}, token {token["tokenId"]} is {token["state"]}");
    return 0;
}
catch (Refused refusal)
{
    Console.Error.WriteLine($"refused: {refusal.Message}");
    return 1;
}

// The JSON of an answer. The API takes the tenant from the path, the control API from the header.
async Task<JsonObject> Call(HttpMethod method, string url, JsonObject? body = null)
{
    using var request = new HttpRequestMessage(method, url);
    if (body != null) request.Content = new StringContent(body.ToJsonString(), Encoding.UTF8, "application/json");
    if (controlToken != "" && url.StartsWith(control)) request.Headers.Add("Authorization", $"Bearer {controlToken}");
    using var answer = await client.SendAsync(request);
    var text = await answer.Content.ReadAsStringAsync();
    if (answer.IsSuccessStatusCode) return JsonNode.Parse(text)!.AsObject();

    var isJson = answer.Content.Headers.ContentType?.MediaType?.EndsWith("json") ?? false;
    var error = isJson ? JsonNode.Parse(text)!.AsObject() : new JsonObject();
    string Header(string name) => answer.Headers.TryGetValues(name, out var values) ? string.Join(",", values) : "";
    throw new Refused($"{method} {url}\n" +
        // TSH and the control API: code; the wallet: reason
        $"  HTTP {(int)answer.StatusCode}, code {error["code"] ?? error["reason"]}: {error["message"] ?? text}\n" +
        $"  X-Sandbox-Diagnosis: {Header("X-Sandbox-Diagnosis")}\n" +
        $"  more: GET {control}/v1/journal/{Header("x-request-id")}");
}

Task<JsonObject> Api(string path, JsonObject body) => Call(HttpMethod.Post, $"{api}/t/{tenant}{path}", body);

// The payload: CMS EnvelopedData, AES-256-CBC, the key with RSA-OAEP (SHA-256, MGF1 with SHA-256), in hexadecimal.
string Seal(JsonObject card)
{
    var pem = File.ReadAllText(Path.Combine(keys, "tsh/payload-2048.cert.pem"));
    using var certificate = X509Certificate2.CreateFromPem(pem);
    var aes256Cbc = new AlgorithmIdentifier(new Oid("2.16.840.1.101.3.4.1.42"));
    var envelope = new EnvelopedCms(new ContentInfo(Encoding.UTF8.GetBytes(card.ToJsonString())), aes256Cbc);
    // Without the padding argument the key is encrypted with PKCS#1 v1.5.
    envelope.Encrypt(new CmsRecipient(
        SubjectIdentifierType.SubjectKeyIdentifier, certificate, RSAEncryptionPadding.OaepSHA256));
    return Convert.ToHexString(envelope.Encode()).ToLowerInvariant();
}

// The proof that the issuer wants it, for one card reference (or, in the life cycle, one token id).
string AuthorizationCode(string subject)
{
    var now = DateTimeOffset.UtcNow.ToUnixTimeSeconds();
    var header = new JsonObject { ["typ"] = "JWT", ["alg"] = "RS256", ["kid"] = "demobank01-auth-1" };
    var claims = new JsonObject
    {
        ["iss"] = issuer,
        ["sub"] = subject,
        ["aud"] = "APPLE_PAY",
        ["iat"] = now,
        ["exp"] = now + codeLife,
        ["jti"] = Guid.NewGuid().ToString(),
    };
    string Base64Url(byte[] bytes) => Convert.ToBase64String(bytes).TrimEnd('=').Replace('+', '-').Replace('/', '_');
    string Part(JsonObject part) => Base64Url(Encoding.UTF8.GetBytes(part.ToJsonString()));
    var text = $"{Part(header)}.{Part(claims)}";
    using var key = RSA.Create();
    key.ImportFromPem(File.ReadAllText(Path.Combine(keys, "issuers", issuer, "authorization.key.pem")));
    var signature = key.SignData(Encoding.ASCII.GetBytes(text), HashAlgorithmName.SHA256, RSASignaturePadding.Pkcs1);
    return $"{text}.{Base64Url(signature)}";
}

// Gives the wallet's answer: decision, token id and pass.
async Task<JsonObject> Push(string name)
{
    var (network, pan) = cards[name];
    var reference = $"push-{name.ToLowerInvariant()}";
    var card = new JsonObject
    {
        ["issuerCardRefId"] = reference,
        ["fpan"] = pan,
        ["exp"] = "1230",
        ["cardHolderName"] = "ANA PRUEBA",
    };
    var phone = await Api("/wallet/apple/devices", new JsonObject { ["kind"] = "phone" });
    var session = await Api($"/wallet/apple/devices/{phone["deviceId"]}/provisioning-sessions", new JsonObject
    {
        ["paymentNetwork"] = network,
        ["cardholderName"] = "ANA PRUEBA",
        ["primaryAccountSuffix"] = pan[^4..],
        ["application"] = application,
    });
    var triple = await Api($"/mg/tpc/{issuer}/generateAddPaymentPassRequest", new JsonObject
    {
        ["scheme"] = name,
        ["encryptedPayload"] = Seal(card),
        ["authorizationCode"] = AuthorizationCode(reference),
        ["certificateChain"] = session["certificates"]!.DeepClone(), // a node has one parent only
        ["nonce"] = session["nonce"]!.DeepClone(),
        ["nonceSignature"] = session["nonceSignature"]!.DeepClone(),
    });
    return await Api($"/wallet/apple/provisioning-sessions/{session["sessionId"]}/pass", triple);
}

// An answer that is not 2xx: the network's own words are in the body, the sandbox's reasons in a header.
class Refused(string message) : Exception(message);
