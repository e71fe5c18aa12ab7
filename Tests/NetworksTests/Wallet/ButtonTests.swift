import Core
import SandboxTesting
import Testing
import Wire

/// The decision of an app's "Add to Apple Wallet" button over real states (thales-push-provisioning 4.1).
struct ButtonTests {
    /// What an app shows for a card.
    enum Button: String, Sendable {
        case activatePhone
        case activateWatch
        case add
        case hide
    }

    /// How the card stands on a device.
    enum Pass: String, Sendable, CaseIterable {
        case none
        case pending
        case active
        case suspended
        case deleted

        /// The state in words of PassKit; nil when there is no pass.
        var shown: String? {
            switch self {
            case .none, .deleted: nil
            case .pending: "requiresActivation"
            case .active: "activated"
            case .suspended: "suspended"
            }
        }
    }

    struct Row: CustomTestStringConvertible, Sendable {
        let local: Pass
        let remote: Pass
        let isWatchPaired: Bool

        var testDescription: String { "\(local), \(remote), \(isWatchPaired ? "watch" : "no watch")" }

        /// The table of the reference, read from the states that the test made.
        var button: Button {
            switch (local, remote) {
            case (.pending, _): .activatePhone
            case (_, .pending): .activateWatch
            case (.none, _), (.deleted, _): .add
            case (_, .none), (_, .deleted): isWatchPaired ? .add : .hide
            default: .hide
            }
        }
    }

    /// All combinations; without a watch there is no remote pass.
    static let rows: [Row] =
        Pass.allCases.flatMap { local in
            Pass.allCases.map { Row(local: local, remote: $0, isWatchPaired: true) }
        } + Pass.allCases.map { Row(local: $0, remote: .none, isWatchPaired: false) }

    /// The app's code, from the sandbox's answer alone.
    private func button(_ passes: TestReply, isWatchPaired: Bool) -> Button {
        let local = passes["localPasses"].array?.first
        let remote = passes["remotePasses"].array?.first
        func isPending(_ pass: JSON?) -> Bool {
            pass?["secureElementPass"]?["passActivationState"] == "requiresActivation"
        }
        if isPending(local) { return .activatePhone }
        if isPending(remote) { return .activateWatch }
        if local == nil { return .add }
        return remote == nil && isWatchPaired ? .add : .hide
    }

    private func make(_ pass: Pass, _ sandbox: TestSandbox, on deviceID: String) async throws {
        let states: [Pass: String] = [
            .pending: "inactive", .active: "active", .suspended: "suspended", .deleted: "deleted",
        ]
        guard let state = states[pass] else { return }
        let made = try await sandbox.control(
            "POST",
            "/v1/tokens",
            [
                "issuerCardRefId": "test-visa", "network": "visa", "deviceId": .string(deviceID),
                "application": .string(TestSandbox.application), "state": .string(state),
            ]
        )
        try #require(made.status == 201 && made.text("state") == state, "\(made.summary)")
    }

    @Test(arguments: rows)
    func `the button follows the passes the app sees`(_ row: Row) async throws {
        try await withSandbox { sandbox in
            try await sandbox.register(.visa)
            let phone = try await sandbox.device()
            if row.isWatchPaired {
                let watch = try await sandbox.device("watch", pairedWith: phone)
                try await make(row.remote, sandbox, on: watch)
            }
            try await make(row.local, sandbox, on: phone)
            let passes = try await sandbox.passes(phone, query: "last4=1111")
            let shown = [passes["localPasses"], passes["remotePasses"]].map { list in
                list.array?.first?["secureElementPass"]?["passActivationState"]?.string
            }
            #expect(shown == [row.local.shown, row.remote.shown])
            #expect(button(passes, isWatchPaired: row.isWatchPaired) == row.button)
        }
    }
}
