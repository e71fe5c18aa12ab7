import Crypto
import Synchronization

/// The token of the control API. One that stands in a file can be read again while the server runs.
package final class ControlToken: Sendable {
    /// Nil for a token that was given as it is.
    let file: String?
    private let bytes: Mutex<[UInt8]>

    /// - Throws: ``FileFault`` for a file that cannot be read or holds no token.
    init?(_ configuration: SandboxConfiguration) throws(FileFault) {
        file = configuration.controlTokenFile
        if let file {
            bytes = Mutex(try ControlToken.read(file))
        } else if let token = configuration.controlToken {
            bytes = Mutex(Array(token.utf8))
        } else {
            return nil
        }
    }

    /// Whether a client's token is this one, in the same time for every wrong one of its length.
    func matches(_ given: String) -> Bool { ConstantTime.areEqual(Array(given.utf8), bytes.withLock { $0 }) }

    /// Reads the file again; from then on only what it holds now is good.
    ///
    /// - Throws: ``FileFault``; the token stays as it was.
    func renew() throws(FileFault) {
        guard let file else { return }
        let token = try ControlToken.read(file)
        bytes.withLock { $0 = token }
    }

    /// The only line of a file, as an editor or `echo` writes it.
    private static func read(_ file: String) throws(FileFault) -> [UInt8] {
        let token = try Files.text(file).utf8.split { $0 <= 0x20 }
        guard token.count == 1, token[0].allSatisfy({ (0x21...0x7E).contains($0) }) else {
            throw FileFault(path: file, reason: "one line of visible ASCII characters without spaces is wanted")
        }
        return Array(token[0])
    }
}
