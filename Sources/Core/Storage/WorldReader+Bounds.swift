import Wire

/// Counters, times and plans within what the sandbox itself makes: a world goes on from them.
extension WorldReader {
    /// Most that a world may have counted: far more than any has, and room enough to go on counting.
    private static let countLimit: Int64 = 1 << 52
    /// What the control API takes, too.
    private static let seedLimit: UInt64 = 1 << 53
    private static let propagationLimit: Int64 = 3_600_000
    /// A token has an end of its activation period and one plan of a scenario at a time.
    private static let eventsOfToken = 8
    /// An event may be planned by a clock that stands at its end.
    private static let latestEvent = TenantClock.latest.adding(seconds: Token.activationPeriodSeconds)

    /// The tenant's own record, and what it says of the others.
    func checkTenant() throws(WorldRefusal) {
        let place = Place(kind: Tenant.kind, id: Tenant.recordID)
        guard let found = records[place], let tenant = found.record as? Tenant else {
            throw WorldRefusal(.tenantMissing, "/records")
        }
        let document = found.pointer + "/document/"
        if let member = WorldReader.memberOutOfBounds(tenant) {
            throw WorldRefusal(.recordInvalid, document + member, evidence: "tenant, \(member)")
        }
        var nextDueAt: Instant?
        var events: [String: Int] = [:]
        let callbacks = record(CallbackCounter.self, CallbackCounter.kind)?.count ?? 0
        try forEachRecord { (record, pointer) throws(WorldRefusal) in
            func wrong(_ member: String, _ evidence: String) -> WorldRefusal {
                WorldRefusal(.recordInvalid, "\(pointer)/document/\(member)", evidence: evidence)
            }
            if let event = record as? DueEvent {
                guard (TenantClock.earliest...WorldReader.latestEvent).contains(event.at) else {
                    throw wrong("at", "due, at")
                }
                nextDueAt = min(nextDueAt ?? event.at, event.at)
                if let tokenID = event.action.tokenID {
                    events[tokenID, default: 0] += 1
                    guard events[tokenID, default: 0] <= WorldReader.eventsOfToken else {
                        throw wrong("subject", "more than \(WorldReader.eventsOfToken) planned events of one token")
                    }
                }
            }
            // A number that is yet to be given out would be given out twice.
            if let (member, number) = record.counted, number > tenant.sequence {
                throw wrong(member, "\(member) is beyond the tenant's sequence")
            }
            switch record {
            case let counter as CallbackCounter where !(0...WorldReader.countLimit).contains(counter.count):
                throw wrong("count", "callbackCounter, count")
            case let callback as Callback where !callback.isKept(by: callbacks):
                throw wrong("id", "id is not one of the last that the counter gave")
            case let key as PayloadKey where (key.number ?? 0) > WorldReader.countLimit:
                throw wrong("keyId", "payloadKey, keyId")
            default: break
            }
        }
        guard tenant.nextDueAt == nextDueAt else { throw WorldRefusal(.dueTime, document + "nextDueAt") }
    }

    /// The first member of the tenant's record that no tenant of the sandbox has.
    private static func memberOutOfBounds(_ tenant: Tenant) -> String? {
        guard tenant.draws.seed <= seedLimit else { return "seed" }
        guard tenant.draws.count <= UInt64(countLimit) else { return "draws" }
        guard (0...countLimit).contains(tenant.sequence) else { return "sequence" }
        guard (0...TenantClock.latest.seconds / 3_600).contains(tenant.cleanedHour) else { return "cleanedHour" }
        guard (0...countLimit).contains(tenant.faultNumber) else { return "faultNumber" }
        guard (0...propagationLimit).contains(tenant.settings.walletPropagationMilliseconds) else {
            return "walletPropagationMs"
        }
        switch tenant.clock.mode {
        case .frozen(let instant): return TenantClock.isInBounds(instant) ? nil : "clockFrozen"
        case .system(let offset):
            let longest = TenantClock.latest.milliseconds
            return (-longest...longest).contains(offset) ? nil : "clockOffset"
        }
    }
}

extension DueEvent.Action {
    /// The token that it is about; nil for one about a card.
    fileprivate var tokenID: String? {
        switch self {
        case .expireToken(let tokenID), .changeToken(let tokenID, _, _): tokenID
        case .replaceCard: nil
        }
    }
}

extension Callback {
    /// Whether the id is one of those that are kept when so many callbacks have been.
    fileprivate func isKept(by count: Int64) -> Bool {
        guard callbackID.hasPrefix("cb-"), let number = Int64(callbackID.dropFirst(3)), "cb-\(number)" == callbackID
        else { return false }
        return number >= 1 && number <= count && number > count - Callback.capacity
    }
}
