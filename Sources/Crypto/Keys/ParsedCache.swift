import Synchronization

/// The parsed forms of keys and certificates, found by the digest of their bytes; those used longest ago go.
///
/// OpenSSL 3.0 takes 0.3 ms to read a key, longer than a whole request. Only what follows from the bytes alone is
/// remembered, so one cache for the process changes no answer.
final class ParsedCache<Value: Sendable>: Sendable {
    private struct State {
        var values: [[UInt8]: (value: Value, lastUse: UInt64)] = [:]
        var uses: UInt64 = 0
    }

    private let state = Mutex(State())
    private let capacity: Int

    init(capacity: Int) { self.capacity = capacity }

    /// The value for `bytes`, made by `parse` when it is not there. Failures are not remembered.
    func value<Failure>(
        for bytes: [UInt8],
        parse: () throws(Failure) -> Value
    ) throws(Failure) -> Value {
        let key = Hash.sha256.digest(bytes)
        if let value = find(key) { return value }
        let value = try parse()
        insert(value, key)
        return value
    }

    /// How many values are held.
    var count: Int { state.withLock { $0.values.count } }

    private func find(_ key: [UInt8]) -> Value? {
        state.withLock { state in
            state.uses += 1
            let uses = state.uses
            guard let index = state.values.index(forKey: key) else { return nil }
            state.values.values[index].lastUse = uses
            return state.values.values[index].value
        }
    }

    private func insert(_ value: Value, _ key: [UInt8]) {
        state.withLock { state in
            if state.values.count >= capacity {
                // The older half at once: a search for each new value would take longer than most parsing.
                let uses = state.values.values.map(\.lastUse).sorted()
                let median = uses[(uses.count - 1) / 2]
                state.values = state.values.filter { $0.value.lastUse > median }
            }
            state.uses += 1
            state.values[key] = (value, state.uses)
        }
    }
}

extension ParsedCache where Value == PublicKey {
    /// By DER.
    static let publicKeys = ParsedCache(capacity: 512)
    /// By PEM text: apart, because PEM where DER is wanted must be refused.
    static let publicKeyTexts = ParsedCache(capacity: 512)
}

extension ParsedCache where Value == PrivateKey {
    /// By DER.
    static let privateKeys = ParsedCache(capacity: 512)
    /// By PEM text: apart, because PEM where DER is wanted must be refused.
    static let privateKeyTexts = ParsedCache(capacity: 512)
}

extension ParsedCache where Value == Certificate {
    /// By DER.
    static let certificates = ParsedCache(capacity: 512)
    /// By PEM text: apart, because PEM where DER is wanted must be refused.
    static let certificateTexts = ParsedCache(capacity: 512)
}

extension ParsedCache where Value == Bool {
    /// By certificate and key; only true is held.
    static let verifiedSignatures = ParsedCache(capacity: 512)
}
