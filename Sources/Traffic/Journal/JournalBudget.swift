/// The bytes of all tenants' journals together, and who holds most of them.
///
/// A heap whose first place is the tenant with most bytes: a change moves one tenant some places up or down, and
/// nobody else is looked at.
struct JournalBudget<Holder> {
    private struct Place {
        let id: UInt64
        let holder: Holder
        var bytes: Int
    }

    private let limit: Int
    private var heap: [Place] = []
    private var index: [UInt64: Int] = [:]
    /// Bytes of all holders.
    private(set) var bytes = 0

    init(limit: Int) { self.limit = limit }

    /// The holder that must give something up; nil while the limit holds.
    var debtor: Holder? { bytes > limit ? heap.first?.holder : nil }

    mutating func add(_ id: UInt64, _ holder: Holder) {
        index[id] = heap.count
        heap.append(Place(id: id, holder: holder, bytes: 0))
    }

    /// Notes that a holder has more bytes, or fewer. One that was removed meanwhile has none that count.
    mutating func change(_ id: UInt64, by difference: Int) {
        guard difference != 0, let place = index[id] else { return }
        bytes += difference
        heap[place].bytes += difference
        if difference > 0 { rise(place) } else { sink(place) }
    }

    /// Takes a holder out, with all its bytes.
    mutating func remove(_ id: UInt64) {
        guard let place = index.removeValue(forKey: id) else { return }
        bytes -= heap[place].bytes
        let last = heap.removeLast()
        guard place < heap.count else { return }
        heap[place] = last
        index[last.id] = place
        rise(place)
        sink(place)
    }

    private mutating func rise(_ start: Int) {
        var place = start
        while place > 0, heap[(place - 1) / 2].bytes < heap[place].bytes {
            swap(place, (place - 1) / 2)
            place = (place - 1) / 2
        }
    }

    private mutating func sink(_ start: Int) {
        var place = start
        while true {
            var largest = place
            for child in [2 * place + 1, 2 * place + 2] where child < heap.count {
                if heap[child].bytes > heap[largest].bytes { largest = child }
            }
            if largest == place { return }
            swap(place, largest)
            place = largest
        }
    }

    private mutating func swap(_ left: Int, _ right: Int) {
        heap.swapAt(left, right)
        index[heap[left].id] = left
        index[heap[right].id] = right
    }
}
