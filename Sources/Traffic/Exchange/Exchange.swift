package import Core
package import Web
package import Wire

/// One request on its way through the sandbox: what was asked, of which world, and what was found out about it.
package struct Exchange: Sendable {
    package let requestID: String
    package let tenant: TenantName
    package let settings: Tenant.Settings
    /// Name of the face, for example `tpc`.
    package let face: String
    /// Name of the operation, for example `tpc.getTokens`.
    package let operation: String
    /// As it was sent, but for its body, which has no content coding any more, and for the prefix of a tenant.
    package private(set) var request: HTTPRequest
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

    package init(
        requestID: String,
        tenant: TenantName,
        settings: Tenant.Settings,
        face: String,
        operation: String,
        request: HTTPRequest,
        parameters: PathParameters = PathParameters(),
        checks: [Check] = []
    ) {
        self.requestID = requestID
        self.tenant = tenant
        self.settings = settings
        self.face = face
        self.operation = operation
        self.request = request
        self.parameters = parameters
        self.checks = checks
    }

    /// The body without its content coding.
    package mutating func replaceBody(_ body: [UInt8]) { request.body = body }

    package mutating func note(_ check: Check) { checks.append(check) }
    package mutating func note(_ more: [Check]) { checks.append(contentsOf: more) }

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
    }

    package var failures: [Check] { checks.filter { !$0.passed } }

    /// - Throws: ``Refusal`` when a check so far refuses the request.
    package func refuseIfFailed() throws(Refusal) {
        if checks.contains(where: { !$0.passed }) { throw Refusal() }
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
