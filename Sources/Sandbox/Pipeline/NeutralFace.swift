import Networks
import Traffic
import Web
import Wire

/// Answers for paths that belong to no face.
struct NeutralFace: Face {
    let name = "none"
    let basePaths = ["/"]

    func endpoints(_ services: Services) -> [any RoutedEndpoint] { [] }

    func answer(
        to failures: [Check],
        in exchange: Exchange
    ) -> (response: HTTPResponse, deciding: Check) {
        // Of an unknown path the evidence is the nearest that is known, and nothing of the request.
        let isPath = failures[0].code == HTTPFault.pathUnknown.code
        return ProblemDocument.answer(to: failures, in: exchange, showsEvidence: isPath)
    }
}
