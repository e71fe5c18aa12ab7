/// What a store is opened with.
package struct StoreConfiguration: Sendable {
    /// Where the store lives.
    package enum Location: Sendable, Equatable {
        /// Gone when the store is closed.
        case memory
        case file(String)
    }

    /// What a write that returned has survived.
    package enum Durability: String, Sendable {
        /// The end of the process, however it ends. A loss of power may take the last writes, never the file.
        case normal
        /// Loss of power, too: each commit waits for the disk.
        case full
    }

    package var location: Location
    package var durability: Durability
    /// How long a statement waits for another process that uses the file, in milliseconds.
    package var patience: Int32 = 2_000
    /// Where the file stops growing and writes are refused; nil for the disk's own limit.
    package var maximumBytes: Int?
    /// HMAC-SHA-256. Called on the store thread.
    package var lookupHash: @Sendable (_ key: [UInt8], _ number: [UInt8]) -> [UInt8]
    /// Changed by tests only.
    package var migrations = Migration.all

    package init(
        _ location: Location,
        durability: Durability = .normal,
        maximumBytes: Int? = nil,
        lookupHash: @escaping @Sendable (_ key: [UInt8], _ number: [UInt8]) -> [UInt8]
    ) {
        self.location = location
        self.durability = durability
        self.maximumBytes = maximumBytes
        self.lookupHash = lookupHash
    }

    /// The file's path; nil for a store in memory.
    var path: String? {
        if case .file(let path) = location { path } else { nil }
    }
}
