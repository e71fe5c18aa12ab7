/// Every face. Adding a network is one folder and one line here.
package enum FaceCatalog {
    package static let all: [any Face] = [TPCFace(), D1Face(), D1IssuerFace(), WalletFace()]
}
