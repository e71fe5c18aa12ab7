import Core
import Sandbox
import SandboxTesting
import Testing
import Web
import Wire

/// What is refused before the body has come: a client that waits for `100 Continue` need not send it.
struct AdmissionTests {
    private static let card = "/banking/v2/issuers/DEMOBANK01/cards/card-new"
    private static let digital = "/d1/client/v1/digital-cards/none/suspend"

    private func head(_ path: String, _ bearer: String?, _ size: Int, _ method: HTTPMethod) -> HTTPRequest {
        var headers = HTTPHeaders([(.contentLength, String(size)), (.expect, "100-continue")])
        if let bearer { headers[.authorization] = "Bearer \(bearer)" }
        return HTTPRequest(method: method, target: path, headers: headers)
    }

    @Test func `row 56: a credential that is not good is refused instead of 100`() async throws {
        try await withSandbox { sandbox in
            let api = sandbox.application.api
            let phone = try await sandbox.device()
            _ = try await sandbox.configure(phone, [("card-visa", "2718")])
            let session = try await sandbox.session(phone)
            let bearer = try await sandbox.bearer()
            let table: [(path: String, method: HTTPMethod, bearer: String?, size: Int, status: Int?)] = [
                (Self.card, .put, nil, 5_000, 401), (Self.card, .put, "wrong", 5_000, 401),
                (Self.card, .put, bearer, 5_000, nil), (Self.card, .put, bearer, 1 << 21, 413),
                (Self.digital, .post, nil, 5_000, 401), (Self.digital, .post, "wrong", 5_000, 401),
                (Self.digital, .post, session, 5_000, nil),
                (Self.card.replacing("DEMOBANK01", with: "DEMOBANK02"), .put, bearer, 5_000, 401),
                // Their credential is in the body.
                ("/mg/tpc/DEMOBANK01/getTokens", .post, nil, 5_000, nil),
                ("/authz/v1/oauth2/token", .post, nil, 90, nil),
            ]
            for (path, method, bearer, size, status) in table {
                let response = await api.refusal(of: head(path, bearer, size, method))
                #expect(response?.status == status, "\(path) \(bearer ?? "none") \(size)")
            }
            // The same answer as with the body, once in the journal.
            let early = try #require(await api.refusal(of: head(Self.card, "wrong", 5_000, .put)))
            let late = try await sandbox.banking("PUT", String(Self.card.dropFirst(9)), "wrong", [:])
            #expect(TestReply(early).text == late.text && TestReply(early).diagnosis == late.diagnosis)
            let seen = try await sandbox.control("GET", "/v1/journal?diagnosis=D1_BEARER_UNKNOWN")["items"].array
            #expect(seen?.count == 3, "\(late.diagnosis)")
        }
    }

    @Test(arguments: [false, true])
    func `a look at a head draws nothing from the seed`(_ hasRule: Bool) async throws {
        var ids: [String?] = []
        for isLookedAt in [false, true] {
            try await withSandbox { sandbox in
                let bearer = try await sandbox.bearer()
                let rule: JSON = ["match": ["face": "tpc"], "effect": ["respond": ["status": 418]]]
                if hasRule { _ = try await sandbox.control("POST", "/v1/faults", rule) }
                if isLookedAt {
                    #expect(await sandbox.application.api.refusal(of: head(Self.card, bearer, 5_000, .put)) == nil)
                }
                ids.append(
                    try await sandbox.banking("PUT", String(Self.card.dropFirst(9)), bearer, [:]).header("x-request-id")
                )
            }
        }
        #expect(ids[0] == ids[1] && ids[0] != nil)
    }

    @Test func `a head is refused with what the whole request is refused with`() async throws {
        try await withSandbox { sandbox in
            let settings: JSON = ["strictness": "strict"]
            #expect(try await sandbox.control("PATCH", "/v1/tenants/default", settings).status == 200)
            var early = head(Self.card, "wrong", 2, .put)
            early.headers[.contentType] = "text/plain"
            var late = early
            late.body = Array("{}".utf8)
            let refused = try #require(await sandbox.application.api.refusal(of: early))
            #expect(
                TestReply(refused).diagnosis == TestReply(await sandbox.application.api.respond(to: late)).diagnosis
            )
            #expect(refused.status == 415)
            // What is coded may yet be refused as that, and who does not ask first sends the body anyway.
            early.headers[.contentType] = "application/json"
            early.headers[.contentEncoding] = "gzip"
            #expect(await sandbox.application.api.refusal(of: early) == nil)
            early.headers[.contentEncoding] = nil
            #expect(await sandbox.application.api.refusal(of: early)?.status == 401)
            early.headers[.expect] = nil
            #expect(await sandbox.application.api.refusal(of: early) == nil)
        }
    }

    @Test func `row 56: a rule that may be about the body is waited for`() async throws {
        try await withSandbox { sandbox in
            let rule: JSON = ["match": ["tokenId": "in-the-body"], "effect": ["respond": ["status": 418]]]
            _ = try await sandbox.control("POST", "/v1/faults", rule)
            #expect(await sandbox.application.api.refusal(of: head(Self.card, "wrong", 5_000, .put)) == nil)
            _ = try await sandbox.control("DELETE", "/v1/faults")
            #expect(await sandbox.application.api.refusal(of: head(Self.card, "wrong", 5_000, .put))?.status == 401)
            // A tenant that is not there is not made by a head.
            let path = "/t/nobody" + Self.card
            #expect(await sandbox.application.api.refusal(of: head(path, "wrong", 5_000, .put)) == nil)
            #expect(try await sandbox.control("GET", "/v1/tenants/nobody").status == 404)
        }
    }
}
