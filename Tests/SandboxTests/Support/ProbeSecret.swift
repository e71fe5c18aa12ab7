import Core
import Wire

/// A credential that ``ProbeFace`` gave out, kept as a record of a kind that nothing under `Sources` knows.
struct ProbeSecret: Record, Equatable {
    static let kind = "probeSecret"

    /// Digest of the secret.
    let recordID: String

    init(_ secret: String) { recordID = GivenSecret.recordID(secret) }

    var keys: [RecordKey] { [.credential(recordID)] }
    var document: JSON { ["digest": .string(recordID)] }

    init(document: JSON) throws(RecordFault) {
        recordID = try DocumentReader(ProbeSecret.kind, document).string("digest")
    }
}
