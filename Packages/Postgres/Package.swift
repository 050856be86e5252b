// swift-tools-version: 6.2
import PackageDescription

let settings: [SwiftSetting] = [
    .treatAllWarnings(as: .error),
    .enableUpcomingFeature("ExistentialAny"),
    .enableUpcomingFeature("InternalImportsByDefault"),
    .enableUpcomingFeature("MemberImportVisibility"),
]

let package = Package(
    name: "Postgres",
    products: [
        .library(name: "Postgres", targets: ["Postgres"]),
        .library(name: "PostgresTestSupport", targets: ["PostgresTestSupport"]),
    ],
    dependencies: [
        .package(path: "../Concurrency"),
        .package(path: "../Diagnostics"),
        .package(path: "../LazyLibraries"),
        .package(path: "../TestKit"),
    ],
    targets: [
        .systemLibrary(name: "CPostgres", providers: [.apt(["libpq-dev"])]),
        .target(
            name: "CPostgresCalls", dependencies: [.product(name: "CLazyLibrary", package: "LazyLibraries")],
            swiftSettings: settings),
        .target(
            name: "Postgres",
            dependencies: [
                "CPostgres", "CPostgresCalls", .product(name: "Diagnostics", package: "Diagnostics"),
                .product(name: "Concurrency", package: "Concurrency"),
            ],
            swiftSettings: settings),
        .target(
            name: "PostgresTestSupport",
            dependencies: [
                .product(name: "Concurrency", package: "Concurrency"), .product(name: "TestKit", package: "TestKit"),
            ],
            swiftSettings: settings),
        .testTarget(
            name: "PostgresTests",
            dependencies: [
                "Postgres", "PostgresTestSupport", .product(name: "Concurrency", package: "Concurrency"),
                .product(name: "Diagnostics", package: "Diagnostics"), .product(name: "TestKit", package: "TestKit"),
            ],
            swiftSettings: settings),
    ],
    swiftLanguageModes: [.v6]
)
