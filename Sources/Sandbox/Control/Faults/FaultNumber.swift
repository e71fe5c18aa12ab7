import Traffic

/// The ids of rules that are put without one: `fault-1`, `fault-2` and so on until a reset.
///
/// What a rule draws depends on its id, so the number is of these rules alone: the same rules in the same order draw the
/// same with the same seed, whatever else happened, and whether some of them were removed or not.
enum FaultNumber {
    private static let prefix = "fault-"
    /// Highest number that a given id counts as; a higher one is met when it is reached.
    private static let highest: Int64 = 1_000_000_000

    /// - Parameters:
    ///   - last: the number that was given or met last.
    ///   - present: the rules there are. One that came with an import may have an id before its turn.
    static func next(_ last: Int64, _ present: [FaultRule]) -> String {
        var number = last + 1
        while present.contains(where: { $0.id == prefix + String(number) }) { number += 1 }
        return prefix + String(number)
    }

    /// The last number once there is a rule with this id. An id of this form that a caller gave is not given out later:
    /// else the ids of the rules to come would depend on whether that rule is still there.
    static func counted(_ id: String, after last: Int64) -> Int64 {
        guard id.hasPrefix(prefix), let number = Int64(id.dropFirst(prefix.count)), number <= highest,
            id == prefix + String(number)
        else { return last }
        return max(last, number)
    }
}
