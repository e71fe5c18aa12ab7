import COpenSSL

/// Bytes that are wiped when nobody holds them any more, and that print as `***`.
///
/// Safe because the memory is written only inside initialisers.
package final class SecretBytes: @unchecked Sendable {
    private let storage: UnsafeMutableRawBufferPointer

    /// Copies `bytes`; the caller's copy is the caller's concern.
    package init(_ bytes: some Collection<UInt8>) {
        storage = UnsafeMutableRawBufferPointer.allocate(byteCount: bytes.count, alignment: 1)
        storage.copyBytes(from: bytes)
    }

    /// Lets `fill` write up to `capacity` bytes and keeps as many as it says.
    init<Failure>(
        capacity: Int,
        filledBy fill: (UnsafeMutableRawBufferPointer) throws(Failure) -> Int
    ) throws(Failure) {
        let scratch = UnsafeMutableRawBufferPointer.allocate(byteCount: capacity, alignment: 1)
        defer {
            OPENSSL_cleanse(scratch.baseAddress, scratch.count)
            scratch.deallocate()
        }
        let count = try fill(scratch)
        storage = UnsafeMutableRawBufferPointer.allocate(byteCount: count, alignment: 1)
        storage.copyBytes(from: UnsafeRawBufferPointer(rebasing: scratch[..<count]))
    }

    deinit {
        OPENSSL_cleanse(storage.baseAddress, storage.count)
        storage.deallocate()
    }

    /// Number of bytes.
    package var count: Int { storage.count }

    /// A copy that is no longer wiped, for a parser that needs an array.
    package var bytes: [UInt8] { Array(storage) }

    /// Lends the bytes; the pointer ends with the call.
    package func withUnsafeBytes<Result, Failure>(
        _ body: (UnsafeRawBufferPointer) throws(Failure) -> Result
    ) throws(Failure) -> Result {
        try body(UnsafeRawBufferPointer(storage))
    }
}

extension SecretBytes: Equatable {
    /// In a time that depends on the lengths only.
    package static func == (left: SecretBytes, right: SecretBytes) -> Bool {
        left.count == right.count && CRYPTO_memcmp(left.storage.baseAddress, right.storage.baseAddress, left.count) == 0
    }
}

extension SecretBytes: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    /// Never the bytes.
    package var description: String { "***" }
    /// Never the bytes.
    package var debugDescription: String { "***" }
    /// Never the bytes.
    package var customMirror: Mirror { Mirror(self, children: []) }
}
