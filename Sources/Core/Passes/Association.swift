/// Which applications see a pass (CONTRACT, section 1, "Association").
package enum Association {
    /// Why an entry of `associatedApplicationIdentifiers` cannot be used; nil for a good one.
    ///
    /// An entry is a Team ID (ten of A–Z and 0–9), a dot, and a bundle id, whose last part may be `*`.
    package static func objection(to entry: String) -> String? {
        let parts = entry.split(separator: ".", omittingEmptySubsequences: false)
        guard let team = parts.first, isTeamID(team) else {
            return "\(entry) does not begin with a Team ID of ten capital letters and digits"
        }
        let bundle = parts.dropFirst()
        guard !bundle.isEmpty, bundle.allSatisfy({ !$0.isEmpty }) else { return "\(entry) has an empty part" }
        for (index, part) in bundle.enumerated() {
            if part == "*" {
                if index != bundle.count - 1 { return "\(entry) has a wildcard that is not at the end" }
            } else if !part.utf8.allSatisfy(isBundleCharacter) {
                return "\(entry) has a character that bundle ids do not have"
            }
        }
        return nil
    }

    /// True when one of the entries covers the application. Case-sensitive; `X.app.*` does not cover `X.app`.
    package static func covers(_ application: String, entries: [String]) -> Bool {
        entries.contains { entry in
            guard entry.hasSuffix(".*") else { return entry == application }
            let prefix = entry.dropLast()
            return application.hasPrefix(prefix) && application.utf8.count > prefix.utf8.count
        }
    }

    /// The entry that misses the application by the least, and why; nil when nothing is near.
    package static func nearMiss(_ application: String, entries: [String]) -> String? {
        let bundle = bundleID(application)
        for entry in entries {
            let base = entry.hasSuffix(".*") ? String(entry.dropLast(2)) : entry
            if covers(application.lowercased(), entries: [entry.lowercased()]) {
                return "\(entry) differs in letter case only"
            }
            if bundleID(base) == application || covers(application, entries: [bundleID(entry)]) {
                return "\(entry) has a Team ID; send it in front of the bundle id"
            }
            if base == application { return "\(entry) covers what is below \(application), not \(application) itself" }
            if !bundle.isEmpty, bundleID(entry) == bundle {
                return "\(entry) has the same bundle id under another Team ID"
            }
            if application.hasPrefix(base + ".") {
                return "\(entry) covers \(base) only; \(base).* would cover this one"
            }
            let pattern = bundleID(entry)
            if !bundle.isEmpty, pattern == "*" || entry.hasSuffix(".*") && covers(bundle, entries: [pattern]) {
                return "\(entry) has a matching bundle id under another Team ID"
            }
        }
        return nil
    }

    private static func bundleID(_ identifier: String) -> String {
        identifier.firstIndex(of: ".").map { String(identifier[identifier.index(after: $0)...]) } ?? ""
    }

    private static func isTeamID(_ text: Substring) -> Bool {
        text.utf8.count == 10 && text.utf8.allSatisfy { (0x41...0x5A).contains($0) || (0x30...0x39).contains($0) }
    }

    private static func isBundleCharacter(_ byte: UInt8) -> Bool {
        switch byte {
        case 0x30...0x39, 0x41...0x5A, 0x61...0x7A, 0x2D: true
        default: false
        }
    }

    /// True for `TEAMID.bundle.id` without a wildcard: the name of one application.
    package static func isApplicationIdentifier(_ text: String) -> Bool {
        objection(to: text) == nil && !text.hasSuffix(".*") && text.utf8.count <= 200
    }
}
