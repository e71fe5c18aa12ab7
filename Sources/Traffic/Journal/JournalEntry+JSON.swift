import Core
package import Wire

extension JournalEntry {
    /// Names of the members, in the order they are written (CONTRACT, section 5).
    private enum Field {
        static let requestID = "requestId"
        static let at = "at"
        static let tenant = "tenant"
        static let direction = "direction"
        static let face = "face"
        static let operation = "operation"
        static let method = "method"
        static let path = "path"
        static let status = "status"
        static let duration = "durationMs"
        static let attempt = "attempt"
        static let diagnosis = "diagnosis"
        static let checks = "checks"
        static let fault = "fault"
        static let scenario = "scenario"
        static let tokenID = "tokenId"
        static let clientLeft = "clientLeft"
        static let request = "request"
        static let response = "response"
    }

    /// The entry as the control API shows it. What is not known is absent.
    package var json: JSON {
        var members: [(String, JSON)] = [
            (Field.requestID, .string(requestID)),
            (Field.at, .string(RFC3339.format(at))),
            (Field.tenant, .string(tenant.text)),
            (Field.direction, .string(direction.rawValue)),
            (Field.face, .string(face)),
            (Field.operation, .string(operation)),
            (Field.method, .string(method)),
            (Field.path, .string(path)),
            (Field.status, .number(status)),
            (Field.duration, .number(duration)),
            (Field.attempt, .number(attempt ?? 1)),
            (Field.diagnosis, .strings(diagnosis)),
            (Field.checks, .array(checks.map(\.json))),
        ]
        if let fault { members.append((Field.fault, .string(fault))) }
        if let scenario { members.append((Field.scenario, .string(scenario))) }
        if let tokenID { members.append((Field.tokenID, .string(tokenID))) }
        if clientLeft { members.append((Field.clientLeft, .bool(true))) }
        members.append((Field.request, request.json))
        members.append((Field.response, response.json))
        return .object(JSONObject(members))
    }

    /// Milliseconds with up to three decimals.
    private var duration: String {
        let total = max(0, durationMicroseconds)
        let fraction = String(total % 1_000 + 1_000).dropFirst()
        let trimmed = String(fraction.reversed().drop { $0 == "0" }.reversed())
        return trimmed.isEmpty ? String(total / 1_000) : "\(total / 1_000).\(trimmed)"
    }
}

extension JournalEntry.Message {
    /// `headers` as an object, values of a repeated name joined by a comma, and `body` as text.
    package var json: JSON {
        var object = JSONObject()
        for header in headers {
            let before = object[header.name]?.string.map { $0 + ", " } ?? ""
            object[header.name] = .string(before + header.value)
        }
        return .object(JSONObject([("headers", .object(object)), ("body", .string(body))]))
    }
}
