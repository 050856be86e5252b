// swift-tools-version: 6.2
import PackageDescription

let settings: [SwiftSetting] = [
    .treatAllWarnings(as: .error),
    .enableUpcomingFeature("ExistentialAny"),
    .enableUpcomingFeature("InternalImportsByDefault"),
    .enableUpcomingFeature("MemberImportVisibility"),
]

let package = Package(
    name: "Sync",
    products: [
        .library(name: "SyncWire", targets: ["SyncWire"]),
        .library(name: "Sync", targets: ["Sync"]),
        .library(name: "SyncTransports", targets: ["SyncTransports"]),
        .library(name: "SyncTestSupport", targets: ["SyncTestSupport"]),
    ],
    dependencies: [
        .package(path: "../Concurrency"),
        .package(path: "../DurableFiles"),
        .package(path: "../Networking"),
        .package(path: "../Persistence"),
        .package(path: "../Security"),
        .package(path: "../TestKit"),
    ],
    targets: [
        // A product of its own: the relay knows names and sizes, and has no code that could open anything.
        .target(name: "SyncWire", swiftSettings: settings),
        .target(
            name: "Sync",
            dependencies: [
                "SyncWire", .product(name: "Concurrency", package: "Concurrency"),
                .product(name: "Persistence", package: "Persistence"),
                .product(name: "Security", package: "Security"),
            ],
            swiftSettings: settings),
        .target(
            name: "SyncTransports",
            dependencies: [
                "Sync", "SyncWire", .product(name: "Concurrency", package: "Concurrency"),
                .product(name: "DurableFiles", package: "DurableFiles"),
                .product(name: "Networking", package: "Networking"),
                .product(name: "XMLTree", package: "Networking"),
            ],
            swiftSettings: settings),
        .target(
            name: "SyncTestSupport",
            dependencies: ["Sync", "SyncWire", .product(name: "Concurrency", package: "Concurrency")],
            swiftSettings: settings),
        .testTarget(
            name: "SyncTests",
            dependencies: [
                "Sync", "SyncTestSupport", "SyncWire", .product(name: "Concurrency", package: "Concurrency"),
                .product(name: "Digests", package: "Security"),
                .product(name: "Persistence", package: "Persistence"),
                .product(name: "Security", package: "Security"), .product(name: "TestKit", package: "TestKit"),
            ],
            exclude: ["Fixtures"],
            swiftSettings: settings),
        .testTarget(
            name: "SyncTransportsTests",
            dependencies: [
                "Sync", "SyncTestSupport", "SyncTransports", "SyncWire",
                .product(name: "Concurrency", package: "Concurrency"),
                .product(name: "DurableFiles", package: "DurableFiles"),
                .product(name: "Networking", package: "Networking"),
                .product(name: "NetworkingTestSupport", package: "Networking"),
                .product(name: "Persistence", package: "Persistence"),
                .product(name: "Security", package: "Security"), .product(name: "TestKit", package: "TestKit"),
            ],
            swiftSettings: settings),
    ],
    swiftLanguageModes: [.v6]
)
