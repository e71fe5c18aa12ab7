import Core

/// The store's file before SQLite sees it.
///
/// A file that is not a store is never opened with SQLite, which could write to it or leave files beside it.
enum StoreFile {
    /// Marks our files: `TSPS`, in the header at offset 68 (SQLite file format, section 1.3.17).
    static let applicationID: UInt32 = 0x5453_5053

    /// Makes sure that there is a file, and that it is empty or a store.
    ///
    /// - Throws: ``StoreFault/Reason/damaged`` when it is anything else. It has not been touched.
    static func prepare(_ path: String) throws(StoreFault) {
        try SystemFile.create(path)
        let head = try SystemFile.head(of: path, count: 100)
        guard head.isEmpty || isStore(head) else {
            throw StoreFault(reason: .damaged, message: "\(path) is not a store of this server. It was left as it is.")
        }
    }

    /// The name under which SQLite opens a path: never `:memory:` or another of its special names.
    static func name(_ path: String) -> String { path.hasPrefix("/") ? path : "./" + path }

    private static func isStore(_ head: [UInt8]) -> Bool {
        guard head.count == 100, head.starts(with: Array("SQLite format 3\0".utf8)) else { return false }
        let identifier = head[68..<72].reduce(UInt32(0)) { value, byte in value << 8 | UInt32(byte) }
        return identifier == applicationID
    }
}
