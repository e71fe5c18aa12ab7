/// When a rule that matches fires.
package struct FaultTrigger: Sendable, Equatable {
    /// Matching requests that pass first.
    package var skip: Int64 = 0
    /// How often it fires; nil for ever.
    package var times: Int64?
    /// Above 0, up to 1; nil for always. Drawn from the tenant's seed, for each rule by itself.
    package var probability: Double?
    /// The rule's life in tenant time; nil until it is removed.
    package var ttlSeconds: Int64?

    package init() {}

    /// Whether the counters decide when it fires.
    package var isCounted: Bool { skip > 0 || times != nil || probability != nil }
}
