// swift-tools-version: 6.2
import PackageDescription

let settings: [SwiftSetting] = [
    .treatAllWarnings(as: .error),
    .enableUpcomingFeature("ExistentialAny"),
    .enableUpcomingFeature("InternalImportsByDefault"),
    .enableUpcomingFeature("MemberImportVisibility"),
]

let package = Package(
    name: "Networking",
    products: [
        .library(name: "Networking", targets: ["Networking"]),
        .library(name: "NetworkingTestSupport", targets: ["NetworkingTestSupport"]),
        .library(name: "XMLTree", targets: ["XMLTree"]),
    ],
    dependencies: [
        .package(path: "../Concurrency"),
        .package(path: "../Diagnostics"),
        .package(path: "../LazyLibraries"),
        .package(path: "../Security"),
        .package(path: "../TestKit"),
    ],
    targets: [
        .systemLibrary(name: "CCurl", providers: [.apt(["libcurl4-openssl-dev"])]),
        .target(
            name: "CCurlCalls", dependencies: [.product(name: "CLazyLibrary", package: "LazyLibraries")],
            swiftSettings: settings),
        .target(
            name: "Networking",
            dependencies: [
                "CCurl", "CCurlCalls", .product(name: "Digests", package: "Security"),
                .product(name: "Diagnostics", package: "Diagnostics"),
                .product(name: "Concurrency", package: "Concurrency"),
            ],
            swiftSettings: settings),
        // A product of its own, since HTTP alone needs no XML.
        .systemLibrary(name: "CExpat", providers: [.apt(["libexpat1-dev"])]),
        .target(
            name: "CExpatCalls", dependencies: [.product(name: "CLazyLibrary", package: "LazyLibraries")],
            swiftSettings: settings),
        .target(name: "XMLTree", dependencies: ["CExpat", "CExpatCalls"], swiftSettings: settings),
        .target(
            name: "NetworkingTestSupport",
            dependencies: [
                "Networking", .product(name: "Diagnostics", package: "Diagnostics"),
                .product(name: "Concurrency", package: "Concurrency"), .product(name: "TestKit", package: "TestKit"),
            ],
            swiftSettings: settings),
        .testTarget(
            name: "NetworkingTests",
            dependencies: [
                "Networking", "NetworkingTestSupport", .product(name: "Digests", package: "Security"),
                .product(name: "Diagnostics", package: "Diagnostics"),
                .product(name: "TestKit", package: "TestKit"), .product(name: "Concurrency", package: "Concurrency"),
            ],
            exclude: ["Fixtures"],
            swiftSettings: settings),
        .testTarget(name: "XMLTreeTests", dependencies: ["XMLTree"], swiftSettings: settings),
    ],
    swiftLanguageModes: [.v6]
)
