/// A verifier's answer: the value, if there is one, and every check made on the way.
///
/// Bad input is a normal outcome here, so that several mistakes in one request are all reported.
package struct Checked<Value> {
    /// Nil when the input gave no value at all. A value may stand beside a failed check.
    package var value: Value?
    package var checks: [Check]

    package init(value: Value?, checks: [Check]) {
        self.value = value
        self.checks = checks
    }

    /// True when no check refuses.
    package var isAccepted: Bool { value != nil && !checks.contains { !$0.passed } }

    /// The same, with checks that say where the value stood; see ``Check/at(_:)``.
    package func at(_ place: Check.Place) -> Checked { Checked(value: value, checks: checks.at(place)) }

    /// True when no check refuses, whether there is a value or not.
    package var hasNoFailure: Bool { checks.allSatisfy(\.passed) }

    package var failures: [Check] { checks.filter { !$0.passed } }
}

extension Checked: Sendable where Value: Sendable {}
