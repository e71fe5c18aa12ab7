import Core
import Testing
import Traffic
import Web
import Wire

/// Entries to put into journals.
enum JournalSamples {
    static func tenant(_ text: String) throws -> TenantName { try #require(TenantName(text)) }

    static func context(
        _ requestID: String = "r1",
        tenant: TenantName = .default,
        face: String = "tpc",
        operation: String = "tpc.getTokens",
        tokenID: String? = nil,
        at: Instant = Instant(seconds: 1_767_225_600)
    ) -> JournalContext {
        JournalContext(
            requestID: requestID,
            at: at,
            tenant: tenant,
            face: face,
            operation: operation,
            durationMicroseconds: 1_250,
            tokenID: tokenID
        )
    }

    static func entry(
        _ context: JournalContext = context(),
        status: Int = 200,
        body: [UInt8] = [],
        diagnosis: [String]? = nil
    ) -> JournalEntry {
        JournalEntry(
            context,
            request: HTTPRequest(method: .post, target: "/mg/tpc/DEMOBANK01/getTokens"),
            response: HTTPResponse(status: status, body: body),
            diagnosis: diagnosis
        )
    }
}
