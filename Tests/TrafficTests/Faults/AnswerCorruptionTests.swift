import Core
import Testing
import Traffic
import Web
import Wire

struct AnswerCorruptionTests {
    private static func answer(_ text: String) -> HTTPResponse {
        HTTPResponse(
            status: 200,
            headers: HTTPHeaders([(.contentType, "application/json")]),
            body: Array(text.utf8)
        )
    }

    private static func corrupted(_ kind: FaultEffect.Corruption, _ text: String) -> String? {
        AnswerCorruption.apply(kind, to: answer(text)).map { String(decoding: $0.body, as: UTF8.self) }
    }

    @Test(
        arguments: [
            // The last bit of the value, in the value's own form, and of the first such member only.
            (
                .signature, #"{"nonce":"AAAA","nonceSignature":"AAAA","signature":"AAAA"}"#,
                #"{"nonce":"AAAA","nonceSignature":"AAAB","signature":"AAAA"}"#
            ),
            (.signature, #"{"a":[{"signature":"00ff"}]}"#, #"{"a":[{"signature":"00fe"}]}"#),
            (.signature, #"{"signature":"00FF"}"#, #"{"signature":"00FE"}"#),
            (
                .ciphertext, #"{"activationData":"AAAA","encryptedPassData":"AAAA"}"#,
                #"{"activationData":"AAAA","encryptedPassData":"AAAB"}"#
            ),
            (.json, #"{"a":1}"#, #"{"a":1,"#), (.json, "[]", "[,"),
        ] as [(FaultEffect.Corruption, String, String)]
    )
    func `one place is wrong and the rest stands`(
        _ kind: FaultEffect.Corruption,
        _ before: String,
        _ after: String
    ) {
        #expect(Self.corrupted(kind, before) == after)
    }

    @Test func `the signature inside activation data is changed, and the data can still be read`() throws {
        let tav = #"{"version":"3","signature":"AAAA"}"#
        let body = JSON.object(JSONObject([("activationData", .base64(Array(tav.utf8)))])).text
        let changed = try #require(Self.corrupted(.signature, body))
        let data = try Base64.decode(JSON.parse(Array(changed.utf8))["activationData"]?.string ?? "")
        #expect(String(decoding: data, as: UTF8.self) == #"{"version":"3","signature":"AAAB"}"#)
    }

    @Test func `Visa's activation data keeps its layout`() throws {
        let text = "MBPAC-1-FK-K1--TDEA-00FF"
        let body = JSON.object(JSONObject([("activationData", .base64(Array(text.utf8)))])).text
        let changed = try #require(Self.corrupted(.signature, body))
        let data = try Base64.decode(JSON.parse(Array(changed.utf8))["activationData"]?.string ?? "")
        #expect(String(decoding: data, as: UTF8.self) == "MBPAC-1-FK-K1--TDEA-00F0")
    }

    @Test func `content type and length lie about a body that is right`() throws {
        let type = try #require(AnswerCorruption.apply(.contentType, to: Self.answer("{}")))
        #expect(type.headers[.contentType] == "text/html; charset=utf-8" && type.body == Array("{}".utf8))
        let length = try #require(AnswerCorruption.apply(.contentLength, to: Self.answer("{}")))
        #expect(length.delivery == .contentLength(18) && length.body == Array("{}".utf8))
    }

    @Test(
        arguments: [
            (.signature, #"{"a":"b"}"#), (.ciphertext, #"{"nonceSignature":"AAAA"}"#),
            (.signature, #"{"signature":7}"#),
            (.signature, #"{"signature":"not base64!"}"#), (.json, "<html>"), (.json, ""), (.contentType, ""),
            (.contentLength, ""), (.signature, "{"),
        ] as [(FaultEffect.Corruption, String)]
    )
    func `an answer without such a thing is left alone`(_ kind: FaultEffect.Corruption, _ body: String) {
        #expect(Self.corrupted(kind, body) == nil)
    }
}
