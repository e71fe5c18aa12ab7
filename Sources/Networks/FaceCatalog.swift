/// Every face. Adding a network is one folder and one line here.
package enum FaceCatalog {
    package static func all(_ services: Services) -> [any Face] {
        [
            TPCFace(services: services),
            D1Face(services: services),
            D1IssuerFace(services: services),
            WalletFace(services: services),
        ]
    }
}
