import Traffic
import Web
import Wire

/// How TSH words a refusal. Numbers are of the TSH code family (thales-push-provisioning 4.6); which mistake gives
/// which number is inferred and stands in this file only (CONTRACT, section 2).
enum TPCErrors {
    /// A number of the TSH code family with its text.
    enum Code: Int, CaseIterable {
        case missingParameter = 111
        case badFormat = 112
        case unknownIssuer = 113
        case notDigitized = 116
        case unknownDevice = 117
        case unknownToken = 119
        case invalidCard = 166
        case wrongAuthentication = 401
        case notAllowedInState = 432
        case operationFailed = 911
        case unexpected = 921

        /// The name under which a fault orders it.
        var name: String { text.uppercased().replacing(" ", with: "_") }

        var text: String {
            switch self {
            case .missingParameter: "Missing parameter"
            case .badFormat: "Bad format"
            case .unknownIssuer: "Unknown issuer"
            case .notDigitized: "Card is not digitized"
            case .unknownDevice: "Unknown device"
            case .unknownToken: "Unknown virtual card"
            case .invalidCard: "Invalid card information"
            case .wrongAuthentication: "Wrong authentication"
            case .notAllowedInState: "Operation not allowed in the current state"
            case .operationFailed: "Operation failed"
            case .unexpected: "Unexpected server error"
            }
        }
    }

    static func answer(to failures: [Check]) -> (response: HTTPResponse, deciding: Check) {
        let deciding = failures.min { rank($0) < rank($1) } ?? failures[0]
        let diagnosis = deciding.code ?? HTTPFault.internalFault.code
        let fault = diagnosis.subject as? HTTPFault
        // A path that does not exist is not an unknown device.
        let code = fault != nil && diagnosis.kind == .notFound ? .operationFailed : code(diagnosis.kind)
        var response = response(code, status: fault?.status ?? (diagnosis.kind == .unavailable ? 503 : nil))
        if diagnosis.kind == .unavailable { response.headers[.retryAfter] = "1" }
        return (response, deciding)
    }

    private static func response(_ code: Code, status: Int? = nil) -> HTTPResponse {
        .json(
            ["code": .number(code.rawValue), "message": .string("\(code.rawValue). \(code.text)")],
            status: status ?? Self.status(code)
        )
    }

    /// By name and by number.
    static let networkErrors: [NetworkError] = Code.allCases.flatMap { code in
        [code.name, String(code.rawValue)].map { name in
            NetworkError(name, "\(code.rawValue). \(code.text)") { _ in response(code) }
        }
    }

    /// The order of CONTRACT section 2: the first that applies is the answer.
    private static func rank(_ check: Check) -> Int {
        switch check.code?.kind {
        case .internalFault, .unavailable, .methodNotAllowed, .notImplemented, .unsupportedMedia, .tooLarge: 0
        case .unknownIssuer: 1
        case .missing: 2
        case .malformed: 3
        case .unauthenticated: 4
        case .undecryptable, .untrusted: 5
        case .contentMissing, .contentMalformed: 6
        case .invalidData, .declined: 7
        case .unknownToken: 8
        case .transition, .activation, .expired, .conflict, .notEntitled, .userCancelled: 9
        case .notDigitized: 10
        case .notFound: 11
        case .warning, nil: 12
        }
    }

    private static func code(_ kind: RefusalKind) -> Code {
        switch kind {
        case .unknownIssuer: .unknownIssuer
        case .missing, .contentMissing: .missingParameter
        case .malformed, .contentMalformed, .undecryptable, .untrusted, .methodNotAllowed, .notImplemented,
            .unsupportedMedia, .tooLarge:
            .badFormat
        case .unauthenticated: .wrongAuthentication
        case .invalidData, .declined: .invalidCard
        case .unknownToken: .unknownToken
        case .transition: .notAllowedInState
        case .notDigitized: .notDigitized
        case .notFound: .unknownDevice
        case .activation, .expired, .conflict, .notEntitled, .userCancelled, .warning: .operationFailed
        case .internalFault, .unavailable: .unexpected
        }
    }

    private static func status(_ code: Code) -> Int {
        switch code {
        case .wrongAuthentication: 401
        case .unexpected: 500
        default: 400
        }
    }
}
