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
        .library(name: "Security", targets: ["Security"]),
        .library(name: "SecuritySecretService", targets: ["SecuritySecretService"]),
        .library(name: "SecurityTestSupport", targets: ["SecurityTestSupport"]),
    ],
    dependencies: [
        .package(path: "../Concurrency"),
        .package(path: "../TestKit"),
        .package(path: "../Diagnostics"),
    ],
    targets: [
        .systemLibrary(name: "COpenSSL", pkgConfig: "libcrypto", providers: [.apt(["libssl-dev"])]),
        .target(
            name: "Security",
            dependencies: [
                "COpenSSL", .product(name: "Diagnostics", package: "Diagnostics"),
                .product(name: "Concurrency", package: "Concurrency"),
            ],
            swiftSettings: settings),
        // A module of its own, so that who needs no keyring links no GLib.
        .systemLibrary(name: "CSecret", pkgConfig: "libsecret-1", providers: [.apt(["libsecret-1-dev"])]),
        .target(
            name: "SecuritySecretService",
            dependencies: ["CSecret", "Security", .product(name: "Concurrency", package: "Concurrency")],
            swiftSettings: settings),
        .target(name: "SecurityTestSupport", dependencies: ["Security"], swiftSettings: settings),
        .executableTarget(
            name: "SecurityProbeTestSupport",
            dependencies: ["Security", "SecuritySecretService", "SecurityTestSupport"], swiftSettings: settings),
        .testTarget(
            name: "SecurityTests",
            dependencies: [
                "Security", "SecurityTestSupport", "SecurityProbeTestSupport",
                .product(name: "Diagnostics", package: "Diagnostics"), .product(name: "TestKit", package: "TestKit"),
                .product(name: "Concurrency", package: "Concurrency"),
            ],
            swiftSettings: settings),
    ],
    swiftLanguageModes: [.v6]
)
