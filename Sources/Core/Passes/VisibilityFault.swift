package import Wire

/// Why an application sees no pass although one is there.
package enum VisibilityFault: String, DiagnosisSubject {
    case notAssociated = "APP_NOT_ASSOCIATED"
    case noPass = "NO_MATCHING_PASS"
}

extension VisibilityFault {
    /// What the code is about, in what way it refuses, and what to do about it.
    package var meaning: (kind: RefusalKind, cause: String, cure: String) {
        switch self {
        case .notAssociated:
            (
                .notFound, "Passes are there, and their associatedApplicationIdentifiers do not cover the application.",
                "Correct the pass metadata and apply it to the passes that exist: POST /v1/issuers/{issuerId}/pass-metadata/{network}/apply."
            )
        case .noPass:
            (
                .notFound, "No pass on the device or on one paired with it matches.",
                "Look at GET /wallet/apple/devices/{deviceId}/passes without a filter."
            )
        }
    }

    /// The check that tells why a library is empty; nil when something is visible.
    package static func check(of library: PassLibrary, application: String?) -> Check? {
        guard library.visible.isEmpty else { return nil }
        guard let application, !library.hidden.isEmpty else {
            return .failed("passes.visible", VisibilityFault.noPass)
        }
        var lists: [[String]] = []
        for pass in library.hidden {
            let entries = pass.metadata.associatedApplicationIdentifiers
            if !lists.contains(entries) { lists.append(entries) }
        }
        // Of several passes the one that all but shows itself says most.
        let near = lists.lazy.compactMap { Association.nearMiss(application, entries: $0) }.first
        let shown = lists.prefix(4).map { $0.isEmpty ? "none" : $0.joined(separator: ", ") }.joined(separator: "; or ")
        return .failed(
            "passes.visible",
            VisibilityFault.notAssociated,
            evidence: "asked by \(application); listed on the pass: \(shown)"
                + (near.map { "; near miss: \($0)" } ?? ""),
            hint: near
        )
    }
}
