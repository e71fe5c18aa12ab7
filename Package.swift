// swift-tools-version: 6.2
import PackageDescription

/// Settings of every Swift target: strict concurrency, no leaking imports, no warnings.
let swift: [SwiftSetting] = [
    .enableUpcomingFeature("ExistentialAny"),
    .enableUpcomingFeature("InternalImportsByDefault"),
    .enableUpcomingFeature("MemberImportVisibility"),
    .enableUpcomingFeature("NonisolatedNonsendingByDefault"),
    .treatAllWarnings(as: .error),
]

/// Targets that touch no C are also proven free of unsafe constructs.
let pure: [SwiftSetting] = swift + [.strictMemorySafety()]

let package = Package(
    name: "tsp-sandbox",
    products: [
        .executable(name: "tsp-sandbox", targets: ["tsp-sandbox"]),
        .library(name: "SandboxTesting", targets: ["SandboxTesting"]),
    ],
    targets: [
        // C libraries, each a Debian package (README, "Dependencies"); CThreads is of the C library.
        .systemLibrary(name: "COpenSSL", pkgConfig: "openssl", providers: [.apt(["libssl-dev"])]),
        .systemLibrary(name: "CSQLite", pkgConfig: "sqlite3", providers: [.apt(["libsqlite3-dev"])]),
        .systemLibrary(name: "CLibevent", pkgConfig: "libevent_openssl", providers: [.apt(["libevent-dev"])]),
        .systemLibrary(name: "CHTTPParser", providers: [.apt(["libhttp-parser-dev"])]),
        .systemLibrary(name: "CThreads"),
        .systemLibrary(name: "CZlib", pkgConfig: "zlib", providers: [.apt(["zlib1g-dev"])]),

        // Files of Docs/ as bytes (#embed), and the Swift face of them.
        .target(name: "CResources"),
        .target(name: "Resources", dependencies: ["CResources"], swiftSettings: swift),

        // Bottom to top: a target imports only what stands above it here.
        .target(name: "Threads", dependencies: ["CThreads"], swiftSettings: swift),
        .target(name: "Compression", dependencies: ["CZlib"], swiftSettings: swift),
        .target(name: "Masking", swiftSettings: pure),
        .target(name: "Wire", dependencies: ["Masking"], swiftSettings: pure),
        .target(name: "Web", dependencies: ["Wire"], swiftSettings: pure),
        .target(name: "Crypto", dependencies: ["COpenSSL", "Masking", "Threads", "Wire"], swiftSettings: swift),
        .target(name: "Core", dependencies: ["Crypto", "Masking", "Wire"], swiftSettings: pure),
        .target(name: "Traffic", dependencies: ["Core", "Masking", "Web", "Wire"], swiftSettings: pure),
        .target(name: "Store", dependencies: ["CSQLite", "Core", "Crypto", "Threads", "Wire"], swiftSettings: swift),
        .target(
            name: "Transport",
            dependencies: ["CHTTPParser", "CLibevent", "COpenSSL", "Threads", "Web", "Wire"],
            swiftSettings: swift
        ),
        .target(
            name: "Networks",
            dependencies: ["Compression", "Core", "Crypto", "Masking", "Traffic", "Web", "Wire"],
            swiftSettings: pure
        ),
        .target(
            name: "Sandbox",
            dependencies: [
                "Compression", "Core", "Crypto", "Masking", "Networks", "Resources", "Store", "Traffic", "Transport",
                "Web", "Wire",
            ],
            swiftSettings: pure
        ),
        .target(
            name: "SandboxTesting",
            dependencies: ["Core", "Crypto", "Networks", "Sandbox", "Transport", "Web", "Wire"],
            swiftSettings: pure
        ),
        .executableTarget(
            name: "tsp-sandbox",
            dependencies: ["Sandbox", "Threads", "Wire"],
            swiftSettings: swift
        ),

        .testTarget(name: "ThreadsTests", dependencies: ["Threads"], swiftSettings: swift),
        .testTarget(name: "CompressionTests", dependencies: ["Compression", "Wire"], swiftSettings: swift),
        .testTarget(name: "MaskingTests", dependencies: ["Masking", "Wire"], swiftSettings: swift),
        .testTarget(name: "WireTests", dependencies: ["Wire"], swiftSettings: swift),
        .testTarget(name: "WebTests", dependencies: ["Web", "Wire"], swiftSettings: swift),
        .testTarget(name: "CryptoTests", dependencies: ["Crypto", "Threads", "Wire"], swiftSettings: swift),
        .testTarget(name: "CoreTests", dependencies: ["Core", "Crypto", "Store", "Wire"], swiftSettings: swift),
        .testTarget(
            name: "TrafficTests",
            dependencies: ["Core", "Masking", "Traffic", "Web", "Wire"],
            swiftSettings: swift
        ),
        .testTarget(name: "StoreTests", dependencies: ["Core", "Store", "Wire"], swiftSettings: swift),
        .testTarget(
            name: "TransportTests",
            dependencies: ["COpenSSL", "Transport", "Web", "Wire"],
            swiftSettings: swift
        ),
        .testTarget(
            name: "NetworksTests",
            dependencies: ["Core", "Crypto", "Networks", "SandboxTesting", "Web", "Wire"],
            swiftSettings: swift
        ),
        .testTarget(
            name: "SandboxTests",
            dependencies: [
                "CSQLite", "CZlib", "Core", "Crypto", "Networks", "Resources", "Sandbox", "SandboxTesting", "Traffic",
                "Transport", "Web", "Wire",
            ],
            swiftSettings: swift
        ),
    ],
    swiftLanguageModes: [.v6],
    cLanguageStandard: .c2x
)

// scripts/fuzz targets: only when it is asked for, because it links libFuzzer.
if Context.environment["TSP_SANDBOX_FUZZ"] != nil {
    package.targets += [
        .systemLibrary(name: "CLibFuzzer", path: "Tests/Fuzz/CLibFuzzer"),
        .executableTarget(
            name: "Fuzz",
            dependencies: [
                "CLibFuzzer", "Compression", "Core", "Crypto", "Masking", "Networks", "Traffic", "Transport", "Web",
                "Wire",
            ],
            path: "Tests/Fuzz/Targets",
            swiftSettings: swift
        ),
    ]
}

// The sanitizers' builds (.ci/run, scripts/fuzz threads): what touches C, its tests, and what they need.
if Context.environment["TSP_SANDBOX_SANITIZED"] != nil {
    let others: Set = [
        "CResources", "Resources", "Networks", "Sandbox", "SandboxTesting", "tsp-sandbox", "MaskingTests", "WireTests",
        "WebTests",
        "CoreTests", "TrafficTests", "NetworksTests", "SandboxTests",
    ]
    package.targets.removeAll { others.contains($0.name) }
    package.products = []
}
