/// What somebody may have meant who wrote a word that there is not.
enum Nearest {
    /// The words that are alike, the most alike first; all of them when there are few.
    static func words(to word: String, among known: [String], most: Int = 5) -> [String] {
        if known.count <= most { return known }
        let wanted = Array(word.lowercased().utf8.prefix(80))
        let ranked = known.map { (word: $0, distance: distance(wanted, Array($0.lowercased().utf8))) }
            .sorted { ($0.distance, $0.word) < ($1.distance, $1.word) }
        return ranked.prefix(most).map(\.word)
    }

    /// How many bytes must be added, taken away or changed (Levenshtein).
    private static func distance(_ left: [UInt8], _ right: [UInt8]) -> Int {
        var row = Array(0...right.count)
        for (index, byte) in left.enumerated() {
            var diagonal = row[0]
            row[0] = index + 1
            for (place, other) in right.enumerated() {
                let change = diagonal + (byte == other ? 0 : 1)
                diagonal = row[place + 1]
                row[place + 1] = min(change, diagonal + 1, row[place] + 1)
            }
        }
        return row[right.count]
    }
}
