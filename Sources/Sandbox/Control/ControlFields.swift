import Networks
import Traffic
import Web
import Wire

/// Reads the members of a control document. The first mistake ends it, with a JSON pointer to the member.
struct ControlFields: MemberReader {
    let cursor: JSONCursor

    init(_ cursor: JSONCursor) { self.cursor = cursor }

    /// The body of a control call.
    init(_ exchange: Exchange) throws(Refusal) {
        try self.init(ControlFields.json(exchange.request.body), log: exchange.members)
    }

    /// A body as JSON.
    static func json(_ body: [UInt8], maximumDepth: Int = JSON.maximumDepth) throws(Refusal) -> JSON {
        do {
            return try JSON.parse(body, maximumDepth: maximumDepth)
        } catch {
            let evidence = "byte \(error.offset)"
            throw Refusal(.failed("body.json", error.reason, at: .body(error.pointer), evidence: evidence))
        }
    }

    static func notObject(_ value: JSON, at pointer: String) -> Refusal {
        Refusal(.failed("body", ControlFault.bodyNotObject, at: .body(pointer), evidence: value.typeName))
    }

    func missing(_ name: String) -> Refusal { refusal(name, FieldFault.missing, evidence: "\(name) is missing") }

    func invalid(_ name: String, _ wanted: String) -> Refusal {
        refusal(name, .fieldInvalid, evidence: "\(name); wanted \(wanted)")
    }

    func refusal(_ name: String, _ fault: ControlFault, evidence: String? = nil) -> Refusal {
        refusal(name, .failed("body.\(name)", fault, evidence: evidence))
    }

    func refusal(_ name: String, _ fault: some DiagnosisSubject, evidence: String? = nil) -> Refusal {
        refusal(name, .failed("body.\(name)", fault, evidence: evidence))
    }

    /// A refusal of the domain about one member.
    func refusal(_ name: String, _ check: Check) -> Refusal { Refusal(check.at(.body(cursor.pointer(to: name)))) }
}
