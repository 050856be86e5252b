// swift-tools-version: 6.2
import PackageDescription

let settings: [SwiftSetting] = [
    .treatAllWarnings(as: .error),
    .enableUpcomingFeature("ExistentialAny"),
    .enableUpcomingFeature("InternalImportsByDefault"),
    .enableUpcomingFeature("MemberImportVisibility"),
]

let package = Package(
    name: "Auth",
    products: [
        .library(name: "Auth", targets: ["Auth"]),
        .library(name: "AuthEndpoints", targets: ["AuthEndpoints"]),
        .library(name: "AuthTestSupport", targets: ["AuthTestSupport"]),
        .library(name: "AuthServer", targets: ["AuthServer"]),
        .library(name: "AuthServerTestSupport", targets: ["AuthServerTestSupport"]),
    ],
    dependencies: [
        .package(path: "../Concurrency"),
        .package(path: "../Diagnostics"),
        .package(path: "../Networking"),
        .package(path: "../Security"),
        .package(path: "../TestKit"),
    ],
    targets: [
        .target(
            name: "Auth",
            dependencies: [
                .product(name: "Diagnostics", package: "Diagnostics"),
                .product(name: "Networking", package: "Networking"),
                .product(name: "Security", package: "Security"), .product(name: "Concurrency", package: "Concurrency"),
            ],
            swiftSettings: settings),
        .target(
            name: "AuthTestSupport",
            dependencies: [
                "Auth", "AuthEndpoints", "AuthServer", "AuthServerTestSupport",
                .product(name: "Diagnostics", package: "Diagnostics"),
                .product(name: "Networking", package: "Networking"),
                .product(name: "Security", package: "Security"), .product(name: "Concurrency", package: "Concurrency"),
            ],
            swiftSettings: settings),
        .executableTarget(
            name: "AuthProbeTestSupport",
            dependencies: [
                "Auth", .product(name: "Diagnostics", package: "Diagnostics"),
                .product(name: "Networking", package: "Networking"),
                .product(name: "Security", package: "Security"),
            ],
            swiftSettings: settings),
        .testTarget(
            name: "AuthTests",
            dependencies: [
                "Auth", "AuthProbeTestSupport", "AuthTestSupport",
                .product(name: "Diagnostics", package: "Diagnostics"),
                .product(name: "Networking", package: "Networking"),
                .product(name: "NetworkingTestSupport", package: "Networking"),
                .product(name: "Security", package: "Security"),
                .product(name: "TestKit", package: "TestKit"), .product(name: "Concurrency", package: "Concurrency"),
            ],
            swiftSettings: settings),
        .target(
            name: "AuthServer", dependencies: [.product(name: "Security", package: "Security")],
            swiftSettings: settings),
        .target(name: "AuthEndpoints", dependencies: ["AuthServer"], swiftSettings: settings),
        .target(
            name: "AuthServerTestSupport",
            dependencies: [
                "AuthServer", .product(name: "Diagnostics", package: "Diagnostics"),
                .product(name: "Concurrency", package: "Concurrency"),
            ],
            swiftSettings: settings),
        .testTarget(
            name: "AuthServerTests",
            dependencies: [
                "AuthServer", "AuthServerTestSupport", .product(name: "Diagnostics", package: "Diagnostics"),
                .product(name: "Security", package: "Security"), .product(name: "TestKit", package: "TestKit"),
            ],
            swiftSettings: settings),
    ],
    swiftLanguageModes: [.v6]
)
