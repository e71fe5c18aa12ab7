import Transport

/// Where a port is, as a URL for clients.
struct ListeningAddress: Sendable {
    let scheme: String
    let bound: BoundAddress

    /// - Parameter name: the host under which a client reached the server on another port, an IPv6 address without brackets. It
    ///   takes the place of an address that means every one of the machine, which is nowhere for a client.
    func url(reachedAs name: String? = nil) -> String {
        guard let name, ["0.0.0.0", "::"].contains(bound.host) else { return "\(scheme)://\(bound)" }
        return "\(scheme)://\(BoundAddress(host: name, port: bound.port))"
    }
}
