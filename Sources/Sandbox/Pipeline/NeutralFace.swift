import Networks
import Traffic
import Web
import Wire

/// Answers for paths that belong to no face.
enum NeutralFace: Face {
    static let name = "none"
    static let basePath = "/"

    var endpoints: [Networks.Endpoint] { [] }

    static func answer(
        to failures: [Check],
        in exchange: Exchange
    ) -> (response: HTTPResponse, deciding: Check) {
        // Of an unknown path the evidence is the nearest that is known, and nothing of the request.
        let isPath = failures[0].code == HTTPFault.pathUnknown.code
        return ProblemDocument.answer(to: failures, in: exchange, showsEvidence: isPath)
    }
}
