/// What Linux says of this process.
enum ProcessMemory {
    /// Resident bytes; nil where there is no `/proc`.
    static var residentBytes: Int? {
        guard let status = try? Files.text("/proc/self/status") else { return nil }
        // `VmRSS:    12345 kB` (proc(5)).
        let line = status.split(separator: "\n").first { $0.hasPrefix("VmRSS:") }
        return line?.split { $0 == " " || $0 == "\t" }.dropFirst().first.flatMap { Int($0) }.map { $0 * 1_024 }
    }
}
