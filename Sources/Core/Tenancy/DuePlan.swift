import Wire

/// What is planned in a world, in the order in which it happens.
struct DuePlan {
    private var known: ArraySlice<DueEvent>
    private var added: ArraySlice<DueEvent> = []

    init(_ events: [DueEvent]) { known = events.sorted(by: DuePlan.isBefore)[...] }

    var first: DueEvent? {
        guard let next = added.first else { return known.first }
        guard let other = known.first else { return next }
        return DuePlan.isBefore(next, other) ? next : other
    }

    mutating func removeFirst() {
        if let next = added.first, next == first { added.removeFirst() } else { known.removeFirst() }
    }

    /// Takes what an event planned itself. That comes later than what was taken before, mostly, so the place is looked
    /// for from the end.
    mutating func add(_ event: DueEvent) {
        var index = added.endIndex
        while index > added.startIndex, DuePlan.isBefore(event, added[index - 1]) { index -= 1 }
        added.insert(event, at: index)
    }

    private static func isBefore(_ left: DueEvent, _ right: DueEvent) -> Bool {
        (left.at, left.order) < (right.at, right.order)
    }
}

extension Worlds {
    /// Lets everything happen that is due at `now`, in order and each at its own time; gives the tenant after it.
    ///
    /// The plan is read once and not once for each event: a load test may leave thousands. What an event plans itself
    /// takes its turn before the later ones.
    func happen(until now: Instant, _ before: Tenant, _ writer: RecordWriter) throws -> Tenant {
        var tenant = before
        var plan = DuePlan(try writer.records(DueEvent.self))
        while let event = plan.first, event.at <= now {
            plan.removeFirst()
            try writer.remove(DueEvent.self, event.recordID)
            let world = World(store: writer, tenant: tenant, now: event.at, environment: environment)
            try world.perform(event, policy: environment.panPolicy)
            tenant = world.tenant
            for next in world.planned { plan.add(next) }
        }
        tenant.nextDueAt = plan.first?.at
        if tenant != before { try writer.put(tenant) }
        return tenant
    }
}
