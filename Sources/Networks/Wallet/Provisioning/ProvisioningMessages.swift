import Core
import Traffic
import Web
import Wire

/// How the outcome of a provisioning is worded.
enum ProvisioningMessage {
    /// - Throws: ``Refusal`` for every outcome without a pass.
    static func response(_ result: ProvisioningResult, _ exchange: inout Exchange) throws -> HTTPResponse {
        if let ruling = result.ruling { note(ruling, &exchange) }
        switch result.outcome {
        case .made(let pass, let decision, let checks):
            exchange.note(checks)
            exchange.tokenID = pass.token.tokenID
            return .json(
                [
                    "pass": PassMessage.json(pass), "decision": .string(decision.rawValue),
                    "tokenId": .string(pass.token.tokenID),
                ],
                status: 201
            )
        case .alreadyThere(let pass, let checks):
            exchange.note(checks)
            exchange.tokenID = pass.token.tokenID
            return .json(["pass": PassMessage.json(pass), "tokenId": .string(pass.token.tokenID)])
        case .refused(let checks):
            exchange.note(checks)
            throw Refusal()
        case .sessionUsed(let tokenID):
            throw usedSession(tokenID, &exchange)
        case .sessionGone: throw exchange.refusal(.failed("session", WalletFault.sessionUnknown))
        case .issuerChanged: throw exchange.refusal(.failed("issuer", IssuerFault.changed))
        case .deviceGone:
            throw exchange.refusal(.failed("device", DeviceFault.unknown))
        }
    }

    /// Says that a decision was asked for, and what a scenario does to the answer.
    private static func note(_ ruling: Ruling, _ exchange: inout Exchange) {
        exchange.orders.isDecisionUsed = true
        guard let scenario = ruling.scenario else { return }
        exchange.orders.scenario = scenario.code.name
        exchange.note(scenario.remark)
        let delay = max(exchange.orders.answerDelayMilliseconds, scenario.answerDelayMilliseconds)
        exchange.orders.answerDelayMilliseconds = delay
        // A fault that was ordered for this very request stays as it is.
        if scenario.losesAnswer { exchange.orders.delivery = exchange.orders.delivery ?? .empty }
    }

    /// The refusal of a session that is used tells what it made, and nothing of its age.
    static func usedSession(_ tokenID: String, _ exchange: inout Exchange) -> Refusal {
        exchange.tokenID = tokenID
        exchange.errorMembers["tokenId"] = .string(tokenID)
        return exchange.refusal(.failed("session.unused", WalletFault.sessionUsed, evidence: "it made \(tokenID)"))
    }
}
