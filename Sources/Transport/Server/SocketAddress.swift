internal import CLibevent
internal import Glibc

/// Reads addresses of the system. The pointers belong to the caller and are not kept.
enum SocketAddress {
    /// The numeric address without the port; empty for a family that has none.
    static func host(_ address: UnsafePointer<sockaddr>) -> String {
        let raw = UnsafeRawPointer(address)
        return withUnsafeTemporaryAllocation(of: CChar.self, capacity: Int(INET6_ADDRSTRLEN)) { text in
            guard let start = text.baseAddress else { return "" }
            let size = socklen_t(INET6_ADDRSTRLEN)
            switch Int32(address.pointee.sa_family) {
            case AF_INET:
                var value = raw.load(as: sockaddr_in.self).sin_addr
                return inet_ntop(AF_INET, &value, start, size) == nil ? "" : String(cString: start)
            case AF_INET6:
                var value = raw.load(as: sockaddr_in6.self).sin6_addr
                return inet_ntop(AF_INET6, &value, start, size) == nil ? "" : String(cString: start)
            default: return ""
            }
        }
    }

    /// The port; 0 for a family that has none.
    static func port(_ address: UnsafePointer<sockaddr>) -> UInt16 {
        let raw = UnsafeRawPointer(address)
        switch Int32(address.pointee.sa_family) {
        case AF_INET: return UInt16(bigEndian: raw.load(as: sockaddr_in.self).sin_port)
        case AF_INET6: return UInt16(bigEndian: raw.load(as: sockaddr_in6.self).sin6_port)
        default: return 0
        }
    }
}
