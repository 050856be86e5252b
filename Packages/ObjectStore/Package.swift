// swift-tools-version: 6.2
import PackageDescription

let settings: [SwiftSetting] = [
    .treatAllWarnings(as: .error),
    .enableUpcomingFeature("ExistentialAny"),
    .enableUpcomingFeature("InternalImportsByDefault"),
    .enableUpcomingFeature("MemberImportVisibility"),
]

let package = Package(
    name: "ObjectStore",
    products: [
        .library(name: "ObjectStore", targets: ["ObjectStore"]),
        .library(name: "ObjectStoreTestSupport", targets: ["ObjectStoreTestSupport"]),
    ],
    dependencies: [
        .package(path: "../Concurrency"),
        .package(path: "../DurableFiles"),
        .package(path: "../Networking"),
        .package(path: "../Security"),
        .package(path: "../TestKit"),
    ],
    targets: [
        .target(
            name: "ObjectStore",
            dependencies: [
                .product(name: "Concurrency", package: "Concurrency"),
                .product(name: "Digests", package: "Security"),
                .product(name: "DurableFiles", package: "DurableFiles"),
                .product(name: "Networking", package: "Networking"),
                .product(name: "Security", package: "Security"),
                .product(name: "XMLTree", package: "Networking"),
            ],
            swiftSettings: settings),
        .target(
            name: "ObjectStoreTestSupport",
            dependencies: [
                "ObjectStore", .product(name: "Digests", package: "Security"),
                .product(name: "Networking", package: "Networking"), .product(name: "TestKit", package: "TestKit"),
            ],
            swiftSettings: settings),
        .executableTarget(
            name: "ObjectStoreProbeTestSupport", dependencies: ["ObjectStore"], swiftSettings: settings),
        .testTarget(
            name: "ObjectStoreTests",
            dependencies: [
                "ObjectStore", "ObjectStoreProbeTestSupport", "ObjectStoreTestSupport",
                .product(name: "Concurrency", package: "Concurrency"),
                .product(name: "Digests", package: "Security"),
                .product(name: "Networking", package: "Networking"),
                .product(name: "NetworkingTestSupport", package: "Networking"),
                .product(name: "Security", package: "Security"), .product(name: "TestKit", package: "TestKit"),
            ],
            swiftSettings: settings),
    ],
    swiftLanguageModes: [.v6]
)
