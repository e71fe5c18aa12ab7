package import Core
import Masking
package import Web
import Wire

/// What a rule does; one of these (CONTRACT, section 6).
package indirect enum FaultEffect: Sendable, Equatable {
    /// The request waits before it is worked on.
    case delay(FaultDelay)
    /// This answer instead of the operation's.
    case respond(FaultResponse)
    /// An error of the face's catalogue, in the face's shape.
    case networkError(String)
    /// What the network decides about a new token.
    case decision(ForcedDecision)
    case connection(Break)
    /// The right answer, slowly.
    case dribble(bytes: Int, everyMilliseconds: Int)
    case corrupt(Corruption)
    /// The change is stored; then the answer is delayed, replaced or lost.
    case commitThen(FaultEffect)
    case callback(CallbackFault)

    /// How a connection fails; none of them changes the world.
    package enum Break: String, Sendable, CaseIterable {
        case reset, close, empty, truncate, garbage, stall
    }

    /// What is wrong about the answer.
    package enum Corruption: String, Sendable, CaseIterable {
        case signature, ciphertext, json, contentType, contentLength
    }

    package enum CallbackFault: String, Sendable, CaseIterable {
        case drop, duplicate, reorder, delay, badSignature, stale
    }

    /// The effects by the names that a rule gives them.
    package enum Kind: String, Sendable, CaseIterable {
        case delay, respond, networkError, decision, connection, dribble, corrupt, commitThen, callback
    }

    package var kind: Kind {
        switch self {
        case .delay: .delay
        case .respond: .respond
        case .networkError: .networkError
        case .decision: .decision
        case .connection: .connection
        case .dribble: .dribble
        case .corrupt: .corrupt
        case .commitThen: .commitThen
        case .callback: .callback
        }
    }

    /// The effect's name, as a rule writes it.
    package var name: String { kind.rawValue }

    /// Whether the effect itself is drawn from the seed.
    var draws: Bool {
        switch self {
        case .delay(.uniform), .delay(.lognormal), .connection(.garbage): true
        case .commitThen(let effect): effect.draws
        default: false
        }
    }

    /// The effect in a few words, for the journal.
    package var summary: String {
        switch self {
        case .delay, .dribble: name
        case .respond(let answer): "\(name) \(answer.status)"
        case .networkError(let error): "\(name) \(Masking.excerpt(error, 64))"
        case .decision(let forced): "\(name) \(forced.decision.rawValue)"
        case .connection(let kind): "\(name) \(kind.rawValue)"
        case .corrupt(let kind): "\(name) \(kind.rawValue)"
        case .commitThen(let effect): "\(name) \(effect.summary)"
        case .callback(let kind): "\(name) \(kind.rawValue)"
        }
    }
}

/// How long a delay takes.
package enum FaultDelay: Sendable, Equatable {
    case fixed(milliseconds: Int64)
    case uniform(milliseconds: ClosedRange<Int64>)
    case lognormal(medianMilliseconds: Double, sigma: Double)

    /// Ten minutes; longer is not a delay but a stall.
    package static let limitMilliseconds: Int64 = 600_000

    /// This time's length, in milliseconds.
    package func milliseconds(_ draws: inout Draws) -> Int64 {
        switch self {
        case .fixed(let milliseconds): return milliseconds
        case .uniform(let range):
            return range.lowerBound + Int64(Double(range.upperBound - range.lowerBound + 1) * draws.fraction())
        case .lognormal(let median, let sigma):
            let length = median * Normal.exponential(sigma * Normal.draw(&draws))
            return Int64(min(max(0, length), Double(Self.limitMilliseconds)))
        }
    }
}

/// The answer of `respond`.
package struct FaultResponse: Sendable, Equatable {
    package let status: Int
    package let headers: HTTPHeaders
    package let body: [UInt8]

    package init(status: Int, headers: HTTPHeaders, body: [UInt8]) {
        self.status = status
        self.headers = headers
        self.body = body
    }

    package var response: HTTPResponse { HTTPResponse(status: status, headers: headers, body: body) }
}
