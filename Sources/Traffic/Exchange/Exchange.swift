package import Core
package import Web
package import Wire

/// One request on its way through the sandbox: what was asked, of which world, and what was found out about it.
package struct Exchange: Sendable {
    package var requestID: String
    package let tenant: TenantName
    package let settings: Tenant.Settings
    /// Name of the face, for example `tpc`.
    package let face: String
    /// Name of the operation, for example `tpc.getTokens`.
    package let operation: String
    /// The request as it came, unchanged for the whole visit: what is signed, and what the journal is about.
    package let received: HTTPRequest
    /// What is read of it: without the path of the public URL, the prefix of a tenant and the content coding.
    package private(set) var request: HTTPRequest
    /// A content coding was taken off the body.
    package private(set) var isDecoded = false
    /// How clients reach the server through a proxy; nil when nobody said.
    package let publicURL: PublicURL?
    package let parameters: PathParameters
    /// Checks made so far, in order.
    package var checks: [Check]
    /// The token the request turned out to be about.
    package var tokenID: String?
    /// Members that the face adds to the body of a refusal, for example the token a used session ended in.
    package var errorMembers = JSONObject()
    /// What the request is about, as far as the handler has found out; fault rules ask for it.
    package var subject = FaultSubject()
    /// What a test ordered for this request, and what became of it.
    package var orders = Orders()
    /// Which members of the body somebody knows; nil where a journal tells it.
    package var members: MemberLog?
    /// What of the request must not come twice; see ``SingleUse``.
    package var singleUses: [SingleUse] = []
    /// What the issuer answered in this visit, by question. It outlives a restart: nobody is asked twice.
    package var answers: [String: IssuerAnswer] = [:]
    /// What the operation would answer is wanted, not what it would change.
    package var isRehearsal = false

    /// - Parameter received: nil when it is the request.
    package init(
        requestID: String,
        tenant: TenantName,
        settings: Tenant.Settings,
        face: String,
        operation: String,
        received: HTTPRequest? = nil,
        request: HTTPRequest,
        publicURL: PublicURL? = nil,
        parameters: PathParameters = PathParameters(),
        checks: [Check] = []
    ) {
        self.requestID = requestID
        self.tenant = tenant
        self.settings = settings
        self.face = face
        self.operation = operation
        self.received = received ?? request
        self.request = request
        self.publicURL = publicURL
        self.parameters = parameters
        self.checks = checks
    }

    /// The body as it is read, without its content coding.
    package mutating func read(body: [UInt8]) {
        request.body = body
        isDecoded = true
    }

    package mutating func note(_ check: Check) { checks.append(check) }
    package mutating func note(_ more: [Check]) { checks.append(contentsOf: more) }

    /// Whether the request has a body that says something. What clients of some libraries send for none, `null`, `""` or
    /// white space, does not.
    package var hasDocument: Bool {
        let text = request.body.prefix(8).filter { $0 != 0x20 && !(0x09...0x0D).contains($0) }
        return request.body.count > 8 || !["", "null", "\"\""].contains(String(decoding: text, as: UTF8.self))
    }

    /// Puts a finding that says more in the place of one with `fault`'s code; at the end when there is none.
    package mutating func replace(_ fault: some Diagnosed, with check: Check) {
        guard let index = checks.firstIndex(where: { $0.code == fault.code }) else { return checks.append(check) }
        checks[index] = check
    }

    /// Notes the checks of a verifier and gives its value.
    package mutating func take<Value>(_ checked: Checked<Value>) -> Value? {
        checks.append(contentsOf: checked.checks)
        return checked.value
    }

    /// How far an exchange has come, to go back to.
    package struct Mark: Sendable {
        fileprivate let checks: [Check]
        fileprivate let orders: Orders
    }

    /// Where it stands before its handler runs.
    package var mark: Mark { Mark(checks: checks, orders: orders) }

    /// Takes back what was noted since; the handler has not run then.
    package mutating func restart(at mark: Mark) {
        // A refusal may have changed earlier ones, too.
        checks = mark.checks
        orders = mark.orders
        tokenID = nil
        errorMembers = JSONObject()
        subject = FaultSubject()
        singleUses = []
    }

    /// Asks the issuer, or gives what it answered to the same question before: each is asked once in a visit, however
    /// often the decision is rehearsed or repeated.
    package mutating func ask(
        _ question: String,
        _ ask: () async throws -> IssuerAnswer
    ) async rethrows -> IssuerAnswer {
        if let known = answers[question] { return known }
        let answer = try await ask()
        answers[question] = answer
        return answer
    }

    /// Whether a check so far refuses the request.
    package var isRefused: Bool { checks.contains { !$0.passed } }

    package var failures: [Check] { checks.filter { !$0.passed } }

    /// - Throws: ``Refusal`` when a check so far refuses the request.
    package func refuseIfFailed() throws(Refusal) {
        if isRefused { throw Refusal() }
    }

    /// Notes a failed check and gives the error to throw.
    package mutating func refusal(_ check: Check) -> Refusal {
        checks.append(check)
        return Refusal()
    }
}

/// Ends a handler; the face renders the failed checks of the exchange and, when given, the one in here.
package struct Refusal: Error, Sendable {
    package let check: Check?

    package init(_ check: Check? = nil) { self.check = check }
}
