// swift-tools-version: 6.2
import PackageDescription

let settings: [SwiftSetting] = [
    .treatAllWarnings(as: .error),
    .enableUpcomingFeature("ExistentialAny"),
    .enableUpcomingFeature("InternalImportsByDefault"),
    .enableUpcomingFeature("MemberImportVisibility"),
]

let package = Package(
    name: "Security",
    products: [
        .library(name: "Digests", targets: ["Digests"]),
        .library(name: "Security", targets: ["Security"]),
        .library(name: "SecuritySecretService", targets: ["SecuritySecretService"]),
        .library(name: "SecurityTestSupport", targets: ["SecurityTestSupport"]),
    ],
    dependencies: [
        .package(path: "../Concurrency"),
        .package(path: "../LazyLibraries"),
        .package(path: "../TestKit"),
        .package(path: "../Diagnostics"),
    ],
    targets: [
        .systemLibrary(name: "COpenSSL", providers: [.apt(["libssl-dev"])]),
        .target(
            name: "COpenSSLCalls", dependencies: [.product(name: "CLazyLibrary", package: "LazyLibraries")],
            swiftSettings: settings),
        // A product of its own: Networking takes hashes and no keys (ADR 0038).
        .target(name: "Digests", dependencies: ["COpenSSL", "COpenSSLCalls"], swiftSettings: settings),
        .testTarget(name: "DigestsTests", dependencies: ["Digests"], swiftSettings: settings),
        .target(
            name: "Security",
            dependencies: [
                "COpenSSL", "Digests", .product(name: "Diagnostics", package: "Diagnostics"),
                .product(name: "Concurrency", package: "Concurrency"),
            ],
            swiftSettings: settings),
        // A module of its own: who needs no keyring takes no code for it.
        .systemLibrary(name: "CSecret", providers: [.apt(["libsecret-1-dev"])]),
        .target(
            name: "CSecretCalls", dependencies: [.product(name: "CLazyLibrary", package: "LazyLibraries")],
            swiftSettings: settings),
        .target(
            name: "SecuritySecretService",
            dependencies: [
                "CSecret", "CSecretCalls", "Security", .product(name: "Concurrency", package: "Concurrency"),
            ],
            swiftSettings: settings),
        .target(name: "SecurityTestSupport", dependencies: ["Security"], swiftSettings: settings),
        .executableTarget(
            name: "SecurityProbeTestSupport",
            dependencies: ["Security", "SecuritySecretService", "SecurityTestSupport"], swiftSettings: settings),
        .testTarget(
            name: "SecurityTests",
            dependencies: [
                "Security", "Digests", "SecurityTestSupport", "SecurityProbeTestSupport",
                .product(name: "Diagnostics", package: "Diagnostics"), .product(name: "TestKit", package: "TestKit"),
                .product(name: "Concurrency", package: "Concurrency"),
            ],
            swiftSettings: settings),
    ],
    swiftLanguageModes: [.v6]
)
