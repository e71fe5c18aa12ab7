package import Core
import Masking
package import Web
package import Wire

/// What is known of an exchange besides its two messages.
package struct JournalContext: Sendable {
    package var requestID: String
    package var at: Instant
    package var tenant: TenantName
    package var direction: JournalEntry.Direction
    package var face: String
    package var operation: String
    package var durationMicroseconds: Int64
    /// As ``Journal/attempt(of:requestID:in:)`` gave it; nil lets the journal count.
    package var attempt: Int?
    package var fault: String?
    package var scenario: String?
    package var tokenID: String?
    package var clientLeft: Bool

    package init(
        requestID: String,
        at: Instant,
        tenant: TenantName,
        face: String,
        operation: String,
        direction: JournalEntry.Direction = .inbound,
        durationMicroseconds: Int64 = 0,
        attempt: Int? = nil,
        fault: String? = nil,
        scenario: String? = nil,
        tokenID: String? = nil,
        clientLeft: Bool = false
    ) {
        self.requestID = requestID
        self.at = at
        self.tenant = tenant
        self.direction = direction
        self.face = face
        self.operation = operation
        self.durationMicroseconds = durationMicroseconds
        self.attempt = attempt
        self.fault = fault
        self.scenario = scenario
        self.tokenID = tokenID
        self.clientLeft = clientLeft
    }
}

extension JournalEntry {
    /// An entry from what went over the wire. Everything is masked here, which takes some microseconds: make it after
    /// the answer was handed over.
    ///
    /// - Parameter diagnosis: The codes in order; without it the codes of the checks, refusals first.
    package init(
        _ context: JournalContext,
        request: HTTPRequest,
        response: HTTPResponse,
        checks: [Check] = [],
        diagnosis: [String]? = nil
    ) {
        requestID = Masking.text(context.requestID)
        at = context.at
        tenant = context.tenant
        direction = context.direction
        face = context.face
        operation = context.operation
        method = Masking.text(request.method.rawValue)
        path = Masking.target(request.target)
        status = response.status
        durationMicroseconds = context.durationMicroseconds
        attempt = context.attempt
        self.diagnosis = diagnosis ?? JournalEntry.codes(of: checks)
        self.checks = checks.map { JournalCheck(masking: $0) }
        fault = context.fault.map(Masking.text)
        scenario = context.scenario.map(Masking.text)
        tokenID = context.tokenID.map(Masking.text)
        clientLeft = context.clientLeft
        self.request = Message(masking: request.headers, request.body)
        self.response = Message(masking: response.headers, RandomMembers.replaced(in: response))
    }

    /// The codes of checks without repetition: refusals in their order, then warnings.
    package static func codes(of checks: [Check]) -> [String] {
        var codes: [String] = []
        for isWarning in [false, true] {
            for check in checks where check.passed == isWarning {
                if let code = check.code?.name, !codes.contains(code) { codes.append(code) }
            }
        }
        return codes
    }
}

extension JournalEntry.Message {
    /// Headers and body as they may be kept.
    package init(masking headers: HTTPHeaders, _ body: [UInt8]) {
        self.headers = Masking.headers(headers).map { JournalEntry.Header(name: $0.name, value: $0.value) }
        self.body = body.isEmpty ? "" : Masking.body(body, contentType: headers[.contentType])
    }
}
