import Networks
import Traffic
import Web
import Wire

/// Answers for paths that belong to no face.
enum NeutralFace: Network {
    static let name = "none"
    static let basePath = "/"

    var operations: [Networks.Operation] { [] }

    static func answer(
        to failures: [Check],
        in exchange: Exchange
    ) -> (response: HTTPResponse, deciding: Check) {
        ProblemDocument.answer(to: failures, in: exchange, showsEvidence: false)
    }
}
