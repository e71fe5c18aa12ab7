package import Wire

/// One world's own row: seed, draws, clock and settings. Read and written in the transaction of the change it serves.
package struct Tenant: Record, Equatable {
    /// What records of this type are called in the store.
    package static let kind = "tenant"
    /// A tenant has one such record.
    package static let recordID = "tenant"

    /// What a test may set for its world.
    package struct Settings: Sendable, Equatable {
        /// How strictly requests are read where neither key nor issuer says.
        package var strictness = Strictness.documented
        /// Whether refusals carry `X-Sandbox-Diagnosis`.
        package var diagnosisHeader = true
        /// Whether refusals carry `X-Sandbox-Hint`, what to do about what chose the answer.
        package var hintHeader = false
        /// Whether cards of certain years choose a scenario.
        package var magicData = true
        /// How long a pass shows `activating` after its token changed to active, in milliseconds of tenant time.
        package var walletPropagationMilliseconds: Int64 = 0

        /// As it is before anything happened.
        package init() {}
    }

    /// What ids, numbers and codes are drawn from.
    package var draws: Draws
    /// Its time.
    package var clock: TenantClock
    /// What a test has set.
    package var settings: Settings
    /// Counts changes of the world; gives things an order that does not depend on the clock.
    package var sequence: Int64
    /// When the next planned event is due; nil when none is planned.
    package var nextDueAt: Instant?
    /// The hour since 1970 in which what is over was removed last.
    package var cleanedHour: Int64 = 0
    /// The number of the fault rule that was given its id last; what a rule draws depends on its id.
    package var faultNumber: Int64 = 0

    /// Made of its members.
    package init(seed: UInt64) {
        draws = Draws(seed: seed)
        clock = TenantClock()
        settings = Settings()
        sequence = 0
    }

    /// The id under which a tenant has this record.
    package var recordID: String { Tenant.recordID }

    /// What the store keeps of it.
    package var document: JSON {
        var document: JSON = [
            "seed": .string(String(draws.seed)), "draws": .number(draws.count), "sequence": .number(sequence),
            "strictness": .string(settings.strictness.rawValue), "diagnosisHeader": .bool(settings.diagnosisHeader),
            "hintHeader": .bool(settings.hintHeader),
            "magicData": .bool(settings.magicData),
            "walletPropagationMs": .number(settings.walletPropagationMilliseconds),
        ]
        if cleanedHour != 0 { document = document.adding("cleanedHour", .number(cleanedHour)) }
        if faultNumber != 0 { document = document.adding("faultNumber", .number(faultNumber)) }
        if let nextDueAt { document = document.adding("nextDueAt", .instant(nextDueAt)) }
        switch clock.mode {
        case .system(let offset): document = document.adding("clockOffset", .number(offset))
        case .frozen(let instant): document = document.adding("clockFrozen", .instant(instant))
        }
        return document
    }

    /// Reads what the store kept.
    ///
    /// - Throws: the member that is missing or of another type.
    package init(document: JSON) throws(RecordFault) {
        let reader = DocumentReader(Tenant.kind, document)
        guard let seed = UInt64(try reader.string("seed")) else { throw RecordFault(kind: Tenant.kind, member: "seed") }
        guard let count = UInt64(exactly: try reader.integer("draws")) else {
            throw RecordFault(kind: Tenant.kind, member: "draws")
        }
        draws = Draws(seed: seed, count: count)
        sequence = try reader.integer("sequence")
        nextDueAt = try reader.optionalInstant("nextDueAt")
        cleanedHour = try reader.optionalInteger("cleanedHour") ?? 0
        faultNumber = try reader.optionalInteger("faultNumber") ?? 0
        settings = Settings()
        settings.strictness = try reader.word("strictness", Strictness.self)
        settings.diagnosisHeader = try reader.bool("diagnosisHeader")
        settings.hintHeader = try reader.bool("hintHeader")
        settings.magicData = try reader.bool("magicData")
        settings.walletPropagationMilliseconds = try reader.integer("walletPropagationMs")
        if let frozen = try reader.optionalInstant("clockFrozen") {
            clock = TenantClock(mode: .frozen(frozen))
        } else {
            clock = TenantClock(mode: .system(offsetMilliseconds: try reader.integer("clockOffset")))
        }
    }
}
