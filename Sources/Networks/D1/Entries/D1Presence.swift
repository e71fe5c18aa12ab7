import Core
import Wire

/// Whether a configured card is already on a device, as far as the application can tell.
enum D1Presence {
    /// With `last4` a pass of that card hides it; without, any pass does: the shared-device trap (CONTRACT, section 4).
    static func isHidden(_ params: D1Configuration.CardParams, card: Card?, by passes: [PassView]) -> Bool {
        guard let last4 = params.last4 else { return !passes.isEmpty }
        return passes.contains { pass in
            guard pass.card.panSuffix == last4 else { return false }
            guard let card else { return true }
            return pass.card.primaryAccountIdentifier == card.primaryAccountIdentifier
        }
    }

    /// A card without `last4` that any pass hides; nil when none does.
    static func sharedDeviceWarning(_ params: D1Configuration.CardParams, by passes: [PassView]) -> Check? {
        guard params.last4 == nil, let pass = passes.first else { return nil }
        let evidence = "hidden by the pass of a card that ends in \(pass.card.panSuffix)"
        return .warning("entries.\(params.cardID)", D1Fault.sharedDevice, evidence: evidence)
    }

    static func warnings(_ params: D1Configuration.CardParams, card: Card, by passes: [PassView]) -> [Check] {
        let name = "entries.\(params.cardID)"
        guard let last4 = params.last4 else { return sharedDeviceWarning(params, by: passes).map { [$0] } ?? [] }
        var warnings: [Check] = []
        if last4 != card.panSuffix { warnings.append(.warning(name, D1Fault.last4Mismatch, evidence: last4)) }
        let others = passes.filter {
            $0.card.panSuffix == last4 && $0.card.primaryAccountIdentifier != card.primaryAccountIdentifier
        }
        if !others.isEmpty { warnings.append(.warning(name, D1Fault.sharedSuffix, evidence: last4)) }
        return warnings
    }
}
