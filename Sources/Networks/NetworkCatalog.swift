/// Every face. Adding a network is one folder and one line here.
package enum NetworkCatalog {
    package static func all(_ services: Services) -> [any Network] {
        [
            TPCNetwork(services: services),
            D1Network(services: services),
            D1IssuerNetwork(services: services),
            WalletNetwork(services: services),
        ]
    }
}
