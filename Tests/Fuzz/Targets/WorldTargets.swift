import Core
import Networks
import Traffic
import Web
import Wire

extension Target {
    static let worlds: [Target] = [
        Target("fault") { bytes, _ in
            guard let json = try? JSON.parse(bytes), let draft = try? FaultRuleDraft(json) else { return }
            let rule = FaultRule(draft, id: "fuzz", order: 1, createdAt: Instant(seconds: 1))
            require((try? FaultRule(document: rule.document)) == rule, "a stored rule comes back")
            let book = FaultBook([rule], seed: 1)
            let request = HTTPRequest(method: .post, target: "/wallet/apple/devices", headers: HTTPHeaders(), body: [])
            _ = book.reach(of: request, face: "wallet", operation: "wallet.createDevice")
        },
        // Pattern and subject around the first line feed.
        Target("pattern") { bytes, _ in
            let parts = bytes.split(separator: 0x0A, maxSplits: 1, omittingEmptySubsequences: false)
            let (text, subject) = (
                String(decoding: parts[0], as: UTF8.self), String(decoding: parts.last ?? [], as: UTF8.self)
            )
            let pattern = FaultPattern(text, hasSegments: true)
            guard pattern.isBounded else { return }
            let narrow = pattern.matches(subject)
            _ = pattern.canMatch(template: subject)
            let wide = FaultPattern(text, hasSegments: false).matches(subject)
            require(!narrow || wide, "what matches within segments matches across them")
            require(text.utf8.contains(0x2A) || narrow == text.utf8.elementsEqual(subject.utf8), "a literal is itself")
            _ = FaultHeader(text)
        },
        Target("world") { bytes, _ in
            guard let json = try? JSON.parse(bytes, maximumDepth: WorldDocument.maximumDepth),
                let world = try? WorldDocument.read(json, policy: policy, kinds: kinds)
            else { return }
            let written = WorldDocument.write(world, of: .default)
            let again = known { try JSON.parse(written, maximumDepth: WorldDocument.maximumDepth, integers: .any) }
            let read = known { try WorldDocument.read(again, policy: policy, kinds: kinds) }
            require(read == world, "a world that is exported can be imported and is the same")
        },
        Target("art") { bytes, _ in
            require(CardArt.findings(in: bytes).count < 100, "few findings")
        },
    ]

    private static let kinds = RecordKinds(and: FaceCatalog.all.flatMap(\.recordKinds) + [FaultRule.self])
    private static let policy = known {
        guard let policy = PANPolicy(mode: .testOnly, document: try JSON.parse(text("fixtures/test-pans.json"))) else {
            fatalError("fixtures/test-pans.json is not a list of numbers")
        }
        return policy
    }
}
