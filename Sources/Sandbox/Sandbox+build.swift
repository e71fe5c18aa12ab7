package import Core
import Crypto
package import Networks
import Resources
import Store
package import Traffic
import Web
package import Wire

/// Everything that exists is made here, top to bottom.
extension SandboxApplication {
    /// What comes from outside the process.
    package struct Platform: Sendable {
        /// The system's wall clock.
        package var now: @Sendable () -> Instant
        /// A seed for tenants when the configuration names none.
        package var newSeed: @Sendable () -> UInt64
        /// How a delay or a long poll sleeps; real time also when a tenant's clock stands still.
        package var sleep: Pauses.Sleep
        package var log: Log
        /// What stands between the server and its store: nothing, but for tests that let it fail.
        package var store: @Sendable (any Store) -> any Store = { $0 }

        package init(
            now: @escaping @Sendable () -> Instant,
            newSeed: @escaping @Sendable () -> UInt64,
            sleep: @escaping Pauses.Sleep = { try await Task.sleep(for: .milliseconds($0)) },
            log: Log
        ) {
            self.now = now
            self.newSeed = newSeed
            self.sleep = sleep
            self.log = log
        }
    }

    /// - Parameter faces: what the API port serves; a test adds its own.
    /// - Throws: an error whose description tells the user what to change.
    package static func build(
        _ configuration: SandboxConfiguration,
        _ platform: Platform,
        faces: [any Face] = FaceCatalog.all
    ) async throws -> Self {
        let token = try ControlToken(configuration)
        let keyring = try KeyringLoader.load(configuration.keys)
        let faceKeys = try KeyringLoader.faceKeys(configuration.keys, faces)
        let credentials = try FixtureCredentials.load(
            configuration.keys,
            faces.flatMap(\.credentialKinds)
        )
        let panPolicy = try FixtureFiles.panPolicy(configuration)
        let fixtures = try FixtureFiles.base(configuration, panPolicy: panPolicy)

        let seed = configuration.seed
        let environment = Environment(
            systemNow: platform.now,
            newSeed: { seed ?? platform.newSeed() },
            panPolicy: panPolicy,
            kinds: RecordKinds(and: faces.flatMap(\.recordKinds) + [FaultRule.self]),
            listeners: faces.map { face in { event, view in try face.callbacks(for: event, in: view) } }
        )
        let storeMetrics = StoreMetrics()
        let sqlite = try await SQLiteStore.open(
            StoreConfiguration(
                configuration.store.location,
                lookupHash: { key, number in HMAC.sha256(number, key: SecretBytes(key)) }
            )
        )
        let worlds = Worlds(store: MeasuredStore(platform.store(sqlite), storeMetrics), environment: environment)
        let limit = configuration.tenantLimit
        let create: TenantDirectory.Create = { name in
            try await fixtures.fill(name, .ifMissing, limit: limit, worlds: worlds)
        }
        try await fixtures.fill(.default, .ifMissing, worlds: worlds)
        let tenants = TenantDirectory(
            worlds: worlds,
            limit: limit,
            create: configuration.tenants == .auto ? create : nil
        )
        let journal = JournalRing()
        let lane = CryptoLane()
        let readiness = Readiness()
        let pauses = Pauses(sleep: platform.sleep)

        let documents = Documents(
            Resources.openAPI,
            publicURL: configuration.publicURL.flatMap(PublicURL.init),
            needsToken: token != nil
        )
        let services = Services(
            worlds: worlds,
            lane: lane,
            keyring: keyring,
            faceKeys: faceKeys,
            fixtureCredentials: credentials
        ) { name, exchange throws(Refusal) in
            try documents.answer(name, to: &exchange)
        }
        let served = faces + [DocumentFace(documents: documents)]
        let metrics = Metrics(
            faces: served.map(\.name) + [ControlFace.name],
            store: storeMetrics,
            startedAt: platform.now()
        )
        let strayIDs = StrayRequestIDs(seed: environment.newSeed(), epoch: try await worlds.epoch(of: .default))
        let api = Pipeline(
            Pipeline.Parts(
                isControl: false,
                holder: .credentials(CredentialSelection(store: worlds.store, faces: served)),
                faces: served,
                services: services,
                tenants: tenants,
                pauses: pauses,
                journal: journal,
                publicURL: configuration.publicURL.flatMap(PublicURL.init),
                gate: { _ in nil },
                obeysFaultHeader: configuration.requestFaults == .on,
                logsRequests: configuration.requestLog == .on,
                strayIDs: strayIDs,
                metrics: metrics,
                log: platform.log
            )
        )
        let controlFace = ControlFace(
            ControlServices(
                faces: services,
                tenants: tenants,
                journal: journal,
                fixtures: fixtures,
                readiness: readiness,
                pauses: pauses,
                apiFaces: served,
                metrics: metrics,
                documents: documents,
                issuerKeys: IssuerKeyFiles(source: configuration.keys),
                exportBytes: configuration.exportBytes
            )
        )
        let control = Pipeline(
            Pipeline.Parts(
                isControl: true,
                holder: .access(ControlAccess(token: token, worlds: worlds)),
                faces: [controlFace],
                services: services,
                tenants: tenants,
                pauses: pauses,
                journal: nil,
                publicURL: nil,
                gate: configuration.controlGate(needsToken: token != nil).refusal,
                obeysFaultHeader: false,
                logsRequests: configuration.requestLog == .on,
                strayIDs: strayIDs,
                metrics: metrics,
                log: platform.log
            )
        )
        return SandboxApplication(
            faces: faces,
            documents: documents,
            controlToken: token,
            api: api,
            control: control,
            readiness: readiness,
            pauses: pauses,
            metrics: metrics,
            idleTenants: IdleTenants(
                tenants: tenants,
                journal: journal,
                pauses: pauses,
                seconds: configuration.idleSeconds,
                keepsMade: configuration.store != .memory
            ),
            worlds: worlds,
            lane: lane
        )
    }
}

extension SandboxConfiguration.StoreLocation {
    fileprivate var location: StoreConfiguration.Location {
        switch self {
        case .memory: .memory
        case .file(let path): .file(path)
        }
    }
}
