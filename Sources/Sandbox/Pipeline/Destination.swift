import Networks
import Web

/// Where a request goes: a face, and one of its endpoints. A class, because the router hands it to each request.
final class Destination: Sendable {
    let face: any Face
    /// Nil where the face serves nothing of that method and path: what is left of it is the shape of its refusals.
    let endpoint: (any RoutedEndpoint)?
    let route: Route
    /// The face's errors by name.
    let networkErrors: [String: NetworkError]

    init(_ face: any Face, _ endpoint: any RoutedEndpoint, _ networkErrors: [String: NetworkError]) {
        self.face = face
        self.endpoint = endpoint
        self.networkErrors = networkErrors
        route = endpoint.route
    }

    init(nowhereIn face: any Face) {
        self.face = face
        endpoint = nil
        networkErrors = [:]
        route = Route("\(face.name).none", .get, "/", .sandbox)
    }
}
