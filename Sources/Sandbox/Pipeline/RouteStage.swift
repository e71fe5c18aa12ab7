import Networks
import Traffic
import Web
import Wire

/// Finds the endpoint of a method and a path, or says why there is none.
struct RouteStage: Sendable {
    enum Obstacle: Sendable {
        /// The path exists with these methods.
        case wrongMethod(allowed: [HTTPMethod])
        /// The path exists without its trailing slash.
        case trailingSlash
        case unknownPath
    }

    struct Found {
        let destination: Destination
        let parameters: PathParameters
        let obstacle: Obstacle?
    }

    let endpoints: [any RoutedEndpoint]
    private let router: Router<Destination>
    private let nowhere: [(basePaths: [String], destination: Destination)]
    private let neutral = Destination(nowhereIn: NeutralFace())

    init(_ faces: [any Face], _ services: Services) {
        let destinations = faces.flatMap { face in
            let errors = Dictionary(face.networkErrors.map { ($0.name, $0) }) { first, _ in first }
            return face.endpoints(services).map { Destination(face, $0, errors) }
        }
        endpoints = destinations.compactMap(\.endpoint)
        router = Router(
            destinations.map { (method: $0.route.method, pattern: RoutePattern($0.route.path), value: $0) }
        )
        nowhere = faces.map { (basePaths: $0.basePaths, destination: Destination(nowhereIn: $0)) }
    }

    func find(_ request: HTTPRequest) -> Found {
        let obstacle: Obstacle
        switch router.match(request.method, request.path) {
        case .found(let destination, let parameters):
            return Found(destination: destination, parameters: parameters, obstacle: nil)
        case .wrongMethod(let allowed): obstacle = .wrongMethod(allowed: allowed)
        case .trailingSlash: obstacle = .trailingSlash
        case .notFound: obstacle = .unknownPath
        }
        return Found(destination: nowhere(request.path), parameters: PathParameters(), obstacle: obstacle)
    }

    /// The face whose shape an answer takes when no route was found.
    func nowhere(_ path: Substring) -> Destination {
        nowhere.first { face in
            face.basePaths.contains { path == $0 || path.hasPrefix($0 + "/") }
        }?.destination ?? neutral
    }

    /// The failed check of an obstacle; nil for `OPTIONS` on a path that exists.
    func failure(_ obstacle: Obstacle, _ request: HTTPRequest) -> Check? {
        switch obstacle {
        case .wrongMethod(let allowed):
            guard request.method != .options else { return nil }
            let evidence = "\(request.method.rawValue); allowed: \(Self.list(allowed))"
            return .failed("http.method", HTTPFault.methodNotAllowed, evidence: evidence)
        case .trailingSlash: return .failed("http.path", HTTPFault.trailingSlash)
        case .unknownPath:
            let evidence = router.nearest(request.path).map { "nearest: \($0)" }
            return .failed("http.path", HTTPFault.pathUnknown, evidence: evidence)
        }
    }

    /// As the `Allow` field has it.
    static func list(_ methods: [HTTPMethod]) -> String { methods.map(\.rawValue).joined(separator: ", ") }
}
