package import Core
package import Wire

extension Worlds {
    /// Decides a request: the one place where a face changes its world.
    ///
    /// `body` runs in one writing transaction, which is kept only when no check failed. For a request that was refused
    /// before, and for one that is rehearsed, it is undone: every mistake of the request is told at once. `body` must
    /// therefore do without what a refused request does not have, and it may run again.
    ///
    /// - Parameters:
    ///   - issuers: those whose keys or policies the request was verified with. One that is another by now refuses with
    ///     ``IssuerFault/changed``, and the request is verified again.
    ///   - body: gives the outcome and the checks it made. Without an outcome and without a failed check the sandbox is
    ///     wrong, and says so. What is refused and yet changes something, a guess that is counted, is an outcome.
    /// - Throws: ``Refusal`` when a check failed, before or here; every check is noted. Else what the store throws.
    package func decide<Value: Sendable>(
        _ exchange: inout Exchange,
        verifiedWith issuers: [Issuer?] = [],
        _ body: @escaping @Sendable (World) throws -> Checked<Value>
    ) async throws -> Value {
        let isRefused = exchange.isRefused
        let isKept = !isRefused && !exchange.isRehearsal
        let uses = exchange.singleUses
        let checked = try await write(exchange.tenant, keptIf: { isKept && $0.hasNoFailure }) { world in
            guard !isRefused else { return try Self.look(world, body) }
            var checked = try body(world)
            for case .some(let issuer) in issuers {
                if let change = try world.changeCheck(of: issuer) { checked.checks.append(change) }
            }
            checked.checks += try world.spend(uses)
            return checked
        }
        exchange.note(checked.checks)
        try exchange.refuseIfFailed()
        exchange.singleUses = []
        guard let value = checked.value else { throw Refusal() }
        return value
    }

    /// What `body` finds out about a request that is refused already. What the request lacks can end it early; that is
    /// told by the checks that refused it.
    ///
    /// - Throws: ``StoreFault``.
    private static func look<Value>(
        _ world: World,
        _ body: (World) throws -> Checked<Value>
    ) throws -> Checked<Value> {
        do {
            return try body(world)
        } catch let fault as StoreFault {
            throw fault
        } catch {
            return Checked(value: nil, checks: [])
        }
    }
}
