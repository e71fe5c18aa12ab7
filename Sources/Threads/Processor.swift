internal import Glibc

/// What the system says of its processors, and how a thread stands in their queue.
package enum Processor {
    /// Cores that are online, at least one.
    package static var count: Int { max(1, sysconf(Int32(_SC_NPROCESSORS_ONLN))) }

    /// The niceness of the calling thread, from -20 to 19, the least favoured: on Linux it is a thread's own.
    package static var niceness: Int32 {
        get { getpriority(Int32(PRIO_PROCESS.rawValue), 0) }
        // Nothing depends on it but speed, so a refusal does not matter.
        set { _ = setpriority(Int32(PRIO_PROCESS.rawValue), 0, newValue) }
    }

    /// The niceness of the process's first thread.
    package static var processNiceness: Int32 { getpriority(Int32(PRIO_PROCESS.rawValue), id_t(getpid())) }
}
