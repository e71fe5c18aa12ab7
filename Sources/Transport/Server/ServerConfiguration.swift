/// What one server listens on and how.
package struct ServerConfiguration: Sendable {
    /// An address of this machine, or a name of one.
    package var host: String
    /// 0 takes a free port.
    package var port: UInt16
    /// The server's bounds.
    package var limits: Limits
    /// Nil serves plain HTTP.
    package var tls: TLSConfiguration?
    /// For logs and metrics, for example `api`.
    package var name: String

    /// Is told of each TLS handshake that fails, on the loop thread: it must be quick.
    package var handshakeFailed: (@Sendable (HandshakeFailure) -> Void)?

    /// Plain HTTP on a free port of loopback unless told otherwise.
    package init(
        host: String = "127.0.0.1",
        port: UInt16 = 0,
        limits: Limits = Limits(),
        tls: TLSConfiguration? = nil,
        name: String = "api"
    ) {
        self.host = host
        self.port = port
        self.limits = limits
        self.tls = tls
        self.name = name
    }
}

/// Where a server really listens.
package struct BoundAddress: Sendable, Equatable, CustomStringConvertible {
    /// The numeric address.
    package let host: String
    /// The port, never 0.
    package let port: UInt16

    /// An address; whether anybody listens there is not looked at.
    package init(host: String, port: UInt16) {
        self.host = host
        self.port = port
    }

    /// `host:port`, an IPv6 address in brackets, ready for a URL.
    package var description: String { host.contains(":") ? "[\(host)]:\(port)" : "\(host):\(port)" }
}
