import Masking
import Networks
import Traffic
import Web
import Wire

/// Every diagnosis code with cause and cure, for whoever has not our documents at hand.
struct DiagnosisHandler: Sendable {
    private let items: [(code: DiagnosisCode, section: String)]

    init(faces: [any Face]) {
        var items: [(code: DiagnosisCode, section: String)] = []
        var seen: Set<String> = []
        // The faces that are served may be more than those of the catalogue.
        for section in DiagnosisCatalogue.sections + faces.flatMap(\.diagnosis) {
            for code in section.codes where seen.insert(code.name).inserted { items.append((code, section.title)) }
        }
        self.items = items
    }

    var endpoints: [ControlEndpoint] {
        [
            .control("listDiagnoses", .get, "/v1/diagnoses", handler: list),
            .control("getDiagnosis", .get, "/v1/diagnoses/{code}", handler: get),
        ]
    }

    func list(_ exchange: inout Exchange) async throws -> HTTPResponse {
        .json(["items": .array(items.map(DiagnosisHandler.json))])
    }

    func get(_ exchange: inout Exchange) async throws -> HTTPResponse {
        let name = exchange.parameters["code"]
        if let found = items.first(where: { $0.code.name == name }) { return .json(DiagnosisHandler.json(found)) }
        let near = Nearest.words(to: name, among: items.map(\.code.name)).joined(separator: ", ")
        let evidence = "\(Masking.excerpt(name, 64)); near it are \(near)"
        throw Refusal(.failed("diagnosis", ControlFault.diagnosisNotFound, evidence: evidence))
    }

    private static func json(_ item: (code: DiagnosisCode, section: String)) -> JSON {
        [
            "code": .string(item.code.name), "kind": .string(item.code.kind.rawValue),
            "cause": .string(item.code.cause), "cure": .string(item.code.cure), "section": .string(item.section),
        ]
    }
}
