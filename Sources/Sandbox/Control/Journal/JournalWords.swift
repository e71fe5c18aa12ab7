import Core
import Networks
import Traffic
import Wire

/// What a journal's entries can hold: a filter on anything else would wait in vain, or prove that nothing happened that could
/// not happen.
struct JournalWords: Sendable {
    private let faces: [String]
    private let operations: [String]
    private let codes: [String]

    init(_ faces: [any Face], _ services: Services) {
        let names = (faces.map(\.name) + [NeutralFace().name]).reduce(into: [String]()) { names, name in
            if !names.contains(name) { names.append(name) }
        }
        self.faces = names
        operations = faces.flatMap { $0.endpoints(services).map(\.route.name) } + names.map { "\($0).none" }
        let own = faces.flatMap(\.diagnosis).flatMap(\.codes) + faces.flatMap(\.fieldCodes)
        let scenarios = Scenario.table.map(\.code.name)
        codes = Array(Set((DiagnosisCatalogue.all + own).map(\.name) + scenarios)).sorted()
    }

    /// Refuses a filter that can never match.
    func check(_ filter: JournalFilter) throws(JournalFilterFault) {
        try check(filter.face, "face", faces)
        try check(filter.operation, "operation", operations)
        try check(filter.diagnosis, "diagnosis", codes)
    }

    private func check(_ word: String?, _ parameter: String, _ known: [String]) throws(JournalFilterFault) {
        guard let word, !known.contains(word) else { return }
        let near = Nearest.words(to: word, among: known).joined(separator: ", ")
        throw JournalFilterFault(reason: .word, parameter: parameter, detail: "one that there is, for example \(near)")
    }
}
