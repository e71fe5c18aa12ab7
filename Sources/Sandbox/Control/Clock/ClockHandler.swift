import Core
import Networks
import Traffic
import Web
import Wire

/// The tenant's clock: looking at it, setting it, and moving it forward.
struct ClockHandler: Sendable {
    let services: ControlServices

    var endpoints: [ControlEndpoint] {
        [
            .control("getClock", .get, "/v1/clock", handler: get),
            .control("setClock", .put, "/v1/clock", handler: set),
            .control("advanceClock", .post, "/v1/clock/advance", handler: advance),
        ]
    }

    func get(_ exchange: inout Exchange) async throws -> HTTPResponse {
        ClockMessage.answer(try await services.worlds.clock(of: exchange.tenant))
    }

    func set(_ exchange: inout Exchange) async throws -> HTTPResponse {
        let fields = try ControlFields(exchange)
        fields.expect("mode", "now")
        let mode = try fields.requiredWord("mode", ClockMessage.Mode.self)
        let wanted = try ClockMessage.instant("now", fields)
        return try await change(exchange.tenant) { _, now, system in
            switch mode {
            // Without a time a frozen clock stands where it is, and a running one goes back to the system's time.
            case .frozen: TenantClock(mode: .frozen(wanted ?? now))
            case .system: wanted.map { .running(from: $0, system: system) } ?? TenantClock()
            }
        }
    }

    func advance(_ exchange: inout Exchange) async throws -> HTTPResponse {
        let fields = try ControlFields(exchange)
        fields.expect("seconds")
        let step = try ClockMessage.milliseconds("seconds", fields)
        return try await change(exchange.tenant, orRefuse: fields.invalid("seconds", ClockMessage.stepWanted)) {
            clock,
            _,
            system in
            clock.advanced(milliseconds: step, system: system)
        }
    }

    /// - Parameter refusal: what is thrown when `change` gives no clock.
    private func change(
        _ tenant: TenantName,
        orRefuse refusal: Refusal = Refusal(),
        _ change: @escaping @Sendable (TenantClock, Instant, Instant) -> TenantClock?
    ) async throws -> HTTPResponse {
        guard let changed = try await services.worlds.setClock(of: tenant, change) else { throw refusal }
        services.tenants.takeOver(changed.tenant, of: tenant)
        return ClockMessage.answer(changed.reading)
    }
}
