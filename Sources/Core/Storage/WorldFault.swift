package import Wire

/// Why a world is not taken, or not kept.
package enum WorldFault: String, DiagnosisSubject {
    case format = "WORLD_FORMAT"
    case version = "WORLD_VERSION"
    case kindUnknown = "WORLD_KIND_UNKNOWN"
    case recordInvalid = "WORLD_RECORD_INVALID"
    case recordID = "WORLD_RECORD_ID"
    case duplicate = "WORLD_DUPLICATE"
    case tenantMissing = "WORLD_TENANT_MISSING"
    case dueTime = "WORLD_DUE_TIME"
    case referenceUnknown = "WORLD_REFERENCE_UNKNOWN"
    case numberInvalid = "WORLD_NUMBER_INVALID"
    case numberOwner = "WORLD_NUMBER_OWNER"
    case numberMissing = "WORLD_NUMBER_MISSING"
    case snapshotUnknown = "SNAPSHOT_UNKNOWN"
    case snapshotLimit = "SNAPSHOT_LIMIT"
    case snapshotBytes = "SNAPSHOT_BYTES"
    case tooLarge = "WORLD_TOO_LARGE"
}

extension WorldFault {
    /// What the code is about, in what way it refuses, and what to do about it.
    package var meaning: (kind: RefusalKind, cause: String, cure: String) {
        switch self {
        case .format:
            (
                .malformed, "The document is not an exported world.",
                "Send what GET /v1/export answered; the pointer names the member."
            )
        case .version:
            (
                .malformed, "The world was exported in another version.",
                "This server reads versions 1 to \(WorldDocument.version)."
            )
        case .kindUnknown:
            (.malformed, "A record has a kind that there is not.", "Kinds are written as GET /v1/export writes them.")
        case .recordInvalid:
            (.malformed, "A record's document is not one of its kind.", "See the pointer and the detail.")
        case .recordID:
            (.malformed, "A record's id is not the one its document has.", "Change both, or neither.")
        case .duplicate: (.malformed, "Something stands in the world twice.", "Leave one of the two out.")
        case .tenantMissing:
            (
                .missing, "The world has no record of kind tenant.",
                "It holds seed, draws, clock and settings; export writes it."
            )
        case .dueTime:
            (
                .malformed, "nextDueAt is not the time of the first planned event.",
                "It is the least at of the records of kind due, and absent without one."
            )
        case .referenceUnknown:
            (
                .malformed, "A record names another one that is not in the world.",
                "See the pointer; add what it names, or leave both out."
            )
        case .numberInvalid:
            (.invalidData, "A number does not fit its owner.", "See the pointer; the owner has its last digits.")
        case .numberOwner: (.malformed, "A number's owner is not in the world.", "See the pointer.")
        case .numberMissing:
            (.missing, "A card or token has no number.", "Give it one in numbers, as GET /v1/export writes them.")
        case .snapshotUnknown: (.notFound, "There is no such snapshot.", "List them: GET /v1/snapshots.")
        case .snapshotLimit:
            (.conflict, "The tenant has 16 snapshots and keeps no more.", "Delete one: DELETE /v1/snapshots/{id}.")
        case .tooLarge:
            (
                .conflict, "The world has more than \(WorldDocument.largest >> 20) MiB, and an import takes no more.",
                "Copy the file of the store instead; or begin anew: POST /v1/tenants/{name}/reset."
            )
        case .snapshotBytes:
            (
                .conflict, "The tenant's snapshots would take more than 64 MiB.",
                "Delete some: DELETE /v1/snapshots/{id}; or export the world."
            )
        }
    }
}

/// A world, or a snapshot of one, is refused. Nothing was changed.
package struct WorldRefusal: Error, Sendable {
    /// Its place is in the document; it has none when no document is wrong.
    package let check: Check

    init(_ fault: WorldFault, _ pointer: String? = nil, evidence: String? = nil) {
        check = .failed("world", fault, at: pointer.map { .body($0) }, evidence: evidence)
    }

    init(_ check: Check, _ pointer: String) { self.check = check.at(.body(pointer)) }
}
