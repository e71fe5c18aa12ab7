internal import Glibc

/// Why a server could not start, or a connection could not be made. Each case prints as one line for the operator.
package enum TransportFault: Error, Equatable, Sendable, CustomStringConvertible {
    /// Another process, or this one, listens there.
    case addressInUse(host: String, port: UInt16)
    /// Ports below 1024 need a privilege.
    case permissionDenied(host: String, port: UInt16)
    /// The host is not an address of this machine, or not an address at all.
    case badHost(host: String, reason: String)
    /// The certificate, key or client authority cannot be used.
    case tls(file: String, reason: String)
    /// A system call failed.
    case system(call: String, number: Int32)

    /// One line for the operator.
    package var description: String {
        switch self {
        case .addressInUse(let host, let port): "\(host), port \(port), is already in use"
        case .permissionDenied(let host, let port): "no permission to listen on \(host), port \(port)"
        case .badHost(let host, let reason): "cannot listen on host \"\(host)\": \(reason)"
        case .tls(let file, let reason): "cannot use \(file) for TLS: \(reason)"
        case .system(let call, let number): "\(call) failed: \(TransportFault.text(of: number))"
        }
    }

    /// The C library's text of an error number.
    static func text(of number: Int32) -> String {
        strerror(number).map { String(cString: $0) } ?? "error \(number)"
    }
}
