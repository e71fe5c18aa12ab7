/// Where reads have found records since the last write: ordinals by id or by key.
///
/// Any write empties it, so nothing in it can be outdated. It pays when a client polls, which is what most reads are.
struct PlaceCache {
    /// What was asked for. An id stands under the empty key, which no record has.
    struct Place: Hashable {
        let tenant: String
        let kind: String
        let key: String
        let value: String
    }

    private static let capacity = 4_096

    private var ordinals: [Place: [Int64]] = [:]

    /// True from the first read after a write to the next write.
    var isUsed = false {
        didSet {
            if !isUsed, !ordinals.isEmpty { ordinals.removeAll(keepingCapacity: true) }
        }
    }

    /// The ordinals at a place; nil when they must be asked for.
    subscript(place: Place) -> [Int64]? {
        get { isUsed ? ordinals[place] : nil }
        set {
            guard isUsed else { return }
            if ordinals.count >= Self.capacity { ordinals.removeAll(keepingCapacity: true) }
            ordinals[place] = newValue
        }
    }
}
