import Core
import SandboxTesting
import Testing
import Wire

/// What lets its bearer in stands in the journal by its last four characters, or without its signature.
struct CredentialLeakTests {
    @Test func `no session, access token, binding hash or signature of D1 is in the journal`() async throws {
        try await withSandbox { sandbox in
            let phone = try await sandbox.device()
            _ = try await sandbox.configure(phone, [("card-visa", "2718")])
            let hash = try await sandbox.bindingHash(phone).text("bindingHash")
            let token = try TestIssuer(sandbox).token(cbp: hash)
            let session = try await sandbox.login(phone, [token]).text("sessionToken")
            #expect(try await sandbox.d1("GET", "pass-entries", session).status == 200)
            let assertion = try TestIssuer(sandbox).assertion()
            let bearer = try await sandbox.tokenRequest(assertion).text("access_token")
            _ = try await sandbox.banking("GET", "v1/issuers/DEMOBANK01/cards/card-visa", bearer)

            let journal = try await sandbox.control("GET", "/v1/journal/export").text
            for secret in [hash, session, bearer] {
                try #require(secret.utf8.count >= 16)
                #expect(!journal.contains(secret) && journal.contains("***" + secret.suffix(4)), "\(secret)")
            }
            for signed in [token, assertion] {
                let parts = signed.split(separator: ".")
                try #require(parts.count == 3)
                // Header and claims show the mistake; without the signature nobody is let in.
                #expect(journal.contains(parts[0] + "." + parts[1] + ".<signature>"))
                #expect(!journal.contains(parts[2]))
            }
        }
    }
}
