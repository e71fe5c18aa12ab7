package import Core
import Crypto
package import Wire

/// A kind of value that `explain` takes. The face whose handlers take such values makes it, from the step that verifies
/// them there.
package struct Explanation: Sendable {
    /// The checks of a value.
    ///
    /// - Throws: ``Refusal`` when the request itself cannot be understood.
    package typealias Checks = @Sendable (JSON, Explainer) async throws -> [Check]

    /// The name of the kind, for example `pkcs7`.
    package let kind: String
    /// Whether the value is an object, and not a text.
    package let takesObject: Bool
    /// Makes the checks.
    package let checks: Checks

    /// A kind of objects.
    package init(ofObjects kind: String, _ checks: @escaping Checks) {
        self.kind = kind
        takesObject = true
        self.checks = checks
    }

    /// A kind of texts.
    package init(_ kind: String, _ checks: @escaping @Sendable (String, Explainer) async throws -> [Check]) {
        self.kind = kind
        takesObject = false
        self.checks = { value, explainer in try await checks(value.string ?? "", explainer) }
    }
}

/// What an explanation works with: the tenant's world, its clock, settings, issuers and keys. It changes nothing: no `jti`,
/// session, binding or code is spent, nothing is drawn.
package struct Explainer: Sendable {
    /// What the faces work with.
    package let services: Services
    /// Whose world it is.
    package let tenant: TenantName
    /// What is known besides the value.
    package let context: ExplainContext

    /// For one request.
    package init(services: Services, tenant: TenantName, context: ExplainContext) {
        self.services = services
        self.tenant = tenant
        self.context = context
    }

    /// Reads the world.
    package func read<Value: Sendable>(_ body: @escaping @Sendable (View) throws -> Value) async throws -> Value {
        try await services.worlds.read(tenant, body)
    }

    /// Rules for card numbers under a strictness.
    package func rules(_ strictness: Strictness, now: Instant? = nil) -> CardNumberRules {
        CardNumberRules(policy: services.worlds.environment.panPolicy, strictness: strictness, now: now)
    }
}
