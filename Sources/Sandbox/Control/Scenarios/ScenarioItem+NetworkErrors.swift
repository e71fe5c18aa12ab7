extension ScenarioItem {
    /// The errors that each face can be told to answer with, by face. A face that has a catalogue adds its items here.
    static let networkErrors: [ScenarioItem] = wallet

    /// PassKit's own errors (CONTRACT, section 6).
    private static let wallet = [
        ("unsupported", "403, PKAddPaymentPassError.unsupported."),
        ("userCancelled", "422, PKAddPaymentPassError.userCancelled."),
        ("systemCancelled", "422, PKAddPaymentPassError.systemCancelled."),
    ].map { ScenarioItem("wallet.\($0)", .networkError, $0, $1) }
}
