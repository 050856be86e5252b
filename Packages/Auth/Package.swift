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
        .library(name: "AuthTestSupport", targets: ["AuthTestSupport"]),
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
                "Auth",
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
    ],
    swiftLanguageModes: [.v6]
)
