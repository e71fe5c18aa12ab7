internal import Glibc

/// How many descriptors the process may have open.
enum DescriptorLimit {
    /// More than the servers can use; an unlimited hard limit does not mean that more should be asked for.
    private static let wanted: rlim_t = 65_536
    /// Left for what is not a connection of the shared part: each server's own share, the store, outgoing calls, files.
    private static let reserve = 256

    /// Raises the soft limit as far as the hard one allows. Nothing here calls select(2), which needs small numbers.
    static func raise() {
        var limit = reading
        guard limit.rlim_cur < wanted, limit.rlim_cur < limit.rlim_max else { return }
        limit.rlim_cur = min(limit.rlim_max, wanted)
        setrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit)
    }

    /// How many connections all servers of a loop may have open together, beyond each one's own share.
    static var sharedConnections: Int { max(0, Int(min(reading.rlim_cur, wanted)) - reserve) }

    /// How many connections a server may have whatever the others hold: a quarter of what the process itself leaves, so that
    /// three servers fit with a few files, where there are very few descriptors.
    static func ownConnections(_ wanted: Int) -> Int {
        min(wanted, max(1, (Int(min(reading.rlim_cur, DescriptorLimit.wanted)) - process) / 4))
    }

    /// What the loops, the listeners, the streams and the store have open.
    private static let process = 32

    private static var reading: rlimit {
        var limit = rlimit()
        getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit)
        return limit
    }
}
