// swift-tools-version: 6.2
import PackageDescription

let settings: [SwiftSetting] = [
    .treatAllWarnings(as: .error),
    .enableUpcomingFeature("ExistentialAny"),
    .enableUpcomingFeature("InternalImportsByDefault"),
    .enableUpcomingFeature("MemberImportVisibility"),
]

let package = Package(
    name: "ParleyServer",
    products: [
        .library(name: "AuthEndpoints", targets: ["AuthEndpoints"]),
        .library(name: "AuthServer", targets: ["AuthServer"]),
        .library(name: "AuthServerTestSupport", targets: ["AuthServerTestSupport"]),
        .library(name: "ParleyServer", targets: ["ParleyServer"]),
    ],
    dependencies: [
        .package(path: "../Auth"),
        .package(path: "../Concurrency"),
        .package(path: "../Data"),
        .package(path: "../Diagnostics"),
        .package(path: "../Domain"),
        .package(path: "../HTTPServer"),
        .package(path: "../Localization"),
        .package(path: "../Networking"),
        .package(path: "../ObjectStore"),
        .package(path: "../Persistence"),
        .package(path: "../Postgres"),
        .package(path: "../Security"),
        .package(path: "../Sync"),
        .package(path: "../TestKit"),
    ],
    targets: [
        .target(
            name: "AuthServer", dependencies: [.product(name: "Security", package: "Security")],
            swiftSettings: settings),
        .target(name: "AuthEndpoints", dependencies: ["AuthServer"], swiftSettings: settings),
        .target(
            name: "AuthServerTestSupport",
            dependencies: [
                "AuthEndpoints", "AuthServer", .product(name: "Concurrency", package: "Concurrency"),
                .product(name: "Diagnostics", package: "Diagnostics"),
                .product(name: "Networking", package: "Networking"),
                .product(name: "Security", package: "Security"),
            ],
            swiftSettings: settings),
        // With the client's half, whose contract the rules have to keep.
        .testTarget(
            name: "AuthServerTests",
            dependencies: [
                "AuthServer", "AuthServerTestSupport", .product(name: "Auth", package: "Auth"),
                .product(name: "AuthTestSupport", package: "Auth"),
                .product(name: "Concurrency", package: "Concurrency"),
                .product(name: "Diagnostics", package: "Diagnostics"),
                .product(name: "Security", package: "Security"), .product(name: "TestKit", package: "TestKit"),
            ],
            swiftSettings: settings),
        .target(
            name: "ParleyServer",
            dependencies: [
                .product(name: "Digests", package: "Security"),
                "AuthEndpoints", "AuthServer", .product(name: "Concurrency", package: "Concurrency"),
                .product(name: "DataLayer", package: "Data"), .product(name: "Diagnostics", package: "Diagnostics"),
                .product(name: "Domain", package: "Domain"), .product(name: "HTTPServer", package: "HTTPServer"),
                .product(name: "Localization", package: "Localization"),
                .product(name: "Networking", package: "Networking"),
                .product(name: "ObjectStore", package: "ObjectStore"),
                .product(name: "Persistence", package: "Persistence"),
                .product(name: "Postgres", package: "Postgres"),
                .product(name: "PracticeWire", package: "Data"), .product(name: "Security", package: "Security"),
                .product(name: "SyncWire", package: "Sync"),
            ],
            swiftSettings: settings),
    ],
    swiftLanguageModes: [.v6]
)
