internal import CLibevent
internal import Glibc
internal import Web

/// One address to connect to: the bytes of a `sockaddr`.
struct SocketTarget: Sendable {
    let family: Int32
    let bytes: [UInt8]

    /// A numeric address; nil for a name.
    init?(numeric host: String, port: UInt16) {
        var four = sockaddr_in()
        var six = sockaddr_in6()
        if inet_pton(AF_INET, host, &four.sin_addr) == 1 {
            four.sin_family = sa_family_t(AF_INET)
            four.sin_port = port.bigEndian
            family = AF_INET
            bytes = withUnsafeBytes(of: &four) { Array($0) }
        } else if inet_pton(AF_INET6, host, &six.sin6_addr) == 1 {
            six.sin6_family = sa_family_t(AF_INET6)
            six.sin6_port = port.bigEndian
            family = AF_INET6
            bytes = withUnsafeBytes(of: &six) { Array($0) }
        } else {
            return nil
        }
    }

    /// Copies one entry of a look-up.
    fileprivate init?(_ entry: addrinfo) {
        guard let address = entry.ai_addr else { return nil }
        family = entry.ai_family
        bytes = Array(UnsafeRawBufferPointer(start: address, count: Int(entry.ai_addrlen)))
    }
}

/// The names of hosts, through libevent's DNS client. Loop thread only; owns and frees its `evdns_base`.
///
/// A look-up that began always ends with a call of libevent's, also when it was cancelled: until then the resolver must
/// live, which is what `isBusy` is for.
final class Resolver {
    private let raw: OpaquePointer
    private var pending = 0
    private let idled: () -> Void

    /// Reads `/etc/resolv.conf` and `/etc/hosts`. `idled` is called when the last look-up has ended. Nil when memory or
    /// descriptors are short.
    init?(base: OpaquePointer, idled: @escaping () -> Void) {
        guard let raw = evdns_base_new(base, 0) else { return nil }
        self.raw = raw
        self.idled = idled
        // Without a name server the names of /etc/hosts still work; others then run out of time.
        evdns_base_resolv_conf_parse(raw, shim_DNS_OPTIONS_ALL, "/etc/resolv.conf")
    }

    deinit { evdns_base_free(raw, 0) }

    /// Whether a look-up has not ended.
    var isBusy: Bool { pending > 0 }

    /// Looks `host` up; `answer` is called on the loop thread, perhaps at once. Cancel with the look-up.
    func find(
        _ host: String,
        port: UInt16,
        _ answer: @escaping (Result<[SocketTarget], HTTPCallFault>) -> Void
    ) -> Lookup {
        let lookup = Lookup(host: host, answer: answer, resolver: self)
        var hints = addrinfo()
        hints.ai_family = AF_UNSPEC
        hints.ai_socktype = Int32(SOCK_STREAM.rawValue)
        hints.ai_protocol = Int32(IPPROTO_TCP)
        pending += 1
        // Released by the callback, which libevent makes once.
        let context = Unmanaged.passRetained(lookup).toOpaque()
        let request = evdns_getaddrinfo(raw, host, String(port), &hints, lookupEnded, context)
        if lookup.isOpen { lookup.request = request }
        return lookup
    }

    /// libevent made its one call for a look-up.
    fileprivate func ended() {
        pending -= 1
        if pending == 0 { idled() }
    }
}

/// A look-up under way. Loop thread only.
final class Lookup {
    fileprivate let host: String
    /// Borrowed from libevent until its callback.
    fileprivate var request: OpaquePointer?
    fileprivate var answer: ((Result<[SocketTarget], HTTPCallFault>) -> Void)?
    fileprivate private(set) var isOpen = true
    private let resolver: Resolver

    fileprivate init(
        host: String,
        answer: @escaping (Result<[SocketTarget], HTTPCallFault>) -> Void,
        resolver: Resolver
    ) {
        self.host = host
        self.answer = answer
        self.resolver = resolver
    }

    /// The answer is not wanted any more and will not come.
    func cancel() {
        answer = nil
        if let request { evdns_getaddrinfo_cancel(request) }
        request = nil
    }

    fileprivate func end(_ result: Result<[SocketTarget], HTTPCallFault>) {
        request = nil
        isOpen = false
        let answer = answer
        self.answer = nil
        answer?(result)
        resolver.ended()
    }
}

/// libevent's one call for a look-up, on the loop thread. The list is owned here.
private func lookupEnded(_ result: Int32, _ list: UnsafeMutablePointer<addrinfo>?, _ context: UnsafeMutableRawPointer?)
{
    defer { if let list { evutil_freeaddrinfo(list) } }
    guard let context else { return }
    let lookup = Unmanaged<Lookup>.fromOpaque(context).takeRetainedValue()
    var targets: [SocketTarget] = []
    var next = list
    while let entry = next {
        if let target = SocketTarget(entry.pointee) { targets.append(target) }
        next = entry.pointee.ai_next
    }
    if targets.isEmpty {
        let text = evutil_gai_strerror(result).map { String(cString: $0) } ?? "error \(result)"
        lookup.end(.failure(.unresolved(host: lookup.host, reason: text)))
    } else {
        lookup.end(.success(targets))
    }
}
