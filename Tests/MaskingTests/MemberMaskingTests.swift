import Masking
import Testing
import Wire

@Suite struct MemberMaskingTests {
    static let block = "-----BEGIN RSA PRIVATE KEY-----\nMIIEow\nIBAAKC\n-----END RSA PRIVATE KEY-----"

    static let cases: [MaskingCase] = [
        MaskingCase("a security code", #"{"cvv":"123","a":1}"#, #"{"cvv":"***","a":1}"#),
        MaskingCase("a number", #"{"cvv2": 123}"#, #"{"cvv2": "***"}"#),
        MaskingCase("an object", #"{"cvc":{"v":"123"},"a":1}"#, #"{"cvc":"***","a":1}"#),
        MaskingCase("null", kept: #"{"securityCode":null}"#),
        MaskingCase("capitals", #"{"CVV":"123","SecurityCode":"9"}"#, #"{"CVV":"***","SecurityCode":"***"}"#),
        MaskingCase("spaces", "{ \"otp\" : \n \"123456\" }", "{ \"otp\" : \n \"***\" }"),
        MaskingCase("an activation code", #"{"activationCode":"AB-12"}"#, #"{"activationCode":"***"}"#),
        MaskingCase("a code of digits", #"{"code":"123456"}"#, #"{"code":"***"}"#),
        MaskingCase("an error code", kept: #"{"code":40001,"cause":{"code":-25300}}"#),
        MaskingCase("a named code", kept: #"{"code":"JWT_EXPIRED"}"#),
        MaskingCase("a short code", kept: #"{"code":"112"}"#),
        MaskingCase("any card number", #"{"pan":"9999999999999999"}"#, #"{"pan":"************9999"}"#),
        MaskingCase("a number in groups", #"{"fpan":"9999 9999 9999 9999"}"#, #"{"fpan":"************9999"}"#),
        MaskingCase("a number as number", #"{"accountNumber":9999999999999}"#, #"{"accountNumber":"*********9999"}"#),
        MaskingCase("a suffix", kept: #"{"pan":"1111"}"#),
        MaskingCase("no number", #"{"primaryAccountNumber":"x1"}"#, #"{"primaryAccountNumber":"***"}"#),
        MaskingCase("a key", #"{"key":"00112233","keyId":"K1"}"#, #"{"key":"***","keyId":"K1"}"#),
        MaskingCase("inside a string", #"{"b":"{\"cvv\":\"123\"}"}"#, #"{"b":"{\"cvv\":\"***\"}"}"#),
        MaskingCase(
            "a number two levels down",
            #"{"b":"{\"c\":\"{\\\"otp\\\": 12}\"}"}"#,
            #"{"b":"{\"c\":\"{\\\"otp\\\": \\\"***\\\"}\"}"}"#
        ),
        MaskingCase("quotes in the value", #"{"key":"a\"b\\","x":"y"}"#, #"{"key":"***","x":"y"}"#),
        MaskingCase("cut in the value", #"{"privateKey":"MIIE"#, #"{"privateKey":"***"#),
        MaskingCase("after a stray quote", #"{"a":"b"","cvv":"123"}"#, #"{"a":"b"","cvv":"***"}"#),
        MaskingCase("percent-encoded", "/x?q=%7B%22cvv%22%3A%22123%22%7D", "/x?q=%7B%22cvv%22%3A%22***%22%7D"),
        MaskingCase(
            "a private JWK",
            #"{"d":"AQ","kty":"EC","x":"f8","y":"x_","crv":"P-256"}"#,
            #"{"d":"***","kty":"EC","x":"f8","y":"x_","crv":"P-256"}"#
        ),
        MaskingCase(
            "JWKs in a set",
            #"{"keys":[{"kty":"RSA","n":"AB","d":"1","p":"2","q":"3","dp":"4","dq":"5","qi":"6"},{"k":"7"}],"d":"8"}"#,
            #"{"keys":[{"kty":"RSA","n":"AB","d":"***","p":"***","q":"***","dp":"***","dq":"***","qi":"***"},"#
                + #"{"k":"7"}],"d":"8"}"#
        ),
        MaskingCase("a shared secret", #"{"kty":"oct","k":"AyM1"}"#, #"{"kty":"oct","k":"***"}"#),
        MaskingCase("no JWK", kept: #"{"d":"2026","p":"x","jwk":{"kty":"EC","x":"1"}}"#),
        MaskingCase("a session", #"{"sessionToken":"q83vEjRWeJCrze8SNFZ4kA"}"#, #"{"sessionToken":"***Z4kA"}"#),
        MaskingCase(
            "an access token",
            #"{"access_token":"q83vEjRWeJCrze8S","x":1}"#,
            #"{"access_token":"***ze8S","x":1}"#
        ),
        MaskingCase("its other spelling", #"{"accessToken":"a.b.c~q83vEjRWeJ=="}"#, #"{"accessToken":"***eJ=="}"#),
        MaskingCase("a refresh token", #"{"refresh_token": "short"}"#, #"{"refresh_token": "***"}"#),
        MaskingCase("no token at all", #"{"session_token":"with a space in it"}"#, #"{"session_token":"***"}"#),
        MaskingCase("a binding hash", #"{"bindingHash":"q83vEjRWeJCrze8SNFZ4kA"}"#, #"{"bindingHash":"***Z4kA"}"#),
        MaskingCase("tokens in a list", #"{"accessToken":["q83vEjRWeJCrze8SNFZ4kA"]}"#, #"{"accessToken":"***"}"#),
        MaskingCase(
            "a client's secret",
            #"{"client_secret":"s","clientSecret":1}"#,
            #"{"client_secret":"***","clientSecret":"***"}"#
        ),
        MaskingCase(
            "a shared secret of a key",
            #"{"sharedSecret":"s","password":"p"}"#,
            #"{"sharedSecret":"***","password":"***"}"#
        ),
        MaskingCase(
            "a token's type",
            kept: #"{"token_type":"Bearer","tokenId":"DNITHE302291744095994002","expires_in":300}"#
        ),
        MaskingCase("PEM", block, "<masked private key>"),
        MaskingCase("PEM among text", "a\n\(block)\nb", "a\n<masked private key>\nb"),
        MaskingCase(
            "PEM in JSON",
            JSON.object(JSONObject([("pem", .string(block))])).text,
            #"{"pem":"<masked private key>"}"#
        ),
        MaskingCase(
            "PEM without an end",
            #"{"pem":"-----BEGIN PRIVATE KEY-----\nMII","a":1}"#,
            #"{"pem":"<masked private key>","a":1}"#
        ),
        MaskingCase(
            "a public key",
            kept: "-----BEGIN PUBLIC KEY-----\nMFkwEwYHKoZIzj0CAQYIKoZIzj0DAQcDQgAE\n-----END PUBLIC KEY-----"
        ),
    ]

    @Test(arguments: cases)
    func `sensitive members are masked by name`(_ example: MaskingCase) {
        #expect(Masking.text(example.text) == example.masked)
        #expect(Masking.text(example.masked) == example.masked)
    }

    @Test func `a document stays a document`() throws {
        let text = #"{"cvv":123,"otp":true,"pan":4111111111111111,"key":[1,{"a":"]"}],"b":"{\"cvv\":5}"}"#
        let document = try JSON.parse(Masking.text(text))
        #expect(document["otp"]?.string == "***")
        #expect(document["pan"]?.string == "************1111")
        #expect(document["b"]?.string == #"{"cvv":"***"}"#)
    }
}
