import Core
import Wire

/// Whether a configured card is already on a device, as far as the application can tell.
enum D1Presence {
    /// The pass that hides a card: with `last4` one of that card, without it any, which is the shared-device trap (CONTRACT,
    /// section 4). Nil for a card that is offered.
    static func pass(hiding params: D1Configuration.CardParams, card: Card?, among passes: [PassView]) -> PassView? {
        guard let last4 = params.last4 else { return passes.first }
        return passes.first { pass in
            guard pass.card.panSuffix == last4 else { return false }
            guard let card else { return true }
            return pass.card.primaryAccountIdentifier == card.primaryAccountIdentifier
        }
    }

    /// Says why a card is not offered: which pass hides it, and where that is.
    static func reason(_ params: D1Configuration.CardParams, card: Card?, hiddenBy pass: PassView) -> Check {
        let name = "entries.\(params.cardID)"
        let place = "\(pass.token.deviceID ?? "another device") (\(pass.deviceName))"
        if params.last4 == nil, pass.card.primaryAccountIdentifier != card?.primaryAccountIdentifier {
            let evidence = "hidden by the pass of a card that ends in \(pass.card.panSuffix) on \(place)"
            return .failed(name, D1Fault.sharedDevice, evidence: evidence)
        }
        return .failed(name, D1Fault.cardAlreadyAdded, evidence: "on \(place), pass \(pass.serialNumber)")
    }

    /// What is odd about a card, offered or not.
    static func warnings(_ params: D1Configuration.CardParams, card: Card, by passes: [PassView]) -> [Check] {
        let name = "entries.\(params.cardID)"
        guard let last4 = params.last4 else {
            return passes.isEmpty
                ? [] : [.warning(name, D1Fault.sharedDevice, evidence: "no last4, and passes are there")]
        }
        var warnings: [Check] = []
        if last4 != card.panSuffix { warnings.append(.warning(name, D1Fault.last4Mismatch, evidence: last4)) }
        let others = passes.filter {
            $0.card.panSuffix == last4 && $0.card.primaryAccountIdentifier != card.primaryAccountIdentifier
        }
        if !others.isEmpty { warnings.append(.warning(name, D1Fault.sharedSuffix, evidence: last4)) }
        return warnings
    }
}
