package import Wire

/// Where a token is in its life.
package enum TokenState: String, Sendable, CaseIterable, Hashable {
    /// Made, and waiting for activation.
    case inactive
    case active
    case suspended
    /// The end; nothing leads out of it.
    case deleted
}

/// What changes a token's state.
package enum TokenEvent: String, Sendable, CaseIterable, Hashable {
    case activate
    case suspend
    case resume
    case delete
    /// An inactive token's time ran out.
    case expire
}

/// Why a token does not take an event.
package enum LifecycleFault: String, DiagnosisSubject, Error {
    case alreadyInState = "ALREADY_IN_REQUESTED_STATE"
    case deleted = "TOKEN_DELETED"
    case requiresActivation = "TOKEN_REQUIRES_ACTIVATION"
    case suspended = "TOKEN_SUSPENDED"
    case suspendedByOther = "SUSPENDED_BY_OTHER"
    case notExpirable = "TOKEN_DOES_NOT_EXPIRE"
    case otherDevicePending = "OTHER_DEVICE_PENDING"
}

extension LifecycleFault {
    /// What the code is about, in what way it refuses, and what to do about it.
    package var meaning: (kind: RefusalKind, cause: String, cure: String) {
        switch self {
        case .alreadyInState:
            (.transition, "The token is already in the requested state.", "Read the state before asking for a change.")
        case .deleted: (.transition, "The token is deleted for ever.", "Add the card again; that makes a new token.")
        case .requiresActivation: (.transition, "The token was never activated.", "Activate or delete it.")
        case .suspended: (.transition, "The token is suspended.", "Resume it; activation is for inactive tokens.")
        case .suspendedByOther:
            (.transition, "Another party suspended the token.", "Each party lifts only its own suspension.")
        case .notExpirable: (.transition, "Only an inactive token expires.", "Delete the token instead.")
        case .otherDevicePending:
            (
                .transition, "This token is active; the one on the other device waits for activation.",
                "Activate the token id of the other device's pass (localPass and remotePass hold different ones)."
            )
        }
    }
}

/// The life of a token as a table: state and event give the next state or a refusal (DESIGN, section 5).
package struct TokenLifecycle: Sendable, Equatable {
    /// Where the token is in its life.
    package private(set) var state: TokenState
    /// Who suspended it, in the order they came. Empty unless suspended.
    package private(set) var suspenders: [LifecycleActor]

    /// Made of its members.
    package init(state: TokenState, suspenders: [LifecycleActor] = []) {
        self.state = state
        self.suspenders = suspenders
    }

    /// Takes one event, or changes nothing and says why.
    package mutating func apply(_ event: TokenEvent, by actor: LifecycleActor) throws(LifecycleFault) {
        switch (state, event) {
        case (.deleted, .delete), (.deleted, .expire), (.active, .activate), (.active, .resume): throw .alreadyInState
        case (.deleted, _): throw .deleted
        case (_, .delete): end()
        case (.inactive, .activate): state = .active
        case (.inactive, .expire): end()
        case (.inactive, .suspend), (.inactive, .resume): throw .requiresActivation
        case (.active, .expire), (.suspended, .expire): throw .notExpirable
        case (.active, .suspend):
            state = .suspended
            suspenders = [actor]
        case (.suspended, .suspend):
            guard !suspenders.contains(actor) else { throw .alreadyInState }
            suspenders.append(actor)
        case (.suspended, .resume): try lift(actor)
        case (.suspended, .activate): throw .suspended
        }
    }

    private mutating func end() {
        state = .deleted
        suspenders = []
    }

    /// For Apple Pay the issuer may lift the cardholder's suspension too.
    private mutating func lift(_ actor: LifecycleActor) throws(LifecycleFault) {
        let lifted = suspenders.filter { $0 == actor || (actor == .issuer && $0 == .cardholder) }
        guard !lifted.isEmpty else { throw .suspendedByOther }
        suspenders.removeAll { lifted.contains($0) }
        if suspenders.isEmpty { state = .active }
    }
}
