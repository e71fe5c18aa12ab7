internal import CLibevent
internal import COpenSSL

/// TLS of one server.
final class TLSContext {
    init(_ configuration: TLSConfiguration) throws(TransportFault) {
        throw .tls(file: configuration.certificateFile, reason: "not built yet")
    }

    func channel(_ descriptor: Int32, base: OpaquePointer) -> Channel? { nil }
}
