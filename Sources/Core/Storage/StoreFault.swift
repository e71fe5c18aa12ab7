/// The store could not do what was asked. Nothing was changed.
package struct StoreFault: Error, Sendable, Equatable {
    /// What is wrong with a store.
    package enum Reason: String, Sendable {
        /// The store was closed.
        case closed
        /// Another server has the file.
        case inUse
        /// The file was written by a newer version.
        case newerSchema
        /// The disk is full, or the file cannot be written.
        case notWritable
        /// The file is not a store, or is damaged.
        case damaged
        /// Anything else the library reports.
        case failed
    }

    /// What is wrong.
    package let reason: Reason
    /// What the library said; holds no stored data.
    package let message: String

    /// Made of its members.
    package init(reason: Reason, message: String) {
        self.reason = reason
        self.message = message
    }
}

extension StoreFault: CustomStringConvertible {
    /// What happened and what to do about it, for the one who started the server.
    package var description: String { [message, cure].compactMap { $0 }.joined(separator: " ") }

    private var cure: String? {
        switch reason {
        case .closed, .failed: nil
        case .inUse: "Stop it, or give this server a file of its own with --store."
        case .newerSchema: "Start the newer version, or give this one another file with --store."
        case .notWritable:
            "Make room on the disk or give the server leave to write there, or give it another file with --store."
        case .damaged: "Put back a copy of the file, or give the server another one with --store."
        }
    }

    /// The fault of a store's file that could not be opened; the message names the file.
    package func opening(_ path: String) -> StoreFault {
        message.contains(path)
            ? self : StoreFault(reason: reason, message: "\(path): \(message)" + (message.hasSuffix(".") ? "" : "."))
    }
}
