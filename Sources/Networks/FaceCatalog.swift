package import Wire

/// Every face. Adding a network is one folder and one line here.
package enum FaceCatalog {
    package static let all: [any Face] = [TPCFace(), D1Face(), D1IssuerFace(), WalletFace()]

    /// The codes that only the members of one request have, each once.
    package static let fieldCodes = Set(TPCField.codes + D1Field.codes + D1IssuerField.codes + WalletField.codes)
        .sorted { $0.name < $1.name }
}
